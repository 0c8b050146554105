import CivilTime
import FormulaLanguage
import Glibc
import Platform
import RowhouseModel
import SQLiteStorage
import Storage
import TableEngine
import Testing

/// What a store says of a formula is held against the evaluator.
@Suite struct FilterEqualityTests {
    static let seed =
        getenv("ROWHOUSE_SEED").flatMap { UInt64(String(cString: $0)) } ?? UInt64.random(in: 0...UInt64.max)
    /// How many formulas: each is asked about all records of a table.
    static let formulas = 10_000
    private static let formulasATable = 1_000
    private static let records = 40

    /// Formulas over one table, and what was found about them.
    private struct Trial {
        let facts: FilterFacts
        let now = Instant(milliseconds: SystemClock.milliseconds())
        var asked = 0
        var partlyStored = 0
        var whollyStored = 0
        var kept = 0

        /// The records that the evaluator keeps.
        func evaluated(_ formula: CheckedFormula, _ kept: (RecordID) -> Bool = { _ in true }) throws -> [RecordID] {
            let names = formula.fields.map { id in facts.table.fields.first { $0.id == id }?.name ?? "" }
            return try facts.facts.filter { fact in
                guard kept(fact.id) else { return false }
                var fact = fact
                fact.slots = names
                var evaluation = Evaluation(
                    record: fact, now: now, zones: House.zones, budget: FormulaBudget(steps: 1_000_000))
                return try formula.isTrue(&evaluation)
            }.map(\.id)
        }

        /// Whether a formula keeps the same records with its store's part, which `change` may falsify, as without.
        mutating func isSame(
            _ text: String, _ change: (StoredCondition) -> StoredCondition = { $0 }
        ) throws -> Bool {
            let formula = try CheckedFormula(text, FormulaScope(facts.table))
            let split = FormulaSplit(formula, table: facts.table, now: now, zones: House.zones)
            asked += 1
            let expected = try evaluated(formula)
            kept += expected.count
            guard let stored = split.stored else { return true }
            partlyStored += 1
            if split.rest == nil { whollyStored += 1 }
            let plan = PagePlan(
                table: facts.table, fields: [], order: [], after: nil, limit: 1_000, filter: change(stored))
            let found = try facts.house.storage.readEach { (reader) throws(APIError) in try reader.page(plan) }.batch
                .ids
            guard let rest = split.rest else { return found == expected }
            return try evaluated(rest, Set(found).contains) == expected
        }

        /// The records that a list shows.
        func listed(_ text: String) throws -> [RecordID] {
            try facts.house.list([("filterByFormula", text)], table: facts.table.name).rows.compactMap {
                RecordID($0.id)
            }
        }
    }

    private func trial(_ house: House, _ number: Int, _ random: inout SeededGenerator) throws -> (Trial, RandomFilter) {
        let facts = try FilterFacts(house, named: "Facts \(number)", records: Self.records, &random)
        let seed = random.next()
        return (Trial(facts: facts), RandomFilter(SeededGenerator(seed: seed), ids: facts.facts.map(\.id.description)))
    }

    @Test func `The store's part of a filter and the rest keep just what the evaluator keeps`() throws {
        print("seed of the filters: \(Self.seed)")
        let house = try House()
        var random = SeededGenerator(seed: Self.seed)
        var (asked, partly, wholly, kept, different) = (0, 0, 0, 0, 0)
        for number in 0..<Self.formulas / Self.formulasATable {
            var (trial, filters) = try trial(house, number, &random)
            for index in 0..<Self.formulasATable {
                let text = filters.next()
                let isSame = try trial.isSame(text)
                #expect(isSame, "seed \(Self.seed): \(text)")
                if !isSame { different += 1 }
                if index % 20 == 0 {
                    let formula = try CheckedFormula(text, FormulaScope(trial.facts.table))
                    #expect(try trial.listed(text) == trial.evaluated(formula), "seed \(Self.seed), listed: \(text)")
                }
                if different > 20 { return }
            }
            asked += trial.asked
            partly += trial.partlyStored
            wholly += trial.whollyStored
            kept += trial.kept
        }
        let share = Double(partly) / Double(asked)
        print(
            "\(asked) filters of \(Self.records) records: \(kept) records kept, \(partly) filters answered by the store"
        )
        print("(\(wholly) of them wholly): a share of \(share)")
        #expect(share >= 1.0 / 3)
        #expect(kept > asked)
    }

    /// Faults that someone could make.
    private static let faults: [(name: String, change: @Sendable (StoredCondition) -> StoredCondition)] = [
        ("< taken for <=", { $0.changed { if $0 == .less { .lessOrEqual } else { $0 } } }),
        (">= taken for >", { $0.changed { if $0 == .greaterOrEqual { .greater } else { $0 } } }),
        ("an empty cell forgotten", { $0.withoutEmpty }),
    ]

    @Test(arguments: 0..<3) func `A fault in the store's part is found`(index: Int) throws {
        let fault = Self.faults[index]
        let house = try House()
        var random = SeededGenerator(seed: Self.seed)
        var (trial, filters) = try trial(house, 0, &random)
        var asked = 0
        while asked < 2_000 {
            asked += 1
            if try !trial.isSame(filters.next(), fault.change) { break }
        }
        print("\(fault.name): found by filter \(asked)")
        #expect(asked < 2_000, "seed \(Self.seed)")
    }
}

extension StoredCondition {
    /// The condition with other comparisons of numbers.
    fileprivate func changed(_ change: (Comparison) -> Comparison) -> StoredCondition {
        switch self {
        case .real(let field, let comparison, let value): .real(field: field, change(comparison), value)
        case .integer(let field, let comparison, let value): .integer(field: field, change(comparison), value)
        case .not(let part): .not(part.changed(change))
        case .all(let parts): .all(parts.map { $0.changed(change) })
        case .any(let parts): .any(parts.map { $0.changed(change) })
        default: self
        }
    }

    /// The condition without what it says of empty cells beside others.
    fileprivate var withoutEmpty: StoredCondition {
        switch self {
        case .not(let part): .not(part.withoutEmpty)
        case .all(let parts): .all(parts.map(\.withoutEmpty))
        case .any(let parts):
            .any(parts.filter { if case .isEmpty = $0 { false } else { true } }.map(\.withoutEmpty))
        default: self
        }
    }
}
