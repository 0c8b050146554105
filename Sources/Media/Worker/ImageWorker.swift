import CLinux
import Glibc
import Platform

/// The child process in which image files are decoded: jobs come with open files on standard input, which is a Unix
/// socket, and are answered on standard output, until that ends or nothing comes for a while.
package enum ImageWorker {
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
        while let (line, files) = input.next() {
            guard let job = RenderJob(line: line), let file = files.first, files.count == job.sizes.count + 1 else {
                return 65
            }
            if let head = ImageHead(file: file) { WorkerLimits.allow(RenderEffort(head, bytes: file.size)) }
            answer("begun")
            do {
                answer("done \(try renderer.render(job.sizes, of: file, into: Array(files.dropFirst())).rawValue)")
            } catch {
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

    /// The next job and the files that came with it; nil when there is none to come.
    mutating func next() -> (line: String, files: [OpenFile])? {
        var line: [UInt8] = []
        var files: [OpenFile] = []
        while line.count <= RenderJob.lineLimit, receive(&line, &files) {
            if line.last == UInt8(ascii: "\n") { return (String(decoding: line.dropLast(), as: UTF8.self), files) }
        }
        return nil
    }

    private func receive(_ line: inout [UInt8], _ files: inout [OpenFile]) -> Bool {
        var event = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        guard poll(&event, 1, Int32(clamping: idleSeconds * 1000)) > 0 else { return false }
        var buffer = [UInt8](repeating: 0, count: RenderJob.lineLimit)
        var numbers = [Int32](repeating: -1, count: Int(LINUX_FILE_LIMIT))
        var fileCount = 0
        let count = linux_receive_files(0, &buffer, buffer.count, &numbers, &fileCount)
        // What is no plain file is left out, and its job is refused.
        for number in numbers.prefix(fileCount) {
            if let file = try? OpenFile(taking: number) { files.append(file) }
        }
        guard count > 0 else { return false }
        line.append(contentsOf: buffer[..<count])
        return true
    }
}
