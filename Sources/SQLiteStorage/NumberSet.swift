/// Numbers of records, one bit each.
struct NumberSet {
    private var words: [UInt64] = []

    /// The greatest number that may be in a set: eight megabytes of bits.
    static let greatest: Int64 = 1 << 26

    /// Adds a number from 0 to `greatest`.
    mutating func insert(_ number: Int64) {
        let place = Int(truncatingIfNeeded: number >> 6)
        if place >= words.count {
            words.append(contentsOf: repeatElement(0, count: max(words.count, place + 1 - words.count)))
        }
        words[place] |= 1 << UInt64(number & 63)
    }

    func contains(_ number: Int64) -> Bool {
        let place = Int(truncatingIfNeeded: number >> 6)
        return words.indices.contains(place) && words[place] >> UInt64(number & 63) & 1 == 1
    }

    /// The least number after this one; nil when there is none.
    func next(after number: Int64) -> Int64? {
        var place = Int(truncatingIfNeeded: (number + 1) >> 6)
        var bits = UInt64.max << UInt64((number + 1) & 63)
        while words.indices.contains(place) {
            bits &= words[place]
            if bits != 0 { return Int64(place) << 6 | Int64(bits.trailingZeroBitCount) }
            bits = .max
            place += 1
        }
        return nil
    }
}
