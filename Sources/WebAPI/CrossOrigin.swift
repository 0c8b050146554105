/// The headers that let pages of any origin call the API, as Airtable sends them; on every answer, errors included.
package enum CrossOrigin {
    /// Names and values; a token is needed all the same, and cookies are never allowed.
    package static let headers: [(name: String, value: String)] = [
        ("Access-Control-Allow-Origin", "*"),
        ("Access-Control-Allow-Methods", "GET,PUT,POST,PATCH,DELETE,OPTIONS"),
        (
            "Access-Control-Allow-Headers",
            "content-type, authorization, content-length, x-requested-with, x-api-version, "
                + "x-airtable-application-id, x-airtable-user-agent, idempotency-key, if-none-match"
        ),
    ]

    /// What a preflight is answered besides.
    static let preflight: [(name: String, value: String)] = [("Access-Control-Max-Age", "86400")]
}
