import CSodium

/// Unguessable bytes from the operating system's source.
package enum RandomBytes {
    /// `count` random bytes; none for a negative count.
    package static func make(count: Int) -> [UInt8] {
        Sodium.prepare()
        var bytes = [UInt8](repeating: 0, count: max(0, count))
        randombytes_buf(&bytes, bytes.count)
        return bytes
    }

    /// Two random words, as a new identifier needs them.
    package static func words() -> (UInt64, UInt64) {
        Sodium.prepare()
        var words: (UInt64, UInt64) = (0, 0)
        randombytes_buf(&words, MemoryLayout<(UInt64, UInt64)>.size)
        return words
    }
}
