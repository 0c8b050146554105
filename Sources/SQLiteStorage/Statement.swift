import CSQLite
import RowhouseModel

/// A prepared statement of one connection.
final class Statement {
    private let pointer: OpaquePointer
    private unowned let connection: Connection

    init(_ pointer: OpaquePointer, of connection: Connection) {
        self.pointer = pointer
        self.connection = connection
    }

    deinit { sqlite3_finalize(pointer) }

    /// Goes to the next row; false at the end.
    func step() throws(APIError) -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: true
        case SQLITE_DONE: false
        case let code: throw connection.failure(code, String(cString: sqlite3_sql(pointer)))
        }
    }

    /// Runs a statement that answers nothing, and makes it ready for the next time.
    func run() throws(APIError) {
        defer { reset() }
        _ = try step()
    }

    /// Runs a statement that answers nothing with bytes as its first value, which spares SQLite a copy of them.
    func run(blob: [UInt8]) throws(APIError) {
        let code = blob.withUnsafeBytes { bytes in
            // An empty array may have no address, which SQLite would take for NULL.
            _ =
                bytes.baseAddress.map { rowhouse_bind_lasting_blob(pointer, 1, $0, UInt64(bytes.count)) }
                ?? sqlite3_bind_zeroblob(pointer, 1, 0)
            return sqlite3_step(pointer)
        }
        defer { reset() }
        if code != SQLITE_DONE, code != SQLITE_ROW {
            throw connection.failure(code, String(cString: sqlite3_sql(pointer)))
        }
    }

    /// Makes the statement ready for the next time and forgets its values.
    func reset() {
        sqlite3_reset(pointer)
        sqlite3_clear_bindings(pointer)
    }

    /// Makes the statement ready for the next time with the same values.
    func rewind() { sqlite3_reset(pointer) }

    // Binding fails only for positions that do not exist and for values beyond SQLite's limits (1 GB); the statement
    // then runs with NULL, which every NOT NULL column refuses.

    func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(pointer, index, value) }
    func bind(_ index: Int32, _ value: Int) { sqlite3_bind_int64(pointer, index, Int64(value)) }
    func bind(_ index: Int32, _ value: Double) { sqlite3_bind_double(pointer, index, value) }
    func bindNull(_ index: Int32) { sqlite3_bind_null(pointer, index) }

    func bind(_ index: Int32, _ text: String) {
        var text = text
        text.withUTF8 { bind(index, text: UnsafeRawBufferPointer($0)) }
    }

    func bind(_ index: Int32, _ text: String?) {
        if let text { bind(index, text) } else { bindNull(index) }
    }

    func bind(_ index: Int32, text: [UInt8]) {
        text.withUnsafeBytes { bind(index, text: $0) }
    }

    func bind(_ index: Int32, blob: [UInt8]) {
        blob.withUnsafeBytes { bytes in
            // An empty array may have no address, which SQLite would take for NULL.
            guard let base = bytes.baseAddress else { return _ = sqlite3_bind_zeroblob(pointer, index, 0) }
            _ = rowhouse_bind_blob(pointer, index, base, UInt64(bytes.count))
        }
    }

    func bind(_ index: Int32, _ id: IdentifierText) {
        var words = (id.high.bigEndian, id.low.bigEndian)
        withUnsafeBytes(of: &words) { bytes in
            _ = rowhouse_bind_text(pointer, index, bytes.baseAddress, UInt64(IdentifierText.length))
        }
    }

    func bind(_ index: Int32, _ cell: StoredCell) {
        switch cell {
        case .empty: bindNull(index)
        case .integer(let value): bind(index, value)
        case .real(let value): bind(index, value)
        case .text(let text): bind(index, text)
        }
    }

    private func bind(_ index: Int32, text bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return _ = rowhouse_bind_text(pointer, index, "", 0) }
        _ = rowhouse_bind_text(pointer, index, base, UInt64(bytes.count))
    }

    var columns: Int32 { sqlite3_column_count(pointer) }
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(pointer, column) == SQLITE_NULL }
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(pointer, column) }
    func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(pointer, column)) }

    func bytes(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(pointer, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, column))))
    }

    /// Replaces the buffer's bytes by the column's.
    func read(_ column: Int32, into buffer: inout [UInt8]) {
        buffer.removeAll(keepingCapacity: true)
        guard let start = sqlite3_column_blob(pointer, column) else { return }
        buffer.append(
            contentsOf: UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, column))))
    }

    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// The fourteen characters that this program wrote into the column.
    func identifier(_ column: Int32) -> IdentifierText {
        guard let start = sqlite3_column_text(pointer, column),
            sqlite3_column_bytes(pointer, column) == Int32(IdentifierText.length)
        else { return IdentifierText(time: 0, counter: 0) }
        let bytes = UnsafeRawPointer(start)
        let high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        let middle = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        let end = UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
        return IdentifierText(high: high, low: UInt64(middle) << 32 | UInt64(end) << 16)
    }

    func cell(_ column: Int32) -> StoredCell {
        switch sqlite3_column_type(pointer, column) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(sqlite3_column_double(pointer, column))
        case SQLITE_TEXT: .text(text(column))
        default: .empty
        }
    }

    /// Appends `count` columns from `first` on as cells.
    func appendCells(_ first: Int32, count: Int, to batch: inout RecordBatch) {
        for column in first..<first + Int32(count) {
            switch sqlite3_column_type(pointer, column) {
            case SQLITE_INTEGER: batch.slots.append(.integer(sqlite3_column_int64(pointer, column)))
            case SQLITE_FLOAT: batch.slots.append(.real(sqlite3_column_double(pointer, column)))
            case SQLITE_TEXT: appendText(column, to: &batch)
            default: batch.slots.append(.empty)
            }
        }
    }

    private func appendText(_ column: Int32, to batch: inout RecordBatch) {
        let start = sqlite3_column_text(pointer, column)
        let count = Int(sqlite3_column_bytes(pointer, column))
        batch.slots.append(
            .text(start: UInt32(truncatingIfNeeded: batch.text.count), count: UInt32(truncatingIfNeeded: count)))
        batch.text.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
    }
}
