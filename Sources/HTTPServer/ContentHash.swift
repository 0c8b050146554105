import HTTPCore

/// A fast hash of bytes for telling contents apart; no defence against someone who looks for collisions.
enum ContentHash {
    /// Mixes eight bytes at a time by full multiplication, as wyhash and its relatives do; the length counts.
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: bytes.count)
        var index = 0
        while bytes.count &- index >= 8 {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            state = mixed(state ^ word, 0xE703_7ED1_A0B4_28DB)
            index &+= 8
        }
        var last: UInt64 = 0
        while index < bytes.count {
            last = last << 8 | UInt64(bytes[index])
            index &+= 1
        }
        return mixed(mixed(state ^ last, 0x8EBC_6AF0_9C88_C6E3), 0x5899_65CC_7537_4CC3)
    }

    private static func mixed(_ first: UInt64, _ second: UInt64) -> UInt64 {
        let product = first.multipliedFullWidth(by: second)
        return product.high ^ product.low ^ (first &+ second)
    }
}

extension EntityTag {
    /// A weak tag of a body: the same bytes give the same tag in every run of the program.
    static func weak(of body: [UInt8]) -> String {
        let hash = body.withUnsafeBytes(ContentHash.of)
        return String(unsafeUninitializedCapacity: 20) { text in
            text[0] = UInt8(ascii: "W")
            text[1] = UInt8(ascii: "/")
            text[2] = UInt8(ascii: "\"")
            for place in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: hash >> UInt64(60 &- 4 &* place)) & 15
                text[3 &+ place] = digit < 10 ? 0x30 &+ digit : 0x61 &+ digit &- 10
            }
            text[19] = UInt8(ascii: "\"")
            return 20
        }
    }
}
