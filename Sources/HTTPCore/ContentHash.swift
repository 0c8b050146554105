/// A fast hash of bytes for telling contents apart; no defence against someone who looks for collisions.
package enum ContentHash {
    /// Mixes eight bytes at a time by full multiplication, as wyhash and its relatives do; the length counts.
    package static func of(_ bytes: [UInt8]) -> UInt64 {
        let span = bytes.span
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: span.count)
        var index = 0
        while span.count &- index >= 8 {
            var word: UInt64 = 0
            for offset in 0..<8 { word |= UInt64(span[index &+ offset]) << UInt64(offset &* 8) }
            state = mixed(state ^ word, 0xE703_7ED1_A0B4_28DB)
            index &+= 8
        }
        var last: UInt64 = 0
        while index < span.count {
            last = last << 8 | UInt64(span[index])
            index &+= 1
        }
        return mixed(mixed(state ^ last, 0x8EBC_6AF0_9C88_C6E3), 0x5899_65CC_7537_4CC3)
    }

    private static func mixed(_ first: UInt64, _ second: UInt64) -> UInt64 {
        let product = first.multipliedFullWidth(by: second)
        return product.high ^ product.low ^ (first &+ second)
    }
}
