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
            attachments, json
    }

    /// A part of `bytes`; nothing where `count` is 0.
    struct Piece: Sendable {
        let start: Int32
        let count: Int32
    }

    /// One field: its form, its key with quotes and colon, and where its choices are.
    struct Column: Sendable {
        let form: Form
        let key: Piece
        let firstChoice: Int32
        let choiceCount: Int32
    }

    /// The escaped name of a choice.
    struct Choice: Sendable {
        let number: Int64
        let name: Piece
    }

    let fields: [Field]
    let columns: [Column]
    let bytes: [UInt8]
    /// The choices by their numbers, one field after the other.
    let choices: [Choice]

    /// What the keys of cells are.
    enum Keys { case names, ids, none }

    init(fields: [Field], byID: Bool) { self.init(fields: fields, keys: byID ? .ids : .names) }

    init(fields: [Field], keys: Keys) {
        var bytes: [UInt8] = []
        var choices: [Choice] = []
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
            choices += field.choices.sorted { $0.number < $1.number }.map { choice in
                Choice(number: Int64(choice.number), name: piece(JSONWriter.escapedString(choice.name)))
            }
            return Column(
                form: Self.form(of: field.shown), key: key, firstChoice: Int32(clamping: first),
                choiceCount: Int32(clamping: choices.count - first))
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
    ///
    /// Numbers count from 1 and are never given twice: while none is gone a choice stands where its number tells,
    /// otherwise it is searched for.
    func choice(_ number: Int64, of column: Column) -> Piece {
        var low = Int(column.firstChoice)
        var high = low + Int(column.choiceCount)
        if number > 0, number <= Int64(column.choiceCount), choices[low + Int(number) - 1].number == number {
            return choices[low + Int(number) - 1].name
        }
        while low < high {
            let middle = (low + high) / 2
            if choices[middle].number < number { low = middle + 1 } else { high = middle }
        }
        let isFound = low < Int(column.firstChoice) + Int(column.choiceCount) && choices[low].number == number
        return isFound ? choices[low].name : Piece(start: 0, count: 0)
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
        case .multipleAttachments: .attachments
        case .barcode, .multipleLookupValues, .button: .json
        case .autoNumber: .integer
        default: .text
        }
    }

    private static func timeForm(of options: FieldOptions) -> Form {
        switch options {
        case .createdTime(.date), .lastModifiedTime(_, _, .date): .date
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
