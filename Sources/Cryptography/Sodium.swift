import CSodium

/// The library behind this room.
enum Sodium {
    /// Prepares the library once; every use of its random source goes through here.
    static let isReady: Bool = sodium_init() >= 0

    static func prepare() {
        // Without a source of randomness every token would be a guess; there is nothing to go on with.
        precondition(isReady, "libsodium cannot start: the system has no source of randomness")
    }
}
