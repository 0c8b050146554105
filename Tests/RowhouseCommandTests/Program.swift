import Glibc
import Platform

/// The built program, run as others run it.
struct Program {
    struct Outcome: Equatable {
        let code: Int32
        let output: String
        let error: String
    }

    private let folder: TemporaryFolder
    private let process: pid_t

    /// Starts the program that was built with these tests; the environment is empty but for `environment`.
    /// Standard output goes to a file of its own unless another is named.
    init(_ arguments: [String], environment: [String] = [], output: String? = nil) throws {
        folder = try TemporaryFolder()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, path) in [(1, output ?? folder.path + "/output"), (2, folder.path + "/error")] {
            posix_spawn_file_actions_addopen(
                &actions, Int32(number), path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }
        let path = try Self.path()
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup($0) } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var process = pid_t()
        let result = posix_spawn(&process, path, &actions, nil, words, variables)
        guard result == 0 else { throw SystemCallError(call: "posix_spawn", code: result) }
        self.process = process
    }

    /// Runs it to its end.
    static func run(_ arguments: String..., environment: [String] = []) throws -> Outcome {
        try Program(arguments, environment: environment).end()
    }

    /// What it has written to standard output so far.
    var output: String { text("output") }

    /// Waits until standard output holds the text.
    func wait(for text: String) throws {
        for _ in 0..<2000 {
            if output.contains(text) { return }
            usleep(10_000)
        }
        signal(SIGKILL)
        throw CommandFailure(output: output, error: self.text("error"))
    }

    func signal(_ number: Int32) { kill(process, number) }

    /// Waits for its end.
    func end() throws -> Outcome {
        var status: Int32 = 0
        for _ in 0..<3000 {
            if waitpid(process, &status, WNOHANG) == process {
                let code = status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
                return Outcome(code: code, output: output, error: text("error"))
            }
            usleep(10_000)
        }
        signal(SIGKILL)
        waitpid(process, &status, 0)
        throw CommandFailure(output: output, error: text("error"))
    }

    private func text(_ name: String) -> String {
        String(decoding: (try? ReadFile.bytes(of: folder.path + "/" + name, limit: 1 << 24)) ?? [], as: UTF8.self)
    }

    /// Beside the program that runs the tests.
    static func path() throws -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { throw SystemCallError(call: "readlink", code: errno) }
        let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/rowhouse"
    }
}

/// What a program had written when it did not do what was waited for.
struct CommandFailure: Error {
    let output: String
    let error: String
}
