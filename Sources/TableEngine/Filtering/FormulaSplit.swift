package import CivilTime
package import FormulaLanguage
package import RowhouseModel
package import Storage

/// A filter's formula in two parts that both must hold: what the store answers by itself, and what is left.
///
/// The store's part is only ever what provably has the same answer: comparisons of stored cells with constants whose
/// every case is known, and conditions on one cell that can hold few values, which the evaluator itself is asked about
/// for each of them. What may be an error is taken only where an error is as good as false, so that AND, OR and NOT mean
/// the same on both sides.
package struct FormulaSplit: Sendable {
    /// Nil when the store can tell nothing.
    package let stored: StoredCondition?
    /// Nil when the store can tell all.
    package let rest: CheckedFormula?

    /// All of a formula left to the evaluator.
    init(unsplit formula: CheckedFormula) {
        stored = nil
        rest = formula
    }

    /// Formulas with more nodes are left to the evaluator.
    private static let largest = 20_000

    package init(_ formula: CheckedFormula, table: TableSchema, now: Instant, zones: TimeZoneDatabase) {
        let whole = formula.whole
        guard whole.size <= Self.largest else {
            (stored, rest) = (nil, formula)
            return
        }
        var reading = StoredReading(formula, table: table, now: now, zones: zones)
        var taken: [StoredCondition] = []
        var left: [FormulaPart] = []
        var constants = 0
        let parts = Self.conjuncts(of: whole)
        for part in parts {
            if let condition = reading.kept(by: part), constants + condition.constants <= Self.mostConstants,
                condition.depth <= Self.greatestDepth
            {
                constants += condition.constants
                taken.append(condition)
            } else {
                left.append(part)
            }
        }
        stored = taken.isEmpty ? nil : .joined(all: taken)
        rest = left.isEmpty ? nil : taken.isEmpty ? formula : formula.all(of: left)
    }

    private static let mostConstants = StoredCondition.mostConstants / 2
    private static let greatestDepth = StoredCondition.greatestDepth - 2

    /// The parts that must all be true for the whole to be.
    private static func conjuncts(of part: FormulaPart) -> [FormulaPart] {
        guard case .call("AND", let parts) = part.shape else { return [part] }
        return parts.flatMap { conjuncts(of: $0) }
    }
}
