import CivilTime
import RowhouseModel
import Storage
import Testing

@Suite struct SortKeyEncoderTests {
    private static func id(_ counter: UInt64) -> RecordID { RecordID(text: IdentifierText(time: 5, counter: counter)) }

    private static func table(_ fields: [(FieldType, FieldOptions)]) -> TableSchema {
        let fields = fields.enumerated().map { index, field in
            Field(
                id: FieldID(text: IdentifierText(time: UInt64(index), counter: 0)), name: "F\(index)", type: field.0,
                options: field.1)
        }
        return TableSchema(
            id: TableID(text: IdentifierText(time: 1, counter: 1)),
            base: BaseID(text: IdentifierText(time: 1, counter: 1)),
            name: "T", description: nil, primaryFieldID: fields[0].id, fields: fields, views: [], version: 1)
    }

    private static func choices(_ numbers: [Int]) -> FieldOptions {
        .choices(
            numbers.map {
                SelectChoice(
                    id: ChoiceID(text: IdentifierText(time: UInt64($0), counter: 0)), name: "\($0)", color: nil,
                    number: $0)
            })
    }

    private static let users = UserDirectory(
        version: 1,
        users: [("Zoë", 1), ("ada", 2), ("Bob", 3)].map { name, number in
            User(
                id: UserID(text: IdentifierText(time: number, counter: 0)), email: "\(number)@example.com", name: name,
                createdTime: Instant(milliseconds: 0))
        })

    private static func user(_ index: Int) -> String { users.users[index].id.description }

    /// For each type, cells in ascending order.
    private static let ascending: [(FieldType, FieldOptions, [StoredCell])] = [
        (.singleLineText, .none, [.empty, .text("A"), .text("a"), .text("a2"), .text("a10"), .text("b")]),
        (
            .number, .none,
            [
                .empty, .real(-.greatestFiniteMagnitude), .real(-2), .real(-0.5), .real(0),
                .real(.leastNonzeroMagnitude), .real(0.5),
                .real(2), .real(1e300),
            ]
        ),
        (.dateTime, .none, [.empty, .integer(.min), .integer(-1), .integer(0), .integer(1), .integer(.max)]),
        (.autoNumber, .none, [.integer(1), .integer(2), .integer(300)]),
        (.checkbox, .none, [.empty, .integer(1)]),
        (.singleSelect, choices([3, 1, 2]), [.empty, .integer(3), .integer(1), .integer(2)]),
        (
            .multipleSelects, choices([3, 1, 2]),
            [.empty, .text("[3]"), .text("[3,3]"), .text("[3,1]"), .text("[1]"), .text("[1,2]"), .text("[2]")]
        ),
        (.singleCollaborator, .none, [.empty, .text(user(1)), .text(user(2)), .text(user(0))]),
        (
            .multipleCollaborators, .none,
            [
                .empty, .text(user(1)), .text("\(user(1)),\(user(2))"), .text("\(user(1)),\(user(0))"),
                .text(user(2)), .text("\(user(2)),\(user(1))"), .text(user(0)),
            ]
        ),
        (.barcode, .none, [.empty, .text("{\"text\":\"2\"}"), .text("{\"type\":\"upce\",\"text\":\"10\"}")]),
    ]

    @Test func `Cells of every type stand in the order of their type, and descending exactly reversed`() {
        for (type, options, cells) in Self.ascending {
            let table = Self.table([(type, options)])
            for direction in [SortDirection.asc, .desc] {
                let encoder = SortKeyEncoder(
                    table: table, order: [SortKey(field: 0, direction: direction)], users: Self.users)
                let keys = cells.map { encoder.key(of: Self.id(9), cells: [$0]) }
                for (left, right) in zip(keys, keys.dropFirst()) {
                    let isBefore = left.lexicographicallyPrecedes(right)
                    #expect(left != right && isBefore == (direction == .asc), "\(type) \(direction)")
                }
            }
        }
    }

    @Test func `Equal cells stand by record id in the direction of the last key`() {
        let table = Self.table([(.number, .none), (.number, .none)])
        for direction in [SortDirection.asc, .desc] {
            let order = [SortKey(field: 0, direction: .asc), SortKey(field: 1, direction: direction)]
            let encoder = SortKeyEncoder(table: table, order: order, users: Self.users)
            let first = encoder.key(of: Self.id(1), cells: [.real(1), .empty])
            let second = encoder.key(of: Self.id(2), cells: [.real(1), .empty])
            #expect(first.lexicographicallyPrecedes(second) == (direction == .asc))
        }
    }

    @Test func `The key of an order is the key of its reverse with every bit turned`() {
        let table = Self.table([(.singleLineText, .none), (.number, .none)])
        let order = [SortKey(field: 0, direction: .asc), SortKey(field: 1, direction: .desc)]
        let reverse = [SortKey(field: 0, direction: .desc), SortKey(field: 1, direction: .asc)]
        let cells: [StoredCell] = [.text("Tea 12"), .real(-3)]
        let key = SortKeyEncoder(table: table, order: order, users: Self.users).key(of: Self.id(4), cells: cells)
        let turned = SortKeyEncoder(table: table, order: reverse, users: Self.users).key(of: Self.id(4), cells: cells)
        #expect(key == turned.map { ~$0 })
    }

    @Test func `A batch gives the keys that its cells give`() {
        let table = Self.table([(.singleLineText, .none), (.number, .none), (.checkbox, .none)])
        let order = [SortKey(field: 2, direction: .desc), SortKey(field: 0, direction: .asc)]
        let encoder = SortKeyEncoder(table: table, order: order, users: Self.users)
        var batch = RecordBatch(fields: table.fields)
        batch.append(id: Self.id(1), createdTime: Instant(milliseconds: 0), cells: [.text("é"), .real(1), .empty])
        batch.append(id: Self.id(2), createdTime: Instant(milliseconds: 0), cells: [.text("x"), .empty, .integer(1)])
        #expect(
            encoder.key(ofRecord: 1, in: batch, columns: [2, 0])
                == encoder.key(of: Self.id(2), cells: [.integer(1), .text("x")]))
        #expect(
            encoder.key(ofRecord: 0, in: batch, columns: [2, 0])
                == encoder.key(of: Self.id(1), cells: [.empty, .text("é")]))
    }

    @Test func `A choice that is gone counts as empty, and a part of a key is bounded`() {
        let table = Self.table([(.singleSelect, Self.choices([1])), (.multipleSelects, Self.choices([1]))])
        let encoder = SortKeyEncoder(
            table: table, order: [SortKey(field: 0, direction: .asc), SortKey(field: 1, direction: .asc)],
            users: Self.users)
        let many = "[" + Array(repeating: "1", count: 5000).joined(separator: ",") + "]"
        let key = encoder.key(of: Self.id(1), cells: [.integer(7), .text(many)])
        #expect(key[0] == 0)
        #expect(key.count == 1 + 1 + TextOrder.limit + IdentifierText.length)
    }
}
