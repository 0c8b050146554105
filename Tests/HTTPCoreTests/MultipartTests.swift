import Glibc
import HTTPCore
import Testing

struct MultipartTests {
    /// Reads a body in pieces of one size.
    private func read(
        _ body: [UInt8], type: String = "multipart/form-data; boundary=xYz", pieces: Int = .max, wanted: Int = .max
    ) throws -> [Collector.Part] {
        var parser = try #require(MultipartParser(contentType: type))
        var collector = Collector(wanted: wanted)
        var start = 0
        while start < body.count {
            let end = min(body.count, start + min(pieces, body.count))
            try parser.read(body[start..<end].span, into: &collector)
            start = end
        }
        try parser.finish()
        return collector.parts
    }

    private func lines(_ lines: String...) -> [UInt8] { Array(lines.joined(separator: "\r\n").utf8) }

    @Test("Parts are read with their names, types and bytes, whatever the size of the pieces")
    func parts() throws {
        let body = lines(
            "--xYz", "Content-Disposition: form-data; name=\"title\"", "", "two", "lines", "--xYz",
            "content-type:  Text/Plain; charset=utf-8",
            "CONTENT-DISPOSITION: form-data; name=file; filename=\"a b.txt\"",
            "", "", "--xY", "--xYz  \t", "Content-Disposition: form-data; name=\"empty\"; filename=\"\"", "", "",
            "--xYz--",
            "epilogue", "--xYz")
        let expected = [
            Collector.Part(.init(name: "title"), "two\r\nlines"),
            Collector.Part(.init(name: "file", filename: "a b.txt", type: "text/plain"), "\r\n--xY"),
            Collector.Part(.init(name: "empty", filename: ""), ""),
        ]
        for size in 1...(body.count + 1) { #expect(try read(body, pieces: size) == expected) }
        #expect(try read(lines("preamble", "", "") + body) == expected)
    }

    @Test(
        "Names of files come in many forms",
        arguments: [
            (#"filename="a.txt""#, "a.txt"), (#"filename=a.txt"#, "a.txt"), (#"filename = "a.txt" "#, "a.txt"),
            (#"filename="a\"b.txt""#, #"a"b.txt"#), (#"filename="a%22b%0D%0a.txt""#, "a\"b\r\n.txt"),
            (#"filename="100%.txt""#, "100%.txt"), (#"filename="a%41.txt""#, "a%41.txt"),
            (#"filename="C:\docs\a.txt""#, #"C:\docs\a.txt"#), (#"filename="a;b.txt""#, "a;b.txt"),
            (#"filename="éß漢.txt""#, "éß漢.txt"), (#"filename="x.txt"; filename*=UTF-8''%C3%A9.txt"#, "é.txt"),
            (#"filename*=utf-8'en'a%20b.txt; filename=x.txt"#, "a b.txt"),
            (#"filename="x.txt"; filename*=UTF-8''%zz"#, "x.txt"),
            (#"filename="x.txt"; filename*=koi8-r''%C1"#, "x.txt"),
            (#"filename="../../etc/passwd""#, "../../etc/passwd"), (#"filename="unended"#, "unended"),
        ])
    func filenames(parameter: String, expected: String) throws {
        let body = lines("--xYz", "Content-Disposition: form-data; name=\"f\"; \(parameter)", "", "x", "--xYz--")
        #expect(try read(body).map(\.part) == [MultipartPart(name: "f", filename: expected)])
    }

    @Test(
        "Types without a usable boundary are refused",
        arguments: [
            "", "multipart/form-data", "multipart/mixed; boundary=x", "multipart/form-data; boundary=",
            "multipart/form-data; boundary=\"\"", "multipart/form-data; boundary=\"ends with \"",
            "multipart/form-data; boundary=" + String(repeating: "b", count: 71), "multipart/form-data; boundary=é",
        ])
    func boundaries(type: String) {
        #expect(MultipartParser(contentType: type) == nil)
    }

    @Test(
        "Boundaries may be quoted, long, and beside other parameters",
        arguments: [
            ("multipart/form-data; boundary=\"a b:c\"", "a b:c"), ("Multipart/Form-Data;charset=utf-8;BOUNDARY=q", "q"),
            ("multipart/form-data; boundary=" + String(repeating: "b", count: 70), String(repeating: "b", count: 70)),
            ("multipart/form-data; boundary=--", "--"),
        ])
    func goodBoundaries(type: String, boundary: String) throws {
        let body = lines("--\(boundary)", "Content-Disposition: form-data; name=a", "", "x", "--\(boundary)--")
        #expect(try read(body, type: type) == [Collector.Part(.init(name: "a"), "x")])
    }

    @Test("What is no multipart body is refused")
    func malformed() throws {
        let head = "Content-Disposition: form-data; name=a"
        for body in [
            lines(""), lines("text"), lines("--xYz"), lines("--xYz", head, "", "x"),
            lines("--xYz", head, "", "x", "--xYz"),
            lines("--xYz", "", "no headers", "--xYz--"), lines("--xYz", "Content-Type: a/b", "", "x", "--xYz--"),
            lines("--xYz", "Content-Disposition: attachment; name=a", "", "x", "--xYz--"),
            lines("--xYz", head, "", "x", "--xYzz", head, "", "y", "--xYz--"),
            lines("--xYz-", head, "", "x", "--xYz--"),
            Array("--xYz\n\(head)\n\nx\n--xYz--".utf8),
        ] {
            #expect(throws: MultipartError.malformed) { try read(body) }
            #expect(throws: MultipartError.malformed) { try read(body, pieces: 1) }
        }
    }

    @Test("Headers, parts and padding are bounded")
    func bounds() throws {
        func body(_ count: Int, padding: Int = 0, blanks: Int = 0) -> [UInt8] {
            let head = "Content-Disposition: form-data; name=a\r\nX: \(String(repeating: "x", count: padding))"
            let part = "--xYz\(String(repeating: " ", count: blanks))\r\n\(head)\r\n\r\nbytes\r\n"
            return Array((String(repeating: part, count: count) + "--xYz--").utf8)
        }
        #expect(try read(body(20)).count == 20)
        #expect(throws: MultipartError.tooManyParts) { try read(body(21)) }
        #expect(try read(body(1, padding: 8_000)).count == 1)
        for pieces in [100, Int.max] {
            #expect(throws: MultipartError.headersTooLarge) { try read(body(1, padding: 9_000), pieces: pieces) }
            #expect(throws: MultipartError.headersTooLarge) { try read(body(1, blanks: 9_000), pieces: pieces) }
        }
    }

    @Test("A sink that wants no more ends the reading, and it stays ended")
    func stopping() throws {
        let body = lines("--xYz", "Content-Disposition: form-data; name=a", "", "bytes", "--xYz--")
        for wanted in 0..<3 {
            #expect(throws: MultipartError.stopped) { try read(body, wanted: wanted) }
            #expect(throws: MultipartError.stopped) { try read(body, pieces: 60, wanted: wanted) }
        }
        #expect(try read(body, wanted: 3).count == 1)
    }
}

struct MultipartFuzzTests {
    @Test("Bodies are read as they were written, and damaged ones never trap")
    func fuzz() throws {
        let seconds = getenv("ROWHOUSE_FUZZ_SECONDS").flatMap { Double(String(cString: $0)) } ?? 2
        let seed = getenv("ROWHOUSE_SEED").flatMap { UInt64(String(cString: $0)) } ?? UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(state: seed)
        let end = ContinuousClock.now + .seconds(seconds)
        var (count, read) = (0, 0)
        while ContinuousClock.now < end {
            let parts = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                // Mostly bytes of which delimiters are made.
                let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                    Array("\r\n-xYz\0é".utf8).randomElement(using: &random) ?? 0
                }
                return Collector.Part(part: MultipartPart(name: "n"), bytes: bytes)
            }
            guard !parts.contains(where: { ([13, 10] + $0.bytes).contains(Array("\r\n--xYz".utf8)) }) else { continue }
            var body: [UInt8] = []
            for part in parts {
                body += Array("--xYz\r\nContent-Disposition: form-data; name=n\r\n\r\n".utf8) + part.bytes + [13, 10]
            }
            body += Array("--xYz--".utf8)
            let isDamaged = Bool.random(using: &random)
            if isDamaged {
                for _ in 0..<Int.random(in: 1...5, using: &random) {
                    let place = Int.random(in: 0..<body.count, using: &random)
                    if Bool.random(using: &random) {
                        body[place] = UInt8.random(in: 0...255, using: &random)
                    } else if body.count > 1 {
                        body.remove(at: place)
                    }
                }
            }
            var collectors: [Collector?] = []
            for isWhole in [true, false] {
                var parser = try #require(MultipartParser(contentType: "multipart/form-data; boundary=xYz"))
                var collector = Collector(wanted: .max)
                var start = 0
                do throws(MultipartError) {
                    while start < body.count {
                        let length = isWhole ? body.count : Int.random(in: 1...20, using: &random)
                        let next = min(body.count, start + length)
                        try parser.read(body[start..<next].span, into: &collector)
                        start = next
                    }
                    try parser.finish()
                    collectors.append(collector)
                    read += 1
                } catch {
                    collectors.append(nil)
                }
            }
            #expect(collectors[0]?.parts == collectors[1]?.parts, "seed \(seed)")
            if !isDamaged { #expect(collectors[0]?.parts == parts, "seed \(seed)") }
            count += 1
        }
        print("fuzz: \(count) multipart bodies, \(read) readings to the end, ROWHOUSE_SEED=\(seed)")
        #expect(read > 0)
    }
}

/// Keeps the parts of a body, and wants only so many calls.
private struct Collector: MultipartSink {
    struct Part: Equatable {
        var part: MultipartPart
        var bytes: [UInt8] = []

        init(part: MultipartPart, bytes: [UInt8]) {
            self.part = part
            self.bytes = bytes
        }

        init(_ part: MultipartPart, _ text: String) { self.init(part: part, bytes: Array(text.utf8)) }
    }

    var parts: [Part] = []
    var calls = 0
    let wanted: Int

    init(wanted: Int) { self.wanted = wanted }

    mutating func begin(_ part: MultipartPart) -> Bool {
        parts.append(Part(part: part, bytes: []))
        return isWanted()
    }

    mutating func receive(_ bytes: borrowing Span<UInt8>) -> Bool {
        for index in bytes.indices { parts[parts.count - 1].bytes.append(bytes[index]) }
        return isWanted()
    }

    mutating func end() -> Bool { isWanted() }

    private mutating func isWanted() -> Bool {
        calls += 1
        return calls <= wanted
    }
}
