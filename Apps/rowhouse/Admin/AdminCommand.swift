import RowhouseJSON
import Transfer

/// A change or question about a folder, as a value: done at once on a free folder, or sent to the server that holds it.
enum AdminCommand: Sendable, Equatable {
    /// `user` by id or e-mail address, nil for the owner; nil scopes or bases for all.
    case createToken(name: String, user: String?, scopes: [String]?, bases: [String]?, expiresDays: Int?)
    case listTokens
    case revokeToken(String)
    case createUser(email: String, name: String)
    case listUsers
    case createBase(BaseFile)
    case listBases
    /// `base` by id or name; without a table the whole base as JSON, else the table as CSV.
    case exportBase(String, table: String?, isSpreadsheetSafe: Bool)
    /// In the folder with this name, which is from the root.
    case backUp(to: String)
    case examine(readsFiles: Bool)

    /// Whether it may be the first thing that happens to a folder.
    var makesFolder: Bool {
        switch self {
        case .createToken, .createUser, .createBase: true
        case .listTokens, .revokeToken, .listUsers, .listBases, .exportBase, .backUp, .examine: false
        }
    }
}

extension AdminCommand {
    /// The command as one JSON object.
    var json: JSONObject {
        var object = JSONObject()
        switch self {
        case .createToken(let name, let user, let scopes, let bases, let expiresDays):
            object["command"] = "token create"
            object["name"] = .string(name)
            object["user"] = user.map { .string($0) }
            object["scopes"] = scopes.map { .array($0.map { .string($0) }) }
            object["bases"] = bases.map { .array($0.map { .string($0) }) }
            object["expiresDays"] = expiresDays.map { .number(Double($0)) }
        case .listTokens: object["command"] = "token list"
        case .revokeToken(let token):
            object["command"] = "token revoke"
            object["token"] = .string(token)
        case .createUser(let email, let name):
            object["command"] = "user create"
            object["email"] = .string(email)
            object["name"] = .string(name)
        case .listUsers: object["command"] = "user list"
        case .createBase(let file):
            object["command"] = "base create"
            object["base"] = .object(file.json)
        case .listBases: object["command"] = "base list"
        case .exportBase(let base, let table, let isSpreadsheetSafe):
            object["command"] = "base export"
            object["base"] = .string(base)
            object["table"] = table.map { .string($0) }
            object["spreadsheetSafe"] = .bool(isSpreadsheetSafe)
        case .backUp(let place):
            object["command"] = "backup"
            object["to"] = .string(place)
        case .examine(let readsFiles):
            object["command"] = "doctor"
            object["files"] = .bool(readsFiles)
        }
        return object
    }

    /// Reads what `json` made.
    ///
    /// - Throws: a usage error for anything else.
    init(_ object: JSONObject) throws(CommandError) {
        switch object["command"]?.stringValue {
        case "token create":
            self = .createToken(
                name: try object.text("name"), user: try object.optionalText("user"),
                scopes: try object.texts("scopes"), bases: try object.texts("bases"),
                expiresDays: try object.wholeNumber("expiresDays"))
        case "token list": self = .listTokens
        case "token revoke": self = .revokeToken(try object.text("token"))
        case "user create": self = .createUser(email: try object.text("email"), name: try object.text("name"))
        case "user list": self = .listUsers
        case "base create":
            do { self = .createBase(try BaseFile(object["base"] ?? .null)) } catch { throw .transfer(error) }
        case "base list": self = .listBases
        case "base export":
            self = .exportBase(
                try object.text("base"), table: try object.optionalText("table"),
                isSpreadsheetSafe: object["spreadsheetSafe"]?.boolValue ?? false)
        case "backup": self = .backUp(to: try object.text("to"))
        case "doctor": self = .examine(readsFiles: object["files"]?.boolValue ?? false)
        default: throw .usage("The server does not know this command; are both of one version?")
        }
    }
}

extension JSONObject {
    fileprivate func text(_ key: String) throws(CommandError) -> String {
        guard let text = try optionalText(key) else { throw .usage("The command lacks \"\(key)\".") }
        return text
    }

    fileprivate func optionalText(_ key: String) throws(CommandError) -> String? {
        guard let value = self[key] else { return nil }
        guard let text = value.stringValue else { throw .usage("\"\(key)\" of the command is not a text.") }
        return text
    }

    fileprivate func texts(_ key: String) throws(CommandError) -> [String]? {
        guard let value = self[key] else { return nil }
        guard let elements = value.arrayValue else { throw .usage("\"\(key)\" of the command is not a list.") }
        let texts = elements.compactMap(\.stringValue)
        guard texts.count == elements.count else { throw .usage("\"\(key)\" of the command is not a list of texts.") }
        return texts
    }

    fileprivate func wholeNumber(_ key: String) throws(CommandError) -> Int? {
        guard let value = self[key] else { return nil }
        guard let number = value.numberValue, let whole = Int(exactly: number) else {
            throw .usage("\"\(key)\" of the command is not a whole number.")
        }
        return whole
    }
}
