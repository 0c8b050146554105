package import CivilTime
import RowhouseJSON
package import RowhouseModel
package import RowhouseWire

/// Writes bases out, page by page, as files that `BaseFile` and `CSVBase` read.
package struct BaseExport: Sendable {
    private let operations: any TransferOperations
    private let caller: Caller
    private let encoder: AnswerEncoder
    /// Takes the next bytes.
    private let write: @Sendable ([UInt8]) throws(TransferError) -> Void
    /// Gets the number of records that were written since it was told last; throws to end the work.
    private let wrote: @Sendable (Int) throws(TransferError) -> Void

    package init(
        operations: any TransferOperations, caller: Caller, zones: TimeZoneDatabase, links: AttachmentLinks,
        wrote: @escaping @Sendable (Int) throws(TransferError) -> Void = { _ in },
        write: @escaping @Sendable ([UInt8]) throws(TransferError) -> Void
    ) {
        self.operations = operations
        self.caller = caller
        encoder = AnswerEncoder(zones: zones, links: links)
        self.write = write
        self.wrote = wrote
    }

    /// The whole base as a document, a record a line. Each page is of one moment; a base that is written to meanwhile
    /// is not frozen.
    package func json(_ base: BaseSchema) async throws(TransferError) {
        let name = String(decoding: JSONValue.string(base.name).bytes, as: UTF8.self)
        try line("{\"format\":\"\(BaseFile.exportFormat)\",\"name\":\(name),\"tables\":[")
        for (index, table) in base.tables.enumerated() {
            // The schema's own object, left open for the records.
            let schema = try schema(of: table, in: base).dropLast()
            try write(Array((index > 0 ? "," : "").utf8) + schema + Array(",\"records\":[\n".utf8))
            var isFirst = true
            try await pages(of: table, in: base) { (page) throws(TransferError) in
                let records = try records(of: page, table)
                guard !records.isEmpty else { return }
                let separator = Array(",\n".utf8)
                try write((isFirst ? [] : separator) + Array(records.joined(separator: separator)))
                try wrote(records.count)
                isFirst = false
            }
            try line("\n]}")
        }
        try line("]}")
    }

    /// A table as comma-separated values: numbers, dates and checked boxes as the API writes them, lists joined by
    /// commas, names for people, links and files.
    package func csv(_ table: TableSchema, of base: BaseSchema, isSpreadsheetSafe: Bool) async throws(TransferError) {
        var writer = CSVWriter(isSpreadsheetSafe: isSpreadsheetSafe)
        writer.row(table.fields.map(\.name))
        let names = try await linkedNames(table, base)
        try await pages(of: table, in: base) { (page) throws(TransferError) in
            let records = try records(of: page, table)
            for record in records {
                let cells = (try? JSONParser.parse(record))?.objectValue?["fields"]?.objectValue
                writer.row(
                    table.fields.map { field in
                        cells?[field.name].map { CSVText.text($0, names: names[field.id]) } ?? ""
                    })
            }
            try write(writer.take())
            try wrote(records.count)
        }
        try write(writer.take())
    }

    private func line(_ text: String) throws(TransferError) { try write(Array((text + "\n").utf8)) }

    private func records(
        of page: RecordPage, _ table: TableSchema, byID: Bool = false
    ) throws(TransferError) -> [[UInt8]] {
        do { return try encoder.records(page, RecordPresentation(returnFieldsByFieldID: byID)) } catch {
            throw .refused("The table \(table.name)", error)
        }
    }

    private func schema(of table: TableSchema, in base: BaseSchema) throws(TransferError) -> [UInt8] {
        let one = BaseSchema(
            id: base.id, name: base.name, workspace: base.workspace, createdTime: base.createdTime, tables: [table])
        let bytes = SchemaEncoder.tables(one, visibleFieldIDs: true)
        guard let object = try? JSONParser.parse(bytes).objectValue,
            var first = object["tables"]?.arrayValue?.first?.objectValue, let fields = first["fields"]?.arrayValue
        else { throw .refused("The table \(table.name)", .internalError) }
        first["fields"] = .array(zip(fields, table.fields).map { .object(Self.whole($0, $1)) })
        return JSONValue.object(first).bytes
    }

    /// A field with the options that Airtable's answers leave out.
    private static func whole(_ shown: JSONValue, _ field: Field) -> JSONObject {
        var object = shown.objectValue ?? [:]
        var options = object["options"]?.objectValue ?? [:]
        switch field.options {
        case .rollup(let rollup): options["formula"] = .string(rollup.formula)
        case .button(let button):
            options["label"] = .string(button.label)
            options["url"] = button.urlFormula.map { .string($0) }
        default: return object
        }
        object["options"] = .object(options)
        return object
    }

    private func pages(
        of table: TableSchema, in base: BaseSchema, fields: [String]? = nil,
        _ body: (RecordPage) throws(TransferError) -> Void
    ) async throws(TransferError) {
        var request = ListRecordsRequest(base: base.id, table: TableReference(table.id.description))
        request.fields = fields
        repeat {
            let page: RecordPage
            do { page = try await operations.listRecords(request, as: caller) } catch {
                throw .refused("The table \(table.name)", error)
            }
            try body(page)
            request.offset = page.offset
        } while request.offset != nil
    }

    /// What the records are called that each link field leads to.
    private func linkedNames(
        _ table: TableSchema, _ base: BaseSchema
    ) async throws(TransferError) -> [FieldID: [String: String]] {
        var names: [FieldID: [String: String]] = [:]
        var known: [TableID: [String: String]] = [:]
        for field in table.fields {
            guard case .links(let links) = field.options, let linked = base.table(links.linkedTableID) else { continue }
            if known[linked.id] == nil {
                var found: [String: String] = [:]
                let primary = linked.primaryFieldID.description
                try await pages(of: linked, in: base, fields: [primary]) { (page) throws(TransferError) in
                    for record in try records(of: page, linked, byID: true) {
                        let object = (try? JSONParser.parse(record))?.objectValue
                        guard let id = object?["id"]?.stringValue else { continue }
                        found[id] = object?["fields"]?.objectValue?[primary].map { CSVText.text($0) } ?? ""
                    }
                }
                known[linked.id] = found
            }
            names[field.id] = known[linked.id]
        }
        return names
    }
}

/// A cell's JSON as a text of one column.
enum CSVText {
    static func text(_ value: JSONValue, names: [String: String]? = nil) -> String {
        switch value {
        case .string(let text): names?[text] ?? text
        case .array(let elements): elements.map { Self.text($0, names: names) }.joined(separator: ", ")
        case .object(let object): Self.text(object)
        case .null: ""
        default: String(decoding: value.bytes, as: UTF8.self)
        }
    }

    /// People by name, files as `name (address)`, barcodes by their text, errors by theirs.
    private static func text(_ object: JSONObject) -> String {
        if let filename = object["filename"]?.stringValue {
            return object["url"]?.stringValue.map { "\(filename) (\($0))" } ?? filename
        }
        for key in ["name", "text", "email", "specialValue", "error", "label"] {
            if let text = object[key]?.stringValue { return text }
        }
        return String(decoding: JSONValue.object(object).bytes, as: UTF8.self)
    }
}
