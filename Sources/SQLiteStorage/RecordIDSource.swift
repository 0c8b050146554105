import RowhouseModel

/// Makes record ids that sort by time: milliseconds first, then a counter that starts anywhere in the lower half.
///
/// Every id is greater than the one before, also when the clock goes back.
struct RecordIDSource {
    private static let counters: UInt64 = 62 * 62 * 62 * 62 * 62 * 62
    private var time: UInt64
    private var counter: UInt64

    /// Goes on after the greatest id known.
    init(after last: IdentifierText?) {
        time = last?.time ?? 0
        counter = last?.counter ?? 0
    }

    mutating func next(at milliseconds: Int64) -> RecordID {
        let now = UInt64(max(0, milliseconds))
        if now > time {
            time = now
            counter = .random(in: 0..<Self.counters / 2)
        } else if counter + 1 < Self.counters {
            counter += 1
        } else {
            time += 1
            counter = .random(in: 0..<Self.counters / 2)
        }
        return RecordID(text: IdentifierText(time: time, counter: counter))
    }
}
