/// Short names for requests: thirteen characters that do not repeat within 2⁶⁴ requests of one run.
package enum RequestIdentifier {
    /// The name of the `number`th request of a run that chose `seed`.
    package static func text(number: UInt64, seed: UInt64) -> String {
        // A bijection (splitmix64's finish), so that neighbours do not look alike and none repeats.
        var value = number &+ seed
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        value ^= value >> 31
        var digits: [UInt8] = []
        digits.reserveCapacity(13)
        for _ in 0..<13 {
            digits.append(digit(UInt8(truncatingIfNeeded: value & 31)))
            value >>= 5
        }
        return String(decoding: digits, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 &+ value : 0x61 &+ value &- 10 }
}
