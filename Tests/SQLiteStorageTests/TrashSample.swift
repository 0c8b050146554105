import CivilTime
import RowhouseModel
import SQLiteStorage
import Storage
import Testing

extension SQLiteStorage {
    /// What is in the trash of the sample base, the newest first.
    func trash() throws -> [TrashEntry] {
        try read { (reader) throws(APIError) in
            try reader.trash(.base(Sample.base, before: nil), since: Instant(milliseconds: 0), limit: 100_000)
        }
    }

    func restore(_ entries: [TrashEntry], in id: TableID = Sample.table) throws {
        let table = try table(id)
        try write { (writer) throws(APIError) in try writer.restore(entries, in: table) }
    }

    /// Restores these records of a table.
    func restore(_ records: [RecordID], in id: TableID = Sample.table) throws {
        let entries = try trash().filter { records.map(\.text).contains($0.id) && $0.table == id }
        try #require(entries.count == records.count)
        try restore(entries, in: id)
    }

    /// Tidies until nothing changes any more.
    func tidyAll() { for _ in 0..<60 { tidy() } }
}

/// Two tables of linked records of which some are in the trash: plain lists in which a link keeps its place while one
/// of its records is deleted.
struct TrashModel {
    /// Side, record, what it links to, deleted ones included.
    var cells: [[RecordID: [RecordID]]] = [[:], [:]]
    /// Within the first table, without another side.
    var parts: [RecordID: [RecordID]] = [:]
    var names: [RecordID: String] = [:]
    var deleted: Set<RecordID> = []
    /// Those restored since somebody last looked: if deleted now, they were deleted lately.
    var restored: Set<RecordID> = []

    func living(_ side: Int) -> [RecordID] { cells[side].keys.filter { !deleted.contains($0) }.sorted() }
    func dead(_ side: Int) -> [RecordID] { cells[side].keys.filter { deleted.contains($0) }.sorted() }
    func shown(_ side: Int, _ record: RecordID) -> [RecordID] { shown(cells[side][record, default: []]) }
    func shown(_ links: [RecordID]) -> [RecordID] { links.filter { !deleted.contains($0) } }

    mutating func set(_ side: Int, _ record: RecordID, to wanted: [RecordID]) {
        let old = shown(side, record)
        cells[side][record] = Self.changed(cells[side][record, default: []], old: old, wanted)
        for gone in old where !wanted.contains(gone) { cells[1 - side][gone]?.removeAll { $0 == record } }
        for new in wanted where !old.contains(new) { cells[1 - side][new]?.append(record) }
    }

    mutating func setParts(_ record: RecordID, to wanted: [RecordID]) {
        let all = parts[record, default: []]
        parts[record] = Self.changed(all, old: shown(all), wanted)
    }

    /// What is shown at the beginning as it is wanted stays where it is, deleted records stay, all else comes after.
    private static func changed(_ all: [RecordID], old: [RecordID], _ wanted: [RecordID]) -> [RecordID] {
        let staying = zip(old.filter { wanted.contains($0) }, wanted).prefix { $0 == $1 }.map(\.0)
        let leaving = Set(old).subtracting(staying)
        return all.filter { !leaving.contains($0) } + wanted.dropFirst(staying.count)
    }

    /// For good.
    mutating func forget(_ gone: Set<RecordID>) {
        for side in 0...1 {
            cells[side] = cells[side].filter { !gone.contains($0.key) }.mapValues { $0.filter { !gone.contains($0) } }
        }
        parts = parts.filter { !gone.contains($0.key) }.mapValues { $0.filter { !gone.contains($0) } }
        deleted.subtract(gone)
    }
}
