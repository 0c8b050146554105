import Accounts
import Platform
import RowhouseModel
import Storage
import Transfer

extension Office {
    func createBase(_ file: BaseFile, _ tell: AdminListener = { _ in }) async throws(CommandError) -> String {
        let owner = try owner()
        return try await withoutActuallyEscaping(tell) { (tell) async throws(CommandError) in
            do throws(TransferError) {
                let base = try await file.create(with: operations, as: owner) {
                    (what, done, total) throws(TransferError) in
                    try Self.tell(tell, done, of: total, what)
                }
                return "\(base.id)"
            } catch { throw .transfer(error) }
        }
    }

    private static func tell(
        _ listener: AdminListener, _ done: Int, of total: Int, _ what: String
    ) throws(TransferError) {
        do throws(CommandError) { try listener(.progress(done: done, of: total, what: what, unit: .records)) } catch {
            throw .output(error.message)
        }
    }

    /// The records of some tables.
    private func count(_ tables: [TableSchema]) throws(CommandError) -> Int {
        do throws(APIError) {
            return try storage.read { (reader) throws(APIError) in
                var sum = 0
                for table in tables { sum += try reader.recordCount(of: table.id) }
                return sum
            }
        } catch { throw .refused("The store", error) }
    }

    /// The owner, with every right.
    func owner() throws(CommandError) -> Caller {
        do { return try accounts.ownerAsCaller() } catch { throw .account(error) }
    }

    func listBases() -> [String] {
        ListText.lines(
            [["id", "name", "tables", "created"]]
                + storage.schema.bases.map {
                    ["\($0.id)", $0.name, "\($0.tables.count)", ListText.time($0.createdTime)]
                })
    }

    /// Tells a base as JSON, or one of its tables as CSV.
    func export(
        _ name: String, table: String?, isSpreadsheetSafe: Bool, _ tell: AdminListener
    ) async throws(CommandError) -> [String] {
        let base = try base(named: name)
        let owner = try owner()
        let found = table.flatMap { base.table(named: $0) }
        let total = try count(found.map { [$0] } ?? base.tables)
        return try await withoutActuallyEscaping(tell) { (tell) async throws(CommandError) in
            let done = Guarded(0)
            let export = BaseExport(
                operations: operations, caller: owner, zones: zones, links: links,
                wrote: { (count) throws(TransferError) in
                    let done = done.withLock { sum in
                        sum += count
                        return sum
                    }
                    try Self.tell(tell, done, of: total, "Writing records")
                }
            ) { (bytes) throws(TransferError) in
                do throws(CommandError) { try tell(.text(String(decoding: bytes, as: UTF8.self))) } catch {
                    throw .output(error.message)
                }
            }
            do throws(TransferError) {
                guard let table else {
                    try await export.json(base)
                    return []
                }
                guard let found else {
                    throw .file("There is no table \(table.prefix(100)) in \(base.name).")
                }
                try await export.csv(found, of: base, isSpreadsheetSafe: isSpreadsheetSafe)
                return []
            } catch { throw .transfer(error) }
        }
    }

    /// The base with this id, or the only one of this name.
    private func base(named name: String) throws(CommandError) -> BaseSchema {
        let bases = storage.schema.bases
        if let base = bases.first(where: { "\($0.id)" == name }) { return base }
        let named = bases.filter { $0.name == name }
        guard let base = named.first else { throw CommandError(.failure, "There is no base \(name.prefix(100)).") }
        guard named.count == 1 else {
            throw .usage("\(named.count) bases are called \(name.prefix(100)): name one by its id.")
        }
        return base
    }
}

extension CommandError {
    /// What could not be brought in or out.
    static func transfer(_ error: TransferError) -> CommandError {
        switch error {
        case .file(let message): CommandError(.failure, message)
        case .refused(let what, let error): .refused(what, error)
        case .output(let message): CommandError(.inputOutput, message)
        }
    }

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
