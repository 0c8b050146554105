/// Reads a command line: words, `--name value` or `--name=value`, operands; `--` ends the options.
enum ArgumentParser {
    /// What `arguments` (without the program's name) ask for.
    ///
    /// - Throws: a usage error that names the mistake.
    static func parse(_ arguments: [String]) throws(CommandError) -> Invocation {
        let options = arguments.prefix { $0 != "--" }
        let wantsHelp = options.contains { $0 == "--help" || $0 == "-h" }
        if !wantsHelp, options.contains("--version") { return .tell("rowhouse \(Version.text)") }
        let words = Array(arguments.prefix { !$0.hasPrefix("-") })
        guard let form = CommandForm.all.first(where: { words.starts(with: $0.words) }) else {
            if wantsHelp { return .tell(HelpText.overview(of: knownPrefix(of: words))) }
            throw unknown(words)
        }
        if wantsHelp { return .tell(HelpText.form(form)) }
        return .run(form, try read(arguments.dropFirst(form.words.count), of: form))
    }

    private static func knownPrefix(of words: [String]) -> [String] {
        let first = Array(words.prefix(1))
        return CommandForm.all.contains { $0.words.starts(with: first) } ? first : []
    }

    private static func unknown(_ words: [String]) -> CommandError {
        let known = knownPrefix(of: words)
        let place = (["rowhouse"] + known).joined(separator: " ")
        guard words.count > known.count else {
            return .usage("A command is missing; `\(place) --help` lists them.")
        }
        let given = words.prefix(known.count + 1).joined(separator: " ")
        return .usage("There is no command \"\(given)\"; `\(place) --help` lists them.")
    }

    private static func read(
        _ arguments: ArraySlice<String>, of form: CommandForm
    ) throws(CommandError) -> ParsedArguments {
        var parsed = ParsedArguments()
        var rest = arguments
        while let argument = rest.popFirst() {
            if argument == "--" {
                parsed.operands += rest
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                parsed.operands.append(argument)
                continue
            }
            let (option, value) = try option(argument, of: form, rest: &rest)
            guard option.isRepeatable || parsed.options[option.name] == nil else {
                throw .usage("--\(option.name) was given twice.")
            }
            parsed.options[option.name, default: []].append(value)
        }
        try check(parsed.operands, of: form)
        return parsed
    }

    private static func option(
        _ argument: String, of form: CommandForm, rest: inout ArraySlice<String>
    ) throws(CommandError) -> (CommandOption, String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = form.options.first(where: { "--" + $0.name == name }) else {
            throw .usage("There is no option \(name); `rowhouse \(form.name) --help` lists them.")
        }
        if parts.count == 2 { return (option, String(parts[1])) }
        guard let placeholder = option.placeholder else { return (option, "true") }
        guard let value = rest.first, !value.hasPrefix("--") else {
            throw .usage("\(name) needs a value: \(name) \(placeholder).")
        }
        rest.removeFirst()
        return (option, value)
    }

    private static func check(_ operands: [String], of form: CommandForm) throws(CommandError) {
        if operands.count < form.operands.count {
            throw .usage("\(form.operands[operands.count]) is missing; see `rowhouse \(form.name) --help`.")
        }
        if operands.count > form.operands.count {
            throw .usage("\"\(operands[form.operands.count])\" is one argument too many.")
        }
    }
}
