import Glibc
import Outgoing
import Platform

/// A TCP listener on the loopback. Who only connects is seen too, for nobody takes connections before `serve`.
final class LoopbackListener: Sendable {
    let port: Int
    private let descriptor: Int32
    private let requests = Guarded<[String]>([])
    private let isClosing = Guarded(false)
    private let thread = Guarded<OwnThread?>(nil)

    init(isSix: Bool = false) throws {
        let descriptor = socket(isSix ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        var bound = sockaddr_in6()
        let result: Int32
        if isSix {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_addr = in6addr_loopback
            result = LoopbackListener.bind(descriptor, &address, MemoryLayout<sockaddr_in6>.size)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            result = LoopbackListener.bind(descriptor, &address, MemoryLayout<sockaddr_in>.size)
        }
        guard result == 0, listen(descriptor, 16) == 0 else { throw SystemCallError(call: "bind", code: errno) }
        withUnsafeMutablePointer(to: &bound) {
            _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        self.descriptor = descriptor
        // The port lies at the same place for both kinds of address.
        port = Int(UInt16(bigEndian: bound.sin6_port))
    }

    /// Answers each connection, one after the other, with what `answer` sends after the head of a request.
    convenience init(serving answer: @escaping @Sendable (LoopbackAnswer) -> Void) throws {
        try self.init()
        serve(answer)
    }

    /// The heads of the requests that came.
    var received: [String] { requests.withLock { $0 } }

    /// Whether anybody has connected; only without `serve`.
    var wasTouched: Bool {
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        let number = accept(descriptor, nil, nil)
        if number >= 0 { close(number) }
        return number >= 0
    }

    private func serve(_ answer: @escaping @Sendable (LoopbackAnswer) -> Void) {
        let (descriptor, requests, isClosing) = (descriptor, requests, isClosing)
        let thread = OwnThread(name: "listener") {
            while true {
                let number = accept(descriptor, nil, nil)
                if isClosing.withLock({ $0 }) || number < 0 {
                    if number >= 0 { close(number) }
                    return
                }
                let connection = LoopbackAnswer(number: number, isClosing: isClosing)
                requests.withLock { $0.append(connection.readHead()) }
                answer(connection)
                shutdown(number, Int32(SHUT_WR))
                close(number)
            }
        }
        self.thread.withLock { $0 = thread }
    }

    deinit {
        isClosing.withLock { $0 = true }
        shutdown(descriptor, Int32(SHUT_RDWR))
        thread.withLock { $0 }?.join()
        close(descriptor)
    }

    private static func bind(_ descriptor: Int32, _ address: UnsafeRawPointer, _ size: Int) -> Int32 {
        Glibc.bind(descriptor, address.assumingMemoryBound(to: sockaddr.self), socklen_t(size))
    }
}

/// One connection that a listener answers.
struct LoopbackAnswer {
    let number: Int32
    let isClosing: Guarded<Bool>

    func readHead() -> String {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while head.count < 65_536, recv(number, &byte, 1, 0) == 1 {
            head.append(byte)
            if head.suffix(4) == [13, 10, 13, 10] { break }
        }
        return String(decoding: head, as: UTF8.self)
    }

    /// False once the other end takes no more.
    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count, !isClosing.withLock({ $0 }) {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return sent == bytes.count
    }

    /// Sends the same again and again, until the other end takes no more.
    func sendForever(_ text: String, every milliseconds: UInt32 = 0) {
        let bytes = Array(text.utf8)
        while send(bytes) { if milliseconds > 0 { usleep(milliseconds * 1000) } }
    }

    /// Says nothing until the other end has gone.
    func waitForEnd() {
        var byte: UInt8 = 0
        while !isClosing.withLock({ $0 }) {
            var event = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            if poll(&event, 1, 50) > 0, recv(number, &byte, 1, 0) <= 0 { return }
        }
    }
}
