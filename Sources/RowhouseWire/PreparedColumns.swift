import RowhouseJSON
import RowhouseModel

/// What writing the cells of some fields needs, prepared once for a version of a table.
///
/// All of it lies in two flat arrays of plain numbers and one of bytes: a page has thousands of cells, and following
/// one reference for each would cost more than writing them (reference counts are shared between threads).
struct PreparedColumns: Sendable {
    /// How the cells of a field become JSON.
    enum Form: UInt8, Sendable {
        case text, real, integer, checkbox, date, instant, second, choice, choices, collaborator, collaborators, links,
            json
    }

    /// A part of `bytes`; nothing where `count` is 0.
    struct Piece: Sendable {
        let start: Int32
        let count: Int32
    }

    /// One field: its form, its key with quotes and colon, and where its choices begin.
    struct Column: Sendable {
        let form: Form
        let key: Piece
        let firstChoice: Int32
        let choiceCount: Int32
    }

    let fields: [Field]
    let columns: [Column]
    let bytes: [UInt8]
    /// The escaped names of choices by their numbers, one field after the other.
    let choices: [Piece]

    /// What the keys of cells are.
    enum Keys { case names, ids, none }

    init(fields: [Field], byID: Bool) { self.init(fields: fields, keys: byID ? .ids : .names) }

    init(fields: [Field], keys: Keys) {
        var bytes: [UInt8] = []
        var choices: [Piece] = []
        func piece(_ content: [UInt8]) -> Piece {
            defer { bytes.append(contentsOf: content) }
            return Piece(start: Int32(clamping: bytes.count), count: Int32(clamping: content.count))
        }
        columns = fields.map { field in
            let key =
                switch keys {
                case .names: piece(JSONWriter.escapedKey(field.name))
                case .ids: piece(JSONWriter.escapedKey(field.id.description))
                case .none: Piece(start: 0, count: 0)
                }
            let first = choices.count
            var named: [Piece] = []
            for choice in field.choices {
                let missing = choice.number + 1 - named.count
                if missing > 0 { named += Array(repeating: Piece(start: 0, count: 0), count: missing) }
                named[choice.number] = piece(JSONWriter.escapedString(choice.name))
            }
            choices += named
            return Column(
                form: Self.form(of: field.shown), key: key, firstChoice: Int32(clamping: first),
                choiceCount: Int32(clamping: named.count))
        }
        self.fields = fields.map(\.shown)
        self.bytes = bytes
        self.choices = choices
    }

    private init(_ all: PreparedColumns, _ positions: [Int]) {
        fields = positions.map { all.fields[$0] }
        columns = positions.map { all.columns[$0] }
        bytes = all.bytes
        choices = all.choices
    }

    /// Only these columns, in this order.
    func selecting(_ positions: [Int]) -> PreparedColumns {
        let isAll = positions.count == columns.count && positions.indices.allSatisfy { positions[$0] == $0 }
        return isAll ? self : PreparedColumns(self, positions)
    }

    /// The name of a choice; nothing for a number that is no choice any more.
    func choice(_ number: Int64, of column: Column) -> Piece {
        guard number >= 0, number < Int64(column.choiceCount) else { return Piece(start: 0, count: 0) }
        return choices[Int(column.firstChoice) + Int(number)]
    }

    private static func form(of field: Field) -> Form {
        switch field.type {
        case .number, .percent, .currency, .duration, .rating, .count: .real
        case .checkbox: .checkbox
        case .date: .date
        case .dateTime: .instant
        case .createdTime, .lastModifiedTime: timeForm(of: field.options)
        case .singleSelect: .choice
        case .multipleSelects: .choices
        case .singleCollaborator, .createdBy, .lastModifiedBy: .collaborator
        case .multipleCollaborators: .collaborators
        case .multipleRecordLinks: .links
        case .barcode, .multipleAttachments, .multipleLookupValues, .button: .json
        case .autoNumber: .integer
        default: .text
        }
    }

    private static func timeForm(of options: FieldOptions) -> Form {
        switch options {
        case .createdTime(.date), .lastModifiedTime(_, .date): .date
        // A field shows the same whole second as the record's own createdTime.
        case .createdTime: .second
        default: .instant
        }
    }
}

extension Field {
    /// A formula or rollup looks like a field of the type of its result.
    var shown: Field {
        let result: ComputedResult?
        switch options {
        case .formula(let formula): result = formula.result
        case .rollup(let rollup): result = rollup.result
        default: return self
        }
        var shown = self
        shown.type = result?.type ?? .singleLineText
        shown.options = result?.options ?? .none
        return shown
    }
}
