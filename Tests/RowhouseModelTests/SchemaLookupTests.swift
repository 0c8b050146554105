import CivilTime
import RowhouseModel
import Testing

struct SchemaLookupTests {
    private static let ids = (0..<9).map { FieldID(text: IdentifierText(time: 1, counter: UInt64($0))) }

    private static func table(
        _ names: [String], name: String = "Tasks", number: UInt64 = 0, views: [View] = []
    ) -> TableSchema {
        let fields = names.enumerated().map { index, name in
            Field(id: ids[index], name: name, type: .singleLineText, options: .none)
        }
        return TableSchema(
            id: TableID(text: IdentifierText(time: 2, counter: number)),
            base: BaseID(text: IdentifierText(time: 3, counter: 0)), name: name, description: nil,
            primaryFieldID: ids[0], fields: fields, views: views, version: 1)
    }

    @Test func `A field is found by its exact name only`() {
        let table = Self.table(["NAME", "name", "Name"])
        #expect(table.index(named: "NAME") == 0)
        #expect(table.index(named: "name") == 1)
        #expect(table.index(named: "Name") == 2)
        #expect(table.index(named: "nAmE") == nil)
        #expect(table.index(named: "Nam") == nil)
        #expect(table.index(named: "") == nil)
        #expect(table.index(named: "name ") == nil)
    }

    @Test func `A field id wins over a field with that name`() {
        let table = Self.table(["Name", Self.ids[0].description])
        #expect(table.index(named: Self.ids[0].description) == 0)
        #expect(table.index(named: Self.ids[1].description) == 1)
        #expect(table.index(of: Self.ids[1]) == 1)
        #expect(table.index(of: Self.ids[8]) == nil)
    }

    @Test func `A name of the shape of an id is a name where no field has that id`() {
        let table = Self.table(["Name", Self.ids[8].description])
        #expect(table.index(named: Self.ids[8].description) == 1)
    }

    @Test func `A view is found by id or exact name`() {
        let views = ["GRID", "grid", "viw00000000000000"].enumerated().map { index, name in
            View(id: ViewID(text: IdentifierText(time: 0, counter: UInt64(index))), name: name, type: "grid")
        }
        let table = Self.table(["Name"], views: views)
        #expect(table.view(named: "viw00000000000000") == views[0])
        #expect(table.view(named: "grid") == views[1])
        #expect(table.view(named: "Grid") == nil)
        #expect(table.view(named: "other") == nil)
    }

    @Test func `A table is found by id, by exact name, then by name in another case`() {
        let tables = ["TASKS", "tasks", "tbl00000002000000"].enumerated().map { index, name in
            Self.table(["Name"], name: name, number: UInt64(index))
        }
        let base = BaseSchema(
            id: BaseID(text: IdentifierText(time: 3, counter: 0)), name: "Base",
            workspace: WorkspaceID(text: IdentifierText(time: 0, counter: 0)),
            createdTime: Instant(milliseconds: 0), tables: tables)
        #expect(base.table(named: "tasks")?.id == tables[1].id)
        #expect(base.table(named: "Tasks")?.id == tables[0].id)
        #expect(base.table(named: tables[0].id.description)?.id == tables[0].id)
        #expect(base.table(named: "Other") == nil)
        #expect(
            base.replacing(tables[1].changed(name: "Done")).tables.map(\.name) == ["TASKS", "Done", tables[2].name])
        #expect(base.removing(tables[1].id).tables.map(\.id) == [tables[0].id, tables[2].id])
    }

    @Test func `A changed table counts its version up and keeps what is not named`() {
        let table = Self.table(["Name"]).changed(description: .some("About"))
        #expect(table.version == 2 && table.description == "About" && table.name == "Tasks")
        let renamed = table.changed(name: "Jobs")
        #expect(renamed.version == 3 && renamed.description == "About" && renamed.name == "Jobs")
        #expect(renamed.changed(description: .some(nil)).description == nil)
    }

    @Test func `A user is found by e-mail whatever its case`() throws {
        let user = User(
            id: UserID(text: IdentifierText(time: 0, counter: 1)), email: "Ada@Example.org", name: "Ada",
            createdTime: Instant(milliseconds: 0))
        let people = UserDirectory(version: 1, users: [user])
        #expect(people.user(email: "aDA@example.ORG") == user)
        #expect(people.user(email: "ada@example.com") == nil)
        #expect(people.user(user.id) == user)
        #expect(people.user(name: "Ada") == user)
        #expect(people.user(name: "ada") == nil)
    }
}
