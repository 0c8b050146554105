import Testing

@testable import Outgoing

@Suite struct AddressPolicyTests {
    @Test func `Addresses are public or closed as IANA's registries have them, at both edges of every range`() throws {
        let rows = try DataFile.rows("addresses.tsv", columns: 2)
        #expect(rows.count > 90)
        for row in rows {
            let address = try #require(NetworkAddress(row[1]), "\(row)")
            #expect(AddressPolicy.isPublic(address) == (row[0] == "public"), "\(row)")
        }
    }

    @Test func `One closed address among many is one too many, and none at all is none`() throws {
        let policy = AddressPolicy()
        let place = try #require(HostAndPort("public.test:80"))
        let good = try #require(NetworkAddress("1.1.1.1"))
        let bad = try #require(NetworkAddress("10.0.0.1"))
        #expect(policy.permits(place, at: [good]))
        #expect(!policy.permits(place, at: [good, bad]))
        #expect(!policy.permits(place, at: [bad, good]))
        #expect(!policy.permits(place, at: []))
    }

    @Test func `A place is allowed by its exact host and port only`() throws {
        let places = try ["nas.local:8080", "192.168.1.5:80", "[::1]:81"].map { try #require(HostAndPort($0)) }
        let policy = AddressPolicy(allowed: Set(places))
        let closed = [try #require(NetworkAddress("192.168.1.5"))]
        for same in [
            "nas.local:8080", "NAS.local.:8080", "192.168.1.5:80", "192.168.1.5:080", "0xc0.168.261:80", "[0::1]:81",
        ] {
            #expect(policy.permits(try #require(HostAndPort(same)), at: closed), "\(same)")
        }
        for other in [
            "nas.local:80", "nas:8080", "x.nas.local:8080", "192.168.1.5:81", "192.168.1.6:80", "other.test:80",
            "[::1]:80", "[::2]:81",
        ] {
            #expect(!policy.permits(try #require(HostAndPort(other)), at: closed), "\(other)")
        }
    }
}
