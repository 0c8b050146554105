/// Which addresses may be called: those of the public internet, and the places that whoever runs the server allows.
package struct AddressPolicy: Sendable {
    private let allowed: Set<HostAndPort>

    package init(allowed: Set<HostAndPort> = []) { self.allowed = allowed }

    /// Whether a place may be called, all of whose addresses are known; one wrong address among them is one too many.
    package func permits(_ place: HostAndPort, at addresses: [NetworkAddress]) -> Bool {
        allowed.contains(place) || (!addresses.isEmpty && addresses.allSatisfy(AddressPolicy.isPublic))
    }

    /// Whether an address belongs to one machine anywhere on the internet (IANA's registries of special addresses).
    package static func isPublic(_ address: NetworkAddress) -> Bool {
        if address.isIPv4 { return !closedIPv4.contains { $0.contains(address) } }
        // Outside of it lie what is local to a machine, link or site, IPv4 in disguise (`::ffff:0:0/96`, `64:ff9b::/96`)
        // and multicast.
        return globalUnicast.contains(address) && !closedIPv6.contains { $0.contains(address) }
    }

    private static let closedIPv4: [AddressRange] = [
        AddressRange([0], bits: 8),  // this network
        AddressRange([10], bits: 8),  // private
        AddressRange([100, 64], bits: 10),  // shared by the customers of a carrier
        AddressRange([127], bits: 8),  // loopback
        AddressRange([169, 254], bits: 16),  // link-local, where clouds tell machines their secrets
        AddressRange([172, 16], bits: 12),  // private
        AddressRange([192, 0, 0], bits: 24),  // protocol assignments
        AddressRange([192, 0, 2], bits: 24),  // documentation
        AddressRange([192, 88, 99], bits: 24),  // relays of 6to4
        AddressRange([192, 168], bits: 16),  // private
        AddressRange([198, 18], bits: 15),  // benchmarks
        AddressRange([198, 51, 100], bits: 24),  // documentation
        AddressRange([203, 0, 113], bits: 24),  // documentation
        AddressRange([224], bits: 4),  // multicast
        AddressRange([240], bits: 4),  // reserved, broadcast
        AddressRange([168, 63, 129, 16], bits: 32),  // public in form, but what Azure tells its machines
    ]

    private static let globalUnicast = AddressRange([0x20], bits: 3)

    private static let closedIPv6: [AddressRange] = [
        AddressRange([0x20, 0x01, 0x00], bits: 23),  // protocol assignments: Teredo, benchmarks, ORCHID
        AddressRange([0x20, 0x01, 0x0D, 0xB8], bits: 32),  // documentation
        AddressRange([0x20, 0x02], bits: 16),  // 6to4: an IPv4 address inside
        AddressRange([0x3F, 0xFF, 0x00], bits: 20),  // documentation
    ]
}

/// All addresses that begin with the same bits.
private struct AddressRange: Sendable {
    private let start: [UInt8]
    private let bits: Int

    /// - Parameter start: at least as many bytes as `bits` need.
    init(_ start: [UInt8], bits: Int) {
        self.start = start
        self.bits = bits
    }

    func contains(_ address: NetworkAddress) -> Bool {
        var rest = bits
        for (first, second) in zip(start, address.bytes) where rest > 0 {
            let mask: UInt8 = rest >= 8 ? 0xFF : ~(0xFF >> UInt8(rest))
            guard first & mask == second & mask else { return false }
            rest -= 8
        }
        return true
    }
}
