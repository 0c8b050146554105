extension DurationFormat {
    /// The seconds that the text means in this format, or nil.
    ///
    /// The last part is the smallest unit of the format: `1:30` is an hour and a half where the format is `h:mm`, a
    /// minute and a half where it has seconds. Three parts are always hours, minutes and seconds. A part may exceed 59;
    /// seconds may have a fraction.
    package func seconds(parsing text: String) -> Double? {
        var scanner = DurationScanner(text: Array(text.utf8))
        guard let (isNegative, parts, fraction) = scanner.parts() else { return nil }
        let lastUnit: Double = parts.count < 3 && pattern == "h:mm" ? 60 : 1
        guard lastUnit == 1 || fraction == 0 else { return nil }
        let whole = parts.reduce(0) { $0 * 60 + $1 }
        let seconds = whole * lastUnit + fraction
        return isNegative ? -seconds : seconds
    }
}

private struct DurationScanner {
    let text: [UInt8]
    private var position = 0

    init(text: [UInt8]) { self.text = text }

    /// One to three numbers with colons between them and a fraction below one; the whole text but for spaces around.
    mutating func parts() -> (isNegative: Bool, parts: [Double], fraction: Double)? {
        skipSpaces()
        let isNegative = accept(UInt8(ascii: "-"))
        var parts: [Double] = []
        repeat {
            guard parts.count < 3, let number = number() else { return nil }
            parts.append(number.value)
        } while accept(UInt8(ascii: ":"))
        var fraction = 0.0
        if accept(UInt8(ascii: ".")) {
            guard let number = number() else { return nil }
            fraction = number.value / number.scale
        }
        skipSpaces()
        return position == text.count ? (isNegative, parts, fraction) : nil
    }

    /// One to nine digits, and ten to the power of how many.
    private mutating func number() -> (value: Double, scale: Double)? {
        var (value, scale) = (0.0, 1.0)
        while position < text.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[position], scale < 1e10 {
            value = value * 10 + Double(text[position] &- UInt8(ascii: "0"))
            scale *= 10
            position += 1
        }
        return scale > 1 && scale < 1e10 ? (value, scale) : nil
    }

    private mutating func skipSpaces() {
        while accept(UInt8(ascii: " ")) {}
    }

    private mutating func accept(_ byte: UInt8) -> Bool {
        guard position < text.count, text[position] == byte else { return false }
        position += 1
        return true
    }
}
