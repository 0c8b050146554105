import RowhouseModel

/// Makes record ids that sort by time: milliseconds first, then a counter that starts anywhere in the lower half.
///
/// Every id is greater than the one before, also when the clock goes back.
struct RecordIDSource {
    private static let counters: UInt64 = 62 * 62 * 62 * 62 * 62 * 62
    private var time: UInt64
    private var counter: UInt64

    /// Goes on after every id with this time.
    init(after time: Int64) {
        self.time = UInt64(max(0, time))
        counter = Self.counters - 1
    }

    /// The time of the last id.
    var lastTime: Int64 { Int64(clamping: time) }

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
