/// The fourteen base-62 characters that follow the prefix of every identifier, held without allocation.
///
/// Order is byte order (`0-9` < `A-Z` < `a-z`), which is also the order of the text.
package struct IdentifierText: Hashable, Comparable, Sendable {
    /// Characters 0–7, the first in the highest byte.
    package let high: UInt64
    /// Characters 8–13 in the upper six bytes.
    package let low: UInt64

    /// The number of characters.
    package static let length = 14
    static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    /// Wraps two words already known to hold base-62 characters.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads what follows `prefix`; nil unless that is fourteen characters of base 62.
    package init?(_ string: String, after prefix: String) {
        self.init(string.utf8Span.span, after: prefix.utf8Span.span)
    }

    /// Asked several times with every request, so without a copy.
    init?(_ bytes: Span<UInt8>, after prefix: Span<UInt8>) {
        let start = prefix.count
        guard bytes.count == start + Self.length else { return nil }
        for index in 0..<start { guard bytes[index] == prefix[index] else { return nil } }
        var high: UInt64 = 0
        var low: UInt64 = 0
        var isBase62 = true
        for index in start..<start + 8 {
            isBase62 = isBase62 && Self.isBase62(bytes[index])
            high = high << 8 | UInt64(bytes[index])
        }
        for index in start + 8..<start + Self.length {
            isBase62 = isBase62 && Self.isBase62(bytes[index])
            low = low << 8 | UInt64(bytes[index])
        }
        guard isBase62 else { return nil }
        self.init(high: high, low: low << 16)
    }

    /// Writes `time` (milliseconds) in eight characters and `counter` in six, both most significant first.
    package init(time: UInt64, counter: UInt64) {
        self.init(high: Self.digits(time, count: 8), low: Self.digits(counter, count: 6) << 16)
    }

    /// Makes an identifier from eleven or more random bytes; the bias of one part in 2^20 does not matter.
    package init(random: UInt64, _ second: UInt64) {
        self.init(time: random, counter: second)
    }

    /// The value of the first eight characters, read as a base-62 number.
    package var time: UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 56, through: 0, by: -8) {
            value = value &* 62 &+ Self.value(of: UInt8(truncatingIfNeeded: high >> UInt64(shift)))
        }
        return value
    }

    /// The value of the last six characters, read as a base-62 number.
    package var counter: UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 56, through: 16, by: -8) {
            value = value &* 62 &+ Self.value(of: UInt8(truncatingIfNeeded: low >> UInt64(shift)))
        }
        return value
    }

    /// Appends the fourteen characters.
    package func append(to bytes: inout [UInt8]) {
        // Written over a form: a page has hundreds of ids, and appending byte by byte costs several times as much.
        let start = bytes.count
        bytes.append(contentsOf: Self.form)
        var output = bytes.mutableSpan
        for place in 0..<8 { output[start &+ place] = UInt8(truncatingIfNeeded: high >> UInt64(56 &- 8 &* place)) }
        for place in 0..<6 { output[start &+ 8 &+ place] = UInt8(truncatingIfNeeded: low >> UInt64(56 &- 8 &* place)) }
    }

    private static let form = [UInt8](repeating: 0, count: length)

    package static func < (left: Self, right: Self) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }

    static func isBase62(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122: true
        default: false
        }
    }

    private static func value(of byte: UInt8) -> UInt64 {
        switch byte {
        case 48...57: UInt64(byte - 48)
        case 65...90: UInt64(byte - 55)
        default: UInt64(byte &- 61)
        }
    }

    private static func digits(_ value: UInt64, count: Int) -> UInt64 {
        var rest = value
        var word: UInt64 = 0
        for index in 0..<count {
            word |= UInt64(alphabet[Int(rest % 62)]) << UInt64(8 * index)
            rest /= 62
        }
        return word
    }
}
