import CSodium

/// HMAC with SHA-256 (RFC 2104, RFC 4231).
package enum HMACSHA256 {
    /// A key, ready for one message after another.
    package struct Key: Sendable {
        fileprivate var state = crypto_auth_hmacsha256_state()

        /// A key of any length.
        package init(_ key: [UInt8]) { crypto_auth_hmacsha256_init(&state, key, key.count) }

        /// The 32 bytes that authenticate `message`.
        package func authenticate(_ message: [UInt8]) -> [UInt8] {
            var state = state
            crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
            var tag = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_BYTES))
            crypto_auth_hmacsha256_final(&state, &tag)
            return tag
        }

        /// The first 16 of those bytes, without making an array of them.
        package func shortTag(_ message: [UInt8]) -> ShortTag {
            var state = state
            crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
            var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
            withUnsafeMutableBytes(of: &words) { bytes in
                guard let tag = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
                crypto_auth_hmacsha256_final(&state, tag)
            }
            return ShortTag(first: UInt64(bigEndian: words.0), second: UInt64(bigEndian: words.1))
        }
    }

    /// The 32 bytes that authenticate `message` under a key of any length.
    package static func authenticate(message: [UInt8], key: [UInt8]) -> [UInt8] { Key(key).authenticate(message) }
}
