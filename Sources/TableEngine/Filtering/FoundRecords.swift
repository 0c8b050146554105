import RowhouseModel
import Storage

/// The records of a page that a filter keeps, found one after the other.
struct FoundRecords {
    /// How many the page holds.
    let limit: Int
    private(set) var positions: [PagePosition] = []
    private var known: Set<RecordID> = []
    /// Whether there are more than the page holds.
    private(set) var hasMore = false
    /// Their cells, where these were read along.
    private(set) var batch: RecordBatch?
    /// The most text, in bytes, that is kept while more records are found.
    private static let longestKept = 16 << 20

    /// - Parameter batch: an empty one, when cells are read along.
    init(limit: Int, batch: RecordBatch? = nil) {
        self.limit = limit
        self.batch = batch
    }

    /// Takes the next record of the order; a record that was moved on meanwhile counts once.
    mutating func append(_ position: PagePosition) {
        guard positions.count < limit else { return hasMore = true }
        if known.insert(position.record).inserted { positions.append(position) }
        batch = nil
    }

    /// Takes the next records of the order, found by the store; the key is known of the last one only.
    mutating func append(_ page: StoredPage) {
        if positions.isEmpty {
            // Nearly always all of the page.
            batch = batch == nil ? nil : page.batch
        } else if page.batch.count > 0, positions.count < limit {
            batch?.append(page.batch)
        }
        // What is long is read once all are found, as far as a page goes.
        if let batch, batch.text.count > Self.longestKept { self.batch = nil }
        for (index, id) in page.batch.ids.enumerated() {
            guard positions.count < limit else {
                hasMore = true
                break
            }
            guard known.insert(id).inserted else {
                batch = nil
                continue
            }
            let isLast = index == page.batch.count - 1
            let key = page.places.indices.contains(index) ? page.places[index] : []
            positions.append(
                isLast ? page.last ?? PagePosition(record: id, key: key) : PagePosition(record: id, key: key))
        }
        if page.hasMore, page.unfinished == nil { hasMore = true }
    }
}

/// The first records of a page of those found in any order.
struct FirstRecords {
    private let limit: Int
    private let after: [UInt8]?
    private var entries: [PagePosition] = []
    /// Keys from here on do not count any more.
    private var end: [UInt8]?

    /// Keeps `limit` records and one more, with keys beyond `after`.
    init(limit: Int, after: [UInt8]?) {
        self.limit = limit
        self.after = after
    }

    mutating func append(_ position: PagePosition) {
        if let end, !position.key.lexicographicallyPrecedes(end) { return }
        if let after, !after.lexicographicallyPrecedes(position.key) { return }
        entries.append(position)
        if entries.count > 2 * limit + 100 { cut() }
    }

    private mutating func cut() {
        entries.sort { $0.key.lexicographicallyPrecedes($1.key) }
        guard entries.count > limit + 1 else { return }
        entries.removeSubrange((limit + 1)...)
        end = entries.last?.key
    }

    /// Those kept, in their order.
    mutating func found() -> FoundRecords {
        cut()
        var found = FoundRecords(limit: limit)
        for entry in entries { found.append(entry) }
        return found
    }
}
