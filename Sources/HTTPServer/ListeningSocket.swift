import Glibc

/// A TCP socket that listens; closed with its owner.
final class ListeningSocket: Sendable {
    let descriptor: Int32
    let port: Int

    /// Listens at a numeric address; `::` takes IPv4 too.
    init(host: String, port: Int) throws(ServerError) {
        guard (0...65_535).contains(port) else { throw .invalidAddress("\(host):\(port)") }
        let isSix = host.contains(":")
        let descriptor = socket(
            isSix ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .cannotListen(ListeningSocket.lastError()) }
        do {
            try ListeningSocket.bind(descriptor, host, UInt16(port).bigEndian, isSix)
        } catch {
            close(descriptor)
            throw error
        }
        guard listen(descriptor, 1_024) == 0 else {
            let reason = ListeningSocket.lastError()
            close(descriptor)
            throw .cannotListen(reason)
        }
        self.descriptor = descriptor
        self.port = ListeningSocket.boundPort(descriptor)
    }

    deinit { close(descriptor) }

    private static func bind(
        _ descriptor: Int32, _ host: String, _ port: in_port_t, _ isSix: Bool
    ) throws(ServerError) {
        var yes: Int32 = 1
        var isSixOnly: Int32 = host == "::" ? 0 : 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
        let result: Int32
        if isSix {
            setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &isSixOnly, size)
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port
            guard inet_pton(AF_INET6, host, &address.sin6_addr) == 1 else { throw .invalidAddress(host) }
            result = bound(descriptor, &address, MemoryLayout<sockaddr_in6>.size)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port
            guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { throw .invalidAddress(host) }
            result = bound(descriptor, &address, MemoryLayout<sockaddr_in>.size)
        }
        guard result == 0 else { throw .cannotListen(lastError()) }
    }

    private static func bound(_ descriptor: Int32, _ address: UnsafeRawPointer, _ size: Int) -> Int32 {
        Glibc.bind(descriptor, address.assumingMemoryBound(to: sockaddr.self), socklen_t(size))
    }

    private static func boundPort(_ descriptor: Int32) -> Int {
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        // The port lies at the same place for both kinds of address.
        return result == 0 ? Int(UInt16(bigEndian: address.sin6_port)) : 0
    }

    private static func lastError() -> String { String(cString: strerror(errno)) }
}
