import CivilTime
import Glibc
import Platform
import RowhouseModel
import SQLiteStorage
import Storage
import Synchronization
import Testing

/// A temporary folder for a store.
final class TestFolder: Sendable {
    let path: String

    init() {
        let number = UInt64.random(in: 0...UInt64.max)
        path = "/tmp/rowhouse-store-\(getpid())-\(number)"
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
        return names.sorted()
    }

    func mode(of name: String) -> UInt32 {
        var information = stat()
        return stat(path + "/" + name, &information) == 0 ? information.st_mode & 0o777 : 0
    }

    func bytes(of name: String) -> [UInt8] { readFile(path + "/" + name) }

    func write(_ bytes: [UInt8], to name: String) {
        mkdir(path, 0o700)
        guard let file = fopen(path + "/" + name, "w") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    /// Opens the folder with a store that trusts the system's cache and says what goes wrong inside.
    func open(_ change: (inout SQLiteStorage.Options) -> Void = { _ in }) throws -> SQLiteStorage {
        var options = SQLiteStorage.Options()
        options.synchronous = .off
        options.log = { Issue.record("logged: \($0)") }
        change(&options)
        return try SQLiteStorage(folder: path, options: options)
    }

    /// Closes the store and holds the file against SQLite's own check and our indexes.
    func close(_ store: SQLiteStorage, _ location: SourceLocation = #_sourceLocation) {
        store.close()
        #expect(SQLiteStorage.integrity(folder: path) == [], sourceLocation: location)
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

/// Lets other threads work.
func pauseBriefly() { usleep(500) }

/// Runs `body` on several threads at once and waits for all.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let threads = (0..<count).map { number in OwnThread(name: "test \(number)") { body(number) } }
    for thread in threads { thread?.join() }
}
