/// The head of one part of a multipart body (RFC 7578).
package struct MultipartPart: Sendable, Equatable {
    /// The name of the form's field.
    package var name: String
    /// As the client names the file, possibly with a path and with characters no file system takes; nil for a plain
    /// value.
    package var filename: String?
    /// The media type in lower case without parameters; nil if none is given.
    package var type: String?

    package init(name: String, filename: String? = nil, type: String? = nil) {
        self.name = name
        self.filename = filename
        self.type = type
    }

    /// Reads a header block; nil without a name.
    init?(_ block: ArraySlice<UInt8>) {
        var disposition: HeaderParameters?
        for line in block.split(whereSeparator: { $0 == 13 || $0 == 10 }) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let name = String(decoding: line[..<colon], as: UTF8.self)
            let value = line[(colon + 1)...]
            if ASCII.isEqual(name, "Content-Disposition") {
                disposition = disposition ?? HeaderParameters(value)
            } else if ASCII.isEqual(name, "Content-Type") {
                type = type ?? HeaderParameters(value).word
            }
        }
        guard let disposition, disposition.word == "form-data", let name = disposition["name"] else { return nil }
        self.name = MultipartPart.text(name)
        filename =
            disposition["filename*"].flatMap(MultipartPart.extended) ?? disposition["filename"].map(MultipartPart.text)
    }

    /// Browsers write quotation marks and line ends, and only these, as percent escapes.
    private static func text(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        var place = 0
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "%"), place + 2 < bytes.count,
                let high = ASCII.hexadecimal(bytes[place + 1]),
                let low = ASCII.hexadecimal(bytes[place + 2]), [0x22, 0x0D, 0x0A].contains(high << 4 | low)
            {
                result.append(high << 4 | low)
                place += 3
            } else {
                result.append(bytes[place])
                place += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The form `UTF-8'en'%C3%A9.txt` (RFC 8187); nil for anything else.
    private static func extended(_ bytes: [UInt8]) -> String? {
        let parts = bytes.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, ASCII.isEqual(String(decoding: parts[0], as: UTF8.self), "UTF-8") else { return nil }
        return try? PercentEncoding.decode(parts[2], plus: .itself)
    }
}
