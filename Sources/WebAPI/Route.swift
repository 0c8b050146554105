import HTTPCore
import RowhouseModel

/// What a path and a method ask for, the ids in it already of the right shape.
enum Route {
    case record(RecordRoute, base: BaseID, table: TableReference)
    case comment(CommentRoute, record: RecordID, base: BaseID, table: TableReference)
    case base(BaseRoute, base: BaseID)
    case uploadAttachment(base: BaseID, record: RecordID, field: String)
    case whoami
    case listBases
    case createBase
    case listDeletedBases
    case restoreBase(BaseID)

    /// Calls on the records of a table.
    enum RecordRoute {
        case list, listByPost, create, updateBatch(UpdateRecordsRequest.Unnamed), deleteBatch
        case get(RecordID), update(RecordID, UpdateRecordsRequest.Unnamed), delete(RecordID)
        case history(RecordID), restoreCell(RecordID, ChangeID)
    }

    /// Calls on the comments of a record.
    enum CommentRoute {
        case list, create, update(CommentID), delete(CommentID)
    }

    /// Calls on a base and its schema.
    enum BaseRoute {
        case info, delete, tables, createTable
        case updateTable(TableReference), deleteTable(TableReference)
        case createField(TableReference), updateField(TableReference, FieldID), deleteField(TableReference, FieldID)
        case trash, restore(TrashReference)
        case views, view(ViewID), deleteViewOfBase(ViewReference)
        case createView(TableReference), updateView(TableReference, ViewReference)
        case deleteView(TableReference, ViewReference)
    }

    /// Finds the route; nil for a path or a method that is not served, or an id of the wrong shape.
    init?(method: Method, segments: [PathSegment]) {
        let method = method == .head ? Method.get : method
        guard segments.count >= 3, segments[0].exact == "v0" else { return nil }
        guard segments[1].exact != "meta" else {
            guard let route = Self.meta(method, Array(segments.dropFirst(2))) else { return nil }
            self = route
            return
        }
        if segments.count == 5, segments[4].exact == "uploadAttachment" {
            guard method == .post, let base = BaseID(segments[1].exact), let record = RecordID(segments[2].exact),
                !segments[3].exact.isEmpty
            else { return nil }
            self = .uploadAttachment(base: base, record: record, field: segments[3].exact)
            return
        }
        let table = TableReference(segments[2].exact, plusAsSpace: segments[2].plusAsSpace)
        guard let base = BaseID(segments[1].exact), !table.exact.isEmpty else { return nil }
        guard segments.count <= 4 else {
            guard let record = RecordID(segments[3].exact),
                let route = Self.record(
                    method, segments[4].exact, segments.dropFirst(5).map(\.exact), record: record, base: base,
                    table: table)
            else { return nil }
            self = route
            return
        }
        guard let route = Self.records(method, segments.count == 4 ? segments[3].exact : nil) else { return nil }
        self = .record(route, base: base, table: table)
    }

    /// The base that the route is about.
    var base: BaseID? {
        switch self {
        case .record(_, let base, _), .comment(_, _, let base, _), .base(_, let base),
            .uploadAttachment(let base, _, _):
            base
        case .restoreBase(let base): base
        case .whoami, .listBases, .createBase, .listDeletedBases: nil
        }
    }

    /// A call on a table, or on what follows it in the path.
    private static func records(_ method: Method, _ last: String?) -> RecordRoute? {
        guard let last else {
            switch method {
            case .get: return .list
            case .post: return .create
            case .patch: return .updateBatch(.kept)
            case .put: return .updateBatch(.cleared)
            case .delete: return .deleteBatch
            default: return nil
            }
        }
        if method == .post, last == "listRecords" { return .listByPost }
        guard let record = RecordID(last) else { return nil }
        switch method {
        case .get: return .get(record)
        case .patch: return .update(record, .kept)
        case .put: return .update(record, .cleared)
        case .delete: return .delete(record)
        default: return nil
        }
    }

