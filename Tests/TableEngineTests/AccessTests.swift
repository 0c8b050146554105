import RowhouseJSON
import RowhouseModel
import TableEngine
import Testing

struct AccessTests {
    let house: House
    init() throws { house = try House() }

    private func expect(
        _ error: APIError, as caller: Caller, reads: Bool = true, writes: Bool = true,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let id = try house.create(#"{"fields":{"Name":"A"}}"#).rows[0].id
        if reads {
            #expect(failure { _ = try house.list(as: caller) } == error, sourceLocation: location)
            #expect(failure { _ = try house.get(id, as: caller) } == error, sourceLocation: location)
        }
        if writes {
            #expect(
                failure { _ = try house.create(#"{"fields":{}}"#, as: caller) } == error, sourceLocation: location)
            #expect(
                failure { _ = try house.updateOne(id, #"{"fields":{}}"#, as: caller) } == error,
                sourceLocation: location)
            #expect(failure { try house.delete([id], as: caller) } == error, sourceLocation: location)
        }
    }

    @Test func `A token without the scope may not do it`() throws {
        try expect(
            .invalidPermissions, as: House.caller(House.bob, scopes: Scope.all.filter { $0 != .recordsRead }),
            writes: false)
        try expect(
            .invalidPermissions, as: House.caller(House.bob, scopes: Scope.all.filter { $0 != .recordsWrite }),
            reads: false)
        try expect(.invalidPermissions, as: House.caller(House.bob, scopes: []))
    }

    @Test func `A base that the token does not reach looks like one that is not there`() throws {
        let elsewhere: Set<BaseID> = [BaseID(text: IdentifierText(time: 0, counter: 0))]
        try expect(.invalidPermissionsOrModelNotFound, as: House.caller(House.bob, bases: elsewhere))
        // The grant is checked before the scope.
        try expect(.invalidPermissionsOrModelNotFound, as: House.caller(House.bob, scopes: [], bases: elsewhere))
        #expect(try house.engine.listBases(as: House.caller(House.bob, bases: elsewhere)).isEmpty)
        #expect(
            failure { _ = try house.engine.baseSchema(house.base, as: House.caller(House.bob, bases: elsewhere)) }
                == .invalidPermissionsOrModelNotFound)
    }

    @Test func `A token for the base reaches it`() throws {
        let caller = House.caller(House.bob, bases: [house.base])
        let made = try house.create(#"{"fields":{"Name":"B"}}"#, as: caller).rows[0]
        #expect(made["Maker"]?.objectValue?["name"] == "Bob")
        #expect(try house.list(as: caller).rows == [made])
        #expect(try house.engine.listBases(as: caller).map(\.id) == [house.base])
    }

    @Test func `An unknown table is answered like a missing right`() throws {
        for table in ["Nope", "tbl00000000000000", ""] {
            #expect(failure { _ = try house.list(table: table) } == .invalidPermissionsOrModelNotFound)
            #expect(
                failure { _ = try house.create(#"{"fields":{}}"#, table: table) } == .invalidPermissionsOrModelNotFound)
        }
    }

    @Test func `Checks before the body answer as the calls do`() throws {
        let (engine, owner) = (house.engine, house.owner)
        #expect(
            failure {
                try engine.check(base: house.base, table: TableReference("Tasks"), scope: .recordsRead, as: owner)
            }
                == nil)
        #expect(
            failure {
                try engine.check(base: house.base, table: TableReference("Nope"), scope: .recordsRead, as: owner)
            }
                == .invalidPermissionsOrModelNotFound)
        #expect(
            failure {
                try engine.check(
                    base: house.base, table: nil, scope: .schemaRead,
                    as: House.caller(House.bob, scopes: [.recordsRead]))
            } == .invalidPermissions)
        #expect(
            failure {
                try engine.check(
                    base: house.base, table: TableReference("A+B", plusAsSpace: "Tasks"), scope: .recordsRead, as: owner
                )
            } == nil)
    }

    @Test func `Two callers see each other's writes`() throws {
        let bob = House.caller(House.bob)
        let id = try house.create(#"{"fields":{"Name":"A"}}"#).rows[0].id
        _ = try house.updateOne(id, #"{"fields":{"Count":5}}"#, as: bob)
        #expect(try house.get(id)["Count"] == 5)
        try house.delete([id])
        #expect(failure { _ = try house.get(id, as: bob) } == .recordNotFound)
    }

    // MARK: idempotency

    @Test func `A repeated key gets the same answer and writes nothing, also after a restart`() throws {
        let body = #"{"records":[{"fields":{"Name":"A"}}]}"#
        let first = try house.create(body, key: "k")
        let second = try house.create(body, key: "k")
        #expect(!first.isRepeated && second.isRepeated && second.bytes == first.bytes)
        try house.restart()
        let third = try house.create(body, key: "k")
        #expect(third.isRepeated && third.bytes == first.bytes)
        #expect(try house.list().rows.count == 1)
        #expect(try house.create(body, key: "other").isRepeated == false)
        #expect(try house.create(body).isRepeated == false)
        #expect(try house.list().rows.count == 3)
    }

    @Test func `A key used again with another body is refused`() throws {
        _ = try house.create(#"{"fields":{"Name":"A"}}"#, key: "k")
        let error = failure { _ = try house.create(#"{"fields":{"Name":"B"}}"#, key: "k") }
        #expect(error?.status == 422)
        #expect(try house.list().rows.map { $0["Name"] } == ["A"])
    }

    @Test func `Keys of different people are different keys`() throws {
        let body = #"{"fields":{"Name":"A"}}"#
        _ = try house.create(body, key: "k")
        #expect(try house.create(body, as: House.caller(House.bob), key: "k").isRepeated == false)
        #expect(try house.list().rows.count == 2)
    }

    @Test func `Keys of different tokens of one person are different keys, and their answers too`() throws {
        let token = TokenID(text: IdentifierText(time: 9, counter: 9))
        let limited = Caller(user: House.ada, token: token, scopes: [.recordsWrite], bases: [house.base])
        let body = #"{"records":[{"fields":{"Name":"A"}}]}"#
        let first = try house.create(body, key: "k")
        let idempotency = try #require(House.idempotency("k", body))
        #expect(try house.engine.earlierAnswer(idempotency, as: house.owner) == first.bytes)
        #expect(try house.engine.earlierAnswer(idempotency, as: limited) == nil)
        let other = try #require(House.idempotency("k", body + " "))
        #expect(try house.engine.earlierAnswer(other, as: house.owner) == nil)
        #expect(try house.create(body, as: limited, key: "k").isRepeated == false)
        #expect(try house.list().rows.count == 2)
    }

    @Test func `A call that failed is not remembered`() throws {
        #expect(failure { _ = try house.create(#"{"fields":{"Status":"new"}}"#, key: "k") } != nil)
        #expect(try house.create(#"{"fields":{"Name":"A"}}"#, key: "k").isRepeated == false)
    }

    @Test func `Updates and deletions are repeated as they were answered`() throws {
        let id = try house.create(#"{"fields":{"Name":"A"}}"#).rows[0].id
        let body = "{\"records\":[{\"id\":\"\(id)\",\"fields\":{\"Count\":1}}]}"
        let first = try house.update(body, key: "u")
        _ = try house.updateOne(id, #"{"fields":{"Count":2}}"#)
        #expect(try house.update(body, key: "u").bytes == first.bytes)
        #expect(try house.get(id)["Count"] == 2)
        #expect(try house.delete([id], key: "d") == [id])
        #expect(try house.delete([id], key: "d") == ["{\"records\":[{\"deleted\":true,\"id\":\"\(id)\"}]}"])
    }
}
