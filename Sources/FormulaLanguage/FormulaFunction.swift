/// One function of the language: its name, what it takes, what it yields, how it works.
///
/// Each family of functions is one file with a `static let all: [FormulaFunction]`; the documentation comment above
/// each function is its entry in Documentation/FormulaReference.md.
package struct FormulaFunction: Sendable {
    /// In capitals.
    package let name: String
    /// How many arguments it takes.
    package let arity: ClosedRange<Int>
    /// The type of its result for arguments of these types.
    package let result: @Sendable ([FormulaType]) -> FormulaType
    /// Whether an argument that is an error is handed in; otherwise the result is an error at once.
    package let takesErrors: Bool
    /// Whether two evaluations with the same arguments may differ (`NOW`) or need the record (`RECORD_ID`) or the time
    /// zones (`SET_TIMEZONE`); of all others, calls with constants alone are worked out when the formula is checked.
    package let dependsOnContext: Bool
    /// With no more arguments than these it does not (`DATETIME_PARSE` without a pattern).
    let freeOfContextUpTo: Int
    let body: Body
    /// A body for a call of which some arguments are constants (the others are nil), so that a pattern is compiled
    /// once and not for every record; nil when `body` will do.
    let prepare: (@Sendable ([FormulaValue?]) -> Body?)?
    /// A body for a result of this type, where the arguments alone do not tell what none of them means; nil when `body`
    /// will do.
    let yielding: (@Sendable (FormulaType) -> Body?)?

    enum Body: Sendable {
        /// Works on values; arguments are evaluated first, from left to right.
        case eager(@Sendable (inout Evaluation, [FormulaValue]) throws(FormulaLimit) -> FormulaValue)
        /// Evaluates its arguments itself (`IF`, `SWITCH`, …).
        case lazy(@Sendable (inout Evaluation, [Expression]) throws(FormulaLimit) -> FormulaValue)
    }

    init(
        _ name: String, _ arity: ClosedRange<Int>, takesErrors: Bool = false, dependsOnContext: Bool = false,
        freeOfContextUpTo: Int = -1,
        result: @escaping @Sendable ([FormulaType]) -> FormulaType,
        prepare: (@Sendable ([FormulaValue?]) -> Body?)? = nil,
        yielding: (@Sendable (FormulaType) -> Body?)? = nil,
        _ body: @escaping @Sendable (inout Evaluation, [FormulaValue]) throws(FormulaLimit) -> FormulaValue
    ) {
        self.name = name
        self.arity = arity
        self.result = result
        self.takesErrors = takesErrors
        self.dependsOnContext = dependsOnContext
        self.freeOfContextUpTo = freeOfContextUpTo
        self.prepare = prepare
        self.yielding = yielding
        self.body = .eager(body)
    }

    init(
        lazy name: String, _ arity: ClosedRange<Int>, dependsOnContext: Bool = false,
        result: @escaping @Sendable ([FormulaType]) -> FormulaType,
        _ body: @escaping @Sendable (inout Evaluation, [Expression]) throws(FormulaLimit) -> FormulaValue
    ) {
        self.name = name
        self.arity = arity
        self.result = result
        takesErrors = true
        self.dependsOnContext = dependsOnContext
        freeOfContextUpTo = -1
        prepare = nil
        yielding = nil
        self.body = .lazy(body)
    }

    /// The greatest number of arguments of functions that take any number.
    static let anyNumber = 100_000
}

/// All functions by their names in capitals.
package enum FormulaFunctions {
    package static let all: [String: FormulaFunction] = {
        let families = [
            TextFunctions.all, LogicalFunctions.all, NumericFunctions.all, DateFunctions.all, ArrayFunctions.all,
            RecordFunctions.all, RegexFunctions.all,
        ]
        return Dictionary(families.joined().map { ($0.name, $0) }) { first, _ in first }
    }()
}
