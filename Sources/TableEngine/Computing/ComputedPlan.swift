import FormulaLanguage
import RowhouseModel

/// What computing some fields of one version of a table takes: the stored cells to read, the links to follow, and the
/// steps in their order.
///
/// Made once for each version of a base and set of fields. A plan for linked records is a plan of its own within this
/// one, so that a lookup of a lookup is a page of a page.
final class ComputedPlan: Sendable {
    let table: TableSchema
    /// Positions of the fields to read: those asked for, then what these need besides.
    let read: [Int]
    /// How many of `read` were asked for.
    let asked: Int
    /// The links followed, each once.
    let hops: [Hop]
    let steps: [Step]
    /// For each field asked for, where its value comes from if it was wanted.
    let sources: [Source]
    /// Whether a formula over these records asks when they were last changed.
    let needsModifiedTimes: Bool
    let dependsOnNow: Bool
    /// How many bytes of formulas are worked through for one record, linked records not counted.
    let formulaBytes: Int

    /// A link field whose linked records are needed.
    struct Hop: Sendable {
        /// The position of the link field.
        let link: Int
        let plan: ComputedPlan
    }

    /// Where a value comes from.
    enum Source: Sendable {
        /// A stored cell, by its place in `read`.
        case cell(column: Int, CellForm)
        /// What a step yielded.
        case step(Int)
        case error
    }

    /// One field computed, for all records of a page.
    struct Step: Sendable {
        enum Kind: Sendable {
            case formula(CheckedFormula, [Source])
            case rollup(CheckedFormula, hop: Int, target: Int)
            case lookup(hop: Int, target: Int)
            /// A link field by the names of the linked records; `target` is their primary field.
            case names(hop: Int, target: Int)
            /// The number of links; followed already when `hop` is not nil.
            case count(link: Int, hop: Int?)
            case button(String, CheckedFormula?, [Source])
            case error
        }
        var kind: Kind
        let field: Field
        /// The place in `read` whose cells are filled in; nil when only other fields need the values.
        let column: Int?
        /// Whether other fields, or records that link here, need the values.
        var needsValues: Bool
    }

    init(
        table: TableSchema, read: [Int], asked: Int, hops: [Hop], steps: [Step], sources: [Source],
        needsModifiedTimes: Bool
    ) {
        self.table = table
        self.read = read
        self.asked = asked
        self.hops = hops
        self.steps = steps
        self.sources = sources
        let formulas = steps.compactMap(\.checked)
        self.needsModifiedTimes = needsModifiedTimes
        dependsOnNow = formulas.contains(where: \.dependsOnNow) || hops.contains { $0.plan.dependsOnNow }
        formulaBytes = steps.reduce(0) { $0 + $1.formulaBytes }
    }

    /// Whether everything needed stands in the record itself.
    var staysInRecord: Bool {
        hops.isEmpty && !needsModifiedTimes && steps.allSatisfy { if case .count = $0.kind { false } else { true } }
    }

    /// Every table whose records this depends on, its own first.
    var tables: [TableID] { [table.id] + hops.flatMap(\.plan.tables) }
}

extension ComputedPlan.Step {
    fileprivate var checked: CheckedFormula? {
        switch kind {
        case .formula(let formula, _), .rollup(let formula, _, _): formula
        case .button(_, let formula, _): formula
        default: nil
        }
    }

    fileprivate var formulaBytes: Int { field.options.formulaBytes }
}

extension FieldOptions {
    /// The length of the formula, in bytes; 0 where there is none.
    var formulaBytes: Int {
        switch self {
        case .formula(let formula): formula.formula.utf8.count
        case .rollup(let rollup): rollup.formula.utf8.count
        case .button(let button): button.urlFormula?.utf8.count ?? 0
        default: 0
        }
    }
}
