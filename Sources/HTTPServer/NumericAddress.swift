import CMicrohttpd
import Glibc

/// Numeric addresses in one spelling, so that they can be compared as texts.
enum NumericAddress {
    /// The canonical text of an IPv4 or IPv6 address (an IPv4 address inside IPv6 as IPv4); nil if it is none.
    static func canonical(_ text: String) -> String? {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return self.text(four) }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        return self.text(six)
    }

    /// The address in a socket address; empty for another family.
    static func text(_ address: UnsafePointer<sockaddr>) -> String {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { text($0.pointee.sin_addr) }
        case AF_INET6:
            address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { text($0.pointee.sin6_addr) }
        default: ""
        }
    }

    private static func text(_ address: in_addr) -> String {
        withUnsafePointer(to: address) { printed(AF_INET, $0) }
    }

    private static func text(_ address: in6_addr) -> String {
        withUnsafeBytes(of: address) { bytes in
            let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
            if isMapped { return bytes.dropFirst(12).map(String.init).joined(separator: ".") }
            return bytes.baseAddress.map { printed(AF_INET6, $0) } ?? ""
        }
    }

    private static func printed(_ family: Int32, _ address: UnsafeRawPointer) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            guard let base = buffer.baseAddress, inet_ntop(family, address, base, socklen_t(buffer.count)) != nil
            else { return "" }
            return String(cString: base)
        }
    }
}
