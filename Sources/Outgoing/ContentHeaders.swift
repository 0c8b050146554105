import HTTPCore

/// What headers say of a file, as values that can be kept.
package enum ContentHeaders {
    private static let longestType = 127
    private static let longestName = 255
    /// A longer header is not read.
    private static let longestHeader = 8192

    /// A media type in lower case, without parameters; nil for anything else.
    package static func type(_ header: String) -> String? {
        guard header.utf8.count <= longestHeader else { return nil }
        let essence = header.prefix { $0 != ";" && $0 != "," }.filter { $0 != " " && $0 != "\t" }.lowercased()
        let halves = essence.split(separator: "/", omittingEmptySubsequences: false)
        let isType =
            halves.count == 2 && essence.utf8.count <= longestType
            && halves.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(ASCII.isTokenCharacter) }
        return isType ? essence : nil
    }

    /// The name in a Content-Disposition (RFC 6266): `filename*` rather than `filename`, without folders and control
    /// characters, at most 255 bytes long; nil when nothing is left.
    package static func filename(_ header: String) -> String? {
        guard header.utf8.count <= longestHeader else { return nil }
        let parameters = HeaderParameters(header)
        let name = parameters["filename*"].flatMap(extended) ?? parameters["filename"]
        return name.flatMap(plain)
    }

    /// `UTF-8'en'na%C3%AFve.txt` (RFC 8187).
    private static func extended(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        switch parts[0].lowercased() {
        case "utf-8": return try? PercentEncoding.decode(String(parts[2]))
        case "iso-8859-1": return latin(parts[2])
        default: return nil
        }
    }

    private static func latin(_ text: Substring) -> String? {
        var scalars = String.UnicodeScalarView()
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                scalars.append(Unicode.Scalar(byte))
                continue
            }
            guard let high = rest.popFirst().flatMap(ASCII.hexadecimal),
                let low = rest.popFirst().flatMap(ASCII.hexadecimal)
            else { return nil }
            scalars.append(Unicode.Scalar(high << 4 | low))
        }
        return String(scalars)
    }

    private static func plain(_ name: String) -> String? {
        // By scalars: an accent may stand after a slash too.
        let last = name.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last
        let kept = (last ?? Substring.UnicodeScalarView()).filter { $0.properties.generalCategory != .control }
        var scalars = Array(kept.drop { $0.properties.isWhitespace })
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        let text = String(String.UnicodeScalarView(scalars))
        return text.isEmpty || text == "." || text == ".." ? nil : shortened(text)
    }

    /// Cut before its ending (`.jpeg`), between characters.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > longestName else { return name }
        let ending = name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[$0...] }
        let kept = ending.flatMap { $0.utf8.count <= 16 ? $0 : nil } ?? ""
        var length = kept.utf8.count
        var end = name.startIndex
        // As long as a few hundred bytes have room, whatever the name's length.
        for index in name.indices {
            length += name[index].utf8.count
            guard length <= longestName else { break }
            end = name.index(after: index)
        }
        return String(name[..<end] + kept)
    }
}
