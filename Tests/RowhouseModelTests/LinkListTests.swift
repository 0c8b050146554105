import RowhouseModel
import Testing

struct LinkListTests {
    private static let one = "recA1b2C3d4E5f6G7"
    private static let two = "rec00000000000000"

    @Test(arguments: [[], [one], [one, two], [two, one, two]])
    func `A link cell reads as it was made`(ids: [String]) throws {
        let records = try ids.map { try #require(RecordID($0)) }
        let cell = StoredCell.links(records)
        #expect(cell == (ids.isEmpty ? .empty : .text(ids.joined(separator: ","))))
        #expect(cell.linkedRecords == records)
    }

    @Test(arguments: [
        ",", one + ",", "," + one, one + ",," + two, one + ", " + two, one + ";" + two, one + two, "rec", one + "x",
        "tblA1b2C3d4E5f6G7", one + ",recA1b2C3d4E5f6G", one + "," + two + ",r",
    ])
    func `Anything else is no link cell`(text: String) {
        #expect(StoredCell.text(text).linkedRecords == nil)
    }

    @Test func `Numbers are no links`() {
        #expect(StoredCell.integer(1).linkedRecords == nil && StoredCell.real(1).linkedRecords == nil)
    }
}
