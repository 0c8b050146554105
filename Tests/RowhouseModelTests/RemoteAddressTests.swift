import RowhouseModel
import Testing

struct RemoteAddressTests {
    @Test(arguments: [
        ("http://a.test/x", "a.test"), ("HTTPS://A.Test:81?x:1", "a.test:81"), ("http://[::1]:80/", "[::1]:80"),
        ("http://a.test#x", "a.test"), ("ftp://a.test/", ""),
    ])
    func `The place of an address is told in lower case`(url: String, place: String) {
        #expect(RemoteAddress.place(of: url) == place)
    }

    @Test func `A name of many blanks costs no more than its length`() {
        let blanks = String(repeating: " ", count: 200_000)
        let time = ContinuousClock().measure { #expect(Filename.cleaned(blanks + "a.png" + blanks) == "a.png") }
        #expect(time < .seconds(2))
    }
}
