import Testing

@testable import rowhouse

@Suite struct ArgumentParserTests {
    private func parsed(_ line: String) throws -> (form: CommandForm, arguments: ParsedArguments) {
        let arguments = line.split(separator: " ").map(String.init)
        guard case .run(let form, let parsed) = try ArgumentParser.parse(arguments) else {
            throw CommandError(.failure, "told, not run")
        }
        return (form, parsed)
    }

    private func told(_ line: String) throws -> String? {
        let arguments = line.split(separator: " ").map(String.init)
        guard case .tell(let text) = try ArgumentParser.parse(arguments) else { return nil }
        return text
    }

    @Test func `Options, switches and operands are told apart`() throws {
        let serve = try parsed(
            "serve --data /d --listen=127.0.0.1:0 --test --trusted-proxy ::1 --trusted-proxy=10.0.0.1")
        #expect(serve.form.name == "serve")
        #expect(
            serve.arguments.options == [
                "data": ["/d"], "listen": ["127.0.0.1:0"], "test": ["true"], "trusted-proxy": ["::1", "10.0.0.1"],
            ])
        let revoke = try parsed("token revoke --data /d patX")
        #expect(revoke.form.name == "token revoke")
        #expect(revoke.arguments.operands == ["patX"])
        let before = try parsed("token revoke patX --data -")
        #expect(before.arguments == ParsedArguments(options: ["data": ["-"]], operands: ["patX"]))
        #expect(try parsed("token revoke -- --patX").arguments.operands == ["--patX"])
        #expect(try parsed("token create --name=a=b --data=").arguments.options == ["name": ["a=b"], "data": [""]])
        #expect(try parsed("token create --name -1").arguments.options == ["name": ["-1"]])
    }

    @Test(arguments: [
        ("", "A command is missing; `rowhouse --help` lists them."),
        ("frob", "There is no command \"frob\"; `rowhouse --help` lists them."),
        ("token", "A command is missing; `rowhouse token --help` lists them."),
        ("token frob x", "There is no command \"token frob\"; `rowhouse token --help` lists them."),
        ("--data /d serve", "A command is missing; `rowhouse --help` lists them."),
        ("serve --dta /d", "There is no option --dta; `rowhouse serve --help` lists them."),
        ("serve -d /d", "There is no option -d; `rowhouse serve --help` lists them."),
        ("serve --data", "--data needs a value: --data FOLDER."),
        ("serve --data --test", "--data needs a value: --data FOLDER."),
        ("serve --data /a --data /b", "--data was given twice."),
        ("serve /d", "\"/d\" is one argument too many."),
        ("token revoke", "TOKENID is missing; see `rowhouse token revoke --help`."),
        ("token revoke a b", "\"b\" is one argument too many."),
    ])
    func `A wrong command line is named in one sentence`(line: String, message: String) throws {
        let error = try #require(throws: CommandError.self) { try parsed(line) }
        #expect(error == CommandError(.usage, message))
    }

    @Test func `Every command tells its own help and the version`() throws {
        for form in CommandForm.all {
            let help = try #require(try told("\(form.name) --help"))
            #expect(help.hasPrefix("Usage: rowhouse \(form.name)"))
            for option in form.options { #expect(help.contains("--\(option.name)")) }
            for operand in form.operands { #expect(help.contains(operand)) }
            for line in help.split(separator: "\n") { #expect(line.count <= 110, "\(line)") }
            #expect(try told("\(form.name) -h --nonsense") == help)
            #expect(try told("\(form.name) --version") == "rowhouse \(Version.text)")
        }
        #expect(try told("--version") == "rowhouse \(Version.text)")
        #expect(try told("token revoke -- --help") == nil)
    }

    @Test func `The overview names every command, a group's names its own`() throws {
        let all = try #require(try told("--help"))
        for form in CommandForm.all { #expect(all.contains("rowhouse \(form.name)") != form.isHidden) }
        let group = try #require(try told("token --help"))
        for form in CommandForm.all {
            #expect(group.contains("rowhouse \(form.name)") == (form.words.first == "token"))
        }
        #expect(try told("frob --help") == all)
    }

    @Test func `No option is given twice in a form, and every setting has one place in the environment`() {
        for form in CommandForm.all { #expect(Set(form.options.map(\.name)).count == form.options.count) }
        let settings = CommandForm.all.flatMap(\.options).filter(\.isSetting)
        #expect(Set(settings.map(\.name)).count == Set(settings.map(\.variable)).count)
        #expect(settings.first { $0.name == "tls-cert" }?.variable == "ROWHOUSE_TLS_CERT")
    }
}
