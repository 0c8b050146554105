import Glibc
import Platform

/// The child process in which image files are decoded: it reads jobs from standard input and answers on standard
/// output, until that ends or nothing comes for a while.
package enum ImageWorker {
    /// What a job may take of a processor, in seconds.
    private static let secondsPerJob: UInt = 60

    /// Works until the end, in a process of its own.
    ///
    /// - Returns: the exit code: 0 when there is no more to do, 69 without libvips, 65 for what is no job.
    package static func run(idleSeconds: Int) -> Int32 {
        WorkerLimits.set()
        let vips: Vips
        do { vips = try Vips() } catch {
            answer("unavailable \(error.reason)")
            return 69
        }
        WorkerLimits.stayAlone()
        guard OwnThread(name: "end", { endWithInput() }) != nil else { return 71 }
        answer("ready")
        let renderer = Renderer(vips: vips)
        var input = JobInput(idleSeconds: idleSeconds)
        while let texts = input.next() {
            guard let job = RenderJob(texts) else { return 65 }
            WorkerLimits.allowSeconds(secondsPerJob)
            do { answer("done \(try renderer.render(job).rawValue)") } catch {
                answer("failed \(error.reason.prefix(500))")
            }
        }
        return 0
    }

    /// Ends the process, whatever it is doing, when the other side of its input has gone.
    private static func endWithInput() {
        var event = pollfd(fd: 0, events: 0, revents: 0)
        while poll(&event, 1, -1) <= 0 {}
        // What was asked for before the other side closed is still answered when it is only reading that remains.
        if event.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { _exit(0) }
    }

    private static func answer(_ line: String) {
        StandardStream.output.line(String(line.map { $0.isNewline ? " " : $0 }))
    }
}

/// Jobs as they come in on standard input.
private struct JobInput {
    let idleSeconds: Int
    private var bytes: [UInt8] = []

    init(idleSeconds: Int) { self.idleSeconds = idleSeconds }

    /// The texts of the next job; nil when there is none to come.
    mutating func next() -> [String]? {
        while true {
            if let end = frameEnd() {
                let texts = bytes[..<end].split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
                bytes.removeFirst(end + 2)
                return texts
            }
            guard bytes.count <= RenderJob.byteLimit, read() else { return nil }
        }
    }

    private func frameEnd() -> Int? {
        guard bytes.count > 1 else { return nil }
        return (0..<bytes.count - 1).first { bytes[$0] == 0 && bytes[$0 + 1] == 0 }
    }

    private mutating func read() -> Bool {
        var event = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        guard poll(&event, 1, Int32(clamping: idleSeconds * 1000)) > 0 else { return false }
        var buffer = [UInt8](repeating: 0, count: 8192)
        let count = Glibc.read(0, &buffer, buffer.count)
        guard count > 0 else { return false }
        bytes.append(contentsOf: buffer[..<count])
        return true
    }
}
