import CivilTime
import Synchronization

extension DateFunctions {
    static let texts = [format, parse, dateText, timeText, fromNow, toNow]

    /// DATETIME_FORMAT(date, [pattern]) is the date as text by a pattern of tokens: `YYYY-MM-DD`, `MMMM D, YYYY h:mm A`,
    /// `LLLL`, with literal text in square brackets; without a pattern in ISO 8601. In UTC and English unless
    /// SET_TIMEZONE or SET_LOCALE say otherwise. A blank date is an error.
    ///
    /// Example: DATETIME_FORMAT({Date}, "dddd, MMMM Do YYYY")
    static let format = FormulaFunction(
        "DATETIME_FORMAT", 1...2, result: { _ in .text },
        prepare: { arguments in
            guard arguments.count == 2, case .text(let pattern)? = arguments[1], !pattern.isEmpty else { return nil }
            let patterns = PatternsByLocale(pattern)
            return .eager { evaluation, arguments throws(FormulaLimit) in
                guard let date = DateArgument(arguments[0]).date else { return .error }
                try evaluation.checkPattern(pattern)
                return try evaluation.text(patterns.pattern(for: date.locale).format(date.instant, in: date.zone))
            }
        }
    ) { evaluation, arguments throws(FormulaLimit) in
        guard let date = DateArgument(arguments[0]).date else { return .error }
        var pattern = arguments.count > 1 ? try evaluation.asText(arguments[1]) : ""
        if pattern.isEmpty {
            pattern = date.setting?.zone == nil ? "YYYY-MM-DDTHH:mm:ss.SSS[Z]" : "YYYY-MM-DDTHH:mm:ss.SSSZ"
        }
        try evaluation.checkPattern(pattern)
        return try evaluation.text(DatePattern(pattern, locale: date.locale).format(date.instant, in: date.zone))
    }

    /// DATETIME_PARSE(text, [pattern], [locale]) is the date that a text names, in UTC where it names no zone: in ISO 8601
    /// or a common American form, or by a pattern of the tokens of DATETIME_FORMAT. A text that is none is an error.
    ///
    /// Example: DATETIME_PARSE("4 Mar 2017 23:00", "D MMM YYYY HH:mm")
    static let parse = FormulaFunction(
        "DATETIME_PARSE", 1...3, dependsOnContext: true, freeOfContextUpTo: 1, result: { _ in .date(hasTime: true) },
        prepare: { arguments in
            guard arguments.count > 1, case .text(let pattern)? = arguments[1], !pattern.isEmpty else { return nil }
            var locale = LocaleTable.english
            if arguments.count > 2 {
                guard case .text(let name)? = arguments[2], let named = LocaleTable.named(name) else { return nil }
                locale = named
            }
            let reader = DateReader(pattern, locale: locale)
            return .eager { evaluation, arguments throws(FormulaLimit) in
                try evaluation.parse(arguments[0], pattern: pattern) { reader }
            }
        }
    ) { evaluation, arguments throws(FormulaLimit) in
        let pattern = arguments.count > 1 ? try evaluation.asText(arguments[1]) : ""
        let name = arguments.count > 2 ? try evaluation.asText(arguments[2]) : ""
        guard let locale = name.isEmpty ? .english : LocaleTable.named(name) else { return .error }
        return try evaluation.parse(arguments[0], pattern: pattern) { DateReader(pattern, locale: locale) }
    }

    /// DATESTR(date) is the date as text, `2024-05-01`.
    ///
    /// Example: DATESTR({Start})
    static let dateText = FormulaFunction("DATESTR", 1...1, result: { _ in .text }) {
        _, arguments throws(FormulaLimit) in DateArgument(arguments[0]).map { .text($0.local.date.iso8601) }
    }

    /// TIMESTR(date) is the time of day as text, `23:05:09`.
    ///
    /// Example: TIMESTR({Start})
    static let timeText = FormulaFunction("TIMESTR", 1...1, result: { _ in .text }) {
        _, arguments throws(FormulaLimit) in DateArgument(arguments[0]).map { .text(times.format($0.local)) }
    }

    private static let times = DatePattern("HH:mm:ss")

    /// FROMNOW(date) is how far the date is from the present, in words: `25 days`, `a month`.
    ///
    /// Example: FROMNOW({Arrived})
    static let fromNow = distance("FROMNOW")

    /// TONOW(date) is how far the present is from the date, in words: `25 days`, `a month`.
    ///
    /// Example: TONOW({Arrived})
    static let toNow = distance("TONOW")

    private static func distance(_ name: String) -> FormulaFunction {
        FormulaFunction(name, 1...1, dependsOnContext: true, result: { _ in .text }) {
            evaluation, arguments throws(FormulaLimit) in
            DateArgument(arguments[0]).map { .text($0.locale.distance(between: $0.instant, evaluation.now)) }
        }
    }
}

extension Evaluation {
    /// Takes the cost of a pattern from the budget; one that could write more than any text may is refused.
    fileprivate mutating func checkPattern(_ pattern: String) throws(FormulaLimit) {
        // The longest that a letter stands for is about twenty bytes.
        guard pattern.utf8.count <= budget.longestText / 20 else { throw .size }
        try spend(pattern.utf8.count >> 3)
    }

    fileprivate mutating func parse(
        _ value: FormulaValue, pattern: String, _ reader: () -> DateReader
    ) throws(FormulaLimit) -> FormulaValue {
        let value = try scalar(value)
        if case .date = value { return value }
        let text = try asText(value)
        if text.isEmpty { return .blank }
        guard !pattern.isEmpty else { return FormulaDate(text).map(FormulaValue.date) ?? .error }
        try checkPattern(pattern)
        // Each token may look through the whole text.
        try spend(text.utf8.count * pattern.utf8.count >> 6)
        return reader().instant(text, now: now).map { .date(FormulaDate($0)) } ?? .error
    }
}

/// One pattern, read once for each locale it is written in.
private final class PatternsByLocale: Sendable {
    private let text: String
    private let english: DatePattern
    private let others = Mutex<[String: DatePattern]>([:])

    init(_ text: String) {
        self.text = text
        english = DatePattern(text)
    }

    func pattern(for locale: LocaleTable) -> DatePattern {
        if locale.identifier == english.localeIdentifier { return english }
        return others.withLock { patterns in
            if let pattern = patterns[locale.identifier] { return pattern }
            let pattern = DatePattern(text, locale: locale)
            patterns[locale.identifier] = pattern
            return pattern
        }
    }
}
