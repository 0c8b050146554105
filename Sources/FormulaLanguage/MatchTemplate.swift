/// What matches are replaced by: a text with `$1` for the first group, `$&` for the whole match and `$$` for a dollar,
/// as in JavaScript.
struct MatchTemplate {
    enum Piece: Equatable {
        case text(String)
        /// 0 is the whole match.
        case group(Int)
    }

    let pieces: [Piece]

    /// A number that no group has stands for itself.
    init(_ text: String, groupCount: Int) {
        var pieces: [Piece] = []
        var plain: [UInt8] = []
        let bytes = Array(text.utf8)
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            guard byte == UInt8(ascii: "$"), let (group, length) = Self.reference(bytes[place...], groupCount) else {
                plain.append(byte)
                continue
            }
            place += length
            guard let group else {
                plain.append(byte)
                continue
            }
            if !plain.isEmpty { pieces.append(.text(String(decoding: plain, as: UTF8.self))) }
            plain = []
            pieces.append(.group(group))
        }
        if !plain.isEmpty { pieces.append(.text(String(decoding: plain, as: UTF8.self))) }
        self.pieces = pieces
    }

    /// The highest group that is asked for.
    var highestGroup: Int { pieces.map { if case .group(let group) = $0 { group } else { 0 } }.max() ?? 0 }

    /// What stands after a dollar: the group (nil for a second dollar) and the number of bytes; nil when it is nothing.
    private static func reference(_ rest: ArraySlice<UInt8>, _ groupCount: Int) -> (group: Int?, length: Int)? {
        guard let first = rest.first else { return nil }
        if first == UInt8(ascii: "$") { return (nil, 1) }
        if first == UInt8(ascii: "&") { return (0, 1) }
        guard let tens = digit(first) else { return nil }
        if let ones = rest.dropFirst().first.flatMap(digit), isGroup(tens * 10 + ones, groupCount) {
            return (tens * 10 + ones, 2)
        }
        return isGroup(tens, groupCount) ? (tens, 1) : nil
    }

    private static func isGroup(_ number: Int, _ groupCount: Int) -> Bool { number >= 1 && number <= groupCount }

    private static func digit(_ byte: UInt8) -> Int? { byte &- 48 < 10 ? Int(byte &- 48) : nil }
}
