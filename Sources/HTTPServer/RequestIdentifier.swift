/// Short names for requests: thirteen characters that do not repeat within 2⁶⁴ requests of one run.
enum RequestIdentifier {
    /// The name of the `number`th request of a run that chose `seed`.
    static func text(number: UInt64, seed: UInt64) -> String {
        // A bijection (splitmix64's finish), so that neighbours do not look alike and none repeats.
        var value = number &+ seed
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        value ^= value >> 31
        return String(unsafeUninitializedCapacity: 13) { text in
            for place in 0..<13 {
                let digit = UInt8(truncatingIfNeeded: value & 31)
                text[place] = digit < 10 ? 0x30 &+ digit : 0x61 &+ digit &- 10
                value >>= 5
            }
            return 13
        }
    }
}
