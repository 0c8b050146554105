import RowhouseModel
import Synchronization

/// Where the tables of one schema are in the file.
struct Catalog: Sendable {
    var tables: [TableID: PhysicalTable] = [:]
}

/// Where one table is in the file: `t_<number>` with one column `f_<number>` for each field that keeps cells.
///
/// Numbers, because identifiers differ by case and SQLite's names do not.
final class PhysicalTable: Sendable {
    let number: Int
    /// Column numbers; fields that were removed stay, since their cells do, and so do types that fields had: who
    /// still reads by an older version of the table reads the cells of that version.
    let columns: [ColumnKey: Int]
    /// Where the links of link fields are; of removed ones too.
    let links: [FieldID: LinkSide]
    /// Every place where the table's records can be linked, whether or not a field shows it.
    let ends: [LinkEnd]
    /// The numbers of its views.
    let views: [ViewID: Int]
    let counters: TableCounters

    init(
        number: Int, columns: [ColumnKey: Int] = [:], links: [FieldID: LinkSide] = [:], ends: [LinkEnd] = [],
        views: [ViewID: Int] = [:], counters: TableCounters
    ) {
        self.number = number
        self.columns = columns
        self.links = links
        self.ends = ends
        self.views = views
        self.counters = counters
    }

    /// The expression whose value is the cell of the field.
    func expression(for field: Field) -> String {
        switch field.type {
        case .autoNumber: "t.n"
        case .createdTime: "t.created"
        case .createdBy: "t.created_by"
        default: column(of: field).map { "t.f_\($0)" } ?? "NULL"
        }
    }

    /// The number of the column that keeps the field's cells.
    func column(of field: Field) -> Int? {
        field.type.kept.hasColumn ? columns[ColumnKey(field: field.id, type: field.type)] : nil
    }
}

/// What a column is for: the cells of a field under one of its types.
struct ColumnKey: Hashable, Sendable {
    let field: FieldID
    let type: FieldType
}

/// What readers need to know at once about a table's committed state.
final class TableCounters: Sendable {
    /// How many records there are.
    let records: Atomic<Int>
    /// Whether the order of record numbers is the order of record ids. False is always safe.
    let isInOrder: Atomic<Bool>
    /// Counts the commits that changed records of the table or links of its fields.
    let changes = Atomic(0)

    init(records: Int, isInOrder: Bool) {
        self.records = Atomic(records)
        self.isInOrder = Atomic(isInOrder)
    }
}

/// One committed version of all that is not records.
struct StoreState: Sendable {
    var schema: Schema
    var users: UserDirectory
    var catalog: Catalog
}
