import CivilTime
import RowhouseModel
import Testing

struct StoredCellTests {
    @Test func `Texts are equal byte by byte, so that no edit of a spelling is lost`() {
        #expect(StoredCell.text("\u{E9}") != .text("e\u{301}"))
        #expect(StoredCell.text("\u{E9}") == .text("\u{E9}"))
        #expect(StoredCell.text("") != .empty)
    }

    @Test func `Numbers of different kinds are different cells`() {
        #expect(StoredCell.integer(1) != .real(1))
        #expect(StoredCell.integer(1) == .integer(1))
        #expect(StoredCell.real(0.1 + 0.2) != .real(0.3))
        #expect(StoredCell.empty == .empty)
    }

    @Test func `Cells of a batch are read back by record and field`() {
        let fields = (0..<3).map { index in
            Field(
                id: FieldID(text: IdentifierText(time: 0, counter: UInt64(index))), name: "F\(index)",
                type: .singleLineText, options: .none)
        }
        var batch = RecordBatch(fields: fields)
        let rows: [[StoredCell]] = [
            [.text("héllo"), .empty, .integer(-5)], [.empty, .real(0.5), .text("")], [.text("字"), .text("b"), .empty],
        ]
        for (index, row) in rows.enumerated() {
            batch.append(
                id: RecordID(text: IdentifierText(time: 0, counter: UInt64(index))),
                createdTime: Instant(milliseconds: 0), cells: row)
        }
        #expect(batch.count == 3)
        for (record, row) in rows.enumerated() {
            for (field, cell) in row.enumerated() { #expect(batch.cell(record: record, field: field) == cell) }
        }
    }
}
