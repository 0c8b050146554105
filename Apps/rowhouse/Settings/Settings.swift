import Platform

/// The values of a command's options, from the command line, else the environment, else a file.
struct Settings: Sendable {
    /// A value and the place that set it, for messages.
    struct Value: Sendable, Equatable {
        let text: String
        let origin: String
    }

    private let form: CommandForm
    private let arguments: ParsedArguments
    private let environment: @Sendable (String) -> String?
    private let file: SettingsFile?

    /// Reads the file that `--config` or `ROWHOUSE_CONFIG` names, if one does.
    init(
        _ form: CommandForm, _ arguments: ParsedArguments,
        environment: @escaping @Sendable (String) -> String? = Environment.value
    ) throws(CommandError) {
        self.form = form
        self.arguments = arguments
        self.environment = environment
        let path =
            arguments.options["config"]?.first ?? environment("ROWHOUSE_CONFIG").flatMap { $0.isEmpty ? nil : $0 }
        file = if let path { try Self.read(path) } else { nil }
    }

    /// What must follow the command's words.
    var operands: [String] { arguments.operands }

    /// Every value of an option, from the strongest place that sets it; lists may also be joined by commas.
    func values(_ name: String) -> [Value] {
        let values = found(name)
        guard let option = form.options.first(where: { $0.name == name }), option.isRepeatable else { return values }
        return values.flatMap { value in
            value.text.split(separator: ",", omittingEmptySubsequences: false).map {
                Value(text: $0.withoutMargins, origin: value.origin)
            }
        }
    }

    /// The value of an option that takes one.
    func value(_ name: String) -> Value? { values(name).first }

    /// The texts of a list; nil when it is not set.
    func texts(_ name: String) -> [String]? {
        let texts = values(name).map(\.text)
        return texts.isEmpty ? nil : texts
    }

    /// The text of an option that the command cannot do without.
    func required(_ name: String) throws(CommandError) -> String {
        if let value = value(name), !value.text.isEmpty { return value.text }
        guard let option = form.options.first(where: { $0.name == name }) else { return "" }
        let others = option.isSetting ? " (or \(option.variable))" : ""
        throw .usage("--\(name) \(option.placeholder ?? "")\(others) is missing.")
    }

    /// Whether a switch is on.
    func isOn(_ name: String) throws(CommandError) -> Bool {
        guard let value = value(name) else { return false }
        switch value.text.lowercased() {
        case "true", "yes", "on", "1": return true
        case "false", "no", "off", "0": return false
        default: throw .usage("\(value.origin): \"\(value.text)\" is neither true nor false.")
        }
    }

    /// A whole number within a range; nil when it is not set.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(CommandError) -> Int? {
        guard let value = value(name) else { return nil }
        guard let number = Int(value.text), range.contains(number) else {
            throw .usage(
                "\(value.origin): \"\(value.text)\" is not a whole number from \(range.lowerBound) to \(range.upperBound)."
            )
        }
        return number
    }

    private func found(_ name: String) -> [Value] {
        if let texts = arguments.options[name] { return texts.map { Value(text: $0, origin: "--\(name)") } }
        guard let option = form.options.first(where: { $0.name == name }), option.isSetting else { return [] }
        if let text = environment(option.variable), !text.isEmpty {
            return [Value(text: text, origin: option.variable)]
        }
        guard let file else { return [] }
        return (file.entries[name] ?? []).map {
            Value(text: $0.value, origin: "\(file.path), line \($0.line), \(name)")
        }
    }

    private static func read(_ path: String) throws(CommandError) -> SettingsFile {
        let bytes: [UInt8]
        do { bytes = try ReadFile.bytes(of: path, limit: 65536) } catch {
            throw .file(path, error, otherwise: .inputOutput)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .usage("\(path) is not UTF-8 text.") }
        return try SettingsFile(text, path: path, options: CommandForm.all.flatMap(\.options).filter(\.isSetting))
    }
}
