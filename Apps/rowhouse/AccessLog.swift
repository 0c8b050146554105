import Glibc
import HTTPCore
import HTTPServer
import Platform
import Synchronization

/// One line on standard error for each request: no header, no token, no value of a secret parameter.
///
/// Lines are gathered and written five times a second, so that logging costs a request next to nothing; what is
/// gathered is bounded, and lines that find no place are counted instead.
final class AccessLog: Sendable {
    private struct State {
        var lines: [UInt8] = []
        var lost = 0
    }

    private static let mostBytes = 1 << 20
    private let state = Guarded(State())
    private let isClosed = Atomic(false)

    /// Starts writing; `close` ends it.
    static func start() -> (log: AccessLog, thread: OwnThread?) {
        let log = AccessLog()
        return (log, OwnThread(name: "access-log") { log.run() })
    }

    func add(_ entry: AccessLogEntry) {
        let line = Self.line(entry)
        state.withLock { state in
            guard state.lines.count + line.count < Self.mostBytes else {
                state.lost += 1
                return
            }
            state.lines.append(contentsOf: line)
        }
    }

    /// Lets the thread write what is left and end.
    func close() { isClosed.store(true, ordering: .releasing) }

    private func run() {
        while !isClosed.load(ordering: .acquiring) {
            usleep(200_000)
            flush()
        }
        flush()
    }

    private func flush() {
        let (lines, lost) = state.withLock { state in
            defer { state = State() }
            return (state.lines, state.lost)
        }
        if !lines.isEmpty { StandardStream.error.line(String(decoding: lines.dropLast(), as: UTF8.self)) }
        if lost > 0 { StandardStream.error.line("rowhouse: \(lost) lines of the access log were dropped") }
    }

    private static func line(_ entry: AccessLogEntry) -> [UInt8] {
        let tenths = Int((min(max(0, entry.milliseconds), 1e12) * 10).rounded())
        var line: [UInt8] = []
        line.reserveCapacity(entry.target.utf8.count + 128)
        line.append(contentsOf: entry.remoteAddress.utf8)
        line.append(UInt8(ascii: " "))
        line.append(contentsOf: entry.method.utf8)
        line.append(UInt8(ascii: " "))
        line.append(contentsOf: entry.target.utf8)
        // Written for every request, so without a text for each number.
        for index in line.indices where line[index] < 0x20 || line[index] == 0x7F { line[index] = UInt8(ascii: "?") }
        line.append(UInt8(ascii: " "))
        if let status = entry.status { line.appendDigits(status.rawValue) } else { line.append(UInt8(ascii: "-")) }
        line.append(UInt8(ascii: " "))
        line.appendDigits(entry.bytes)
        line.append(UInt8(ascii: " "))
        line.appendDigits(tenths / 10)
        line.append(UInt8(ascii: "."))
        line.appendDigits(tenths % 10)
        line.append(contentsOf: "ms ".utf8)
        line.append(contentsOf: entry.requestID.utf8)
        line.append(UInt8(ascii: "\n"))
        return line
    }
}

extension [UInt8] {
    /// Appends a number that is not negative.
    fileprivate mutating func appendDigits(_ value: Int) {
        if value > 9 { appendDigits(value / 10) }
        append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value % 10))
    }
}