    /// A call on what belongs to a record.
    private static func record(
        _ method: Method, _ name: String, _ rest: [String], record: RecordID, base: BaseID, table: TableReference
    ) -> Route? {
        switch name {
        case "comments": comments(method, rest).map { .comment($0, record: record, base: base, table: table) }
        case "history": history(method, rest, of: record).map { .record($0, base: base, table: table) }
        default: nil
        }
    }

    private static func history(_ method: Method, _ rest: [String], of record: RecordID) -> RecordRoute? {
        switch (rest.count, method) {
        case (0, .get): .history(record)
        case (2, .post) where rest[1] == "restore": ChangeID(rest[0]).map { .restoreCell(record, $0) }
        default: nil
        }
    }

    private static func comments(_ method: Method, _ rest: [String]) -> CommentRoute? {
        switch (rest.count, method) {
        case (0, .get): .list
        case (0, .post): .create
        case (1, .patch): CommentID(rest[0]).map { .update($0) }
        case (1, .delete): CommentID(rest[0]).map { .delete($0) }
        default: nil
        }
    }

    private static func meta(_ method: Method, _ rest: [PathSegment]) -> Route? {
        let names = rest.map(\.exact)
        if names == ["whoami"], method == .get { return .whoami }
        if names == ["trash"], method == .get { return .listDeletedBases }
        if names.count == 3, names[0] == "trash", names[2] == "restore", method == .post {
            return BaseID(names[1]).map { .restoreBase($0) }
        }
        guard names.first == "bases" else { return nil }
        guard names.count > 1 else {
            switch method {
            case .get: return .listBases
            case .post: return .createBase
            default: return nil
            }
        }
        guard let base = BaseID(names[1]) else { return nil }
        return baseRoute(method, Array(rest.dropFirst(2))).map { .base($0, base: base) }
    }

    private static func baseRoute(_ method: Method, _ rest: [PathSegment]) -> BaseRoute? {
        switch (rest.count, method, rest.first?.exact) {
        case (0, .get, _): return .info
        case (0, .delete, _): return .delete
        case (1, .get, "tables"): return .tables
        case (1, .post, "tables"): return .createTable
        case (1, .get, "trash"): return .trash
        case (3, .post, "trash") where rest[2].exact == "restore":
            return TrashReference(rest[1].exact).map { .restore($0) }
        case (1, .get, "views"): return .views
        case (2, .get, "views"): return ViewID(rest[1].exact).map { .view($0) }
        case (2, .delete, "views"):
            return ViewID(rest[1].exact).map { .deleteViewOfBase(ViewReference($0.description)) }
        case (2..., _, "tables"):
            let table = TableReference(rest[1].exact, plusAsSpace: rest[1].plusAsSpace)
            return self.table(method, table, Array(rest.dropFirst(2)))
        default: return nil
        }
    }

    private static func table(_ method: Method, _ table: TableReference, _ rest: [PathSegment]) -> BaseRoute? {
        switch (rest.count, method, rest.first?.exact) {
        case (0, .patch, _): .updateTable(table)
        case (0, .delete, _): .deleteTable(table)
        case (1, .post, "fields"): .createField(table)
        case (2, .patch, "fields"): FieldID(rest[1].exact).map { .updateField(table, $0) }
        case (2, .delete, "fields"): FieldID(rest[1].exact).map { .deleteField(table, $0) }
        case (1, .post, "views"): .createView(table)
        case (2, .patch, "views"): view(rest[1]).map { .updateView(table, $0) }
        case (2, .delete, "views"): view(rest[1]).map { .deleteView(table, $0) }
        default: nil
        }
    }

    private static func view(_ segment: PathSegment) -> ViewReference? {
        segment.exact.isEmpty ? nil : ViewReference(segment.exact, plusAsSpace: segment.plusAsSpace)
    }
}
