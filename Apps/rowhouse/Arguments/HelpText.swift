/// What `--help` prints.
enum HelpText {
    /// The commands that begin with `words`; all of them for none.
    static func overview(of words: [String] = []) -> String {
        let forms = CommandForm.all.filter { $0.words.starts(with: words) && !$0.isHidden }
        let names = forms.map { (["rowhouse", $0.name] + $0.operands).joined(separator: " ") }
        var lines: [String] = []
        if words.isEmpty {
            lines += ["Rowhouse \(Version.text): tables over Airtable's Web API, from one program and one folder.", ""]
        }
        lines.append("Commands:")
        lines += columns(zip(names, forms.map(\.summary)).map { ($0, $1) })
        lines += ["", "`--help` after a command tells its options, `--version` the version."]
        return lines.joined(separator: "\n")
    }

    /// One command with its options.
    static func form(_ form: CommandForm) -> String {
        let usage = (["rowhouse", form.name] + form.operands + ["[options]"]).joined(separator: " ")
        var lines = ["Usage: \(usage)", "", form.summary] + form.details + ["", "Options:"]
        lines += columns(
            form.options.map { option in
                let name = (["--\(option.name)"] + (option.placeholder.map { [$0] } ?? [])).joined(separator: " ")
                return (name, option.help + (option.isRepeatable ? " May be repeated." : ""))
            })
        lines += columns([("--help", "This text."), ("--version", "The version.")])
        if form.options.contains(where: \.isSetting) { lines += ["", settingsNote(form)] }
        return lines.joined(separator: "\n")
    }

    private static func settingsNote(_ form: CommandForm) -> String {
        let example = form.options.first(where: \.isSetting)?.variable ?? ""
        return """
            Settings may also come from the environment (\(example) and so on)
            or a file named by --config or ROWHOUSE_CONFIG; an option beats both, the environment beats the file.
            """
    }

    private static func columns(_ rows: [(String, String)]) -> [String] {
        let width = max(26, (rows.map(\.0.count).max() ?? 0) + 2)
        return rows.map { left, right in
            "  " + left + String(repeating: " ", count: max(2, width - left.count)) + right
        }
    }
}
