import CSodium

/// A 128-bit tag of some text under a secret key.
package struct ShortTag: Hashable, Sendable {
    package let first: UInt64
    package let second: UInt64

    package init(first: UInt64, second: UInt64) {
        self.first = first
        self.second = second
    }

    /// Whether both are the same, in a time that does not depend on where they differ.
    package func equals(_ other: ShortTag) -> Bool { (first ^ other.first) | (second ^ other.second) == 0 }
}

/// SipHash-2-4 with 128-bit tags (Aumasson and Bernstein): tells texts apart a tenth as fast as hashing them would,
/// unpredictably for whoever does not know the key.
package struct ShortTagger: Sendable {
    private let key: [UInt8]

    /// A tagger with a key of its own, never told to anyone.
    package init() { key = RandomBytes.make(count: Int(crypto_shorthash_siphashx24_KEYBYTES)) }

    /// A tagger with a given key of 16 bytes; shorter ones are filled with zeros, longer ones cut.
    package init(key: [UInt8]) {
        let length = Int(crypto_shorthash_siphashx24_KEYBYTES)
        self.key = Array(key.prefix(length)) + [UInt8](repeating: 0, count: max(0, length - key.count))
    }

    /// The tag of the text's UTF-8.
    package func tag(_ text: String) -> ShortTag {
        text.utf8.withContiguousStorageIfAvailable { tag($0) } ?? tag(Array(text.utf8))
    }

    /// The tag of the bytes.
    package func tag(_ bytes: [UInt8]) -> ShortTag { bytes.withUnsafeBufferPointer { tag($0) } }

    private func tag(_ bytes: UnsafeBufferPointer<UInt8>) -> ShortTag {
        var words: (UInt64, UInt64) = (0, 0)
        withUnsafeMutableBytes(of: &words) { words in
            guard let tag = words.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            _ = crypto_shorthash_siphashx24(tag, bytes.baseAddress, UInt64(bytes.count), key)
        }
        return ShortTag(first: UInt64(littleEndian: words.0), second: UInt64(littleEndian: words.1))
    }
}
