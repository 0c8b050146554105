package import CivilTime

/// Where one cell of a batch is: its number, or its place in the batch's text.
package enum CellSlot: Sendable, Equatable {
    case empty
    case integer(Int64)
    case real(Double)
    /// UTF-8 in `RecordBatch.text`.
    case text(start: UInt32, count: UInt32)
    /// One JSON value in `RecordBatch.text`: computed lists, errors and numbers that JSON has no number for.
    case json(start: UInt32, count: UInt32)
}

/// Which fields of which version of a table the cells of a batch belong to.
package struct RecordShape: Sendable {
    package let table: TableSchema
    /// Positions in `table.fields`, in the order of the slots.
    package let positions: [Int]

    package init(table: TableSchema, positions: [Int]) {
        self.table = table
        self.positions = positions
    }
}

/// Some records of one table, as a store read them: one array of slots and one of text for all cells,
/// so that a page costs a few allocations however many cells it has.
package struct RecordBatch: Sendable {
    /// The fields read, in the order of the slots.
    package let fields: [Field]
    package var ids: [RecordID]
    package var createdTimes: [Instant]
    /// Row by row: the cell of record `r` and field `f` is `slots[r * fields.count + f]`.
    package var slots: [CellSlot]
    package var text: [UInt8]
    /// By what number a store knows each record, where it read that along; else empty. Good for asking the same store
    /// about links of these records while it shows the same state.
    package var numbers: [Int64] = []
    /// How many comments each record has, where that was asked for; else empty.
    package var commentCounts: [Int] = []

    package init(
        fields: [Field], ids: [RecordID] = [], createdTimes: [Instant] = [], slots: [CellSlot] = [],
        text: [UInt8] = []
    ) {
        self.fields = fields
        self.ids = ids
        self.createdTimes = createdTimes
        self.slots = slots
        self.text = text
    }

    /// The number of records.
    package var count: Int { ids.count }

    /// One cell by position; both positions must be within the batch.
    package func cell(record: Int, field: Int) -> StoredCell {
        switch slots[record * fields.count + field] {
        case .empty: .empty
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .text(let start, let count), .json(let start, let count):
            .text(String(decoding: text[Int(start)..<Int(start) + Int(count)], as: UTF8.self))
        }
    }

    /// Adds the records of another batch of the same fields.
    package mutating func append(_ other: RecordBatch) {
        let shift = UInt32(truncatingIfNeeded: text.count)
        let isNumbered = numbers.count == count && other.numbers.count == other.count
        numbers = isNumbered ? numbers + other.numbers : []
        ids.append(contentsOf: other.ids)
        createdTimes.append(contentsOf: other.createdTimes)
        slots.append(
            contentsOf: other.slots.lazy.map { slot in
                switch slot {
                case .text(let start, let count): .text(start: start &+ shift, count: count)
                case .json(let start, let count): .json(start: start &+ shift, count: count)
                default: slot
                }
            })
        text.append(contentsOf: other.text)
    }

    /// Adds one record; `cells` holds one value a field.
    package mutating func append(id: RecordID, createdTime: Instant, cells: [StoredCell]) {
        ids.append(id)
        createdTimes.append(createdTime)
        for cell in cells {
            switch cell {
            case .empty: slots.append(.empty)
            case .integer(let value): slots.append(.integer(value))
            case .real(let value): slots.append(.real(value))
            case .text(let string):
                let start = text.count
                text.append(contentsOf: string.utf8)
                slots.append(.text(start: UInt32(start), count: UInt32(text.count - start)))
            }
        }
    }
}
