import CivilTime
import FormulaLanguage
import Platform
import RowhouseModel
import Storage

/// A filter's formula on one version of a table, read once for many requests.
final class RecordFilter: Sendable {
    /// Kept alive so that its identity can stand for its version.
    let table: TableSchema
    private let formula: CheckedFormula
    /// The parts, where they are the same at all times.
    let timeless: FormulaSplit?
    /// What it costs to keep.
    let bytes: Int

    init(_ text: String, table: TableSchema, scope: FormulaScope, zones: TimeZoneDatabase) throws(APIError) {
        self.table = table
        bytes = text.utf8.count
        do throws(FormulaError) {
            formula = try CheckedFormula(text, scope)
        } catch {
            throw .invalidFilter(error, in: text)
        }
        timeless =
            formula.dependsOnNow
            ? nil : FormulaSplit(formula, table: table, now: Instant(milliseconds: 0), zones: zones)
    }

    /// All of it left to the evaluator.
    var unsplit: FormulaSplit { FormulaSplit(unsplit: formula) }

    /// What the store answers and what is left, at this time.
    func split(now: Instant, zones: TimeZoneDatabase) -> FormulaSplit {
        timeless ?? FormulaSplit(formula, table: table, now: now, zones: zones)
    }
}

/// The filters asked for lately, by their text and the version of the table.
final class FilterCache: Sendable {
    private struct Key: Hashable {
        let table: ObjectIdentifier
        let text: [UInt8]
    }
    private struct State {
        var filters: [Key: (value: RecordFilter, lastUse: Int)] = [:]
        var bytes = 0
        var clock = 0

        /// Forgets what was not used for the longest time until what is kept is small.
        mutating func makeRoom(_ limit: Int) {
            for (key, entry) in filters.sorted(by: { $0.value.lastUse < $1.value.lastUse }) where bytes > limit {
                bytes -= entry.value.bytes + 200
                filters[key] = nil
            }
        }
    }
    /// How many bytes of formulas are kept, and of one formula at most.
    private static let mostBytes = 500_000
    private static let longest = 50_000
    private let state = Guarded(State())

    func find(_ text: String, _ table: TableSchema) -> RecordFilter? {
        let key = Key(table: ObjectIdentifier(table), text: Array(text.utf8))
        return state.withLock { state in
            guard let value = state.filters[key]?.value else { return nil }
            state.clock += 1
            state.filters[key]?.lastUse = state.clock
            return value
        }
    }

    func keep(_ filter: RecordFilter, _ text: String) {
        guard filter.bytes <= Self.longest else { return }
        let key = Key(table: ObjectIdentifier(filter.table), text: Array(text.utf8))
        state.withLock { state in
            guard state.filters[key] == nil else { return }
            // A filter without text to speak of is not free either.
            state.bytes += filter.bytes + 200
            if state.bytes > Self.mostBytes { state.makeRoom(Self.mostBytes / 2) }
            state.clock += 1
            state.filters[key] = (filter, state.clock)
        }
    }
}

extension APIError {
    /// A formula that cannot filter, with the place of the mistake or all names that no field has.
    fileprivate static func invalidFilter(_ error: FormulaError, in text: String) -> APIError {
        guard case .unknownField = error.reason else {
            return .invalidFilterByFormula(
                "Invalid formula. Please check your formula text. \(error.rendered(in: text))")
        }
        let names = error.unknownNames.map { $0.lowercased().prefix(100) }.joined(separator: ", ")
        return .invalidFilterByFormula("Unknown field names: \(names)")
    }
}

extension Engine {
    /// The filter for a formula's text.
    ///
    /// - Throws: `INVALID_FILTER_BY_FORMULA`.
    func filter(_ text: String, of table: TableSchema, in base: BaseSchema) throws(APIError) -> RecordFilter {
        if let filter = filters.find(text, table) { return filter }
        let scope = formulas.formulas(of: base).scope(of: table)
        let filter = try RecordFilter(text, table: table, scope: scope, zones: zones)
        filters.keep(filter, text)
        return filter
    }
}
