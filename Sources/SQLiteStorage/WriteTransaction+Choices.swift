import RowhouseModel
import Storage

extension WriteTransaction {
    /// How many records one write looks at, and how many it changes at most.
    private static let choicePortion = (looked: 5_000, changed: 1_000)

    // Sort keys do not change by this: a choice that the field does not have counts as none.
    func removeChoices(
        _ numbers: Set<Int>, of field: FieldID, in table: TableSchema, after: Int64
    ) throws(APIError) -> (changes: [RecordChange], next: Int64?) {
        let physical = try physical(table)
        guard let position = table.index(of: field), let column = physical.column(of: table.fields[position]) else {
            return ([], nil)
        }
        let cell = "f_\(column)"
        let select = try connection.prepare(
            "SELECT n, id, \(cell) FROM t_\(physical.number) WHERE n > ?1 ORDER BY n LIMIT \(Self.choicePortion.looked)"
        )
        let update = try connection.prepare("UPDATE t_\(physical.number) SET \(cell) = ?2 WHERE n = ?1")
        let isSingle = table.fields[position].type == .singleSelect
        var changes: [(number: Int64, change: RecordChange)] = []
        var next: Int64?
        var looked = 0
        select.bind(1, after)
        while changes.count < Self.choicePortion.changed, try select.step() {
            looked += 1
            next = select.integer(0)
            if select.isNull(2) { continue }
            let before = isSingle ? StoredCell.integer(select.integer(2)) : .text(select.text(2))
            guard let cell = before.removing(numbers) else { continue }
            let id = RecordID(text: select.identifier(1))
            changes.append((select.integer(0), RecordChange(record: id, cells: [(field, before, cell)])))
        }
        select.reset()
        if !changes.isEmpty { touch(physical) }
        for (number, change) in changes {
            update.bind(1, number)
            update.bind(2, change.cells[0].after)
            try update.run()
        }
        let isAtEnd = looked < Self.choicePortion.looked && changes.count < Self.choicePortion.changed
        return (changes.map(\.change), isAtEnd ? nil : next)
    }
}

extension StoredCell {
    /// The cell of a select field without some choices; nil when it holds none of them.
    fileprivate func removing(_ numbers: Set<Int>) -> StoredCell? {
        switch self {
        case .integer(let number): return numbers.contains(Int(number)) ? .empty : nil
        case .text(let list):
            let items = StoredCell.choiceNumbers(Array(list.utf8)[...])
            let kept = items.filter { !numbers.contains(Int($0)) }
            if kept.count == items.count { return nil }
            return kept.isEmpty ? .empty : .text("[\(kept.map(String.init).joined(separator: ","))]")
        default: return nil
        }
    }
}
