/// The family of text functions.
enum TextFunctions {
    static let all: [FormulaFunction] =
        [concatenate, left, right, mid, len, lower, upper, trim, replace, rept, t, value, encodeURLComponent]
        + TextSearchFunctions.all

    /// The type of what these functions yield.
    static let text: @Sendable ([FormulaType]) -> FormulaType = { _ in .text }

    /// CONCATENATE(value1, [value2, …]) joins its arguments as texts; lists are joined by a comma and a space.
    ///
    /// Example: CONCATENATE("Room ", 12, "b") → "Room 12b"
    private static let concatenate = FormulaFunction("CONCATENATE", 1...FormulaFunction.anyNumber, result: text) {
        evaluation, arguments throws(FormulaLimit) in
        var texts: [String] = []
        for argument in arguments { texts.append(try evaluation.asText(argument)) }
        return .text(try evaluation.joined(texts))
    }

    /// LEFT(text, [count]) gives the first characters of a text, one if no count is given.
    ///
    /// Example: LEFT("quick brown fox", 5) → "quick"
    /// Example: LEFT("茶葉蛋", 2) → "茶葉"
    private static let left = FormulaFunction("LEFT", 1...2, result: text) {
        evaluation, arguments throws(FormulaLimit) in
        let text = try evaluation.asText(arguments[0])
        return .text(TextUnits(text).part(0, arguments.count > 1 ? arguments[1].asCount : 1))
    }

    /// RIGHT(text, [count]) gives the last characters of a text, one if no count is given.
    ///
    /// Example: RIGHT("quick brown fox", 3) → "fox"
    private static let right = FormulaFunction("RIGHT", 1...2, result: text) {
        evaluation, arguments throws(FormulaLimit) in
        let units = TextUnits(try evaluation.asText(arguments[0]))
        let length = units.count
        return .text(units.part(length &- (arguments.count > 1 ? arguments[1].asCount : 1), length))
    }

    /// MID(text, position, count) gives so many characters of a text from a position on, the first being 1; empty when
    /// the position is outside of it.
    ///
    /// Example: MID("quick brown fox", 7, 5) → "brown"
    private static let mid = FormulaFunction("MID", 3...3, result: text) {
        evaluation, arguments throws(FormulaLimit) in
        let text = try evaluation.asText(arguments[0])
        let start = arguments[1].asCount
        return .text(start < 1 ? "" : TextUnits(text).part(start &- 1, start &- 1 &+ arguments[2].asCount))
    }

    /// LEN(text) gives the number of characters of a text, in UTF-16 units: most emoji count as 2.
    ///
    /// Example: LEN("quick brown fox") → 15
    /// Example: LEN("😀") → 2
    private static let len = FormulaFunction("LEN", 1...1, result: { _ in .number(.integer) }) {
        evaluation, arguments throws(FormulaLimit) in
        .number(Double(TextUnits(try evaluation.asText(arguments[0])).count))
    }

    /// LOWER(text) gives the text in small letters.
    ///
    /// Example: LOWER("Hello, WORLD") → "hello, world"
    private static let lower = FormulaFunction("LOWER", 1...1, result: text) {
        evaluation, arguments throws(FormulaLimit) in
        try evaluation.text(LetterCase.lowercased(try evaluation.asText(arguments[0])))
    }

    /// UPPER(text) gives the text in capitals.
    ///
    /// Example: UPPER("Straße") → "STRASSE"
    private static let upper = FormulaFunction("UPPER", 1...1, result: text) {
        evaluation, arguments throws(FormulaLimit) in
        try evaluation.text(try evaluation.asText(arguments[0]).uppercased())
    }

    /// TRIM(text) gives the text without white space at its ends.
    ///
    /// Example: TRIM("  two  words ") → "two  words"
    private static let trim = FormulaFunction("TRIM", 1...1, result: text) {
        evaluation, arguments throws(FormulaLimit) in
        .text(WhiteSpace.trimmed(try evaluation.asText(arguments[0])))
    }

    /// REPLACE(text, position, count, replacement) gives the text with so many characters from a position on, the first
    /// being 1, replaced by another text.
    ///
    /// Example: REPLACE("database", 2, 5, "o") → "dose"
    private static let replace = FormulaFunction("REPLACE", 4...4, result: text) {
        evaluation, arguments throws(FormulaLimit) in
        let units = TextUnits(try evaluation.asText(arguments[0]))
        let replacement = try evaluation.asText(arguments[3])
        let start = max(0, arguments[1].asCount &- 1)
        let first = units.utf8Place(of: start)
        let last = max(first, units.utf8Place(of: start &+ arguments[2].asCount))
        let parts = [units.bytes(0, first), replacement, units.bytes(last, units.text.utf8.count)]
        return .text(try evaluation.joined(parts))
    }

    /// REPT(text, count) gives the text so many times in a row.
    ///
    /// Example: REPT("Hi! ", 3) → "Hi! Hi! Hi! "
    private static let rept = FormulaFunction("REPT", 2...2, result: text) {
        evaluation, arguments throws(FormulaLimit) in
        let text = try evaluation.asText(arguments[0])
        let count = max(0, arguments[1].asCount)
        guard count > 0, !text.isEmpty else { return .text("") }
        // Both are below 2^41.
        let (length, isTooLong) = text.utf8.count.multipliedReportingOverflow(by: count)
        try evaluation.reserveText(isTooLong ? .max : length)
        var bytes = Array(text.utf8)
        bytes.reserveCapacity(length)
        while bytes.count < length { bytes += bytes.prefix(length - bytes.count) }
        return .text(String(decoding: bytes, as: UTF8.self))
    }

    /// T(value) gives the value if it is a text or a list of texts, otherwise blank.
    ///
    /// Example: T("abc") → "abc"
    /// Example: T(123) → blank
    private static let t = FormulaFunction("T", 1...1, result: text) {
        evaluation, arguments throws(FormulaLimit) in
        let items = try evaluation.flattened(arguments)
        let isText = items.allSatisfy { if case .text = $0 { true } else { false } }
        return isText && !items.isEmpty ? .text(try evaluation.asText(arguments[0])) : .blank
    }

    /// VALUE(text) gives the number in a text: all but its digits, its first point and a minus before them is left
    /// aside; blank when there is no digit.
    ///
    /// Example: VALUE("$10,000") → 10000
    /// Example: VALUE("none") → blank
    private static let value = FormulaFunction("VALUE", 1...1, result: { _ in .number(.decimal) }) {
        evaluation, arguments throws(FormulaLimit) in
        switch try evaluation.scalar(arguments[0]) {
        case .number(let number): return .number(number)
        case .boolean(let answer): return .number(answer ? 1 : 0)
        case let other: return NumberText.looseNumber(in: try evaluation.asText(other)).map { .number($0) } ?? .blank
        }
    }

    /// ENCODE_URL_COMPONENT(text) gives the text with all but letters, digits and `-_.~` of ASCII percent-encoded for
    /// use in a URL.
    ///
    /// Example: ENCODE_URL_COMPONENT("chicken & waffles") → "chicken%20%26%20waffles"
    private static let encodeURLComponent = FormulaFunction("ENCODE_URL_COMPONENT", 1...1, result: text) {
        evaluation, arguments throws(FormulaLimit) in
        let text = try evaluation.asText(arguments[0])
        let plain = text.utf8.lazy.filter(PercentEncoding.isPlain).count
        try evaluation.reserveText(plain &+ (text.utf8.count &- plain) &* 3)
        return .text(plain == text.utf8.count ? text : PercentEncoding.encoded(text))
    }
}
