/// Reads comma-separated values (RFC 4180) as spreadsheets write them.
///
/// The separator is the comma, the semicolon or the tab, whichever the first line has most of outside quotes. A byte
/// order mark is passed over, and a text in UTF-16 that begins with one is read too. Lines end in LF, CR LF or CR.
package struct CSVReader {
    private let bytes: [UInt8]
    private var place = 0
    private let separator: UInt8
    /// The number of the line that the next row begins in, from 1.
    package private(set) var line = 1

    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// - Throws: where the bytes are no text in UTF-8 or UTF-16.
    package init(_ bytes: [UInt8]) throws(TransferError) {
        self.bytes = try Self.utf8(bytes)
        separator = Self.separator(of: self.bytes)
    }

    /// The next row; nil at the end. Lines without a character are passed over.
    ///
    /// - Throws: where a quote is not closed, or something follows a closed one.
    package mutating func row() throws(TransferError) -> [String]? {
        while place < bytes.count, endsLine(bytes[place]) { passLineEnd() }
        guard place < bytes.count else { return nil }
        var cells: [String] = []
        while true {
            cells.append(try cell())
            guard place < bytes.count, bytes[place] == separator else { break }
            place += 1
        }
        if place < bytes.count { passLineEnd() }
        return cells
    }

    private mutating func cell() throws(TransferError) -> String {
        if place < bytes.count, bytes[place] == Self.quote { return try quoted() }
        let start = place
        while place < bytes.count, bytes[place] != separator, !endsLine(bytes[place]) { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func quoted() throws(TransferError) -> String {
        let first = line
        var text: [UInt8] = []
        place += 1
        while place < bytes.count {
            let byte = bytes[place]
            if byte == Self.quote {
                place += 1
                guard place < bytes.count, bytes[place] == Self.quote else {
                    guard place == bytes.count || bytes[place] == separator || endsLine(bytes[place]) else {
                        throw .file("line \(line): something follows a closing quote.")
                    }
                    return String(decoding: text, as: UTF8.self)
                }
            } else if byte == Self.lineFeed {
                line += 1
            }
            text.append(byte)
            place += 1
        }
        throw .file("line \(first): a quote is not closed.")
    }

    private func endsLine(_ byte: UInt8) -> Bool { byte == Self.lineFeed || byte == Self.carriageReturn }

    private mutating func passLineEnd() {
        if bytes[place] == Self.carriageReturn, place + 1 < bytes.count, bytes[place + 1] == Self.lineFeed {
            place += 1
        }
        place += 1
        line += 1
    }

    private static func separator(of bytes: [UInt8]) -> UInt8 {
        let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        var counts = [0, 0, 0]
        var isQuoted = false
        for byte in bytes {
            if byte == quote { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == lineFeed || byte == carriageReturn { break }
            if let index = candidates.firstIndex(of: byte) { counts[index] += 1 }
        }
        let most = counts.max() ?? 0
        return candidates[counts.firstIndex(of: most) ?? 0]
    }

    private static func utf8(_ bytes: [UInt8]) throws(TransferError) -> [UInt8] {
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        if isLittle || bytes.starts(with: [0xFE, 0xFF]) {
            var units: [UInt16] = []
            for index in stride(from: 2, to: bytes.count - 1, by: 2) {
                let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
                units.append(isLittle ? second << 8 | first : first << 8 | second)
            }
            guard bytes.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
                throw .file("it is not a whole text in UTF-16.")
            }
            return Array(text.utf8)
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw .file("it is not a text in UTF-8; save it as \"CSV UTF-8\".")
        }
        return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }
}
