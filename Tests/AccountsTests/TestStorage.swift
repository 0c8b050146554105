import CivilTime
import Glibc
import Platform
import RowhouseModel
import SQLiteStorage
import Storage

/// The real store in a folder of its own, whose writes can be counted and made to fail.
final class TestStorage: Storage {
    private let folder: String
    private let store: SQLiteStorage
    let failure = Guarded<APIError?>(nil)
    let writes = Guarded(0)

    init(clock: TestClock) throws {
        var template = Array("/tmp/rowhouse-accounts-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw APIError.internalError }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var options = SQLiteStorage.Options()
        options.clock = { clock.now }
        store = try SQLiteStorage(folder: folder, options: options)
    }

    deinit {
        store.close()
        for name in ["rowhouse.db", "rowhouse.db-wal", "rowhouse.db-shm", "rowhouse.lock"] {
            unlink(folder + "/" + name)
        }
        rmdir(folder)
    }

    var schema: Schema { store.schema }
    var users: UserDirectory { store.users }
    var secret: [UInt8] { store.secret }
    var trashDays: Int { store.trashDays }

    func changeNumber(of table: TableID) -> Int { store.changeNumber(of: table) }
    func moment() throws(APIError) -> any Storage { try store.moment() }

    func read<Value>(_ body: (any StorageReader) throws(APIError) -> Value) throws(APIError) -> Value {
        try store.read(body)
    }

    func readEach<Value>(_ body: (any StorageReader) throws(APIError) -> Value) throws(APIError) -> Value {
        try read(body)
    }

    func readNow<Value>(_ body: (any StorageReader) throws(APIError) -> Value) throws(APIError) -> Value? {
        try read(body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StorageWriter) throws(APIError) -> Value
    ) throws(APIError) -> Value {
        writes.withLock { $0 += 1 }
        if let failure = failure.withLock({ $0 }) { throw failure }
        return try store.write(body)
    }
}
