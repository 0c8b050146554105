import Outgoing

/// Everything `serve` is told, checked.
struct ServeSettings: Sendable, Equatable {
    struct TLS: Sendable, Equatable {
        let certificate: String
        let key: String
    }

    let data: String
    var listen = ListenAddress(host: "127.0.0.1", port: 8080)
    var tls: TLS?
    /// The address that links are made from, without a slash at its end; nil to make it from `listen`.
    var publicURL: String?
    /// Numeric addresses whose X-Forwarded headers count.
    var trustedProxies: [String] = []
    /// Places that files may be fetched from though they are not on the public internet.
    var fetchAllowed: Set<HostAndPort> = []
    /// Nil for no limit.
    var connectionsPerAddress: Int?
    /// How many days what is deleted can be restored.
    var trashDays = 30
    /// Nil when no backups are made by themselves.
    var backups: BackupSettings?
    var limitsRate = false
    /// Whether `?api_key=` is taken for a bearer token.
    var takesLegacyAPIKey = false
    /// Whether each request leaves a line on standard error.
    var writesAccessLog = true
    /// Whether the links of attachments end after some hours.
    var attachmentLinksExpire = false
    var isTest = false
    /// Whether commits skip the wait for the disk; only in a test folder.
    var isUnsafe = false
    /// Whether a fresh folder gets the sample base.
    var makesSample = false

    static let options: [CommandOption] =
        [
            setting("listen", "HOST:PORT", "Where to listen; 127.0.0.1:8080 unless set, port 0 for a free one."),
            setting("tls-cert", "FILE", "The certificate chain in PEM: serves https."),
            setting("tls-key", "FILE", "The certificate's key in PEM."),
            setting("public-url", "URL", "The address that links are made from."),
            CommandOption(
                name: "trusted-proxy", placeholder: "ADDRESS", help: "A proxy whose X-Forwarded headers count.",
                isRepeatable: true, isSetting: true),
            setting("connections-per-address", "N", "Connections one address may hold; 0, no limit, unless set."),
            CommandOption(
                name: "fetch-allow", placeholder: "HOST:PORT",
                help: "A place at home to fetch files from, as URLs name it.",
                isRepeatable: true, isSetting: true),
            setting("trash-days", "N", "How long what is deleted can be restored; 30 unless set."),
        ] + BackupSettings.options + [
            setting("rate-limit", nil, "Limit calls as Airtable does: 5 a second a base, 50 a user."),
            setting("legacy-api-key", nil, "Take ?api_key=TOKEN where no header is sent."),
            setting("quiet", nil, "Write no line for each request."),
            setting("attachment-links-expire", nil, "Let the links of attachments end after two to three hours."),
            setting("sample", nil, "Give a fresh folder a sample base: a tea shop, a diary, notes."),
            setting("test", nil, "Mark a fresh folder as one for tests."),
            setting("unsafe-synchronous-off", nil, "Do not wait for the disk; refused outside of a test folder."),
        ]

    private static func setting(_ name: String, _ placeholder: String?, _ help: String) -> CommandOption {
        CommandOption(name: name, placeholder: placeholder, help: help, isSetting: true)
    }

    init(data: String) { self.data = data }

    /// Checks every setting.
    ///
    /// - Throws: a usage error that names the setting and what is wrong with it.
    init(_ settings: Settings) throws(CommandError) {
        data = try settings.required("data")
        if let value = settings.value("listen") { listen = try Self.address(value) }
        tls = try Self.tls(settings)
        if let value = settings.value("public-url") {
            guard let url = PublicURL.checked(value.text) else {
                throw .usage("\(value.origin): \"\(value.text)\" is not an address like https://example.org.")
            }
            publicURL = url
        }
        for value in settings.values("trusted-proxy") {
            guard NumericHost.isIPv4(value.text) || NumericHost.isIPv6(value.text) else {
                throw .usage("\(value.origin): \"\(value.text)\" is not a numeric address.")
            }
            trustedProxies.append(value.text)
        }
        for value in settings.values("fetch-allow") {
            guard let place = HostAndPort(value.text) else {
                throw .usage("\(value.origin): \"\(value.text)\" is not like 192.168.1.5:8080 or nas.local:80.")
            }
            fetchAllowed.insert(place)
        }
        let connections = try settings.integer("connections-per-address", in: 0...1_000_000) ?? 0
        connectionsPerAddress = connections == 0 ? nil : connections
        trashDays = try settings.integer("trash-days", in: 0...36_500) ?? 30
        backups = try BackupSettings(settings)
        limitsRate = try settings.isOn("rate-limit")
        takesLegacyAPIKey = try settings.isOn("legacy-api-key")
        writesAccessLog = try !settings.isOn("quiet")
        makesSample = try settings.isOn("sample")
        attachmentLinksExpire = try settings.isOn("attachment-links-expire")
        isTest = try settings.isOn("test")
        isUnsafe = try settings.isOn("unsafe-synchronous-off")
    }

    private static func address(_ value: Settings.Value) throws(CommandError) -> ListenAddress {
        if let address = ListenAddress(value.text) { return address }
        throw .usage("\(value.origin): \"\(value.text)\" is not like 127.0.0.1:8080 or [::1]:8080.")
    }

    private static func tls(_ settings: Settings) throws(CommandError) -> TLS? {
        switch (settings.value("tls-cert"), settings.value("tls-key")) {
        case (nil, nil): nil
        case (let certificate?, let key?): TLS(certificate: certificate.text, key: key.text)
        case (let certificate?, nil): throw .usage("\(certificate.origin) needs --tls-key.")
        case (nil, let key?): throw .usage("\(key.origin) needs --tls-cert.")
        }
    }
}
