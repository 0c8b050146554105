import Media
import Platform
import RowhouseModel
import Testing

/// `Data/heads.txt`: one head a line, columns between tabs, `#` begins a remark.
///
/// | column | holds |
/// | --- | --- |
/// | 1 | what it is |
/// | 2 | the bytes: words of hexadecimal digits, `'text'`, `00*12` (so many times the same), in any order |
/// | 3 | the format, width and height as stored and the orientation, as `png 3x4 1`; `nothing`; or `large png 3x4 1` |
enum HeadTable {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let bytes: [UInt8]
        let expected: String
        var testDescription: String { name }
    }

    static let folder: String = {
        var parts = #filePath.split(separator: "/").map(String.init)
        parts.removeLast()
        return "/" + parts.joined(separator: "/") + "/Data"
    }()

    /// The first bytes of every PNG, up to its width.
    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)

    static func read() throws -> [Case] {
        let text = String(decoding: try ReadFile.bytes(of: folder + "/heads.txt", limit: 1 << 20), as: UTF8.self)
        return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let columns = line.split(separator: "\t").map(String.init)
            try #require(columns.count == 3, "\(line)")
            return Case(name: columns[0], bytes: try bytes(columns[1]), expected: columns[2])
        }
    }

    private static func bytes(_ words: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        for word in words.split(separator: " ") {
            if word.hasPrefix("'") {
                bytes += word.dropFirst().dropLast().utf8
                continue
            }
            let parts = word.split(separator: "*")
            let digits = Array(parts[0].utf8)
            var piece: [UInt8] = []
            for place in stride(from: 0, to: digits.count, by: 2) {
                piece.append(try #require(UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16)))
            }
            let times = parts.count == 2 ? try #require(Int(parts[1])) : 1
            for _ in 0..<times { bytes += piece }
        }
        return bytes
    }

    static func describe(_ head: ImageHead?) -> String {
        guard let head else { return "nothing" }
        let name = head.format.rawValue.dropFirst("image/".count)
        return "\(head.isTooLarge ? "large " : "")\(name) \(head.width)x\(head.height) \(head.orientation.rawValue)"
    }
}
