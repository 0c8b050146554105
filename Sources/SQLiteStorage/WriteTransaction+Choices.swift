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
            guard let cell = before.removing(where: { numbers.contains($0) }) else { continue }
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
        if isAtEnd {
            let list = numbers.map(String.init).joined(separator: ",")
            try connection.execute(
                "UPDATE gone_choices SET is_cleared = 1 WHERE field = \(column) AND number IN (\(list))")
        }
        return (changes.map(\.change), isAtEnd ? nil : next)
    }

    /// Goes on where taking choices out of cells was cut off, unlogged; where to go on from, nil when nothing is left. It
    /// may still be under way for those removed lately, and fields in the trash wait until they are back.
    func clearGoneChoices(removedBefore time: Int64, after: Int64) throws(APIError) -> Int64? {
        let find = try connection.prepare(
            """
            SELECT t.base, t.id, f.id, f.number FROM gone_choices AS g JOIN fields AS f ON f.number = g.field
            JOIN tables AS t ON t.number = f.table_number JOIN bases AS b ON b.id = t.base
            WHERE g.is_cleared = 0 AND g.removed < ?1 AND f.deleted IS NULL AND t.deleted IS NULL AND b.deleted IS NULL
            LIMIT 1
            """)
        find.bind(1, time)
        guard try find.step(),
            let table = schema.base(BaseID(text: find.identifier(0)))?.table(TableID(text: find.identifier(1)))
        else { return nil }
        let (field, column) = (FieldID(text: find.identifier(2)), find.int(3))
        find.reset()
        let held = try connection.prepare("SELECT number FROM gone_choices WHERE field = \(column) AND is_cleared = 0")
        var numbers: Set<Int> = []
        while try held.step() { numbers.insert(held.int(0)) }
        return try removeChoices(numbers, of: field, in: table, after: after).next ?? 0
    }

    /// Keeps what choices were called that a change of the table takes away.
    func rememberGoneChoices(
        before: TableSchema, after: TableSchema, _ physical: PhysicalTable
    ) throws(APIError) {
        for (place, field) in before.fields.enumerated() where !field.choices.isEmpty {
            // Most often it stands where it stood. One of another type has another column, and this one keeps its options.
            let same = after.fields.indices.contains(place) && after.fields[place].id == field.id ? place : nil
            guard let position = same ?? after.index(of: field.id), after.fields[position].type == field.type,
                after.fields[position].options != field.options, let column = physical.column(of: field)
            else { continue }
            let left = Set(after.fields[position].choices.map(\.number))
            let insert = try connection.prepare(
                """
                INSERT OR REPLACE INTO gone_choices (field, number, id, name, color, removed)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                """)
            for choice in field.choices where !left.contains(choice.number) {
                insert.bind(1, column)
                insert.bind(2, choice.number)
                insert.bind(3, choice.id.text)
                insert.bind(4, choice.name)
                insert.bind(5, choice.color)
                insert.bind(6, time)
                try insert.run()
            }
        }
    }

    /// Takes choices that are gone out of the cells of a deleted record that is about to come back: they are taken only
    /// out of those that are there.
    func clearGoneChoices(of record: Int64, in table: TableSchema, _ physical: PhysicalTable) throws(APIError) {
        for field in table.fields where field.choices.count < field.greatestChoiceNumber {
            guard let column = physical.column(of: field) else { continue }
            let read = try connection.prepare("SELECT f_\(column) FROM d_\(physical.number) WHERE n = ?1")
            read.bind(1, record)
            guard try read.step() else { continue }
            let cell = read.cell(0)
            read.reset()
            let known = Set(field.choices.map(\.number))
            guard let cleared = cell.removing(where: { !known.contains($0) }) else { continue }
            let update = try connection.prepare("UPDATE d_\(physical.number) SET f_\(column) = ?2 WHERE n = ?1")
            update.bind(1, record)
            update.bind(2, cleared)
            try update.run()
        }
    }
}

extension StoredCell {
    /// The cell of a select field without some choices; nil when it holds none of them.
    fileprivate func removing(where isGone: (Int) -> Bool) -> StoredCell? {
        switch self {
        case .integer(let number): return isGone(Int(number)) ? .empty : nil
        case .text(let list):
            let items = StoredCell.choiceNumbers(Array(list.utf8)[...])
            let kept = items.filter { !isGone(Int($0)) }
            if kept.count == items.count { return nil }
            return kept.isEmpty ? .empty : .text("[\(kept.map(String.init).joined(separator: ","))]")
        default: return nil
        }
    }
}
