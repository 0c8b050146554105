import Platform

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
        default: throw CommandError(.failure, "\(form.name) is not done through a folder.")
        }
    }

    private static func baseFile(_ path: String) throws(CommandError) -> BaseFile {
        let bytes: [UInt8]
        do { bytes = try ReadFile.bytes(of: path, limit: BaseFile.limit) } catch {
            throw .file(path, error, otherwise: .inputOutput)
        }
        return try BaseFile.read(bytes, path: path)
    }
}
