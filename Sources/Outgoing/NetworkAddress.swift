import CCurl
import Glibc

/// An IPv4 or IPv6 address.
package struct NetworkAddress: Hashable, Sendable {
    /// Four or sixteen bytes, the most significant first.
    let bytes: [UInt8]

    var isIPv4: Bool { bytes.count == 4 }

    /// Reads what every program takes for a number rather than a name: IPv6, and IPv4 in all its old spellings, such as
    /// `127.0.0.1`, `0x7f.1` and `2130706433`; nil for a name.
    package init?(_ text: String) {
        var six = in6_addr()
        var four = in_addr()
        // Each of them would stop reading at a NUL and take what stands before it.
        guard !text.utf8.contains(0) else { return nil }
        if inet_pton(AF_INET6, text, &six) == 1 {
            bytes = withUnsafeBytes(of: six) { Array($0) }
        } else if inet_aton(text, &four) != 0 {
            bytes = withUnsafeBytes(of: four) { Array($0) }
        } else {
            return nil
        }
    }

    /// The address in a socket address; nil for another family.
    init?(_ address: UnsafePointer<sockaddr>, length: Int) {
        switch Int32(address.pointee.sa_family) {
        case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
            bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin_addr) { Array($0) }
            }
        case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
            bytes = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin6_addr) { Array($0) }
            }
        default: return nil
        }
    }
}

extension NetworkAddress: CustomStringConvertible {
    /// The one usual spelling: `127.0.0.1`, `2001:db8::1`.
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(isIPv4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// As it stands in a URL: IPv6 in brackets.
    var bracketed: String { isIPv4 ? description : "[\(description)]" }
}
