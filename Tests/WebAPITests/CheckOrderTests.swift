import HTTPCore
import RowhouseModel
import Testing
import WebAPI

/// Route and shape of ids (404), token (401), limits (429), base, table and scope (403), body and parameters (422).
struct CheckOrderTests {
    private static let list = "/v0/\(Door.base)/Tasks"
    /// One call of each kind with a mistake in its body or parameters.
    private static let mistaken: [(String, String, String)] = [
        ("GET", "\(list)?pageSize=0", ""), ("GET", "\(list)?view=%zz", ""),
        ("POST", "\(list)/listRecords", "{"), ("GET", "\(list)/\(Door.record)?fields[]=A", ""),
        ("GET", "\(list)/\(Door.record)?cellFormat=string", ""), ("POST", list, "{"), ("POST", list, "[]"),
        ("PATCH", list, "{}"), ("PUT", "\(list)/\(Door.record)", "{}"), ("DELETE", list, ""),
        ("DELETE", "\(list)?records[]=nope", ""), ("POST", "/v0/meta/bases/\(Door.base)/tables", "{}"),
        ("PATCH", "/v0/meta/bases/\(Door.base)/tables/T", #"{"name":5}"#),
        ("POST", "/v0/meta/bases/\(Door.base)/tables/T/fields", "{}"),
        ("PATCH", "/v0/meta/bases/\(Door.base)/tables/T/fields/fld00000000000000", #"{"options":5}"#),
        ("GET", "\(list)/\(Door.record)/comments?pageSize=101", ""), ("POST", "\(list)/\(Door.record)/comments", "{}"),
        ("POST", "\(list)/\(Door.record)/comments", #"{"text":"a","parentCommentId":"com1"}"#),
        ("PATCH", "\(list)/\(Door.record)/comments/com00000000000000", #"{"text":5}"#),
    ]

    @Test func `A mistake in the shape of the address comes before everything`() async {
        let door = Door()
        door.fail("admit", .rateLimitReached)
        for path in ["\(Self.list)/nope", "/v0/nope/Tasks", "/v0/meta/bases/nope/tables"] {
            #expect(await door.send("GET", path + "?pageSize=0", token: nil).status.rawValue == 404)
        }
        #expect(door.lines() == [])
    }

    @Test func `The token comes before limits, rights and parameters`() async {
        let door = Door()
        door.fail("admit", .rateLimitReached)
        door.fail("check", .invalidPermissionsOrModelNotFound)
        for (method, path, body) in Self.mistaken {
            for token in [nil, "unknown", ""] {
                let response = await door.send(method, path, token: token, body: body)
                #expect(response.status.rawValue == 401, "\(method) \(path)")
                #expect(
                    response.text
                        == #"{"error":{"type":"AUTHENTICATION_REQUIRED","message":"Authentication required"}}"#)
            }
        }
        #expect(!door.lines().contains { $0 != "caller" })
    }

    @Test func `Limits come before rights and parameters`() async {
        let door = Door()
        door.fail("admit", .rateLimitReached)
        door.fail("check", .invalidPermissionsOrModelNotFound)
        for (method, path, body) in Self.mistaken {
            let response = await door.send(method, path, body: body)
            #expect(response.status.rawValue == 429 && response.errorType == "RATE_LIMIT_REACHED", "\(method) \(path)")
            #expect(door.lines() == ["caller", "admit \(Door.base)"])
        }
    }

    @Test func `Rights come before parameters`() async {
        let door = Door()
        for error in [APIError.invalidPermissionsOrModelNotFound, .invalidPermissions] {
            door.fail("check", error)
            for (method, path, body) in Self.mistaken {
                let response = await door.send(method, path, body: body)
                #expect(response.status.rawValue == 403 && response.errorType == error.type, "\(method) \(path)")
                #expect(door.lines().count == 3)
            }
        }
    }

    @Test func `Parameters come before the work`() async {
        let door = Door()
        for (method, path, body) in Self.mistaken {
            let response = await door.send(method, path, body: body)
            #expect(response.status.rawValue == 422, "\(method) \(path) \(response.text)")
            #expect(door.lines().count == 3, "\(method) \(path)")
        }
    }

    @Test func `Making a base needs its scope before its body`() async {
        let door = Door()
        let response = await door.send("POST", "/v0/meta/bases", token: "none", body: "{")
        #expect(response.status.rawValue == 403 && response.errorType == "INVALID_PERMISSIONS")
        #expect(await door.send("POST", "/v0/meta/bases", body: "{").errorType == "INVALID_REQUEST_BODY")
    }

    @Test func `A query that cannot be read is told last of all`() async {
        let door = Door()
        let many = (0...500).map { "a\($0)=1" }.joined(separator: "&")
        for query in ["a=%zz", "a=%ff", "a=%00", many] {
            for path in [Self.list, "/v0/meta/bases", "/v0/meta/whoami", "/v0/meta/bases/\(Door.base)/tables"] {
                #expect(await door.send("GET", "\(path)?\(query)", token: nil).status.rawValue == 401)
                #expect(await door.send("GET", "\(path)?\(query)").errorType == "INVALID_REQUEST_UNKNOWN")
            }
        }
    }

    // MARK: tokens

    @Test func `A token comes as a bearer, whatever the case of the word`() async {
        let forms: [(String, Bool)] = [
            ("Bearer all", true), ("bearer all", true), ("BEARER all", true), ("Bearer   all", true),
            ("Bearer all  ", true), ("Bearer", false), ("Bearer ", false), ("Bearerall", false), ("all", false),
            ("Basic YWxsOg==", false), ("Token all", false), ("Bearer ALL", false), ("Bearer all x", false),
            ("", false),
        ]
        for (value, isGood) in forms {
            let response = await Door().send(
                "GET", "/v0/meta/whoami", token: nil, headers: [("authorization", value)])
            #expect(response.status.rawValue == (isGood ? 200 : 401), "\(value)")
        }
    }

    @Test func `A key in the address is taken only where that is switched on, and never instead of a header`() async {
        #expect(await Door().send("GET", "/v0/meta/whoami?api_key=all", token: nil).status.rawValue == 401)
        var door = Door()
        door.acceptsLegacyKey = true
        #expect(await door.send("GET", "/v0/meta/whoami?api_key=all", token: nil).status.rawValue == 200)
        #expect(await door.send("GET", "/v0/meta/whoami?api_key=nope", token: nil).status.rawValue == 401)
        #expect(await door.send("GET", "/v0/meta/whoami", token: nil).status.rawValue == 401)
        #expect(await door.send("GET", "/v0/meta/whoami?api_key=all", token: "nope").status.rawValue == 401)
        #expect(await door.send("GET", "/v0/meta/whoami?api_key=nope", token: "all").status.rawValue == 200)
    }
}
