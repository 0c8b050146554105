import CLinux
import Glibc

/// A listening Unix socket in a folder, for programs of the same user on the same machine.
package final class LocalSocketListener: Sendable {
    private let folder: String
    private let name: String
    private let socketNumber: Int32
    private let isClosed = Guarded(false)

    /// Listens under `name` in `folder`, for the owner only; what was there under that name is replaced.
    package init(name: String, in folder: String) throws(SystemCallError) {
        self.folder = folder
        self.name = name
        socketNumber = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socketNumber >= 0 else { throw .last("socket") }
        let path = folder + "/" + name
        unlink(path)
        // Before `listen` nobody can connect, so the mode is right from the first moment that matters.
        try LocalAddress.use(name, in: folder, "bind") { bind(socketNumber, $0, $1) }
        guard chmod(path, 0o600) == 0 else { throw .last("chmod") }
        guard listen(socketNumber, 16) == 0 else { throw .last("listen") }
    }

    deinit { Glibc.close(socketNumber) }

    /// The next connection; nil once the listener is closed.
    package func accept() -> LocalConnection? {
        while !isClosed.withLock({ $0 }) {
            var event = pollfd(fd: socketNumber, events: Int16(POLLIN), revents: 0)
            // `close` wakes it by shutting the socket down; the second is only in case it does not.
            guard poll(&event, 1, 1000) > 0, !isClosed.withLock({ $0 }) else { continue }
            let number = Glibc.accept(socketNumber, nil, nil)
            if number >= 0 {
                _ = fcntl(number, F_SETFD, FD_CLOEXEC)
                return LocalConnection(number: number)
            }
            // Out of descriptors, most likely: trying again at once would only burn the processor.
            if errno == EMFILE || errno == ENFILE { usleep(50_000) }
        }
        return nil
    }

    /// Stops listening and removes the socket from its folder; done once, whoever calls.
    package func close() {
        let wasClosed = isClosed.withLock { closed in
            defer { closed = true }
            return closed
        }
        guard !wasClosed else { return }
        unlink(folder + "/" + name)
        shutdown(socketNumber, Int32(SHUT_RDWR))
    }
}

/// One connection over a Unix socket.
package final class LocalConnection: Sendable {
    private let number: Int32
    /// What arrived after the last line that was read.
    private let arrived = Guarded<[UInt8]>([])

    init(number: Int32) { self.number = number }

    /// Connects to whoever listens under `name` in `folder`.
    package init(name: String, in folder: String) throws(SystemCallError) {
        number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw .last("socket") }
        let socketNumber = number
        try LocalAddress.use(name, in: folder, "connect") { connect(socketNumber, $0, $1) }
    }

    deinit { close(number) }

    /// The number of the user at the other end; nil when the system does not tell.
    package var peerUser: UInt32? {
        var peer = PeerCredentials()
        var length = socklen_t(MemoryLayout<PeerCredentials>.size)
        guard getsockopt(number, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 else { return nil }
        return peer.user
    }

    /// Reads up to the next line break, which is left out.
    ///
    /// - Throws: `EMSGSIZE` after `limit` bytes without one, `ETIMEDOUT` after `time`, `ECONNRESET` at an early end.
    package func readLine(limit: Int, within time: Duration) throws(SystemCallError) -> [UInt8] {
        let deadline = ContinuousClock.now + time
        var line: [UInt8] = []
        let before = arrived.withLock { arrived in
            defer { arrived = [] }
            return arrived
        }
        if take(before[...], into: &line) { return line }
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            guard line.count <= limit else { throw SystemCallError(call: "recv", code: EMSGSIZE) }
            try wait(for: POLLIN, until: deadline)
            let count = recv(number, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            guard count >= 0 else { throw .last("recv") }
            guard count > 0 else { throw SystemCallError(call: "recv", code: ECONNRESET) }
            let isWhole = take(buffer[..<count], into: &line)
            guard line.count <= limit else { throw SystemCallError(call: "recv", code: EMSGSIZE) }
            if isWhole { return line }
        }
    }

    /// Adds what belongs to a line and keeps the rest; whether the line is whole.
    private func take(_ bytes: ArraySlice<UInt8>, into line: inout [UInt8]) -> Bool {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
            line += bytes
            return false
        }
        line += bytes[..<end]
        let rest = bytes[(end + 1)...]
        if !rest.isEmpty { arrived.withLock { $0 = Array(rest) } }
        return true
    }

    /// Sends all bytes, and with the first of them open files, at most 8.
    ///
    /// - Throws: `ETIMEDOUT` after `time`, `EPIPE` when the other end has gone.
    package func send(
        _ bytes: [UInt8], files: [OpenFile] = [], within time: Duration
    ) throws(SystemCallError) {
        let deadline = ContinuousClock.now + time
        let numbers = files.map(\.number)
        var start = 0
        while start < bytes.count {
            try wait(for: POLLOUT, until: deadline)
            let count = bytes[start...].withUnsafeBytes {
                linux_send_files(number, $0.baseAddress, $0.count, numbers, start == 0 ? numbers.count : 0)
            }
            if count < 0 && errno != EINTR && errno != EAGAIN { throw .last("send") }
            start += max(0, count)
        }
    }

    private func wait(for event: Int32, until deadline: ContinuousClock.Instant) throws(SystemCallError) {
        let rest = deadline - ContinuousClock.now
        guard rest > .zero else { throw SystemCallError(call: "poll", code: ETIMEDOUT) }
        let milliseconds = min(Double(Int32.max), rest / .milliseconds(1)).rounded(.up)
        var events = pollfd(fd: number, events: Int16(event), revents: 0)
        if poll(&events, 1, Int32(milliseconds)) < 0 && errno != EINTR { throw .last("poll") }
    }
}

/// The system's `struct ucred`, which its headers show only to GNU programs (unix(7), SO_PEERCRED).
private struct PeerCredentials {
    var process: Int32 = 0
    var user: UInt32 = .max
    var group: UInt32 = .max
}

/// The address of a Unix socket, however long the name of its folder.
private enum LocalAddress {
    static func use(
        _ name: String, in folder: String, _ call: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(SystemCallError) {
        if try attempt(folder + "/" + name, call, body) { return }
        // The system takes 107 bytes of path; a folder of a longer name is reached through its descriptor.
        let handle = try FileDescriptor(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), from: "open")
        guard try attempt("/proc/self/fd/\(handle.number)/\(name)", call, body) else {
            throw SystemCallError(call: call, code: ENAMETOOLONG)
        }
    }

    /// False when the path does not fit.
    private static func attempt(
        _ path: String, _ call: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(SystemCallError) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw .last(call) }
        return true
    }
}
