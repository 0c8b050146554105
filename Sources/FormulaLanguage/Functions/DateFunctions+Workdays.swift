import CivilTime

extension DateFunctions {
    static let workdays = [workday, workdayDifference]

    /// WORKDAY(date, number, [holidays]) is the date so many working days later, or earlier when the number is negative,
    /// at the same time of day. Saturdays, Sundays and holidays do not count, nor does the date itself; holidays are
    /// dates in one text with commas between, or a list of dates.
    ///
    /// Example: WORKDAY("2020-10-16", 10, "2020-10-16, 2020-10-19")
    static let workday = FormulaFunction("WORKDAY", 2...3, result: { $0[0].asDate }) {
        evaluation, arguments throws(FormulaLimit) in
        let count = arguments[1].asNumber.rounded(.towardZero)
        // Ten million working days are more than the years 1 to 9999 have.
        guard let date = DateArgument(arguments[0]).date, abs(count) < 10_000_000,
            let holidays = try evaluation.holidays(arguments, 2)
        else { return .error }
        let day = holidays.day(Int(count), after: date.local.date)
        return date.moved(to: date.instant.movedOnClock(byDays: day - date.local.date.daysSinceEpoch, in: date.zone))
    }

    /// WORKDAY_DIFF(date, other, [holidays]) is the number of working days from one date to another, both included;
    /// negative when the second is earlier. Holidays are as in WORKDAY.
    ///
    /// Example: WORKDAY_DIFF("2020-10-18", "2020-11-02", "2020-10-16, 2020-10-19")
    static let workdayDifference = FormulaFunction("WORKDAY_DIFF", 2...3, result: { _ in .number(.integer) }) {
        evaluation, arguments throws(FormulaLimit) in
        guard let start = DateArgument(arguments[0]).date?.local.date,
            let end = DateArgument(arguments[1]).date?.local.date, let holidays = try evaluation.holidays(arguments, 2)
        else { return .error }
        let count = holidays.count(from: min(start, end), through: max(start, end))
        return .number(Double(end < start ? -count : count))
    }
}

extension Evaluation {
    /// The holidays that an argument lists; nil when it lists something else.
    fileprivate mutating func holidays(_ arguments: [FormulaValue], _ index: Int) throws(FormulaLimit) -> Holidays? {
        guard arguments.indices.contains(index) else { return Holidays([]) }
        var days: [CivilDate] = []
        for value in FormulaValue.flattened([arguments[index]]) {
            if case .text(let text) = value {
                try spend(text.utf8.count >> 4)
                for part in text.utf8.split(separator: UInt8(ascii: ",")) {
                    let part = Self.trimmed(part)
                    if part.isEmpty { continue }
                    guard let date = FormulaDate(part) else { return nil }
                    days.append(date.local.date)
                }
            } else {
                try spend()
                switch DateArgument(value) {
                case .missing: continue
                case .invalid: return nil
                case .date(let date): days.append(date.local.date)
                }
            }
        }
        return Holidays(days)
    }

    private static func trimmed(_ part: Substring.UTF8View) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || 9...13 ~= $0 }
        let start = part.drop(while: isSpace)
        let end = start.lastIndex { !isSpace($0) }.map(start.index(after:)) ?? start.startIndex
        return String(Substring(start[..<end]))
    }
}

/// Working days by arithmetic: Mondays to Fridays, all numbered through, less a sorted list of holidays among them.
private struct Holidays {
    /// Numbers of the holidays that fall on Monday to Friday, ascending, each once.
    private let numbers: [Int]

    init(_ days: [CivilDate]) {
        let working = days.filter { 1...5 ~= $0.weekday }
        numbers = Set(working.map { Self.number(through: $0.daysSinceEpoch) }).sorted()
    }

    /// The day so many working days after another, before it when negative; days since 1970-01-01.
    func day(_ count: Int, after start: CivilDate) -> Int {
        guard count != 0 else { return start.daysSinceEpoch }
        // Going back from a weekend begins at its Friday, which counts; from a working day it does not.
        let through = Self.number(through: start.daysSinceEpoch)
        let isWorking = 1...5 ~= start.weekday
        let first = count > 0 ? through + 1 : isWorking ? through - 1 : through
        var last = first + count - count.signum()
        // Each round takes in the holidays passed by the one before, so the number of rounds is theirs at most.
        while true {
            let passed = count > 0 ? holidays(from: first, through: last) : holidays(from: last, through: first)
            let next = first + count - count.signum() + passed * count.signum()
            if next == last { return Self.day(last) }
            last = next
        }
    }

    /// Working days between two days, both included.
    func count(from start: CivilDate, through end: CivilDate) -> Int {
        let first = Self.number(through: start.daysSinceEpoch - 1) + 1
        let last = Self.number(through: end.daysSinceEpoch)
        return last - first + 1 - holidays(from: first, through: last)
    }

    private func holidays(from first: Int, through last: Int) -> Int { max(place(of: last + 1) - place(of: first), 0) }

    /// How many holidays have lower numbers.
    private func place(of number: Int) -> Int {
        var (low, high) = (0, numbers.count)
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The number of the last working day up to a day; Monday 1969-12-29 has number 1.
    private static func number(through day: Int) -> Int {
        let (weeks, weekday) = divided(day + 3, by: 7)
        return weeks * 5 + min(weekday + 1, 5)
    }

    /// The day with a number.
    private static func day(_ number: Int) -> Int {
        let (weeks, weekday) = divided(number - 1, by: 5)
        return weeks * 7 + weekday - 3
    }

    private static func divided(_ value: Int, by divisor: Int) -> (Int, Int) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
