import RowhouseJSON
package import RowhouseModel

/// What a base is made with and taken from.
package typealias TransferOperations = SchemaOperations & RecordOperations & BaseCopying

extension BaseFile {
    /// Makes the base and its records; a base whose records are refused is taken away again.
    ///
    /// The records of an export get new identifiers, and links lead to the new ones. What the house itself notes of a
    /// record (when and by whom it was made and changed, its number) is noted anew.
    /// - Throws: the engine's error, with the table and the refused record.
    package func create(
        with operations: any TransferOperations, as caller: Caller,
        progress: @escaping TransferProgress = { _, _, _ in }
    ) async throws(TransferError) -> BaseSchema {
        let base: BaseSchema
        do throws(APIError) { base = try await makeSchema(with: operations, as: caller) } catch {
            throw .refused("The base", error)
        }
        do throws(TransferError) {
            var filling = BaseFilling(base: base, operations: operations, caller: caller, progress: progress)
            filling.total = tables.map(\.records.count).reduce(0, &+)
            for (table, made) in zip(tables, base.tables) { try await filling.fill(made, from: table) }
            filling.done = 0
            for (table, made) in zip(tables, base.tables) { try await filling.link(made, from: table) }
        } catch {
            _ = try? await operations.deleteBase(base.id, as: caller, idempotency: nil)
            throw error
        }
        return base
    }

    private func makeSchema(
        with operations: any TransferOperations, as caller: Caller
    ) async throws(APIError) -> BaseSchema {
        if let schema { return try operations.createBase(copying: schema, as: caller) }
        let request = CreateBaseRequest(name: name, workspace: "wsp00000000000000", tables: tables.map(\.input))
        guard case .now(let made) = try await operations.createBase(request, as: caller, idempotency: nil) else {
            throw .internalError
        }
        return made
    }
}

/// The records of a base that is being made.
private struct BaseFilling {
    let base: BaseSchema
    let operations: any TransferOperations
    let caller: Caller
    /// New identifiers of records by old ones.
    private var records: [String: RecordID] = [:]
    private let progress: TransferProgress
    var total = 0
    var done = 0

    init(
        base: BaseSchema, operations: any TransferOperations, caller: Caller, progress: @escaping TransferProgress
    ) {
        self.base = base
        self.operations = operations
        self.caller = caller
        self.progress = progress
    }

    /// Makes the records of a table; those of an export still without links.
    mutating func fill(_ table: TableSchema, from file: BaseFile.Table) async throws(TransferError) {
        let kept =
            file.copy == nil ? nil : Self.cells(of: table) { $0.type.isWritable && $0.type != .multipleRecordLinks }
        let files = Self.cells(of: table) { $0.type == .multipleAttachments }
        try await inBatches(file.records.count, "Making records") { (filling, batch) throws(APIError) in
            let inputs = batch.map { index in
                RecordInput(
                    fields: kept.map { Self.part(file.records[index], $0).fetching(files) } ?? file.records[index])
            }
            let request = CreateRecordsRequest(
                base: filling.base.id, table: TableReference(table.id.description), records: inputs, typecast: false,
                presentation: RecordPresentation(), isSingle: false)
            let written = try await filling.operations.createRecords(request, as: filling.caller, idempotency: nil)
            guard case .now(let made) = written, made.batch.count == batch.count else { throw .internalError }
            guard kept != nil else { return }
            for (index, id) in zip(batch, made.batch.ids) { filling.records[file.recordIDs[index]] = id }
        } failed: {
            "Record \($0 + 1) of \(table.name)"
        }
    }

    /// Links the records of a table to those made, in the order that each cell had.
    mutating func link(_ table: TableSchema, from file: BaseFile.Table) async throws(TransferError) {
        let kept = Self.cells(of: table) { $0.type == .multipleRecordLinks }
        guard file.copy != nil, !kept.isEmpty else { return }
        let linked = file.records.indices.filter { index in kept.contains { file.records[index][$0] != nil } }
        done &+= file.records.count - linked.count
        try await inBatches(linked.count, "Linking records") { (filling, batch) throws(APIError) in
            var inputs: [RecordInput] = []
            for index in batch.map({ linked[$0] }) {
                let cells = Self.part(file.records[index], kept).map { ($0.key, filling.renamed($0.value)) }
                inputs.append(
                    RecordInput(
                        id: filling.records[file.recordIDs[index]]?.description, fields: JSONObject(cells)))
            }
            let request = UpdateRecordsRequest(
                base: filling.base.id, table: TableReference(table.id.description), records: inputs, unnamed: .kept,
                fieldsToMergeOn: nil, typecast: false, presentation: RecordPresentation(), isSingle: false)
            _ = try await filling.operations.updateRecords(request, as: filling.caller, idempotency: nil)
        } failed: {
            "The links of record \(linked[$0] + 1) of \(table.name)"
        }
    }

    /// Does ten records at a time; where they are refused, one at a time, to tell which of them it is.
    private mutating func inBatches(
        _ count: Int, _ what: String, _ work: (inout BaseFilling, Range<Int>) async throws(APIError) -> Void,
        failed: (Int) -> String
    ) async throws(TransferError) {
        var start = 0
        while start < count {
            let end = min(count, start + 10)
            do throws(APIError) { try await work(&self, start..<end) } catch {
                for index in start..<end {
                    do throws(APIError) { try await work(&self, index..<index + 1) } catch {
                        throw .refused(failed(index), error)
                    }
                }
            }
            done &+= end - start
            start = end
            try progress(what, done, total)
        }
    }

    private static func cells(of table: TableSchema, _ isKept: (Field) -> Bool) -> Set<String> {
        Set(table.fields.filter(isKept).map(\.name))
    }

    private static func part(_ cells: JSONObject, _ kept: Set<String>) -> JSONObject {
        JSONObject(cells.filter { kept.contains($0.key) }.map { ($0.key, $0.value) })
    }

    private func renamed(_ links: JSONValue) -> JSONValue {
        guard case .array(let ids) = links else { return links }
        return .array(ids.map { id in id.stringValue.flatMap { records[$0] }.map { .string("\($0)") } ?? id })
    }
}

extension JSONObject {
    /// The cells with the attachments of these fields as files to be fetched: their identifiers are of another base.
    fileprivate func fetching(_ fields: Set<String>) -> JSONObject {
        JSONObject(
            map { name, value in
                guard fields.contains(name), case .array(let items) = value else { return (name, value) }
                return (
                    name,
                    .array(
                        items.map { item in
                            guard let object = item.objectValue else { return item }
                            return .object(
                                JSONObject(object.filter { ["url", "filename"].contains($0.key) }.map { ($0, $1) }))
                        })
                )
            })
    }
}
