import RowhouseModel

/// What a base is made with.
typealias Operations = SchemaOperations & RecordOperations

extension BaseFile {
    private static let batchSize = 10

    /// Makes the base and its records; a base whose records are refused is taken away again.
    ///
    /// - Throws: the engine's error, with the table and the first record of the refused batch.
    func create(with operations: any Operations, as caller: Caller) async throws(CommandError) -> BaseSchema {
        let request = CreateBaseRequest(
            name: name, workspace: "wsp00000000000000", tables: tables.map(\.input))
        let base: BaseSchema
        do throws(APIError) {
            guard case .now(let made) = try await operations.createBase(request, as: caller, idempotency: nil) else {
                throw APIError.internalError
            }
            base = made
        } catch {
            throw .refused("The base", error)
        }
        do throws(CommandError) {
            for table in tables { try await fill(table, of: base, with: operations, as: caller) }
        } catch {
            _ = try? await operations.deleteBase(base.id, as: caller, idempotency: nil)
            throw error
        }
        return base
    }

    private func fill(
        _ table: Table, of base: BaseSchema, with operations: any Operations, as caller: Caller
    ) async throws(CommandError) {
        var start = 0
        while start < table.records.count {
            let end = min(table.records.count, start + Self.batchSize)
            let request = CreateRecordsRequest(
                base: base.id, table: TableReference(table.input.name),
                records: table.records[start..<end].map { RecordInput(fields: $0) }, typecast: false,
                presentation: RecordPresentation(), isSingle: false)
            do throws(APIError) {
                _ = try await operations.createRecords(request, as: caller, idempotency: nil)
            } catch {
                throw .refused("Records \(start + 1) to \(end) of \(table.input.name)", error)
            }
            start = end
        }
    }
}

extension CommandError {
    /// What the engine or the store did not take.
    static func refused(_ what: String, _ error: APIError) -> CommandError {
        let code: ExitCode =
            switch error.status {
            case 503: .unavailable
            case 507: .inputOutput
            default: .failure
            }
        return CommandError(code, "\(what): \(error.message ?? error.type)")
    }
}
