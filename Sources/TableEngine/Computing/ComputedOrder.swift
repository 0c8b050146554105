import FormulaLanguage
import RowhouseModel
import Storage

/// An order that a store cannot make, since one of its keys is computed: by formulas, rollups, lookups, counts, buttons
/// or the names of linked records.
///
/// Keys are those of `SortKeyEncoder`, so that positions mean the same. A computed cell comes to one item for each
/// value of a list and a zero; a cell without values stands first, errors and what is no number stand last ascending.
struct ComputedOrder {
    let base: BaseSchema
    let table: TableSchema
    let keys: [SortKey]
    let plan: ComputedPlan
    let encoder: SortKeyEncoder
    private let parts: [Part]

    /// Where one key of the order comes from.
    private enum Part {
        case cell(column: Int)
        case value(ComputedPlan.Source, isText: Bool)
    }

    /// Nil when the store can make the order by itself.
    init?(_ keys: [SortKey], of table: TableSchema, in base: BaseSchema?, formulas: FormulaCache, users: UserDirectory)
    {
        guard let base, Self.isNeeded(for: keys, of: table) else { return nil }
        let fields = keys.map(\.field)
        let computed = Set(fields.filter { Self.isComputed(table.fields[$0].type) })
        self.base = base
        self.table = table
        self.keys = keys
        plan = formulas.formulas(of: base).plan(table, ComputedWants(fields: fields, filled: [], valued: computed))
        encoder = SortKeyEncoder(table: table, order: keys, users: users)
        let sources = plan.sources
        parts = fields.enumerated().map { place, field in
            guard computed.contains(field) else { return .cell(column: place) }
            return .value(sources[place], isText: ComputedResult(showing: table.fields[field]).type == .singleLineText)
        }
    }

    /// Whether the store cannot make the order by itself.
    static func isNeeded(for keys: [SortKey], of table: TableSchema) -> Bool {
        keys.contains { isComputed(table.fields[$0.field].type) }
    }

    private static func isComputed(_ type: FieldType) -> Bool {
        type.isComputedFromCells || type == .multipleRecordLinks
    }

    /// Appends the key of one record of a computed page.
    func appendKey(of record: Int, in page: ComputedPage, to bytes: inout [UInt8]) {
        for (place, part) in parts.enumerated() {
            switch part {
            case .cell(let column):
                encoder.appendPart(
                    place, page.batch.slots[record * page.batch.fields.count + column], page.batch.text, to: &bytes)
            case .value(let source, let isText):
                let value = page.value(source, record: record)
                encoder.appendPart(place, to: &bytes) { value.appendSortItems(isText: isText, to: &$0) }
            }
        }
        encoder.appendEnd(page.batch.ids[record], to: &bytes)
    }
}

extension FormulaValue {
    /// Appends one item for each value and a zero.
    fileprivate func appendSortItems(isText: Bool, to bytes: inout [UInt8]) {
        appendItems(isText, to: &bytes)
        bytes.append(SortItem.end)
    }

    private func appendItems(_ isText: Bool, to bytes: inout [UInt8]) {
        switch self {
        case .blank: return
        case .array(let items):
            // Of a cell so many bytes count.
            let limit = bytes.count + TextOrder.limit
            for item in items where bytes.count <= limit { item.appendItems(isText, to: &bytes) }
        case .error: bytes.append(SortItem.error)
        case .text(let text): append(text, to: &bytes)
        case .number(let number) where number.isNaN: bytes.append(SortItem.notANumber)
        case .number, .boolean, .date:
            if isText { append(asText, to: &bytes) } else { append(asNumber, to: &bytes) }
        }
    }

    private func append(_ text: String, to bytes: inout [UInt8]) {
        guard !text.isEmpty else { return }
        bytes.append(SortItem.text)
        let utf8 = Array(text.utf8)
        TextOrder.appendKey(of: utf8, 0..<utf8.count, to: &bytes)
    }

    private func append(_ number: Double, to bytes: inout [UInt8]) {
        bytes.append(SortItem.number)
        let bits = (number == 0 ? 0 : number).bitPattern
        let ordered = bits >> 63 == 0 ? bits ^ 1 << 63 : ~bits
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: ordered >> UInt64(shift)))
        }
    }
}

/// The first byte of an item of a computed sort key.
private enum SortItem {
    static let end: UInt8 = 0
    static let number: UInt8 = 1
    static let text: UInt8 = 2
    static let notANumber: UInt8 = 254
    static let error: UInt8 = 255
}
