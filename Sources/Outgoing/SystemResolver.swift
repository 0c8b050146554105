// Whichever of the two reads <sys/socket.h> first declares SOCK_STREAM.
import CCurl
import Glibc
package import RowhouseModel

/// Asks whom the machine is set up to ask; how long that may take is its resolv.conf(5)'s matter.
package struct SystemResolver: Resolver {
    package init() {}

    package func addresses(of name: String) throws(RemoteFileError) -> [NetworkAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(name, nil, &hints, &first)
        guard code == 0 else { throw code == EAI_AGAIN ? .unreachable : .unknownHost }
        defer { freeaddrinfo(first) }
        var found: [NetworkAddress] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ai_next
            guard let address = entry.ai_addr.flatMap({ NetworkAddress($0, length: Int(entry.ai_addrlen)) }) else {
                continue
            }
            if !found.contains(address) { found.append(address) }
        }
        guard !found.isEmpty else { throw .unknownHost }
        return found
    }
}
