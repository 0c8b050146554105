import RowhouseModel
import Testing

struct RemoteAddressTests {
    @Test(arguments: [
        ("http://a.test/x", "a.test"), ("HTTPS://A.Test:81?x:1", "a.test"), ("http://[::1]:80/", "[::1]"),
        ("http://[::1]/", "[::1]"), ("http://a.test:#x", "a.test"), ("ftp://a.test/", ""), ("http://a:b", "a:b"),
    ])
    func `The host of an address is told in lower case without its port`(url: String, host: String) {
        #expect(RemoteAddress.host(of: url) == host)
    }

    @Test func `A name of many blanks costs no more than its length`() {
        let blanks = String(repeating: " ", count: 200_000)
        let time = ContinuousClock().measure { #expect(Filename.cleaned(blanks + "a.png" + blanks) == "a.png") }
        #expect(time < .seconds(2))
    }
}
