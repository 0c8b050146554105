import Glibc
import Platform

/// Why a job gave no renderings.
enum RenderFailure: Error, Equatable {
    /// The worker looked at the file and cannot render it.
    case refused(String)
    /// The worker died of the file, or took too long and was ended.
    case died(String)
    /// The worker ended before it looked at the file: another one may do it.
    case gone
    /// There are no decoders on this machine.
    case unavailable(String)
    /// No process can be started now.
    case noProcess(String)
}

/// The server's side of one worker process.
final class RenderWorker: Sendable {
    private static let lineLimit = 4096
    private static let startTime = Duration.seconds(15)
    private let process: ChildProcess

    /// Starts a worker and waits until it has opened its decoders.
    init(program: String, idleSeconds: Int) throws(RenderFailure) {
        let line: [UInt8]
        do {
            process = try ChildProcess(program, ["image-worker", "--idle-seconds", String(idleSeconds)])
            line = try process.readLine(limit: Self.lineLimit, within: Self.startTime)
        } catch {
            throw .noProcess("\(error.call): \(error.reason)")
        }
        let words = String(decoding: line, as: UTF8.self)
        guard words == "ready" else { throw .unavailable(words) }
    }

    /// The number of the process.
    var id: Int32 { process.id }

    var isAlive: Bool { process.ended() == nil }

    /// Has a job done on files, the one to be read first; after anything but an answer the worker is no more.
    func perform(
        _ job: RenderJob, _ files: [OpenFile], within time: Duration
    ) throws(RenderFailure) -> RenderingFormat {
        let deadline = ContinuousClock.now + time
        var hasBegun = false
        var answer = ""
        do {
            try process.send(Array((job.line + "\n").utf8), files: files, within: time)
            hasBegun = try line(until: deadline) == "begun"
            if hasBegun { answer = try line(until: deadline) }
        } catch {
            throw ending(after: error, hasBegun: hasBegun)
        }
        if answer.hasPrefix("failed ") { throw .refused(String(answer.dropFirst(7))) }
        for format in RenderingFormat.allCases where answer == "done \(format.rawValue)" { return format }
        process.end()
        throw .died("it answered \(answer.prefix(100))")
    }

    private func line(until deadline: ContinuousClock.Instant) throws(SystemCallError) -> String {
        String(decoding: try process.readLine(limit: Self.lineLimit, within: deadline - .now), as: UTF8.self)
    }

    private func ending(after error: SystemCallError, hasBegun: Bool) -> RenderFailure {
        if error.code == ETIMEDOUT {
            process.end()
            return .died("it took too long")
        }
        let ending = process.ended(within: .seconds(2)) ?? process.end()
        // Whatever ended it before, it was not this file.
        guard hasBegun else { return .gone }
        switch ending {
        case .exited(let code): return .died("it ended with code \(code)")
        case .signalled(let number): return .died("it was ended by signal \(number)")
        }
    }
}
