import Glibc

/// Another program that works for this one: it hears on its standard input and answers on its standard output.
///
/// It inherits nothing else: no variable of the environment, no blocked signal, no descriptor that is closed on exec, as
/// all of ours are. Signals of the terminal do not reach it; when this process ends, however it ends, its standard input
/// ends.
package final class ChildProcess: Sendable {
    /// How it ended.
    package enum Ending: Sendable, Equatable {
        case exited(Int32)
        case signalled(Int32)
    }

    /// The number of the process.
    package let id: Int32
    private let connection: LocalConnection
    private let ending = Guarded<Ending?>(nil)

    /// Starts a program; its standard error goes nowhere.
    package init(
        _ program: String, _ arguments: [String], environment: [String] = []
    ) throws(SystemCallError) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw .last("socketpair")
        }
        connection = LocalConnection(number: ends[0])
        defer { close(ends[1]) }
        id = try Self.spawn(program, arguments, environment, standard: ends[1])
    }

    deinit {
        end()
    }

    /// The next line of its answer, without the line break.
    ///
    /// - Throws: `ETIMEDOUT` after `time`, `EMSGSIZE` after `limit` bytes, `ECONNRESET` when it has ended.
    package func readLine(limit: Int, within time: Duration) throws(SystemCallError) -> [UInt8] {
        try connection.readLine(limit: limit, within: time)
    }

    /// Tells it something, and hands it open files, at most 8.
    ///
    /// - Throws: `ETIMEDOUT` after `time`, `EPIPE` when it has ended.
    package func send(
        _ bytes: [UInt8], files: [OpenFile] = [], within time: Duration
    ) throws(SystemCallError) {
        try connection.send(bytes, files: files, within: time)
    }

    /// How it has ended; nil while it runs.
    package func ended(within time: Duration = .zero) -> Ending? {
        let deadline = ContinuousClock.now + time
        while true {
            if let ending = ending.withLock({ reap(&$0, WNOHANG) }) { return ending }
            guard ContinuousClock.now < deadline else { return nil }
            usleep(2000)
        }
    }

    /// Ends it at once, unless it has ended by itself.
    @discardableResult
    package func end() -> Ending {
        ending.withLock { ending in
            if let ending = reap(&ending, WNOHANG) { return ending }
            kill(id, SIGKILL)
            return reap(&ending, 0) ?? .signalled(SIGKILL)
        }
    }

    private func reap(_ ending: inout Ending?, _ options: Int32) -> Ending? {
        if let ending { return ending }
        var status: Int32 = 0
        var result = waitpid(id, &status, options)
        while result < 0 && errno == EINTR { result = waitpid(id, &status, options) }
        guard result == id else { return nil }
        ending = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
        return ending
    }

    private static func spawn(
        _ program: String, _ arguments: [String], _ environment: [String], standard: Int32
    ) throws(SystemCallError) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, standard, 0)
        posix_spawn_file_actions_adddup2(&actions, standard, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup($0) } + [nil]
        defer { for word in words + variables { free(word) } }
        var id = pid_t()
        let code = posix_spawn(&id, program, &actions, &attributes, words, variables)
        guard code == 0 else { throw SystemCallError(call: "posix_spawn", code: code) }
        return id
    }
}
