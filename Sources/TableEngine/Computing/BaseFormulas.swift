import FormulaLanguage
import RowhouseModel
import RowhouseWire
import Synchronization

/// The formulas of one version of a base and the plans over them, each made when it is first asked for.
final class BaseFormulas: Sendable {
    let base: BaseSchema
    let links: AttachmentLinks
    private let scopes = Mutex<[TableID: FormulaScope]>([:])
    private let formulas = Mutex<[FieldID: CheckedFormula?]>([:])
    private let plans = Mutex<[PlanKey: ComputedPlan]>([:])

    private struct PlanKey: Hashable {
        let table: TableID
        let wanted: ComputedWants
    }
    /// How many sets of fields of a base are kept.
    private static let mostPlans = 500

    init(_ base: BaseSchema, links: AttachmentLinks) {
        self.base = base
        self.links = links
    }

    /// The names that formulas over a table may use.
    func scope(of table: TableSchema) -> FormulaScope {
        if let scope = scopes.withLock({ $0[table.id] }) { return scope }
        let scope = FormulaScope(table)
        scopes.withLock { $0[table.id] = scope }
        return scope
    }

    /// What formulas that are kept with the ids of fields may use.
    private func ids(of table: TableSchema) -> FormulaScope { .ofIDs(scope(of: table).names) }

    /// The formula of a field, or nil when it is not valid or has none.
    func formula(of field: Field, in table: TableSchema) -> CheckedFormula? {
        if let known = formulas.withLock({ $0[field.id] }) { return known }
        let checked = check(field, table)
        formulas.withLock { $0[field.id] = .some(checked) }
        return checked
    }

    private func check(_ field: Field, _ table: TableSchema) -> CheckedFormula? {
        switch field.options {
        case .formula(let formula) where formula.isValid: try? CheckedFormula(formula.formula, ids(of: table))
        case .button(let button) where button.isValid:
            button.urlFormula.flatMap { try? CheckedFormula($0, ids(of: table)) }
        case .rollup(let rollup) where rollup.isValid:
            linkedField(rollup, table).flatMap { try? CheckedFormula(rollup.formula, FormulaScope(valuesOf: $0)) }
        default: nil
        }
    }

    private func linkedField(_ rollup: RollupOptions, _ table: TableSchema) -> Field? {
        guard let link = rollup.recordLinkFieldID.flatMap({ table.index(of: $0) }),
            case .links(let links) = table.fields[link].options, let linked = base.table(links.linkedTableID),
            let position = rollup.fieldIDInLinkedTable.flatMap({ linked.index(of: $0) })
        else { return nil }
        return linked.fields[position]
    }

    /// How many bytes of formulas are read while an event thread waits.
    private static let fewBytes = 10_000

    /// Whether the plan is known, or made in no time.
    func isPlanned(_ table: TableSchema, _ wanted: ComputedWants) -> Bool {
        if plans.withLock({ $0[PlanKey(table: table.id, wanted: wanted)] }) != nil { return true }
        return !table.hasLinks && table.fields.reduce(0) { $0 + $1.options.formulaBytes } <= Self.fewBytes
    }

    /// The plan for what is wanted of a table of this base.
    func plan(_ table: TableSchema, _ wanted: ComputedWants) -> ComputedPlan {
        let key = PlanKey(table: table.id, wanted: wanted)
        if let plan = plans.withLock({ $0[key] }) { return plan }
        var hopsLeft = ComputedPlanBuilder.mostHops
        let plan = ComputedPlanBuilder.plan(table, wanted, formulas: self, hopsLeft: &hopsLeft)
        plans.withLock { plans in
            if plans.count >= Self.mostPlans { plans = [:] }
            plans[key] = plan
        }
        return plan
    }
}

/// The formulas of the versions of bases used lately.
final class FormulaCache: Sendable {
    private struct State {
        var formulas: [ObjectIdentifier: (value: BaseFormulas, lastUse: Int)] = [:]
        var clock = 0
    }
    private static let limit = 64
    private let state = Mutex(State())
    let links: AttachmentLinks

    init(links: AttachmentLinks) { self.links = links }

    /// The formulas of a version of a base.
    func formulas(of base: BaseSchema) -> BaseFormulas {
        state.withLock { state in
            state.clock &+= 1
            // The key is the identity of an object that the value keeps alive.
            let key = ObjectIdentifier(base)
            let value = state.formulas[key]?.value ?? BaseFormulas(base, links: links)
            state.formulas[key] = (value, state.clock)
            if state.formulas.count > Self.limit,
                let oldest = state.formulas.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                state.formulas[oldest.key] = nil
            }
            return value
        }
    }
}
