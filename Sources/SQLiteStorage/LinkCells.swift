import RowhouseModel

/// Makes the cells of a link field in a batch out of links that come in the order of record numbers.
struct LinkCells {
    private let numbers: [Int64]
    /// The records of the batch in the order of their numbers.
    private let records: [Int]
    private var place = 0
    private var next = 0
    private var number: Int64?
    private var start = 0

    /// `numbers` are those of the batch's records; one may come several times.
    init(numbers: [Int64]) {
        self.numbers = numbers
        records = numbers.indices.sorted { numbers[$0] < numbers[$1] }
    }

    /// Begins with the field at this place of the batch.
    mutating func begin(_ place: Int) {
        self.place = place
        next = 0
        number = nil
    }

    /// Adds a link to the cell of the record with this number.
    mutating func add(_ linked: RecordID, to number: Int64, in batch: inout RecordBatch) {
        if number == self.number {
            batch.text.append(UInt8(ascii: ","))
        } else {
            end(in: &batch)
            self.number = number
            start = batch.text.count
        }
        linked.append(to: &batch.text)
    }

    /// Ends the last cell.
    mutating func end(in batch: inout RecordBatch) {
        guard let number else { return }
        let slot = CellSlot.text(
            start: UInt32(clamping: start), count: UInt32(clamping: batch.text.count - start))
        while next < records.count, numbers[records[next]] <= number {
            let record = records[next]
            if numbers[record] == number { batch.slots[record * batch.fields.count + place] = slot }
            next += 1
        }
    }
}
