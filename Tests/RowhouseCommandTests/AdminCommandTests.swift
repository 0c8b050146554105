import RowhouseJSON
import RowhouseModel
import Testing
import Transfer

@testable import rowhouse

@Suite struct AdminCommandTests {
    private func commands() throws -> [AdminCommand] {
        let file = try BaseFile([
            "name": "Shop",
            "tables": [
                [
                    "name": "Drinks", "description": "All",
                    "fields": [["name": "n", "type": "number", "options": ["precision": 0], "description": "d"]],
                    "records": [["n": 1], [:]],
                ],
                ["name": "Empty", "fields": [["name": "t", "type": "singleLineText"]]],
            ],
        ])
        return [
            .createToken(name: "N", user: nil, scopes: nil, bases: nil, expiresDays: nil),
            .createToken(name: "名\n\"", user: "usrX", scopes: ["a", "b"], bases: [], expiresDays: 30),
            .listTokens, .revokeToken("patX"), .createUser(email: "a@b", name: "林"), .listUsers, .listBases,
            .createBase(file), .exportBase("appX", table: nil, isSpreadsheetSafe: false),
            .exportBase("茶行", table: "Drinks", isSpreadsheetSafe: true),
            .backUp(to: "/place/茶"), .examine(readsFiles: false), .examine(readsFiles: true),
        ]
    }

    @Test func `A command reads back from its line`() throws {
        for command in try commands() {
            let line = JSONValue.object(command.json).bytes
            #expect(!line.contains(UInt8(ascii: "\n")))
            let object = try #require(JSONParser.parse(line).objectValue)
            #expect(try AdminCommand(object) == command)
        }
    }

    @Test(arguments: [
        "{}", #"{"command":1}"#, #"{"command":"frob"}"#, #"{"command":"token create"}"#,
        #"{"command":"token create","name":1}"#, #"{"command":"token create","name":"n","scopes":"a"}"#,
        #"{"command":"token create","name":"n","scopes":[1]}"#,
        #"{"command":"token create","name":"n","expiresDays":1.5}"#, #"{"command":"token revoke"}"#,
        #"{"command":"user create","email":"a@b"}"#, #"{"command":"backup"}"#, #"{"command":"base create"}"#,
        #"{"command":"base create","base":{"name":"n","tables":[]}}"#,
    ])
    func `Any other object is refused`(line: String) throws {
        let object = try #require(JSONParser.parse(Array(line.utf8)).objectValue)
        #expect(throws: CommandError.self) { try AdminCommand(object) }
    }

    @Test func `What a command tells meanwhile reads back from its line`() {
        for event in [AdminEvent.text("茶\n\"x\""), .progress(done: 1, of: 3, what: "files", unit: .bytes)] {
            #expect(AdminEvent(event.json) == event)
            #expect(AdminAnswer(event.json) == nil)
        }
        #expect(AdminEvent([:]) == nil)
        #expect(AdminEvent(["done": 1.5, "of": 2, "what": "x", "unit": "bytes"]) == nil)
        #expect(AdminEvent(["done": 1, "of": 2, "what": "x", "unit": "miles"]) == nil)
    }

    @Test func `An answer reads back from its line`() {
        let answers: [AdminAnswer] = [
            .done([]), .done(["a", "林\t\"x\""]), .failed(CommandError(.unavailable, "No.")), .failed(.usage("Why?")),
        ]
        for answer in answers { #expect(AdminAnswer(answer.json) == answer) }
        #expect(AdminAnswer([:]) == nil)
        #expect(AdminAnswer(["error": "x", "code": 3]) == .failed(CommandError(.failure, "x")))
    }

    @Test(arguments: [
        ("[", "f is not JSON: "), ("[]", "f: the base must be"), (#"{"name":1}"#, "f: the base must be"),
        (#"{"name":"n"}"#, "f: \"tables\" must be"), (#"{"name":"n","tables":[1]}"#, "f: tables[0] must be"),
        (#"{"name":"n","tables":[{"name":"t","fields":[]}]}"#, "f: tables[0].fields must be"),
        (#"{"name":"n","tables":[{"name":"t","fields":[{"name":"a"}]}]}"#, "f: tables[0].fields[0] must be"),
        (
            #"{"name":"n","tables":[{"name":"t","fields":[{"name":"a","type":"url"}],"records":[1]}]}"#,
            "f: tables[0].records must be a list of objects."
        ),
    ])
    func `A wrong base file is named with the place`(text: String, message: String) throws {
        let error = try #require(throws: TransferError.self) { try BaseFile.read(Array(text.utf8), path: "f") }
        let command = CommandError.transfer(error)
        #expect(command.code == .failure)
        #expect(command.message.hasPrefix(message), "\(command.message)")
    }

    @Test func `The sample is a tea shop, a diary and notes`() throws {
        let sample = try SampleBase.file()
        #expect(sample.name == "巷口茶行")
        #expect(sample.tables.map(\.input.name) == ["Drinks", "Orders", "Diary", "Notes"])
        #expect(sample.tables.map(\.records.count) == [24, 20, 7, 5])
        for table in sample.tables {
            let names = Set(table.input.fields.map(\.name))
            for record in table.records { #expect(names.isSuperset(of: record.keys)) }
        }
        let drinks = Set(sample.tables[0].records.compactMap { $0["name"]?.stringValue })
        for order in sample.tables[1].records { #expect(drinks.contains(order["drink"]?.stringValue ?? "")) }
    }

    @Test func `An error is one line whatever it tells`() {
        #expect(CommandError(.failure, "a\nb\u{1b}[31m").message == "a b [31m")
    }
}
