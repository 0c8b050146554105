package import RowhouseModel

/// What some records link to through one link field: each linked record once, with the cells asked for.
package struct LinkedRecords: Sendable {
    package var batch: RecordBatch
    /// Places in `batch`, record after record, in the order of each cell.
    package var places: [Int32]
    /// Where the places of each of the records asked about end in `places`; they begin where the one before ends.
    package var ends: [Int32]

    package init(batch: RecordBatch, places: [Int32], ends: [Int32]) {
        self.batch = batch
        self.places = places
        self.ends = ends
    }

    /// The places in `batch` of what one of the records asked about links to.
    package func places(of record: Int) -> ArraySlice<Int32> {
        guard ends.indices.contains(record) else { return [] }
        let start = record == 0 ? 0 : Int(ends[record - 1])
        return places[start..<max(start, Int(ends[record]))]
    }
}
