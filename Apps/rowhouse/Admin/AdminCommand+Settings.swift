import Platform
import Transfer

extension AdminCommand {
    /// The command that a command line asks for.
    ///
    /// - Throws: a usage error, or the reason why a file cannot be read.
    init(_ form: CommandForm, _ settings: Settings) throws(CommandError) {
        switch form.name {
        case CommandForm.createToken.name:
            self = .createToken(
                name: settings.value("name")?.text ?? "Command line", user: settings.value("user")?.text,
                scopes: settings.texts("scopes"), bases: settings.texts("bases"),
                expiresDays: try settings.integer("expires-days", in: 1...36_500))
        case CommandForm.listTokens.name: self = .listTokens
        case CommandForm.revokeToken.name: self = .revokeToken(settings.operands.first ?? "")
        case CommandForm.createUser.name:
            self = .createUser(email: try settings.required("email"), name: try settings.required("name"))
        case CommandForm.listUsers.name: self = .listUsers
        case CommandForm.createBase.name: self = .createBase(try Self.baseFile(try settings.required("from")))
        case CommandForm.listBases.name: self = .listBases
        case CommandForm.exportBase.name:
            self = .exportBase(
                settings.operands.first ?? "", table: settings.value("table")?.text,
                isSpreadsheetSafe: try settings.isOn("spreadsheet-safe"))
        case CommandForm.backUp.name: self = .backUp(to: try Self.absolute(try settings.required("to")))
        case CommandForm.examine.name: self = .examine(readsFiles: try settings.isOn("files"))
        default: throw CommandError(.failure, "\(form.name) is not done through a folder.")
        }
    }

    /// The process that carries it out may work in another folder.
    private static func absolute(_ path: String) throws(CommandError) -> String {
        do { return try FolderTree.absolute(path) } catch { throw .file(path, error, otherwise: .inputOutput) }
    }

    private static func baseFile(_ path: String) throws(CommandError) -> BaseFile {
        let bytes: [UInt8]
        do { bytes = try ReadFile.bytes(of: path, limit: BaseFile.limit) } catch {
            throw .file(path, error, otherwise: .inputOutput)
        }
        do {
            guard path.lowercased().hasSuffix(".csv") else { return try BaseFile.read(bytes, path: path) }
            let name = path.split(separator: "/").last.map { String($0.dropLast(4)) } ?? ""
            return try CSVBase.read(bytes, name: name.isEmpty ? "Imported" : name, path: path)
        } catch { throw .transfer(error) }
    }
}
