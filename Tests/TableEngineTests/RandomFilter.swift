/// Random formulas over the fields of `FilterFacts`: many of forms that a store may answer, with constants that the
/// cells hold and constants of other types, among others that only the evaluator can answer.
struct RandomFilter {
    private var random: SeededGenerator
    private let ids: [String]

    init(_ random: SeededGenerator, ids: [String]) {
        self.random = random
        self.ids = ids
    }

    private static let texts = ["Text", "Note", "Mail"]
    private static let numbers = ["Num", "Price", "Stars", "Number"]
    private static let dates = ["Due", "When", "Made", "Changed"]
    private static let others = ["Box", "Status", "Tags", "Owner"]
    private static let fields = texts + numbers + dates + others
    private static let comparisons = ["=", "!=", "<", "<=", ">", ">="]

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    /// A formula.
    mutating func next() -> String { condition(Int.random(in: 0...3, using: &random)) }

    private mutating func condition(_ depth: Int) -> String {
        guard depth > 0, chance(75) else { return leaf() }
        let parts = (0..<Int.random(in: 1...4, using: &random)).map { _ in condition(depth - 1) }
        switch Int.random(in: 0..<10, using: &random) {
        case 0...3: return "AND(\(parts.joined(separator: ", ")))"
        case 4...6: return "OR(\(parts.joined(separator: ", ")))"
        case 7: return "NOT(\(parts[0]))"
        case 8: return "XOR(\(parts.joined(separator: ",")))"
        default: return parts.count > 1 ? "IF(\(parts.prefix(3).joined(separator: ", ")))" : parts[0]
        }
    }

    private mutating func leaf() -> String {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<44: return comparison()
        case 44..<54: return "{\(pick(Self.fields))}"
        case 54..<63: return search()
        case 63..<66: return "LEN({\(pick(Self.fields))})" + (chance(80) ? compared(to: number()) : "")
        case 66..<70:
            return "{\(pick(Self.fields))}\(pick(Self.comparisons))\(pick(["BLANK()", "\"\"", "0", "TRUE()"]))"
        case 70..<73: return "RECORD_ID()\(pick(["=", "!="]))\"\(chance(90) ? pick(ids) : "rec")\""
        case 73..<80: return ofFewValues()
        case 80..<87: return ofDates()
        case 87..<89: return pick(["1", "\"\"", "BLANK()", "\"0\"", "1/0", "0/0", "ERROR()", "TRUE()", "1=2"])
        default: return onlyEvaluated()
        }
    }

    private mutating func comparison() -> String {
        let field = "{\(pick(Self.fields))}"
        let constant = chance(75) ? constant(for: field) : self.constant(for: "{\(pick(Self.fields))}")
        let sign = pick(Self.comparisons)
        return chance(85) ? "\(field)\(sign)\(constant)" : "\(constant) \(sign) \(field)"
    }

    private mutating func compared(to constant: String) -> String { "\(pick(Self.comparisons))\(constant)" }

    private mutating func constant(for field: String) -> String {
        let name = String(field.dropFirst().dropLast())
        if Self.texts.contains(name) { return Self.quoted(pick(FilterFacts.texts)) }
        if Self.numbers.contains(name) { return chance(90) ? number() : "\"\(number())\"" }
        if Self.dates.contains(name) { return date() }
        return pick([
            "\"todo\"", "\"Todo\"", "\"é\"", "\"e\u{301}\"", "TRUE()", "FALSE()", "1", "0", "\"red\"", "\"Ada\"",
        ])
    }

    private mutating func number() -> String {
        pick([
            "0", "1", "2", "3", "3.5", "-1.5", "0.1", "(0.1+0.2)", "5", "1000", "1714521600000", "4.99",
            "9007199254740992", "1000000000000000000000", "-0.0000001", "(1/3)",
        ])
    }

    private mutating func date() -> String {
        switch Int.random(in: 0..<6, using: &random) {
        case 0...1: "DATETIME_PARSE('2024-05-01')"
        case 2: "DATETIME_PARSE('2024-05-01T10:00:00.123Z')"
        case 3: pick(["TODAY()", "NOW()", "DATETIME_PARSE('1970-01-01')"])
        case 4: "DATEADD(DATETIME_PARSE('2024-01-01'), \(Int.random(in: -1...12, using: &random)), 'months')"
        default: pick(["\"2024-05-01\"", "\"2024-05-01T10:00:00.123Z\"", "'not a date'", "1714521600000", "0"])
        }
    }

    private mutating func search() -> String {
        let needle = chance(90) ? Self.quoted(pick(FilterFacts.texts + ["", "d", "1", "-", ":"])) : number()
        let call = "\(pick(["FIND", "FIND", "FIND", "SEARCH", "SEARCH"]))(\(needle), {\(pick(Self.fields))})"
        return chance(60) ? call + compared(to: pick(["0", "1", "2", "0.5", "-1", "BLANK()", "\"\""])) : call
    }

    private mutating func ofFewValues() -> String {
        let field = "{\(pick(["Status", "Box"]))}"
        return pick([
            "SWITCH(\(field), \"todo\", 1, \"é\", 0, 2)=2", "\(field)&\"x\"=\"todox\"", "LOWER(\(field))=\"todo\"",
            "IF(\(field)=\"todo\", 1, \(field)=0)", "\(field)+1=2", "LEN(\(field))>1", "REGEX_MATCH(\(field)&'', 't')",
            "\(field)>\"Todo\"", "OR(\(field)=\"0\",\(field)=\"todo\",\(field)=1)", "1/(\(field)=\"todo\")>1",
        ])
    }

    private mutating func ofDates() -> String {
        let field = "{\(pick(Self.dates))}"
        let pair = chance(70) ? [field, date()] : [date(), field]
        let unit = pick([
            "day", "month", "week", "years", "h", "ms", "quarter", "minutes", "d", "isoWeek", "", "nonsense",
        ])
        let more = chance(75) ? ", '\(unit)'" : ""
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return "IS_BEFORE(\(pair[0]), \(pair[1]))"
        case 1: return "IS_AFTER(\(pair[0]), \(pair[1]))"
        case 2...3: return "IS_SAME(\(pair[0]), \(pair[1])\(more))"
        default:
            let limit = pick(["0", "1", "-1", "7", "0.5", "-0.5", "1000", "-10", "121", "SECOND(0)", "\"7\""])
            return "DATETIME_DIFF(\(pair[0]), \(pair[1])\(more))" + compared(to: limit)
        }
    }

    private mutating func onlyEvaluated() -> String {
        let (text, number, date) = (pick(Self.texts), pick(Self.numbers), pick(Self.dates))
        return pick([
            "{\(number)}+1>2", "{\(text)}&{Note}=\"ab\"", "LEN({\(text)})>LEN({Note})", "{\(number)}/{Stars}>=1",
            "YEAR({\(date)})=2024", "{\(text)}<{Note}", "ISERROR({\(number)}/0)", "IS_AFTER({\(date)}, \(self.date()))",
            "REGEX_MATCH({\(text)}, 'a')", "{\(text)}+1", "DATETIME_DIFF({When},{Due},'days')>3",
            "LOWER({\(text)})=\"a\"",
            "FIND({\(text)}, {Note})", "MAX({\(number)}, 2)=2", "{\(date)}={When}",
            "DATETIME_FORMAT({\(date)},'YYYY')='2024'",
        ])
    }

    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text {
            if character == "\"" || character == "\\" { quoted.append("\\") }
            quoted.append(character)
        }
        return quoted + "\""
    }
}
