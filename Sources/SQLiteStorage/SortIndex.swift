import Platform
import RowhouseModel
import Storage
import Synchronization

/// An order that an index can serve: by field ids, the first key ascending. An order and its reverse are one.
struct SortDefinition: Hashable, Sendable {
    struct Key: Hashable, Sendable {
        let field: FieldID
        let isDescending: Bool
    }
    let keys: [Key]

    /// The definition that serves the order, and whether it must be read backwards; nil for fields that do not exist.
    static func serving(_ order: [SortKey], of table: TableSchema) -> (definition: Self, isBackwards: Bool)? {
        guard let first = order.first else { return nil }
        let isBackwards = first.direction == .desc
        var keys: [Key] = []
        for key in order {
            guard table.fields.indices.contains(key.field) else { return nil }
            keys.append(Key(field: table.fields[key.field].id, isDescending: (key.direction == .desc) != isBackwards))
        }
        return (Self(keys: keys), isBackwards)
    }

    init(keys: [Key]) { self.keys = keys }

    /// Reads `text`.
    init?(_ text: String) {
        keys = text.split(separator: " ").compactMap { part in
            let pieces = part.split(separator: ":")
            guard pieces.count == 2, let field = FieldID(String(pieces[0])) else { return nil }
            return Key(field: field, isDescending: pieces[1] == "desc")
        }
        if keys.isEmpty { return nil }
    }

    /// How the definition is kept.
    var text: String {
        keys.map { "\($0.field):\($0.isDescending ? "desc" : "asc")" }.joined(separator: " ")
    }

    /// The order in a version of the table; nil when it has lost a field.
    func order(in table: TableSchema) -> [SortKey]? {
        var order: [SortKey] = []
        for key in keys {
            guard let position = table.index(of: key.field) else { return nil }
            order.append(SortKey(field: position, direction: key.isDescending ? .desc : .asc))
        }
        return order
    }

    /// What the stored keys depend on beside the cells; nil when the table has lost a field.
    func fingerprint(in table: TableSchema, users: UserDirectory) -> String? {
        var text = "v\(SortKeyEncoder.version)"
        var dependsOnUsers = false
        for key in keys {
            guard let position = table.index(of: key.field) else { return nil }
            let field = table.fields[position]
            text += " \(field.type.rawValue)"
            if !field.choices.isEmpty { text += field.choices.map { ",\($0.number)" }.joined() }
            if field.type.showsPeople { dependsOnUsers = true }
        }
        return dependsOnUsers ? text + " users \(users.version)" : text
    }
}

extension FieldType {
    /// Whether cells are ordered by people's names.
    var showsPeople: Bool {
        switch self {
        case .singleCollaborator, .multipleCollaborators, .createdBy, .lastModifiedBy: true
        default: false
        }
    }
}

/// A stored order of one table: `s_<number>`, its keys made by `SortKeyEncoder`.
final class SortIndex: Sendable {
    enum Status: Int {
        /// Kept by every write, but not yet holding all older records.
        case building
        case ready
        case dropped
    }
    let number: Int
    let table: TableID
    let tableNumber: Int
    let definition: SortDefinition
    let fingerprint: String
    private let statusCode: Atomic<Int>
    let lastUse: Atomic<Int64>
    let counts = Guarded(RangeCounts())
    private let written = Guarded<Set<Int64>>([])

    init(
        number: Int, table: TableID, tableNumber: Int, definition: SortDefinition, fingerprint: String,
        status: Status, lastUse: Int64
    ) {
        self.number = number
        self.table = table
        self.tableNumber = tableNumber
        self.definition = definition
        self.fingerprint = fingerprint
        statusCode = Atomic(status.rawValue)
        self.lastUse = Atomic(lastUse)
    }

    var status: Status {
        get { Status(rawValue: statusCode.load(ordering: .acquiring)) ?? .dropped }
        set { statusCode.store(newValue.rawValue, ordering: .releasing) }
    }

    /// Notes that a commit has brought the record's entry up to date while the index is being built.
    func noteWritten(_ record: Int64) {
        guard status == .building else { return }
        written.withLock { _ = $0.insert(record) }
    }

    /// The entries of a snapshot whose records were not written since the building began.
    func notWritten(_ entries: [FirstKeys.Entry]) -> [FirstKeys.Entry] {
        written.withLock { written in entries.filter { !written.contains($0.number) } }
    }

    func becomeReady() {
        status = .ready
        written.withLock { $0 = [] }
    }
}
