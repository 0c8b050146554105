import Glibc

/// Keeps the smallest keys of many, in memory for twice as many as asked for.
struct FirstKeys {
    typealias Entry = (key: [UInt8], number: Int64)
    private let limit: Int
    private let after: [UInt8]?
    private var entries: [Entry] = []
    private var threshold: [UInt8]?

    /// Keeps `limit` keys beyond `after`.
    init(limit: Int, after: [UInt8]?) {
        self.limit = max(1, limit)
        self.after = after
    }

    mutating func add(_ key: [UInt8], _ number: Int64) {
        if let threshold, !key.isBefore(threshold) { return }
        if let after, !after.isBefore(key) { return }
        entries.append((key, number))
        if entries.count >= 2 * limit + 32 { cut() }
    }

    /// The keys kept, in order.
    mutating func sorted() -> [Entry] {
        cut()
        return entries
    }

    private mutating func cut() {
        entries.sort { $0.key.isBefore($1.key) }
        guard entries.count >= limit else { return }
        entries.removeSubrange(limit...)
        threshold = entries.last?.key
    }
}

extension [UInt8] {
    /// Whether these bytes stand before others, byte by byte.
    func isBefore(_ other: [UInt8]) -> Bool {
        let order = withUnsafeBytes { left in
            other.withUnsafeBytes { right in
                let count = Swift.min(left.count, right.count)
                guard count > 0, let start = left.baseAddress, let otherStart = right.baseAddress else {
                    return Int32(0)
                }
                return memcmp(start, otherStart, count)
            }
        }
        return order != 0 ? order < 0 : count < other.count
    }
}
