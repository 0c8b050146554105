import HTTPCore
import Testing

struct ConditionTests {
    @Test(
        "If-None-Match compares weakly and reads lists",
        arguments: [
            ("*", "W/\"a\"", true), ("\"a\"", "\"a\"", true), ("W/\"a\"", "\"a\"", true), ("\"a\"", "W/\"a\"", true),
            ("\"b\", \"a\"", "W/\"a\"", true), ("W/\"b\",W/\"a\"", "W/\"a\"", true),
            ("\"x,y\", \"a\"", "\"a\"", true),
            ("\"b\"", "\"a\"", false), ("", "\"a\"", false), ("a", "\"a\"", false), ("\"a", "\"a\"", false),
            ("\"A\"", "\"a\"", false), ("\"aa\"", "\"a\"", false), ("\"a*\"", "\"a\"", false), ("\"\"", "\"\"", true),
            ("x*", "\"a\"", false), (" * ", "\"a\"", true), ("\"a\"*", "\"b\"", false), ("*, \"b\"", "\"a\"", false),
            (", ,\"b\" ,\t\"a\"", "\"a\"", true), ("b \"a\"", "\"a\"", false), ("\"b\"\"a\"", "\"a\"", false),
        ])
    func matches(condition: String, tag: String, expected: Bool) {
        #expect(EntityTag.matches(condition, tag) == expected)
    }

    @Test(
        "gzip is taken when it is named or covered, with a quality above zero",
        arguments: [
            ("gzip", true), ("GZIP", true), ("x-gzip", true), ("deflate, gzip", true), ("gzip;q=1", true),
            ("gzip ; q=0.1", true), ("gzip;q=0", false), ("gzip; q=0.000", false), ("*", true), ("*;q=0", false),
            ("*;q=0, gzip", true), ("gzip;q=0, *", false), ("*, gzip;q=0", false), ("", false), ("identity", false),
            ("gzipped", false), (",,;,", false), ("br;q=1, gzip;q=0.5", true), ("gzip;Q=0", false),
        ])
    func acceptsGzip(value: String, expected: Bool) {
        #expect(AcceptEncoding.allowsGzip(value) == expected)
    }

    @Test(
        "Secrets are replaced in logged targets, whatever their names' encoding and case",
        arguments: [
            ("", "/p"), ("a=1&b", "/p?a=1&b"), ("api_key=patX.y", "/p?api_key=-"),
            ("API_KEY=x&a=1", "/p?API_KEY=-&a=1"),
            ("api%5Fkey=x", "/p?api%5Fkey=-"), ("a=1&access_token=x&c=2", "/p?a=1&access_token=-&c=2"),
            ("password=", "/p?password=-"), ("client_secret=x", "/p?client_secret=-"),
            ("X-Amz-Signature=x", "/p?X-Amz-Signature=-"),
            ("%zz=x", "/p?%zz=-"), ("token", "/p?token=-"), ("q=a%20b+c", "/p?q=a%20b+c"),
            ("t-o.k_e+n=x", "/p?t-o.k_e+n=-"), ("%D0%BA%D0%BB_TOKEN=x", "/p?%D0%BA%D0%BB_TOKEN=-"),
            ("%E2%84%AAey=x", "/p?%E2%84%AAey=-"), ("k%C3%A9y=x", "/p?k%C3%A9y=x"), ("ke=y", "/p?ke=y"),
            ("=token&&b", "/p?=token&b"),
        ])
    func redacted(query: String, expected: String) {
        #expect(LoggedTarget.redacted(rawPath: "/p", rawQuery: query) == expected)
    }

    @Test(
        "The key in a link of a file is replaced in logged targets",
        arguments: [
            ("/f/att1/KEY/a.png", "/f/att1/-/a.png"), ("/f/att1/KEY", "/f/att1/-"),
            ("/%66/att1/KEY/small/a", "/%66/att1/-/small/a"), ("/f/att1", "/f/att1"), ("/f", "/f"), ("/", "/"),
            ("", ""),
            ("/foo/att1/KEY/a", "/foo/att1/KEY/a"), ("/v0/app1/tbl1/rec1", "/v0/app1/tbl1/rec1"),
            ("/favicon.ico", "/favicon.ico"),
        ])
    func redacted(path: String, expected: String) {
        #expect(LoggedTarget.redacted(rawPath: path, rawQuery: "") == expected)
        #expect(LoggedTarget.redacted(rawPath: path, rawQuery: "a=1") == expected + "?a=1")
    }

    @Test(
        "Targets are split at the first question mark",
        arguments: [
            ("/", "/", ""), ("/a?b", "/a", "b"), ("/a?b?c", "/a", "b?c"), ("/?", "/", ""), ("*", "*", ""),
            ("http://h/p?q", "/p", "q"), ("HTTPS://h:1/p", "/p", ""), ("http://h", "/", ""), ("http://h?q", "/", "q"),
            ("//h/p", "//h/p", ""), ("/é?ü", "/é", "ü"),
        ])
    func target(text: String, path: String, query: String) {
        let target = RequestTarget(Array(text.utf8))
        #expect(target?.rawPath == path)
        #expect(target?.rawQuery == query)
    }

    @Test("Other targets are refused")
    func badTargets() {
        for text in ["", "a", "ftp://h/", "h:80", "http:/", "?q", "/a b", "/a\tb", "/a\u{7F}", "/a\0", "http://"] {
            #expect(RequestTarget(Array(text.utf8)) == nil, "\(text)")
        }
        #expect(RequestTarget([0x2F, 0xFF]) == nil)
    }

    @Test("Methods are upper case and made of few characters")
    func methods() {
        #expect(Method(rawValue: "Patch") == .patch)
        #expect(Method(Array("patch".utf8)) == .patch)
        #expect(Method(Array("GET".utf8)) == .get)
        #expect(Method(Array("M-SEARCH".utf8))?.rawValue == "M-SEARCH")
        for text in ["", "G T", "G/T", "GÉT", String(repeating: "A", count: 33)] {
            #expect(Method(Array(text.utf8)) == nil)
        }
    }

    @Test("Errors are JSON in Airtable's object form")
    func errors() {
        let response = Response.error(.conflict, type: "T\"Y", message: "a\\b\n\"c\" é")
        #expect(response.status.rawValue == 409)
        #expect(
            String(decoding: response.body.bytes, as: UTF8.self)
                == #"{"error":{"type":"T\"Y","message":"a\\b \"c\" é"}}"#)
        #expect(response["content-type"] == "application/json; charset=utf-8")
        #expect(Response.retriable["Retry-After"] == "1")
        #expect(Response.retriable.status.reason == "Service Unavailable")
    }
}
