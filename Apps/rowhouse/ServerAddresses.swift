/// The addresses of a running server, for a person to read.
struct ServerAddresses: Sendable, Equatable {
    /// Where it listens, with the port it has got.
    let listening: String
    /// What others should use: the public address, else one that this machine reaches.
    let usable: String

    init(_ settings: ServeSettings, port: Int) {
        let scheme = settings.tls == nil ? "http" : "https"
        listening = "\(scheme)://\(settings.listen.authority(port: port))"
        usable = settings.publicURL ?? "\(scheme)://\(settings.listen.reachable.authority(port: port))"
    }
}
