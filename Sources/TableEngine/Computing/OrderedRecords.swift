import RowhouseModel

/// The records of a table in a computed order, as one moment knew them: keys one after the other, each ending in the
/// record's id.
final class OrderedRecords: Sendable {
    private let bytes: [UInt8]
    /// Where each key ends.
    private let ends: [Int]
    private let isIDTurned: Bool

    /// How many records there are.
    var count: Int { ends.count }
    /// About how much memory the list takes.
    var size: Int { bytes.count + ends.count * 8 + 200 }

    /// Puts keys in their order; `ends` are the ends of keys that stand in `bytes` in any order.
    init(_ bytes: [UInt8], ends: [Int], isIDTurned: Bool) {
        self.isIDTurned = isIDTurned
        var entries: [(prefix: UInt64, key: Range<Int>)] = []
        entries.reserveCapacity(ends.count)
        var start = 0
        for end in ends {
            entries.append((Self.prefix(bytes, start..<end), start..<end))
            start = end
        }
        entries.sort { left, right in
            left.prefix == right.prefix
                ? bytes[left.key].lexicographicallyPrecedes(bytes[right.key]) : left.prefix < right.prefix
        }
        var sorted: [UInt8] = []
        sorted.reserveCapacity(bytes.count)
        var sortedEnds: [Int] = []
        sortedEnds.reserveCapacity(ends.count)
        for entry in entries {
            sorted.append(contentsOf: bytes[entry.key])
            sortedEnds.append(sorted.count)
        }
        self.bytes = sorted
        self.ends = sortedEnds
    }

    /// The first eight bytes of a key, which nearly always decide.
    private static func prefix(_ bytes: [UInt8], _ key: Range<Int>) -> UInt64 {
        var prefix: UInt64 = 0
        for index in 0..<8 {
            let place = key.lowerBound + index
            prefix = prefix << 8 | (place < key.upperBound ? UInt64(bytes[place]) : 0)
        }
        return prefix
    }

    private func range(_ place: Int) -> Range<Int> { (place == 0 ? 0 : ends[place - 1])..<ends[place] }

    /// The key at a place.
    func key(_ place: Int) -> [UInt8] { Array(bytes[range(place)]) }

    /// The record at a place.
    func record(_ place: Int) -> RecordID {
        var words: (UInt64, UInt64) = (0, 0)
        for (index, byte) in bytes[range(place)].suffix(IdentifierText.length).enumerated() {
            let byte = UInt64(isIDTurned ? ~byte : byte)
            if index < 8 { words.0 = words.0 << 8 | byte } else { words.1 = words.1 << 8 | byte }
        }
        return RecordID(text: IdentifierText(high: words.0, low: words.1 << 16))
    }

    /// The first place whose key comes after this one.
    func place(after key: [UInt8]) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if key.lexicographicallyPrecedes(bytes[range(middle)]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
