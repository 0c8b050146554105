import RowhouseJSON
import RowhouseModel
import SQLiteStorage
import Testing

extension House {
    /// The text with the ids of fields in place of `@Table.Field@`.
    func withIDs(_ text: String) throws -> String {
        var text = text
        for table in storage.schema.base(base)?.tables ?? [] {
            for field in table.fields {
                text = text.replacing("@\(table.name).\(field.name)@", with: field.id.description)
            }
        }
        return text
    }

    /// Makes a field; the options may name others as `@Table.Field@`.
    @discardableResult
    func compute(_ name: String, _ type: String, _ options: String, in table: String = "Tasks") throws -> Field {
        try makeField(
            try withIDs("{\"name\":\"\(name)\",\"type\":\"\(type)\",\"options\":\(options)}"), in: table)
    }

    @discardableResult
    func formula(_ name: String, _ formula: String, in table: String = "Tasks", more: String = "") throws -> Field {
        let text = String(decoding: JSONValue.string(try withIDs(formula)).bytes, as: UTF8.self)
        return try compute(name, "formula", "{\"formula\":\(text)\(more)}", in: table)
    }

    /// Creates records of a table, each from the JSON of its fields.
    @discardableResult
    func records(_ fields: [String], in table: String = "Tasks") throws -> [Row] {
        var rows: [Row] = []
        for start in stride(from: 0, to: fields.count, by: 10) {
            let batch = fields[start..<min(fields.count, start + 10)].map { "{\"fields\":\($0)}" }
            rows += try create("{\"records\":[\(batch.joined(separator: ","))]}", table: table).rows
        }
        return rows
    }

    /// The cells of one field in a list of a table, in its order; `-` for none.
    func column(
        _ field: String, in table: String = "Tasks", _ query: [(name: String, value: String)] = []
    ) throws -> [String] {
        try list(query, table: table).rows.map { row in
            row[field].map { String(decoding: $0.bytes, as: UTF8.self) } ?? "-"
        }
    }
}

extension Field {
    var isValid: Bool? {
        switch options {
        case .formula(let formula): formula.isValid
        case .rollup(let rollup): rollup.isValid
        case .lookup(let lookup): lookup.isValid
        case .count(let link, _): link != nil
        case .button(let button): button.isValid
        default: nil
        }
    }

    var result: ComputedResult? {
        switch options {
        case .formula(let formula): formula.result
        case .rollup(let rollup): rollup.result
        case .lookup(let lookup): lookup.result
        default: nil
        }
    }
}
