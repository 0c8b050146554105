import RowhouseJSON
import RowhouseModel

/// Collaborators: people known to this folder, by id or e-mail (the id wins); with typecast also by name.
enum CollaboratorCell {
    static func decodeSingle(
        _ value: JSONValue, for field: Field, in context: CellContext
    ) throws(APIError) -> StoredCell {
        if context.typecast, value.stringValue?.isEmpty == true { return .empty }
        return .text(try user(value, for: field, in: context).id.description)
    }

    static func decodeMultiple(
        _ value: JSONValue, for field: Field, in context: CellContext
    ) throws(APIError) -> StoredCell {
        var items: [JSONValue] = []
        switch value {
        case .array(let values): items = values
        case .string(let text) where context.typecast:
            items = text.split(separator: ",").map { .string(String($0.drop { $0 == " " })) }
        default: throw .cannotAccept(field.name)
        }
        guard items.count <= 1_000 else { throw .cannotAccept(field.name) }
        var ids: [String] = []
        for item in items {
            let id = try user(item, for: field, in: context).id.description
            if !ids.contains(id) { ids.append(id) }
        }
        return ids.isEmpty ? .empty : .text(ids.joined(separator: ","))
    }

    private static func user(_ value: JSONValue, for field: Field, in context: CellContext) throws(APIError) -> User {
        let found: User?
        switch value {
        case .object(let object):
            if let id = object["id"]?.stringValue {
                found = UserID(id).flatMap { context.users.user($0) }
            } else {
                found = object["email"]?.stringValue.flatMap { context.users.user(email: $0) }
            }
        case .string(let text):
            let byID = UserID(text).flatMap { context.users.user($0) }
            found = byID ?? (context.typecast ? context.users.user(email: text) ?? context.users.user(name: text) : nil)
        default: found = nil
        }
        guard let found else { throw .cannotAccept(field.name) }
        return found
    }

    static func write(_ id: String, users: UserDirectory, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("id")
        writer.string(id)
        if let user = UserID(id).flatMap({ users.user($0) }) {
            writer.key("email")
            writer.string(user.email)
            writer.key("name")
            writer.string(user.name)
        }
        writer.endObject()
    }

    static func name(_ id: String, users: UserDirectory) -> String {
        UserID(id).flatMap { users.user($0)?.name } ?? id
    }
}
