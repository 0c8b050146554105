import Testing

@testable import Outgoing

@Suite struct WebAddressTests {
    @Test func `URLs are read into one spelling, and that spelling reads the same`() throws {
        for row in try DataFile.rows("urls.tsv", columns: 2) {
            let address = try #require(WebAddress(row[0]), "\(row)")
            #expect(address.description == row[1])
            #expect(WebAddress(address.description) == address)
        }
    }

    @Test func `Redirects lead where RFC 3986 says, and nowhere that a URL may not lead`() throws {
        for row in try DataFile.rows("redirects.tsv", columns: 3) {
            let from = try #require(WebAddress(row[0]), "\(row)")
            #expect(from.following(row[1])?.description ?? "-" == row[2], "\(row)")
        }
    }

    @Test func `Control characters are never part of a URL`() throws {
        let base = try #require(WebAddress("http://public.test/a"))
        for byte in Array(UInt8(0)...0x1F) + [0x7F] {
            let character = String(Unicode.Scalar(byte))
            #expect(WebAddress("http://public.test/a\(character)b") == nil)
            #expect(WebAddress("http://pub\(character)lic.test/") == nil)
            #expect(WebAddress("http://127.0.0.1\(character)x/") == nil)
            #expect(base.following("/a\(character)b") == nil)
            #expect(base.following("http://127.0.0.1\(character).test/") == nil)
        }
    }

    @Test func `Hosts, ports and URLs have their longest`() {
        let label = String(repeating: "a", count: 63)
        let longest = "\(label).\(label).\(label).\(label.dropLast(2))"
        #expect(WebAddress("http://\(longest)/") != nil)
        #expect(WebAddress("http://\(longest)a/") == nil)
        #expect(WebAddress("http://\(label)a.test/") == nil)
        #expect(WebAddress("http://\(String(repeating: "茶", count: 64)).test/") == nil)
        #expect(WebAddress("http://a.test/" + String(repeating: "x", count: 8178)) != nil)
        #expect(WebAddress("http://a.test/" + String(repeating: "x", count: 8179)) == nil)
        #expect(HostAndPort("a.test:65535")?.port == 65_535)
        for wrong in [
            "a.test", "a.test:", ":80", "a.test:0", "a.test:65536", "a.test:-1", "::1:80", "a@b:80", "a/b:80",
        ] {
            #expect(HostAndPort(wrong) == nil, "\(wrong)")
        }
    }

    @Test func `An accent after a slash changes nothing`() throws {
        let address = try #require(WebAddress("http://public.test/\u{301}a?\u{301}b"))
        #expect(address.description == "http://public.test/%CC%81a?%CC%81b")
        #expect(address.following("/\u{301}x")?.description == "http://public.test/%CC%81x")
        #expect(WebAddress("http:/\u{301}/public.test/") == nil)
        #expect(WebAddress("http://public.test\u{301}:80/")?.place.port == 80)
    }

    @Test func `Names beyond ASCII get the form of RFC 3492`() throws {
        for row in try DataFile.rows("punycode.tsv", columns: 2) { #expect(Punycode.label(row[0][...]) == row[1]) }
    }

    @Test func `Whatever is read reads the same again, and holds nothing that could be read in two ways`() {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed)
        let parts = [
            "http://", "https://", "HTTP:", "//", "/", "\\", "@", ":", "80", "127.0.0.1", "0x7f.1", "[::1]", "[", "]",
            "%",
            "%40", "#", "?", ".", "。", "a", "茶", "\u{301}", " ", "\t", "\r\n", "\0", "test", "xn--", "-", "..", "&",
            "1e3",
        ]
        var read = 0
        for _ in 0..<30_000 {
            let start = Bool.random(using: &generator) ? "http://" : ""
            let text =
                start
                + (0..<Int.random(in: 0...8, using: &generator)).map { _ in
                    parts[Int.random(in: 0..<parts.count, using: &generator)]
                }.joined()
            guard let address = WebAddress(text) else { continue }
            read += 1
            let spelling = address.description
            #expect(WebAddress(spelling) == address, "\(text.debugDescription) (seed \(seed))")
            #expect(spelling.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }, "seed \(seed)")
            #expect(!"\(address.place)".contains("@"), "seed \(seed)")
            _ = address.following(text)
        }
        #expect(read > 1000)
    }
}
