import Glibc
import Platform

/// Where what a command gives out goes: standard output, or a file that appears when it is whole.
///
/// Among the answers may be a token, which is told only once: what is not taken is an error.
final class CommandOutput: Sendable {
    private let path: String?
    private let file: Int32
    private let isFinished = Guarded(false)
    let progress = ProgressLine()

    private var partialPath: String? { path.map { $0 + ".part" } }

    /// - Parameter path: of a file to write; nil for standard output.
    init(path: String?) throws(CommandError) {
        self.path = path
        guard let path else {
            file = 1
            return
        }
        file = open(path + ".part", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .file(path, SystemCallError(call: "open", code: errno), otherwise: .cannotCreate) }
    }

    deinit {
        guard let partialPath else { return }
        close(file)
        if !isFinished.withLock({ $0 }) { unlink(partialPath) }
    }

    /// Takes what a command tells while it is at work.
    func take(_ event: AdminEvent) throws(CommandError) {
        switch event {
        case .text(let text):
            // A file takes nothing of the terminal's.
            if path == nil { progress.clear() }
            try write(Array(text.utf8))
        case .progress(let done, let total, let what, let unit): progress.show(done, of: total, what, unit)
        }
    }

    /// Writes the answer to standard output, and puts a file in its place.
    func finish(_ lines: [String]) throws(CommandError) {
        progress.clear()
        if let path, let partialPath {
            guard fsync(file) == 0, rename(partialPath, path) == 0 else {
                throw .file(path, SystemCallError(call: "rename", code: errno), otherwise: .inputOutput)
            }
            isFinished.withLock { $0 = true }
        }
        try Self.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: 1, "It was done, but standard output")
    }

    private func write(_ bytes: [UInt8]) throws(CommandError) {
        try Self.write(bytes, to: file, path ?? "Standard output")
    }

    private static func write(_ bytes: [UInt8], to file: Int32, _ name: String) throws(CommandError) {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0 && errno != EINTR {
                throw CommandError(.inputOutput, "\(name) did not take the answer.")
            }
            start += max(0, count)
        }
    }
}
