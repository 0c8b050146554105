/// Those of the text functions that look for one text in another.
enum TextSearchFunctions {
    static let all: [FormulaFunction] = [find, search, substitute]

    /// FIND(text, within, [start]) gives the position of a text in another, the first being 1, at or after a position;
    /// 0 when it is not there. Case matters.
    ///
    /// Example: FIND("fox", "quick brown fox") → 13
    /// Example: FIND("Fox", "quick brown fox") → 0
    private static let find = searching("FIND", ignoringCase: false, absent: .number(0))

    /// SEARCH(text, within, [start]) gives the position of a text in another, the first being 1, at or after a
    /// position; blank when it is not there. Case does not matter.
    ///
    /// Example: SEARCH("FOX", "quick brown fox") → 13
    /// Example: SEARCH("dog", "quick brown fox") → blank
    private static let search = searching("SEARCH", ignoringCase: true, absent: .blank)

    /// SUBSTITUTE(text, old, new, [index]) gives the text with all places of another text replaced, or only the one
    /// with an index, the first being 1.
    ///
    /// Example: SUBSTITUTE("gold mold", "old", "et") → "get met"
    /// Example: SUBSTITUTE("gold mold", "old", "et", 1) → "get mold"
    private static let substitute = FormulaFunction("SUBSTITUTE", 3...4, result: TextFunctions.text) {
        evaluation, arguments throws(FormulaLimit) in
        let text = try evaluation.asText(arguments[0])
        let old = TextSearch(try evaluation.asText(arguments[1]))
        let new = try evaluation.asText(arguments[2])
        guard old.count > 0 else { return .text(text) }
        guard arguments.count > 3, !arguments[3].isBlank else {
            return .text(try evaluation.replacing(places(of: old, in: text), of: old.count, in: text, by: new))
        }
        let index = arguments[3].asCount
        let found = index < 1 ? nil : place(index, of: old, in: text)
        return .text(try evaluation.replacing(found.map { [$0] } ?? [], of: old.count, in: text, by: new))
    }

    private static func searching(_ name: String, ignoringCase: Bool, absent: FormulaValue) -> FormulaFunction {
        @Sendable func body(
            _ evaluation: inout Evaluation, _ arguments: [FormulaValue], _ prepared: TextSearch?
        ) throws(FormulaLimit) -> FormulaValue {
            let within = try evaluation.asText(arguments[1])
            let needle: TextSearch
            if let prepared {
                needle = prepared
            } else {
                needle = TextSearch(try evaluation.asText(arguments[0]), ignoringCase: ignoringCase)
            }
            let start = arguments.count > 2 ? arguments[2].asCount : 0
            return needle.position(in: within, from: max(0, start &- 1)).map { .number(Double($0 &+ 1)) } ?? absent
        }
        return FormulaFunction(
            name, 2...3, result: { _ in .number(.integer) },
            prepare: { constants in
                guard case .text(let text)?? = constants.first else { return nil }
                let needle = TextSearch(text, ignoringCase: ignoringCase)
                return .eager { evaluation, arguments throws(FormulaLimit) in
                    try body(&evaluation, arguments, needle)
                }
            }
        ) { evaluation, arguments throws(FormulaLimit) in try body(&evaluation, arguments, nil) }
    }

    private static func places(of old: TextSearch, in text: String) -> [Int] {
        let bytes = text.utf8Span.span
        var places: [Int] = []
        var start = 0
        while let place = old.first(in: bytes, from: start) {
            places.append(place)
            start = place &+ old.count
        }
        return places
    }

    private static func place(_ index: Int, of old: TextSearch, in text: String) -> Int? {
        let bytes = text.utf8Span.span
        var (start, number) = (0, 0)
        while let place = old.first(in: bytes, from: start) {
            number &+= 1
            if number == index { return place }
            start = place &+ old.count
        }
        return nil
    }
}

extension Evaluation {
    /// The text with another text in these places of UTF-8, each of so many bytes.
    fileprivate mutating func replacing(
        _ places: [Int], of count: Int, in text: String, by new: String
    ) throws(FormulaLimit) -> String {
        let (grown, isTooLong) = places.count.multipliedReportingOverflow(by: new.utf8.count &- count)
        try reserveText(isTooLong ? .max : text.utf8.count &+ grown)
        let units = TextUnits(text)
        var result = ""
        var start = 0
        for place in places {
            result += units.bytes(start, place)
            result += new
            start = place &+ count
        }
        return result + units.bytes(start, text.utf8.count)
    }
}
