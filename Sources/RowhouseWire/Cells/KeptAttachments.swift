/// Goes through the attachments of a kept cell as they lie there (`StoredCell.attachments` writes them), without making
/// values of them: a page shows hundreds.
struct KeptAttachments {
    /// One attachment, by the places of its parts.
    struct Item {
        let id: Range<Int>
        /// With its quotes, escaped.
        let filename: Range<Int>
        var content: Content

        enum Content {
            /// The address with its quotes, escaped.
            case remote(url: Range<Int>)
            case file(size: Range<Int>, type: Range<Int>, dimensions: (width: Int, height: Int)?)
        }
    }

    private let bytes: [UInt8]
    private var place: Int
    private let end: Int

    /// - Parameter part: where the cell is in `bytes`.
    init(_ bytes: [UInt8], _ part: Range<Int>) {
        self.bytes = bytes
        let part = part.clamped(to: 0..<bytes.count)
        place = part.lowerBound
        end = part.upperBound
    }

    private static let beginning = Array(#"{"id":""#.utf8)
    private static let filename = Array(#"","filename":"#.utf8)
    private static let url = Array(#","url":"#.utf8)
    private static let hash = Array(#","hash":""#.utf8)
    private static let size = Array(#"","size":"#.utf8)
    private static let type = Array(#","type":"#.utf8)
    private static let width = Array(#","width":"#.utf8)
    private static let height = Array(#","height":"#.utf8)

    /// The next attachment; nil at the end, or at what is none.
    mutating func next() -> Item? {
        // A bracket before the first, commas between.
        place += 1
        guard skip(Self.beginning), let id = take(17), skip(Self.filename), let filename = string(),
            let content = content(), place < end, bytes[place] == UInt8(ascii: "}")
        else { return nil }
        place += 1
        return Item(id: id, filename: filename, content: content)
    }

    private mutating func content() -> Item.Content? {
        if skip(Self.url) { return string().map { .remote(url: $0) } }
        guard skip(Self.hash), take(64) != nil, skip(Self.size), let size = digits(), skip(Self.type),
            let type = string()
        else { return nil }
        guard skip(Self.width) else { return .file(size: size, type: type, dimensions: nil) }
        guard let width = number(), skip(Self.height), let height = number() else { return nil }
        return .file(size: size, type: type, dimensions: (width, height))
    }

    private mutating func skip(_ text: [UInt8]) -> Bool {
        guard text.count <= end - place else { return false }
        for index in text.indices where bytes[place + index] != text[index] { return false }
        place += text.count
        return true
    }

    private mutating func take(_ count: Int) -> Range<Int>? {
        guard count <= end - place else { return nil }
        defer { place += count }
        return place..<place + count
    }

    private mutating func string() -> Range<Int>? {
        let start = place
        guard place < end, bytes[place] == UInt8(ascii: "\"") else { return nil }
        place += 1
        while place < end, bytes[place] != UInt8(ascii: "\"") { place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1 }
        guard place < end else { return nil }
        place += 1
        return start..<place
    }

    private mutating func digits() -> Range<Int>? {
        let start = place
        while place < end, (48...57).contains(bytes[place]) { place += 1 }
        return place > start && place - start <= 18 ? start..<place : nil
    }

    private mutating func number() -> Int? {
        guard let digits = digits(), digits.count <= 9 else { return nil }
        return digits.reduce(0) { $0 * 10 + Int(bytes[$1] - 48) }
    }
}
