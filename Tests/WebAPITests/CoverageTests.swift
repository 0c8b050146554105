import Glibc
import HTTPCore
import Testing

@testable import WebAPI

@Suite struct CoverageTests {
    private static let examples = [
        "{base}": "appAAAAAAAAAAAAAA", "{record}": "recAAAAAAAAAAAAAA", "{table}": "Orders",
        "{field}": "fldAAAAAAAAAAAAAA",
        "{view}": "viwAAAAAAAAAAAAAA", "{comment}": "comAAAAAAAAAAAAAA", "{webhook}": "achAAAAAAAAAAAAAA",
        "{sync}": "x", "{entry}": "chgAAAAAAAAAAAAAA",
    ]

    @Test func `The table of coverage is true to the routes`() throws {
        var served = 0
        var missing = 0
        for (method, path, state) in try Self.table() {
            var example = path
            for (name, value) in Self.examples {
                example = example.split(separator: "/").map { $0 == name ? value : String($0) }.joined(separator: "/")
            }
            let route = Route(
                method: Method(rawValue: method), segments: try PathSegments.splitBothWays("/" + example))
            #expect((route != nil) == (state == "works"), "\(method) \(path) is said to be: \(state)")
            if state == "works" { served += 1 } else { missing += 1 }
        }
        #expect(served >= 33)
        #expect(missing >= 5)
    }

    private static func table() throws -> [(method: String, path: String, state: String)] {
        var parts = #filePath.split(separator: "/").map(String.init)
        parts.removeLast(3)
        let path = "/" + parts.joined(separator: "/") + "/Documentation/APICoverage.md"
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        let text = String(decoding: bytes[0..<count], as: UTF8.self)
        return text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.filter { $0 != "`" && $0 != " " } }
            guard cells.count == 3, cells[1].hasPrefix("/v0") else { return nil }
            return (cells[0], cells[1], cells[2] == "works" ? "works" : "not yet")
        }
    }
}
