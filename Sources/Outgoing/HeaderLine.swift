import HTTPCore

/// Lines of an answer's head.
enum HeaderLine {
    /// A line without its end and the blanks before it; in UTF-8, or else in Latin-1, as headers once were.
    static func text(_ line: UnsafeBufferPointer<UInt8>) -> String {
        var bytes = line[...]
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// The status in a first line; nil for a header.
    static func status(_ line: String) -> Int? {
        guard line.hasPrefix("HTTP/") else { return nil }
        let parts = line.split(separator: " ", maxSplits: 2)
        guard parts.count >= 2, parts[1].utf8.count == 3 else { return nil }
        return Int(parts[1])
    }
}

extension AnswerHead {
    /// Keeps a header that is of use.
    mutating func add(_ line: String) {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return }
        let value = String(parts[1].drop { $0 == " " || $0 == "\t" })
        switch parts[0].lowercased() {
        case "location": location = location ?? value
        case "content-type": contentType = contentType ?? value
        case "content-disposition": contentDisposition = contentDisposition ?? value
        default: break
        }
    }
}
