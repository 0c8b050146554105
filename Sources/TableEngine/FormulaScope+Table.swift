package import FormulaLanguage
package import RowhouseModel

extension FormulaScope {
    /// The names that formulas over a table may use: all its fields.
    package init(_ table: TableSchema) { self.init(table.fields) }

    /// The names of these fields.
    package init(_ fields: [Field]) {
        self.init(fields.map { Name(id: $0.id, name: $0.name, type: FormulaType(type: $0.type, options: $0.options)) })
    }
}

extension FormulaType {
    /// What the cells of a type of field are in formulas.
    package init(type: FieldType, options: FieldOptions) {
        switch type {
        case .singleLineText, .multilineText, .richText, .email, .url, .phoneNumber, .singleSelect,
            .singleCollaborator, .createdBy, .lastModifiedBy, .barcode, .button, .aiText, .externalSyncSource,
            .manualSort:
            self = .text
        case .number, .percent, .currency, .duration: self = .number(.decimal)
        case .rating, .autoNumber, .count: self = .number(.integer)
        case .checkbox: self = .boolean
        case .date: self = .date(hasTime: false)
        case .dateTime, .createdTime, .lastModifiedTime: self = .date(hasTime: Self.showsTime(options))
        case .multipleSelects, .multipleCollaborators, .multipleRecordLinks, .multipleAttachments: self = .array(.text)
        case .formula, .rollup: self = Self.result(of: options).map { Self($0) } ?? .any
        case .multipleLookupValues: self = .array(Self.result(of: options).map { Self($0) } ?? .any)
        }
    }

    private init(_ result: ComputedResult) { self.init(type: result.type, options: result.options) }

    private static func showsTime(_ options: FieldOptions) -> Bool {
        switch options {
        case .createdTime(.date), .lastModifiedTime(_, _, .date): false
        default: true
        }
    }

    private static func result(of options: FieldOptions) -> ComputedResult? {
        switch options {
        case .formula(let formula): formula.result
        case .rollup(let rollup): rollup.result
        case .lookup(let lookup): lookup.result
        default: nil
        }
    }
}
