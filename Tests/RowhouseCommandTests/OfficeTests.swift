import Accounts
import Platform
import RowhouseJSON
import RowhouseModel
import SQLiteStorage
import Storage
import TableEngine
import Testing
import Transfer

@testable import rowhouse

@Suite(.timeLimit(.minutes(1))) struct OfficeTests {
    let folder: TemporaryFolder
    let data: DataFolder
    let house: Wiring.House

    init() throws {
        folder = try TemporaryFolder()
        data = try #require(try DataFolder.open(folder.path + "/data", options: Wiring.options()))
        house = try Wiring.house(data)
    }

    private func lines(_ command: AdminCommand) async throws -> [String] {
        switch await house.office.perform(command) {
        case .done(let lines): lines
        case .failed(let error): throw error
        }
    }

    private func failure(_ command: AdminCommand) async -> CommandError? {
        guard case .failed(let error) = await house.office.perform(command) else { return nil }
        return error
    }

    private func token(
        user: String? = nil, scopes: [String]? = nil, bases: [String]? = nil, days: Int? = nil
    ) -> AdminCommand {
        .createToken(name: "T", user: user, scopes: scopes, bases: bases, expiresDays: days)
    }

    @Test func `A token is made for the owner with all rights unless others are named`() async throws {
        let all = try #require(house.accounts.caller(token: try await lines(token())[0]))
        #expect(all.user.email == "owner@localhost")
        #expect(all.scopes == Set(Scope.all))
        #expect(all.bases == nil)
        let user = try await lines(.createUser(email: "lin@example.org", name: "林"))[0]
        let base = try await lines(.createBase(try SampleBase.file()))[0]
        for name in [user, "LIN@example.org"] {
            let some = try await lines(token(user: name, scopes: ["data.records:read"], bases: [base], days: 30))[0]
            let caller = try #require(house.accounts.caller(token: some))
            #expect("\(caller.user.id)" == user)
            #expect(caller.scopes == [.recordsRead])
            #expect(caller.bases.map { $0.map(\.description) } == [base])
        }
    }

    @Test func `What does not exist is named`() async throws {
        #expect(await failure(token(user: "usrZZZZZZZZZZZZZZ"))?.message == "There is no user usrZZZZZZZZZZZZZZ.")
        #expect(await failure(token(bases: ["appZZZZZZZZZZZZZZ"]))?.message == "There is no base appZZZZZZZZZZZZZZ.")
        #expect(await failure(token(bases: ["Shop"]))?.message == "There is no base Shop.")
        #expect(await failure(token(scopes: ["fly"]))?.message.hasPrefix("There is no scope fly; ") == true)
        #expect(await failure(token(days: 0))?.code == .usage)
        #expect(await failure(.revokeToken("patX"))?.message == "There is no token patX.")
        #expect(await failure(.revokeToken("patZZZZZZZZZZZZZZ"))?.message == "There is no token patZZZZZZZZZZZZZZ.")
        #expect(try await lines(.listTokens).count == 1)
    }

    @Test func `A token is revoked by its id or by its whole text`() async throws {
        for part in [17, 82] {
            let text = try await lines(token())[0]
            #expect(house.accounts.caller(token: text) != nil)
            #expect(try await lines(.revokeToken(String(text.prefix(part)))).isEmpty)
            #expect(house.accounts.caller(token: text) == nil)
        }
        let states = try await lines(.listTokens).dropFirst().map { $0.split(separator: "\t")[6] }
        #expect(states == ["revoked", "revoked"])
    }

    @Test func `The sample base reads back as it is written in its file`() async throws {
        let file = try SampleBase.file()
        let text = try await lines(.createBase(file))[0]
        let id = try #require(BaseID(text))
        let base = try #require(house.folder.storage.schema.base(id))
        #expect(base.name == file.name)
        let owner = try house.office.owner()
        for (table, made) in zip(file.tables, base.tables) {
            #expect(made.name == table.input.name)
            #expect(made.description == table.input.description)
            #expect(made.fields.map(\.name) == table.input.fields.map(\.name))
            #expect(made.fields.map(\.type.rawValue) == table.input.fields.map(\.type))
            var request = ListRecordsRequest(base: base.id, table: TableReference(made.name))
            request.pageSize = 100
            let page = try await house.engine.listRecords(request, as: owner)
            #expect(page.batch.count == table.records.count)
            let first = try #require(made.index(of: made.primaryFieldID))
            let column = try #require(page.batch.fields.firstIndex { $0.id == made.fields[first].id })
            for (index, record) in table.records.enumerated() {
                guard case .string(let value)? = record[made.fields[first].name], made.fields[first].type.isText
                else { continue }
                #expect(page.batch.cell(record: index, field: column) == .text(value))
            }
        }
    }

    @Test func `A base whose records are refused is taken away again`() async throws {
        let file = try BaseFile([
            "name": "Shop",
            "tables": [
                [
                    "name": "Drinks", "fields": [["name": "price", "type": "number", "options": ["precision": 0]]],
                    "records": .array((0..<12).map { $0 == 11 ? ["price": "dear"] : ["price": .number(Double($0))] }),
                ]
            ],
        ])
        let error = try #require(await failure(.createBase(file)))
        #expect(error.message.hasPrefix("Record 12 of Drinks: "), "\(error.message)")
        #expect(house.folder.storage.schema.bases.isEmpty)
        #expect(try await lines(.listBases).count == 1)
    }

    @Test func `Commands arrive over the socket, and nonsense is answered`() async throws {
        let server = try AdminServer(folder: data.path, office: house.office)
        defer { server.close() }
        #expect(AdminSocket.isServed(data.path))
        let answer = try #require(try AdminSocket.ask(.createUser(email: "a@b", name: "A"), in: data.path))
        guard case .done(let lines) = answer else { throw CommandError(.failure, "\(answer)") }
        #expect(house.accounts.users().user(email: "a@b").map { "\($0.id)" } == lines.first)
        #expect(
            try AdminSocket.ask(.revokeToken("x"), in: data.path)
                == .failed(CommandError(.failure, "There is no token x.")))
        for nonsense in ["", "[]", "{", #"{"command":"frob"}"#, "\u{0}"] {
            let connection = try LocalConnection(name: AdminSocket.name, in: data.path)
            try connection.send(Array((nonsense + "\n").utf8), within: .seconds(5))
            let reply = try JSONParser.parse(try connection.readLine(limit: 1000, within: .seconds(5)))
            #expect(reply.objectValue?["code"] == 64, "\(nonsense)")
        }
        server.close()
        #expect(!AdminSocket.isServed(data.path))
        #expect(try AdminSocket.ask(.listUsers, in: data.path) == nil)
    }

    @Test func `A held folder is not opened twice`() throws {
        #expect(try DataFolder.open(data.path, options: Wiring.options())?.path == nil)
    }

    @Test func `Lists keep one line a thing, whatever its name`() {
        #expect(ListText.lines([["a", "b\tc\nd"], ["林"]]) == ["a\tb c d", "林"])
    }
}
