import CSodium

/// SHA-256 (FIPS 180-4), at once or part by part.
package struct SHA256: Sendable {
    /// The number of bytes of a hash.
    package static let length = 32

    private var state = crypto_hash_sha256_state()

    /// Begins a hash of nothing.
    package init() { crypto_hash_sha256_init(&state) }

    /// Adds bytes to what is hashed.
    package mutating func update(_ bytes: [UInt8]) {
        crypto_hash_sha256_update(&state, bytes, UInt64(bytes.count))
    }

    /// Adds bytes to what is hashed.
    package mutating func update(_ bytes: borrowing Span<UInt8>) {
        bytes.withUnsafeBufferPointer { _ = crypto_hash_sha256_update(&state, $0.baseAddress, UInt64($0.count)) }
    }

    /// The 32 bytes of the hash of everything added.
    package consuming func finish() -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: Self.length)
        crypto_hash_sha256_final(&state, &hash)
        return hash
    }

    /// The 32 bytes of the hash of `bytes`.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: length)
        crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
        return hash
    }
}
