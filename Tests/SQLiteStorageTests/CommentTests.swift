import CivilTime
import RowhouseModel
import SQLiteStorage
import Storage
import Testing

/// Not that of the testing library.
private typealias Comment = RowhouseModel.Comment

struct CommentTests {
    private let folder = TestFolder()
    private static let other = TableID(text: IdentifierText(time: 3, counter: 2))

    private static func comment(_ number: UInt64, _ text: String = "x", parent: CommentID? = nil) -> Comment {
        Comment(
            id: CommentID(text: IdentifierText(time: 5, counter: number)), author: Sample.user, text: text,
            createdTime: Instant(milliseconds: Int64(number)), parent: parent)
    }

    private func store(_ change: (inout SQLiteStorage.Options) -> Void = { _ in }) throws -> SQLiteStorage {
        let store = try folder.open(change)
        try store.makeSample([Sample.field(1, .singleLineText)])
        try store.write { (writer) throws(APIError) in
            try writer.createTable(Sample.tableSchema([Sample.field(2, .singleLineText)], id: Self.other))
        }
        return store
    }

    @Test func `Comments are those of their record and table, newest first, page by page`() throws {
        let store = try store()
        let ids = try store.add([[], []])
        let made = (1...7).map { Self.comment($0, "text \($0)", parent: $0 > 5 ? Self.comment(1).id : nil) }
        for comment in made { try store.insert(comment, of: ids[0]) }
        // The same record id in another table is another record.
        try store.insert(Self.comment(8), of: ids[1])
        try store.insert(Self.comment(9), of: ids[0], in: Self.other)
        let newest = Array(made.reversed())
        for limit in 1...8 {
            var found: [Comment] = []
            var after: Int64?
            var pages = 0
            repeat {
                let page = try store.comments(of: ids[0], after: after, limit: limit)
                #expect(page.comments.count <= limit)
                found += page.comments
                after = page.next
                pages += 1
            } while after != nil
            #expect(found == newest && pages == (7 + limit - 1) / limit, "\(limit)")
        }
        #expect(try store.comment(made[2].id, of: ids[0]) == made[2])
        #expect(try store.comment(made[2].id, of: ids[1]) == nil)
        #expect(try store.comment(made[2].id, of: ids[0], in: Self.other) == nil)
        #expect(try store.comments(of: RecordID(text: IdentifierText(time: 9, counter: 9))).comments == [])
        folder.close(store)
    }

    @Test func `A page ends early when its texts are long`() throws {
        let store = try store { $0.pageBytes = 1_000 }
        let id = try store.add([[]])[0]
        for number in 1...9 {
            try store.insert(Self.comment(UInt64(number), String(repeating: "茶", count: 100)), of: id)
        }
        var sizes: [Int] = []
        var after: Int64?
        repeat {
            let page = try store.comments(of: id, after: after, limit: 100)
            sizes.append(page.comments.count)
            after = page.next
        } while after != nil
        #expect(sizes == [4, 4, 1])
        folder.close(store)
    }

    @Test func `Counts are those of the comments there are, also after what was undone`() throws {
        let store = try store()
        let ids = try store.add([[], [], []])
        let strange = RecordID(text: IdentifierText(time: 9, counter: 9))
        func counts() throws -> [Int] {
            try store.read { (reader) throws(APIError) in
                try reader.commentCounts(of: [strange] + ids.reversed() + ids, in: Sample.table)
            }
        }
        #expect(try counts() == [0, 0, 0, 0, 0, 0, 0])
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed)
        var kept: [RecordID: [CommentID]] = [:]
        for number in 0..<300 {
            let record = ids[Int.random(in: 0..<3, using: &random)]
            let comment = Self.comment(UInt64(number))
            let isUndone = Int.random(in: 0..<3, using: &random) == 0
            let deleted = Int.random(in: 0..<2, using: &random) == 0 ? kept[record]?.last : nil
            try? store.write { (writer) throws(APIError) in
                if let deleted {
                    try writer.delete(deleted, of: record, in: Sample.table)
                } else {
                    try writer.insert(comment, of: record, in: Sample.table)
                }
                if isUndone { throw APIError.failedStateCheck }
            }
            if isUndone { continue }
            if deleted != nil { kept[record]?.removeLast() } else { kept[record, default: []].append(comment.id) }
        }
        let expected = ids.map { kept[$0]?.count ?? 0 }
        #expect(try counts() == [0] + expected.reversed() + expected, "seed \(seed)")
        for id in ids {
            #expect(try store.comments(of: id, limit: 1_000).comments.map(\.id) == (kept[id] ?? []).reversed())
        }
        // A comment that is gone is not counted down twice.
        let gone = Self.comment(999).id
        try store.write { (writer) throws(APIError) in try writer.delete(gone, of: ids[0], in: Sample.table) }
        #expect(try counts()[4] == expected[0])
        folder.close(store)
    }

    @Test func `Comments stay when their record goes, and are its comments when it is there again`() throws {
        let store = try store()
        let id = try store.add([[]])[0]
        try store.insert(Self.comment(1), of: id)
        try store.delete([id])
        let table = try store.table()
        try store.write { (writer) throws(APIError) in
            try writer.insert([NewRecord(id: id, cells: [])], in: table, by: Sample.user)
        }
        #expect(try store.comments(of: id).comments == [Self.comment(1)])
        let counts = try store.read { (reader) throws(APIError) in
            try reader.commentCounts(of: [id], in: Sample.table)
        }
        #expect(counts == [1])
        folder.close(store)
    }

    @Test func `A changed comment keeps its place, and any text is kept as it is`() throws {
        let store = try store()
        let id = try store.add([[]])[0]
        for number in 1...3 { try store.insert(Self.comment(UInt64(number)), of: id) }
        for text in ["", "a\0b", "\u{FEFF}\u{202E}", String(repeating: "🫖", count: 100_000)] {
            var changed = Self.comment(2, text)
            changed.lastUpdatedTime = Instant(milliseconds: 77)
            let written = changed
            try store.write { (writer) throws(APIError) in try writer.update(written) }
            #expect(try store.comments(of: id).comments == [Self.comment(3), changed, Self.comment(1)])
        }
        folder.close(store)
    }

    @Test func `A page of counts costs about as much for records with many comments as for those with one`() throws {
        let store = try store()
        let ids = try store.add([[], []])
        try store.write { (writer) throws(APIError) in
            try writer.insert(Self.comment(1), of: ids[0], in: Sample.table)
            for number in 2...3_000 { try writer.insert(Self.comment(UInt64(number)), of: ids[1], in: Sample.table) }
        }
        var pages: [Int] = []
        for id in ids + ids {
            pages.append(
                try store.pagesUsed { (writer) throws(APIError) in
                    _ = try writer.commentCounts(of: [id], in: Sample.table)
                })
        }
        #expect(pages[2] == pages[3] && pages[3] < 10, "\(pages)")
        folder.close(store)
    }
}

extension SQLiteStorage {
    fileprivate func insert(_ comment: Comment, of record: RecordID, in table: TableID = Sample.table) throws {
        try write { (writer) throws(APIError) in try writer.insert(comment, of: record, in: table) }
    }

    fileprivate func comment(
        _ id: CommentID, of record: RecordID, in table: TableID = Sample.table
    ) throws -> Comment? {
        try read { (reader) throws(APIError) in try reader.comment(id, of: record, in: table) }
    }

    fileprivate func comments(of record: RecordID, after: Int64? = nil, limit: Int = 100) throws -> StoredComments {
        try read { (reader) throws(APIError) in
            try reader.comments(of: record, in: Sample.table, after: after, limit: limit)
        }
    }
}
