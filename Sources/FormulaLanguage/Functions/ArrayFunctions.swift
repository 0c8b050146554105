import CivilTime

/// The family of array functions.
enum ArrayFunctions {
    static let all: [FormulaFunction] = [compact, flatten, unique, slice, join]

    /// ARRAYCOMPACT(values) gives the items that are neither blank nor an empty text.
    ///
    /// Example: ARRAYJOIN(ARRAYCOMPACT("a", "", BLANK(), " ", "b"), "-") → "a- -b"
    private static let compact = FormulaFunction("ARRAYCOMPACT", any, result: list) {
        evaluation, arguments throws(FormulaLimit) in
        .array(try evaluation.items(arguments).filter { !$0.isEmpty })
    }

    /// ARRAYFLATTEN(values) gives all items in one list, those of lists within lists too.
    ///
    /// Example: ARRAYJOIN(ARRAYFLATTEN("a", "b"), "-") → "a-b"
    private static let flatten = FormulaFunction("ARRAYFLATTEN", any, result: { .array(itemType($0).item) }) {
        evaluation, arguments throws(FormulaLimit) in .array(try evaluation.flattened(arguments))
    }

    /// ARRAYUNIQUE(values) gives each item once, where it first stands.
    ///
    /// Example: ARRAYJOIN(ARRAYUNIQUE("a", "b", "a"), "-") → "a-b"
    private static let unique = FormulaFunction("ARRAYUNIQUE", any, result: list) {
        evaluation, arguments throws(FormulaLimit) in
        let items = try evaluation.items(arguments)
        var seen: Set<ItemKey> = []
        var kept: [FormulaValue] = []
        for item in items {
            try evaluation.spend()
            if seen.insert(ItemKey(item)).inserted { kept.append(item) }
        }
        return .array(kept)
    }

    /// ARRAYSLICE(values, start, [end]) gives the items from one position up to and with another, the first being 1;
    /// negative positions count from the end.
    ///
    /// Example: ARRAYJOIN(ARRAYSLICE(ARRAYFLATTEN("a", "b", "c", "d"), 2, 3), "-") → "b-c"
    /// Example: ARRAYJOIN(ARRAYSLICE(ARRAYFLATTEN("a", "b", "c", "d"), -2), "-") → "c-d"
    private static let slice = FormulaFunction("ARRAYSLICE", 2...3, result: { list(Array($0.prefix(1))) }) {
        evaluation, arguments throws(FormulaLimit) in
        let items = try evaluation.items([arguments[0]])
        let position = { (place: Int) in place < 0 ? items.count &+ place &+ 1 : place }
        let start = max(1, position(arguments[1].asCount))
        let isOpen = arguments.count < 3 || arguments[2].isBlank
        let end = isOpen ? items.count : min(items.count, position(arguments[2].asCount))
        return .array(start <= end ? Array(items[(start &- 1)..<end]) : [])
    }

    /// ARRAYJOIN(values, [separator]) gives the items as one text with a separator between two, a comma if not given.
    ///
    /// Example: ARRAYJOIN(ARRAYFLATTEN("a", 2, "c"), "; ") → "a; 2; c"
    private static let join = FormulaFunction("ARRAYJOIN", 1...2, result: TextFunctions.text) {
        evaluation, arguments throws(FormulaLimit) in
        let separator = arguments.count > 1 && !arguments[1].isBlank ? try evaluation.asText(arguments[1]) : ","
        var texts: [String] = []
        for item in try evaluation.flattened([arguments[0]]) { texts.append(try evaluation.asText(item)) }
        return .text(try evaluation.joined(texts, separator: separator))
    }

    private static let any = 1...FormulaFunction.anyNumber

    /// A list of what the arguments or their items are.
    private static let list: @Sendable ([FormulaType]) -> FormulaType = { .array(itemType($0)) }

    private static func itemType(_ types: [FormulaType]) -> FormulaType {
        FormulaType.joined(types.map { if case .array(let item) = $0 { item } else { $0 } })
    }
}

extension Evaluation {
    /// The arguments as one list: lists give their items, all else is an item.
    fileprivate mutating func items(_ arguments: [FormulaValue]) throws(FormulaLimit) -> [FormulaValue] {
        if arguments.count == 1, case .array(let items) = arguments[0] {
            try reserveList(items.count)
            return items
        }
        var items: [FormulaValue] = []
        for argument in arguments {
            if case .array(let more) = argument {
                try reserveList(items.count &+ more.count)
                items += more
            } else {
                items.append(argument)
            }
        }
        return items
    }
}

/// What two items have in common when they are the same: texts byte by byte, an answer and its number.
private indirect enum ItemKey: Hashable {
    case blank, error, notANumber
    case text([UInt8])
    case number(Double)
    case date(Int64)
    case list([ItemKey])

    init(_ value: FormulaValue) {
        switch value {
        case .blank: self = .blank
        case .error: self = .error
        case .text(let text): self = .text(Array(text.utf8))
        case .number(let number): self = number.isNaN ? .notANumber : .number(number)
        case .boolean(let answer): self = .number(answer ? 1 : 0)
        case .date(let date): self = .date(date.instant.milliseconds)
        case .array(let items): self = .list(items.map { ItemKey($0) })
        }
    }
}
