import CivilTime
import Glibc
import Platform
import RowhouseModel
import SQLiteStorage
import Storage
import Synchronization
import Testing

/// A temporary folder with a store in it; `check` looks at the file with SQLite's own eyes.
final class TestFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/rowhouse-store-XXXXXX".utf8CString)
        path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    }

    deinit {
        for name in files { unlink(path + "/" + name) }
        rmdir(path)
    }

    var files: [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    func open(_ change: (inout SQLiteStorage.Options) -> Void = { _ in }) throws -> SQLiteStorage {
        var options = SQLiteStorage.Options()
        options.synchronous = .off
        options.log = { Issue.record("logged: \($0)", severity: .warning) }
        change(&options)
        return try SQLiteStorage(folder: path, options: options)
    }

    /// Closes the store and holds the file against SQLite's own check.
    func close(_ store: SQLiteStorage, _ location: SourceLocation = #_sourceLocation) {
        store.close()
        let faults = SQLiteStorage.integrity(folder: path)
        #expect(faults == [], sourceLocation: location)
    }
}

/// A clock that stands still until told.
final class TestClock: Sendable {
    private let time: Atomic<Int64>
    init(_ time: Int64 = 1_700_000_000_000) { self.time = Atomic(time) }
    var now: Instant { Instant(milliseconds: time.load(ordering: .relaxed)) }
    func set(_ milliseconds: Int64) { time.store(milliseconds, ordering: .relaxed) }
    func advance(_ milliseconds: Int64) { time.add(milliseconds, ordering: .relaxed) }
}
