import HTTPCore
import RowhouseModel

/// What a path and a method ask for, the ids in it already of the right shape.
enum Route {
    case record(RecordRoute, base: BaseID, table: TableReference)
    case base(BaseRoute, base: BaseID)
    case whoami
    case listBases
    case createBase

    /// Calls on the records of a table.
    enum RecordRoute {
        case list, listByPost, create, updateBatch(UpdateRecordsRequest.Unnamed), deleteBatch
        case get(RecordID), update(RecordID, UpdateRecordsRequest.Unnamed), delete(RecordID)
    }

    /// Calls on a base and its schema.
    enum BaseRoute {
        case info, delete, tables, createTable
        case updateTable(TableReference), deleteTable(TableReference)
        case createField(TableReference), updateField(TableReference, FieldID), deleteField(TableReference, FieldID)
        case views, view(ViewID)
    }

    /// Finds the route; nil for a path or a method that is not served, or an id of the wrong shape.
    init?(method: Method, segments: [PathSegment]) {
        let method = method == .head ? Method.get : method
        guard segments.first?.exact == "v0", segments.count >= 2 else { return nil }
        let rest = Array(segments.dropFirst())
        switch rest[0].exact {
        case "meta":
            guard let route = Self.meta(method, Array(rest.dropFirst())) else { return nil }
            self = route
        default:
            guard let base = BaseID(rest[0].exact), rest.count >= 2,
                let route = Self.records(method, Array(rest.dropFirst(2)))
            else { return nil }
            let table = TableReference(rest[1].exact, plusAsSpace: rest[1].plusAsSpace)
            guard !table.exact.isEmpty else { return nil }
            self = .record(route, base: base, table: table)
        }
    }

    /// The base that the route is about.
    var base: BaseID? {
        switch self {
        case .record(_, let base, _), .base(_, let base): base
        case .whoami, .listBases, .createBase: nil
        }
    }

    private static func records(_ method: Method, _ rest: [PathSegment]) -> RecordRoute? {
        switch (rest.count, method) {
        case (0, .get): .list
        case (0, .post): .create
        case (0, .patch): .updateBatch(.kept)
        case (0, .put): .updateBatch(.cleared)
        case (0, .delete): .deleteBatch
        case (1, .post) where rest[0].exact == "listRecords": .listByPost
        case (1, .get): RecordID(rest[0].exact).map { .get($0) }
        case (1, .patch): RecordID(rest[0].exact).map { .update($0, .kept) }
        case (1, .put): RecordID(rest[0].exact).map { .update($0, .cleared) }
        case (1, .delete): RecordID(rest[0].exact).map { .delete($0) }
        default: nil
        }
    }

    private static func meta(_ method: Method, _ rest: [PathSegment]) -> Route? {
        let names = rest.map(\.exact)
        if names == ["whoami"], method == .get { return .whoami }
        guard names.first == "bases" else { return nil }
        guard names.count > 1 else {
            switch method {
            case .get: return .listBases
            case .post: return .createBase
            default: return nil
            }
        }
        guard let base = BaseID(names[1]) else { return nil }
        return base1(method, Array(rest.dropFirst(2))).map { .base($0, base: base) }
    }

    private static func base1(_ method: Method, _ rest: [PathSegment]) -> BaseRoute? {
        switch (rest.count, method, rest.first?.exact) {
        case (0, .get, _): return .info
        case (0, .delete, _): return .delete
        case (1, .get, "tables"): return .tables
        case (1, .post, "tables"): return .createTable
        case (1, .get, "views"): return .views
        case (2, .get, "views"): return ViewID(rest[1].exact).map { .view($0) }
        case (2..., _, "tables"):
            let table = TableReference(rest[1].exact, plusAsSpace: rest[1].plusAsSpace)
            return self.table(method, table, rest.dropFirst(2).map(\.exact))
        default: return nil
        }
    }

    private static func table(_ method: Method, _ table: TableReference, _ rest: [String]) -> BaseRoute? {
        switch (rest.count, method, rest.first) {
        case (0, .patch, _): .updateTable(table)
        case (0, .delete, _): .deleteTable(table)
        case (1, .post, "fields"): .createField(table)
        case (2, .patch, "fields"): FieldID(rest[1]).map { .updateField(table, $0) }
        case (2, .delete, "fields"): FieldID(rest[1]).map { .deleteField(table, $0) }
        default: nil
        }
    }
}
