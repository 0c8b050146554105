package import RowhouseModel
import Storage

extension Engine: AccessChecks {
    package func check(
        base: BaseID, table: TableReference?, scope: Scope, as caller: Caller
    ) throws(APIError) {
        if let table {
            _ = try Self.table(table, in: base, of: storage.schema, scope: scope, as: caller)
        } else {
            _ = try Self.base(base, of: storage.schema, scope: scope, as: caller)
        }
    }

    /// The base, if the caller reaches it and holds the scope.
    static func base(
        _ id: BaseID, of schema: Schema, scope: Scope, as caller: Caller
    ) throws(APIError) -> BaseSchema {
        guard let base = schema.base(id), caller.sees(base) else { throw .invalidPermissionsOrModelNotFound }
        guard caller.holds(scope) else { throw .invalidPermissions }
        return base
    }

    /// The table, if the caller reaches its base and holds the scope.
    static func table(
        _ reference: TableReference, in base: BaseID, of schema: Schema, scope: Scope, as caller: Caller
    ) throws(APIError) -> TableSchema {
        guard let found = schema.base(base), caller.sees(found),
            let table = found.table(named: reference.exact) ?? found.table(named: reference.plusAsSpace)
        else { throw .invalidPermissionsOrModelNotFound }
        guard caller.holds(scope) else { throw .invalidPermissions }
        return table
    }

    /// The position of a field that a request names.
    static func field(_ reference: String, of table: TableSchema) throws(APIError) -> Int {
        guard let index = table.index(named: reference) else { throw .unknownFieldName(reference) }
        return index
    }
}
