import Platform
import RowhouseJSON
import RowhouseModel
import TableEngine
import Testing

/// Many records that link to one, which comes back to all of them.
struct LinkedValuesTests {
    private static let count = 2_500
    let house: House
    let tasks: [String]

    init() throws {
        house = try House(indexes: false)
        let hub = try house.records([#"{"Name":"hub"}"#], in: "Other")[0].id
        try house.makeLink("Hub", from: "Tasks", to: "Other")
        try house.compute(
            "Sum", "rollup",
            #"{"recordLinkFieldId":"@Other.Tasks@","fieldIdInLinkedTable":"@Tasks.Count@","formula":"SUM(values)"}"#,
            in: "Other")
        try house.compute(
            "Back", "rollup",
            #"{"recordLinkFieldId":"@Tasks.Hub@","fieldIdInLinkedTable":"@Other.Sum@","formula":"MAX(values)"}"#)
        tasks = try house.records((0..<Self.count).map { _ in #"{"Count":1,"Hub":["\#(hub)"]}"# }).map(\.id)
    }

    private func list(
        _ filter: String?, sort: [SortRequest] = [], _ storage: CountingStorage
    ) throws -> RecordPage {
        let engine = Engine(storage: storage, zones: House.zones)
        var request = ListRecordsRequest(base: house.base, table: TableReference("Tasks"))
        request.filterByFormula = filter
        request.sort = sort
        request.fields = ["Name"]
        return try engine.listRecordsHere(request, as: house.owner)
    }

    @Test func `A filter asks once what the one comes to`() throws {
        let storage = CountingStorage(house.storage)
        #expect(try list("AND({Back} != \(Self.count), {Count} + 1)", storage).batch.count == 0)
        // Each to the one, and the one to all (not all for each); parts that took too long may be read again.
        #expect(storage.links.withLock(\.self) < 20 * Self.count)
        #expect(storage.reads.withLock(\.self) > 3)
    }

    @Test func `So does an order`() throws {
        let storage = CountingStorage(house.storage)
        let page = try list(nil, sort: [SortRequest(field: "Back", direction: .asc)], storage)
        #expect(page.batch.ids.map(\.description) == Array(tasks.prefix(100)))
        #expect(storage.links.withLock(\.self) == 2 * Self.count)
    }

    @Test func `A change on the way is seen by the records that are looked at after it`() throws {
        let (engine, base, owner) = (house.engine, house.base, house.owner)
        let last = try #require(tasks.last)
        let storage = CountingStorage(house.storage) { read in
            guard read == 3 else { return }
            let request = UpdateRecordsRequest(
                base: base, table: TableReference("Tasks"),
                records: [RecordInput(id: last, fields: ["Count": 11])], unnamed: .kept, fieldsToMergeOn: nil,
                typecast: false, presentation: RecordPresentation(), isSingle: false)
            _ = try? engine.updateRecords(request, as: owner, idempotency: nil)
        }
        let found = try list("AND({Back} = \(Self.count + 10), {Count} + 1)", storage).batch.ids.map(\.description)
        #expect(found.count == 100)
        let start = try #require(tasks.firstIndex(of: found[0]))
        #expect(start > 0 && found == Array(tasks[start..<start + 100]))
    }
}
