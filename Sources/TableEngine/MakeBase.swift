package import RowhouseModel
import Storage

extension Engine: BaseMaking {
    package func beginBase(_ request: CreateBaseRequest, as caller: Caller) throws(APIError) -> BaseSchema {
        try begin(request.name, as: caller) { (session) throws(APIError) in try session.newBase(request) }
    }

    package func beginBase(copying copy: SchemaCopy, as caller: Caller) throws(APIError) -> BaseSchema {
        try begin(copy.name, as: caller) { (session) throws(APIError) in try SchemaCopying(copy, session).base() }
    }

    private func begin(
        _ name: String, as caller: Caller, _ make: @escaping @Sendable (WriteSession) throws(APIError) -> BaseSchema
    ) throws(APIError) -> BaseSchema {
        guard caller.holds(.schemaWrite), caller.bases == nil else { throw .invalidPermissions }
        guard Self.isName(name) else { throw .invalidRequest }
        return try storage.write { [self] (writer) throws(APIError) in
            let session = session(writer, as: caller)
            return try session.add(try make(session).begun())
        }
    }

    package func finishBase(_ base: BaseID) throws(APIError) {
        try storage.write { (writer) throws(APIError) in try writer.finishBase(base) }
    }

    package func abandonBase(_ base: BaseID) throws(APIError) {
        try storage.write { (writer) throws(APIError) in try writer.abandonBase(base) }
    }
}
