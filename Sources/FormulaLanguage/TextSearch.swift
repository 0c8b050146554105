import RowhouseModel

/// A text looked for in other texts, in time linear in both.
struct TextSearch: Sendable {
    private let needle: [UInt8]
    /// For each beginning of a long needle the length of the longest end of it that is a beginning too (Knuth, Morris,
    /// Pratt); empty for short needles, which are compared at every place.
    private let borders: [Int]
    private let ignoresCase: Bool

    private static let longestPlain = 16

    init(_ text: String, ignoringCase: Bool = false) {
        needle = ignoringCase ? Self.folded(text) : Array(text.utf8)
        borders = needle.count > Self.longestPlain ? Self.borders(of: needle) : []
        ignoresCase = ignoringCase
    }

    /// The bytes looked for; zero means that every place is one.
    var count: Int { needle.count }

    /// The first place at or after a place in UTF-16, in UTF-16 units from 0; nil when there is none.
    func position(in text: String, from start: Int) -> Int? {
        let units = TextUnits(text)
        guard start > 0 else { return position(in: units, from: 0) }
        var place = units.utf8Place(of: start)
        // A start within a surrogate pair: the pair is no longer whole and cannot be found.
        if units.position(ofUTF8: place) < start { place = units.utf8Place(of: start &+ 1) }
        return units.count < start ? nil : position(in: units, from: place)
    }

    private func position(in units: TextUnits, from place: Int) -> Int? {
        guard ignoresCase else {
            return first(in: units.text.utf8Span.span, from: place).map { units.position(ofUTF8: $0) }
        }
        // Folding keeps the width of each character in UTF-16, though not in UTF-8.
        let skipped = units.position(ofUTF8: place)
        let rest = place == 0 ? units.text : units.bytes(place, units.text.utf8.count)
        let folded = Self.folded(rest)
        return first(in: folded.span, from: 0).map { skipped &+ TextUnits.position(in: folded.span, ofUTF8: $0) }
    }

    /// The first place at or after `start` in UTF-8; case is not ignored here.
    func first(in text: Span<UInt8>, from start: Int) -> Int? {
        guard let head = needle.first else { return start <= text.count ? start : nil }
        return borders.isEmpty ? plain(text, head, from: start) : bordered(text, from: start)
    }

    private func plain(_ text: Span<UInt8>, _ head: UInt8, from start: Int) -> Int? {
        let length = needle.count
        var place = start
        while place &+ length <= text.count {
            if text[place] == head {
                var same = 1
                while same < length, text[place &+ same] == needle[same] { same &+= 1 }
                if same == length { return place }
            }
            place &+= 1
        }
        return nil
    }

    private func bordered(_ text: Span<UInt8>, from start: Int) -> Int? {
        var same = 0
        var place = start
        while place < text.count {
            if text[place] == needle[same] {
                same &+= 1
                place &+= 1
                if same == needle.count { return place &- same }
            } else if same > 0 {
                same = borders[same &- 1]
            } else {
                place &+= 1
            }
        }
        return nil
    }

    private static func borders(of needle: [UInt8]) -> [Int] {
        var borders = [0]
        borders.reserveCapacity(needle.count)
        var length = 0
        while borders.count < needle.count {
            if needle[borders.count] == needle[length] {
                length &+= 1
                borders.append(length)
            } else if length > 0 {
                length = borders[length &- 1]
            } else {
                borders.append(0)
            }
        }
        return borders
    }

    /// The UTF-8 of a text with each character replaced by what stands for it in all cases.
    private static func folded(_ text: String) -> [UInt8] {
        let bytes = text.utf8Span.span
        var plain = [UInt8](repeating: 0, count: bytes.count)
        var all: UInt8 = 0
        for index in bytes.indices {
            let byte = bytes[index]
            all |= byte
            plain[index] = byte &- 65 < 26 ? byte | 0x20 : byte
        }
        return all < 0x80 ? plain : foldedScalars(text)
    }

    private static func foldedScalars(_ text: String) -> [UInt8] {
        var folded: [UInt8] = []
        folded.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            let other = Unicode.Scalar(SimpleCaseFolding.fold(scalar.value)) ?? scalar
            folded.append(contentsOf: Unicode.UTF8.encode(other) ?? Unicode.UTF8.encodedReplacementCharacter)
        }
        return folded
    }
}
