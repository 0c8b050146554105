import CivilTime
import FormulaLanguage
import RowhouseModel
import Storage

// Functions of dates, as ranges of the dates that cells hold. A date without a setting is in UTC.

extension StoredReading {
    /// `IS_BEFORE`, `IS_AFTER` and `IS_SAME` of one field; none of them is true of an empty cell, nor an error.
    mutating func truth(ofDates name: String, _ arguments: [FormulaPart]) -> StoredCondition? {
        guard arguments.count >= 2, let (cells, isFieldFirst) = cells(arguments[0], arguments[1]),
            let date = date(arguments[isFieldFirst ? 1 : 0])
        else { return nil }
        switch name {
        case "IS_BEFORE": return cells.condition(isFieldFirst ? .less : .greater, .date(date))
        case "IS_AFTER": return cells.condition(isFieldFirst ? .greater : .less, .date(date))
        default:
            // The first date's zone and weekdays count.
            guard isFieldFirst || date.setting == nil, let unit = unit(arguments, without: .millisecond) else {
                return nil
            }
            let start = date.instant.start(of: unit, firstWeekday: LocaleTable.english.firstWeekday)
            guard let end = start.adding(1, unit) else { return nil }
            return cells.within(start, end)
        }
    }

    /// When a comparison of `DATETIME_DIFF` of one field with a number is true: for empty cells it is an error, which
    /// counts as false only where nothing stands around it.
    mutating func keptDifference(
        _ sign: BinaryOperator, _ left: FormulaPart, _ right: FormulaPart
    ) -> StoredCondition? {
        if case .call("DATETIME_DIFF", let arguments) = left.shape, let value = constant(right) {
            return difference(arguments, sign, value)
        }
        if case .call("DATETIME_DIFF", let arguments) = right.shape, let value = constant(left) {
            return difference(arguments, sign.turned, value)
        }
        return nil
    }

    private mutating func difference(
        _ arguments: [FormulaPart], _ sign: BinaryOperator, _ value: FormulaValue
    ) -> StoredCondition? {
        guard case .number(let number) = value, number.magnitude < 1e9,
            let (cells, isFieldFirst) = cells(arguments[0], arguments[1]),
            let date = date(arguments[isFieldFirst ? 1 : 0]), isFieldFirst || date.setting == nil,
            let length = unit(arguments, without: .second)?.length
        else { return nil }
        /// When there are so many whole units at least, or fewer; a fraction is cut off towards zero.
        func whole(_ count: Double, isLess: Bool = false) -> StoredCondition? {
            let least = count > 0 ? count * length : (count - 1) * length + 1
            let bound = FormulaValue.number(Double(date.instant.milliseconds) + (isFieldFirst ? least : -least))
            if isFieldFirst { return cells.condition(isLess ? .less : .greaterOrEqual, bound) }
            return cells.condition(isLess ? .greater : .lessOrEqual, bound)
        }
        switch sign {
        case .greaterOrEqual: return whole(number.rounded(.up))
        case .greater: return whole(number.rounded(.down) + 1)
        case .less: return whole(number.rounded(.up), isLess: true)
        case .lessOrEqual: return whole(number.rounded(.down) + 1, isLess: true)
        case .equal:
            guard number == number.rounded() else { return .never }
            guard let least = whole(number), let most = whole(number + 1, isLess: true) else { return nil }
            return .joined(all: [least, most])
        default: return nil
        }
    }

    /// The field of dates among two arguments.
    private func cells(_ first: FormulaPart, _ second: FormulaPart) -> (cells: CellComparison, isFieldFirst: Bool)? {
        if let cells = cells(first) { return (cells, true) }
        return cells(second).map { ($0, false) }
    }

    private func cells(_ part: FormulaPart) -> CellComparison? {
        guard case .field(let slot) = part.shape, let field = field(slot), let position = positions[slot] else {
            return nil
        }
        switch field.type {
        case .date, .dateTime, .createdTime, .lastModifiedTime: return CellComparison(field, at: position)
        default: return nil
        }
    }

    /// A constant that is a date, or a text that is written as one.
    private mutating func date(_ part: FormulaPart) -> FormulaDate? {
        switch constant(part) {
        case .date(let date): date
        case .text(let text): FormulaDate(text)
        default: nil
        }
    }

    /// The unit that a third argument names.
    private mutating func unit(_ arguments: [FormulaPart], without missing: CalendarUnit) -> CalendarUnit? {
        guard arguments.count > 2 else { return missing }
        guard case .text(let name)? = constant(arguments[2]) else { return nil }
        return name.isEmpty ? missing : CalendarUnit(name)
    }
}

extension CellComparison {
    /// When a cell is a date from one on and before another.
    fileprivate func within(_ start: Instant, _ end: Instant) -> StoredCondition? {
        guard let first = condition(.greaterOrEqual, .date(FormulaDate(start))),
            let last = condition(.less, .date(FormulaDate(end)))
        else { return nil }
        return .joined(all: [first, last])
    }
}

extension CalendarUnit {
    /// Milliseconds of a unit that is always equally long in UTC, and of which differences are counted by them.
    fileprivate var length: Double? {
        switch self {
        case .week: 604_800_000
        case .day: 86_400_000
        case .hour: 3_600_000
        case .minute: 60_000
        case .second: 1000
        case .millisecond: 1
        default: nil
        }
    }
}
