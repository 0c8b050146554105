/// A text and its places in UTF-16 units, as formulas count them.
///
/// A place between the two halves of a surrogate pair counts as the place before the pair: the whole character falls to
/// the part after a cut, so that no cut makes invalid UTF-8 and the parts on both sides of a cut always join to the text.
struct TextUnits {
    let text: String

    init(_ text: String) { self.text = text }

    /// The length in UTF-16 units.
    var count: Int { text.utf16.count }

    /// The place in UTF-8 of a place in UTF-16; the nearest end for one outside of the text.
    func utf8Place(of position: Int) -> Int {
        if position <= 0 { return 0 }
        let bytes = text.utf8Span.span
        if position >= bytes.count { return bytes.count }
        var units = 0
        for index in bytes.indices {
            let width = Self.width(bytes[index])
            if width > 0, units &+ width > position { return index }
            units &+= width
        }
        return bytes.count
    }

    /// The place in UTF-16 of a place in UTF-8.
    func position(ofUTF8 place: Int) -> Int { Self.position(in: text.utf8Span.span, ofUTF8: place) }

    /// The place in UTF-16 of a place in these bytes.
    static func position(in bytes: Span<UInt8>, ofUTF8 place: Int) -> Int {
        var units = 0
        for index in 0..<min(place, bytes.count) { units &+= width(bytes[index]) }
        return units
    }

    /// The text between two places in UTF-16; empty where they cross.
    func part(_ start: Int, _ end: Int) -> String {
        start < end ? bytes(utf8Place(of: start), utf8Place(of: end)) : ""
    }

    /// The text between two places in UTF-8 that stand between characters; empty where they cross.
    func bytes(_ start: Int, _ end: Int) -> String {
        guard start < end else { return "" }
        let utf8 = text.utf8
        if start == 0, end == utf8.count { return text }
        let first = utf8.index(utf8.startIndex, offsetBy: start)
        return String(text[first..<utf8.index(first, offsetBy: end &- start)])
    }

    /// The place in UTF-8 after the character that begins at another; one more than the length at the end.
    func nextPlace(after place: Int) -> Int {
        let bytes = text.utf8Span.span
        var next = place &+ 1
        while next < bytes.count, Self.width(bytes[next]) == 0 { next &+= 1 }
        return next
    }

    /// How many UTF-16 units begin with this byte of UTF-8.
    private static func width(_ byte: UInt8) -> Int { byte & 0xC0 == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1 }
}
