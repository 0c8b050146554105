import Glibc

/// A TCP client that sends exactly the bytes it is told, and reads answers by Content-Length.
final class RawClient {
    struct Answer {
        var status = 0
        var head = ""
        var body: [UInt8] = []

        var text: String { String(decoding: body, as: UTF8.self) }

        subscript(_ name: String) -> String? {
            for line in head.split(separator: "\r\n").dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1)
                if parts.first?.lowercased() == name.lowercased() {
                    return parts.last.map { String($0.drop { $0 == " " }) }
                }
            }
            return nil
        }
    }

    let descriptor: Int32
    private var buffer: [UInt8] = []

    /// Connects to the loopback; reads give up after `timeout` seconds.
    init(port: Int, timeout: Int = 5, isSix: Bool = false, receiveBuffer: Int32? = nil) {
        descriptor = socket(isSix ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var limit = timeval(tv_sec: timeout, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if isSix {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = UInt16(port).bigEndian
            inet_pton(AF_INET6, "::1", &address.sin6_addr)
            connect(&address, MemoryLayout<sockaddr_in6>.size)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(port).bigEndian
            inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
            connect(&address, MemoryLayout<sockaddr_in>.size)
        }
    }

    private func connect(_ address: UnsafeRawPointer, _ size: Int) {
        _ = Glibc.connect(descriptor, address.assumingMemoryBound(to: sockaddr.self), socklen_t(size))
    }

    deinit { close(descriptor) }

    /// Sends all bytes; false if the other end does not take them.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Reads one answer; nil when the connection ends or nothing comes in time before its head is complete.
    func read(hasBody: Bool = true) -> Answer? {
        var answer = Answer()
        while true {
            if let end = headEnd() {
                answer.head = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeFirst(end + 4)
                break
            }
            guard fill() else { return nil }
        }
        let words = answer.head.split(separator: " ", maxSplits: 2)
        answer.status = words.count > 1 ? Int(words[1]) ?? 0 : 0
        guard hasBody, answer.status != 304, answer.status >= 200 else { return answer }
        let length = answer["Content-Length"].flatMap { Int($0) } ?? 0
        while buffer.count < length { guard fill() else { break } }
        answer.body = Array(buffer.prefix(length))
        buffer.removeFirst(min(length, buffer.count))
        return answer
    }

    func exchange(_ text: String) -> Answer? {
        send(text)
        return read()
    }

    /// Whether the other end closes without sending more, before reads time out.
    func isClosed() -> Bool {
        var byte: UInt8 = 0
        guard buffer.isEmpty else { return false }
        let count = recv(descriptor, &byte, 1, 0)
        return count == 0 || (count < 0 && errno == ECONNRESET)
    }

    /// Whether the other end closes, whatever it sends before, until reads time out.
    func endsConnection() -> Bool {
        while fill() {}
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT))
        return count == 0 || (count < 0 && errno == ECONNRESET)
    }

    /// Whether the other end has closed already.
    func isClosedNow() -> Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT | MSG_PEEK))
        return count == 0 || (count < 0 && errno != EAGAIN)
    }

    /// Makes the end of the connection abrupt: a reset instead of a farewell.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Whether bytes that no answer has taken contain a text.
    func hasReceived(_ text: String) -> Bool { String(decoding: buffer, as: UTF8.self).contains(text) }

    private func headEnd() -> Int? {
        guard buffer.count >= 4 else { return nil }
        for index in 0...(buffer.count - 4)
        where buffer[index] == 13 && buffer[index + 1] == 10 && buffer[index + 2] == 13 && buffer[index + 3] == 10 {
            return index
        }
        return nil
    }

    private func fill() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { return false }
        buffer.append(contentsOf: chunk[..<count])
        return true
    }
}
