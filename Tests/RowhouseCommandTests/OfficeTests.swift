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

    private static let linked: JSONValue = [
        "name": "Shop",
        "tables": [
            ["name": "Drinks", "fields": [["name": "Name", "type": "singleLineText"]]],
            [
                "name": "Orders",
                "fields": [
                    ["name": "Name", "type": "singleLineText"], ["name": "Extra", "type": "singleLineText"],
                    ["name": "Drinks", "type": "multipleRecordLinks", "options": ["linkedTableId": "Drinks"]],
                ],
                "records": .array((0..<250).map { ["Name": .string("o\($0)"), "Extra": .string("e\($0)")] }),
            ],
        ],
    ]

    /// What an export tells, while something is done to the base after its first part.
    private func export(
        _ base: BaseSchema, table: String? = nil, _ change: @escaping @Sendable () -> Void
    ) async throws -> String {
        let parts = Guarded([String]())
        let isFirst = Guarded(true)
        let command = AdminCommand.exportBase("\(base.id)", table: table, isSpreadsheetSafe: false)
        let answer = await house.office.perform(command) { (event) throws(CommandError) in
            guard case .text(let text) = event else { return }
            parts.withLock { $0.append(text) }
            let isNow = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            if isNow { change() }
        }
        #expect(answer == .done([]))
        return parts.withLock { $0.joined() }
    }

    @Test func `An export is of one moment, whatever is written meanwhile`() async throws {
        _ = try await lines(.createBase(try BaseFile(Self.linked)))
        let base = try #require(data.storage.schema.bases.first)
        let orders = base.tables[1]
        let engine = house.engine
        let owner = try house.office.owner()
        let change: @Sendable () -> Void = {
            do {
                let table = TableReference("\(orders.id)")
                let made = try engine.createRecords(
                    CreateRecordsRequest(
                        base: base.id, table: TableReference("Drinks"), records: [RecordInput(fields: ["Name": "new"])],
                        typecast: false, presentation: RecordPresentation(), isSingle: false),
                    as: owner, idempotency: nil)
                guard case .now(let written) = made else { throw APIError.internalError }
                let links = JSONValue.array(written.batch.ids.map { .string("\($0)") })
                _ = try engine.createRecords(
                    CreateRecordsRequest(
                        base: base.id, table: table,
                        records: [RecordInput(fields: ["Name": "later", "Drinks": links])],
                        typecast: false, presentation: RecordPresentation(), isSingle: false),
                    as: owner, idempotency: nil)
                _ = try engine.updateField(
                    UpdateFieldRequest(
                        base: base.id, table: table, field: orders.fields[1].id,
                        name: "Renamed \(written.batch.ids[0])", description: nil, options: nil, type: nil), as: owner,
                    idempotency: nil)
            } catch { Issue.record(error) }
        }
        for round in 0..<2 {
            let text = try await export(base, change)
            let file = try BaseFile.read(Array(text.utf8), path: "export")
            #expect(file.tables[0].records.count == round)
            let records = file.tables[1].records
            #expect(records.count == 250 + round)
            let name = file.tables[1].input.fields[1].name
            #expect(records.prefix(250).enumerated().allSatisfy { $1[name] == .string("e\($0)") })
            _ = try await lines(.createBase(file))
        }
        let text = try await export(base, table: "Orders", change)
        var reader = try CSVReader(Array(text.utf8))
        _ = try reader.row()
        for number in 0..<250 { #expect(try reader.row()?[1] == "e\(number)") }
    }

    @Test func `A base is seen when it is whole, and nothing of it stays when it is not`() async throws {
        let file = try BaseFile(Self.linked)
        let storage = data.storage
        let seen = Guarded([Int]())
        let command = AdminCommand.createBase(file)
        let cut = await house.office.perform(command) { (event) throws(CommandError) in
            guard case .progress(let done, _, _, _) = event else { return }
            seen.withLock { $0.append(storage.schema.bases.count) }
            if done == 100 { throw CommandError(.unavailable, "Gone.") }
        }
        guard case .failed = cut else { throw CommandError(.failure, "\(cut)") }
        #expect(seen.withLock { $0 } == Array(repeating: 0, count: 10))
        #expect(storage.schema.allBases.isEmpty)
        let page = try house.engine.listTrash(of: nil, pageSize: 10, offset: nil, as: try house.office.owner())
        #expect(page.entries.isEmpty)
        _ = try await lines(command)
        #expect(storage.schema.bases.map(\.name) == ["Shop"])
    }

    @Test func `Commands under way are told when the server ends, and leave nothing half done`() async throws {
        let server = try AdminServer(folder: data.path, office: house.office)
        let path = data.path
        let file = try BaseFile(Self.linked)
        let isClosing = Guarded(false)
        let answer = try AdminSocket.ask(.createBase(file), in: path) { (event) throws(CommandError) in
            let isNow = isClosing.withLock { closing in
                defer { closing = true }
                return !closing
            }
            if isNow { Task.detached { server.close() } }
        }
        // It may have been done before the end was asked for.
        switch answer {
        case .failed(let error)?:
            #expect(error.message == "The server is ending.")
            #expect(data.storage.schema.allBases.isEmpty)
        case .done?: #expect(data.storage.schema.bases.count == 1)
        case nil: Issue.record("no answer")
        }
        server.close()
    }

    @Test func `Long texts arrive in parts that fit into messages`() throws {
        for text in ["", "a", "茶", String(repeating: "茶", count: 1_000_000), String(repeating: "a", count: 1 << 20)] {
            let events = AdminEvent.texts(Array(text.utf8))
            var whole = ""
            for event in events {
                guard case .text(let part) = event else { throw CommandError(.failure, "\(event)") }
                #expect(!part.isEmpty && part.utf8.count <= AdminEvent.longestText)
                whole += part
            }
            #expect(whole == text)
        }
        #expect(AdminEvent.longestText * 6 < AdminSocket.messageLimit)
    }

    @Test func `An answer that is too long is told as that`() throws {
        let listener = try LocalSocketListener(name: AdminSocket.name, in: data.path)
        let thread = OwnThread(name: "liar") {
            guard let connection = listener.accept() else { return }
            _ = try? connection.readLine(limit: 1_000, within: .seconds(10))
            let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
            for _ in 0..<66 { guard (try? connection.send(piece, within: .seconds(10))) != nil else { return } }
        }
        defer {
            listener.close()
            thread?.join()
        }
        let error = #expect(throws: CommandError.self) { try AdminSocket.ask(.listUsers, in: data.path) }
        #expect(error?.message == "The server's answer cannot be read; are both of one version?")
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
