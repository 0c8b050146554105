import Glibc

/// What the kernel knows of a TCP connection (tcp(7), `struct tcp_info` of linux/tcp.h).
enum TCPInformation {
    /// Bytes that ever arrived on the connection; nil if the descriptor is no TCP socket.
    static func bytesReceived(_ descriptor: Int32) -> UInt64? { number(at: 128, descriptor) }

    /// Bytes that the other end ever acknowledged; nil if the descriptor is no TCP socket.
    static func bytesAcknowledged(_ descriptor: Int32) -> UInt64? { number(at: 120, descriptor) }

    /// Glibc's own structure ends before these fields, which Linux has had since 4.1.
    private static func number(at place: Int, _ descriptor: Int32) -> UInt64? {
        withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { buffer in
            var size = socklen_t(buffer.count)
            guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, buffer.baseAddress, &size) == 0,
                Int(size) >= place + 8
            else { return nil }
            return buffer.load(fromByteOffset: place, as: UInt64.self)
        }
    }
}
