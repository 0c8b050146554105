import FormulaLanguage
import RowhouseModel
import Storage

/// Values of linked records kept over the chunks of one search or of one order's making: many records link to the same
/// few, and what those come to may take thousands of links to find out.
///
/// Good until one of the tables behind them changes. A class, since pages of pages share it; used by one thread at a
/// time.
final class LinkedValues {
    /// How many records' values are kept, and how many bytes of them.
    private static let mostRecords = 20_000
    private static let mostBytes = 4 << 20

    private struct Key: Hashable {
        let plan: ObjectIdentifier
        let record: RecordID
    }
    /// Whose plans give the keys; kept alive by this.
    private let plan: ComputedPlan
    private let tables: [TableID]
    private var changes: [Int] = []
    private var values: [Key: [FormulaValue]] = [:]
    private var bytes = 0

    /// For the linked records that computing by this plan meets.
    init(_ plan: ComputedPlan) {
        self.plan = plan
        tables = plan.hops.isEmpty ? [] : Array(Set(plan.tables))
    }

    /// To be called before each chunk is read: what is kept may be old.
    func refresh(from storage: any Storage) {
        let changes = tables.map { storage.changeNumber(of: $0) }
        if changes == self.changes { return }
        self.changes = changes
        values = [:]
        bytes = 0
    }

    /// The values asked for of a record by a plan.
    func find(_ record: RecordID, _ plan: ComputedPlan) -> [FormulaValue]? {
        values[Key(plan: ObjectIdentifier(plan), record: record)]
    }

    func keep(_ found: [FormulaValue], of record: RecordID, _ plan: ComputedPlan) {
        let size = found.reduce(100) { $0 + $1.size(upTo: Self.mostBytes) }
        guard values.count < Self.mostRecords, size <= Self.mostBytes - bytes else { return }
        bytes += size
        values[Key(plan: ObjectIdentifier(plan), record: record)] = found
    }
}

extension FormulaValue {
    /// About how much memory it takes; counted no further than a limit.
    fileprivate func size(upTo limit: Int) -> Int {
        switch self {
        case .text(let text): return 20 + text.utf8.count
        case .array(let items):
            var size = 40
            for item in items where size < limit { size += item.size(upTo: limit - size) }
            return size
        default: return 20
        }
    }
}
