/// The order of texts, one definition for formulas and for stored sort keys: by simple case folding with runs of
/// ASCII digits by their value, and what is then equal by code point.
///
/// A text becomes a key whose byte order is the order of texts. A digit run compares with other characters as the
/// character `0` does. Only the first `limit` bytes of a key count: longer texts that agree so far are equal.
package enum TextOrder {
    /// The greatest length of a key in bytes.
    package static let limit = 1024

    /// Whether the left text stands before the right one.
    package static func precedes(_ left: String, _ right: String) -> Bool {
        key(of: left).lexicographicallyPrecedes(key(of: right))
    }

    /// The key of a text: up to `limit` bytes; no whole key begins another.
    package static func key(of text: String) -> [UInt8] {
        let utf8 = Array(text.utf8)
        var key: [UInt8] = []
        key.reserveCapacity(min(utf8.count + 8, limit))
        appendKey(of: utf8, 0..<utf8.count, to: &key)
        return key
    }

    /// Appends the key of a part of `utf8` (valid UTF-8, the range within it).
    package static func appendKey(of utf8: [UInt8], _ range: Range<Int>, to key: inout [UInt8]) {
        let end = key.count + limit
        var walk = TextWalk(position: range.lowerBound, end: range.upperBound)
        let isPlain = appendFolded(utf8, &walk, to: &key, until: end)
        if key.count < end {
            // Every byte of a text is stored one higher, so that zero can end it.
            key.append(0)
            if !isPlain { appendDeviations(utf8, range, to: &key, until: end) }
            key.append(Sign.same)
        }
        if key.count > end { key.removeSubrange(end...) }
    }

    /// How the rest of a text stands to its folded form; between texts of one folded form this decides.
    private enum Sign {
        static let before: UInt8 = 1
        static let same: UInt8 = 2
        static let after: UInt8 = 3
    }

    /// Appends the folded text; false when the text differs from it.
    private static func appendFolded(
        _ utf8: [UInt8], _ walk: inout TextWalk, to key: inout [UInt8], until end: Int
    ) -> Bool {
        var isPlain = true
        while key.count < end, let unit = walk.next(utf8) {
            switch unit {
            case .digits(let zeros, let significant):
                if zeros > (significant.isEmpty ? 1 : 0) { isPlain = false }
                key.append(UInt8(ascii: "0") &+ 1)
                appendLength(significant.count, to: &key)
                key.append(contentsOf: utf8[significant.prefix(limit)])
            case .scalar(let raw, let folded, _):
                if raw != folded { isPlain = false }
                append(folded, to: &key)
            }
        }
        return isPlain
    }

    /// Appends, for each place where the text leaves its folded form, the sign and the text up to and with that place.
    private static func appendDeviations(_ utf8: [UInt8], _ range: Range<Int>, to key: inout [UInt8], until end: Int) {
        var start = range.lowerBound
        var walk = TextWalk(position: range.lowerBound, end: range.upperBound)
        while key.count < end, let unit = walk.next(utf8) {
            switch unit {
            case .scalar(let raw, let folded, let bytes):
                guard raw != folded else { continue }
                key.append(raw < folded ? Sign.before : Sign.after)
                appendRaw(utf8, start..<bytes.upperBound, to: &key, until: end)
                start = bytes.upperBound
            case .digits(let zeros, let significant):
                guard zeros > (significant.isEmpty ? 1 : 0) else { continue }
                // Leading zeros shift all that follows: the whole rest decides.
                key.append(significant.isEmpty ? signOfZeros(utf8, walk) : Sign.before)
                appendRaw(utf8, start..<range.upperBound, to: &key, until: end)
                key.append(0)
                return
            }
        }
    }

    /// How `00…` stands to `0` by code point: decided by what follows the run.
    private static func signOfZeros(_ utf8: [UInt8], _ walk: TextWalk) -> UInt8 {
        var walk = walk
        guard case .scalar(_, let folded, _)? = walk.next(utf8) else { return Sign.after }
        return folded > UInt32(UInt8(ascii: "0")) ? Sign.before : Sign.after
    }

    private static func appendLength(_ length: Int, to key: inout [UInt8]) {
        guard length >= 255 else { return key.append(UInt8(truncatingIfNeeded: length)) }
        key.append(255)
        for shift in stride(from: 24, through: 0, by: -8) { key.append(UInt8(truncatingIfNeeded: length >> shift)) }
    }

    private static func appendRaw(_ utf8: [UInt8], _ range: Range<Int>, to key: inout [UInt8], until end: Int) {
        for index in range.prefix(max(0, end &- key.count)) { key.append(utf8[index] &+ 1) }
    }

    private static func append(_ scalar: UInt32, to key: inout [UInt8]) {
        switch scalar {
        case ..<0x80:
            key.append(UInt8(truncatingIfNeeded: scalar) &+ 1)
        case ..<0x800:
            key.append(UInt8(truncatingIfNeeded: 0xC1 &+ (scalar >> 6)))
            key.append(UInt8(truncatingIfNeeded: 0x81 &+ (scalar & 63)))
        case ..<0x10000:
            key.append(UInt8(truncatingIfNeeded: 0xE1 &+ (scalar >> 12)))
            key.append(UInt8(truncatingIfNeeded: 0x81 &+ (scalar >> 6 & 63)))
            key.append(UInt8(truncatingIfNeeded: 0x81 &+ (scalar & 63)))
        default:
            key.append(UInt8(truncatingIfNeeded: 0xF1 &+ (scalar >> 18)))
            key.append(UInt8(truncatingIfNeeded: 0x81 &+ (scalar >> 12 & 63)))
            key.append(UInt8(truncatingIfNeeded: 0x81 &+ (scalar >> 6 & 63)))
            key.append(UInt8(truncatingIfNeeded: 0x81 &+ (scalar & 63)))
        }
    }
}

/// A walk through UTF-8 by digit runs and other scalars.
private struct TextWalk {
    enum Unit {
        /// A run of ASCII digits: how many leading zeros, and where the digits after them are.
        case digits(zeros: Int, significant: Range<Int>)
        case scalar(raw: UInt32, folded: UInt32, bytes: Range<Int>)
    }
    var position: Int
    let end: Int

    mutating func next(_ utf8: [UInt8]) -> Unit? {
        guard position < end else { return nil }
        let first = utf8[position]
        if first &- 48 < 10 { return digits(utf8) }
        let start = position
        position &+= 1
        guard first >= 0x80 else {
            let folded = first &- 65 < 26 ? first | 0x20 : first
            return .scalar(raw: UInt32(first), folded: UInt32(folded), bytes: start..<position)
        }
        let more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1
        var scalar = UInt32(first) & (more == 3 ? 0x07 : more == 2 ? 0x0F : 0x1F)
        for _ in 0..<more where position < end {
            scalar = scalar << 6 | UInt32(utf8[position] & 63)
            position &+= 1
        }
        return .scalar(raw: scalar, folded: SimpleCaseFolding.fold(scalar), bytes: start..<position)
    }

    private mutating func digits(_ utf8: [UInt8]) -> Unit {
        let start = position
        while position < end, utf8[position] == 48 { position &+= 1 }
        let significant = position
        while position < end, utf8[position] &- 48 < 10 { position &+= 1 }
        return .digits(zeros: significant &- start, significant: significant..<position)
    }
}
