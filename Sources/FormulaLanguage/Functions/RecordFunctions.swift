import RowhouseModel

/// The family of record functions.
enum RecordFunctions {
    static let all: [FormulaFunction] = [recordID, createdTime, lastModifiedTime]

    /// RECORD_ID() gives the id of the record.
    ///
    /// Example: LEFT(RECORD_ID(), 3) → "rec"
    private static let recordID = FormulaFunction(
        "RECORD_ID", 0...0, dependsOnContext: true, result: TextFunctions.text
    ) { evaluation, _ throws(FormulaLimit) in .text(evaluation.record.id.description) }

    /// CREATED_TIME() tells when the record was made.
    ///
    /// Example: CREATED_TIME() <= NOW() → 1
    private static let createdTime = FormulaFunction(
        "CREATED_TIME", 0...0, dependsOnContext: true, result: { _ in .date(hasTime: true) }
    ) { evaluation, _ throws(FormulaLimit) in .date(FormulaDate(evaluation.record.createdTime)) }

    /// LAST_MODIFIED_TIME([{field1}, {field2}, …]) tells when one of the given fields of the record, or any field that
    /// is not computed, was last changed; blank if never.
    ///
    /// Example: IF(LAST_MODIFIED_TIME(), LAST_MODIFIED_TIME() >= CREATED_TIME(), TRUE()) → 1
    private static let lastModifiedTime = FormulaFunction(
        lazy: "LAST_MODIFIED_TIME", 0...FormulaFunction.anyNumber, dependsOnContext: true,
        result: { _ in .date(hasTime: true) }
    ) { evaluation, arguments throws(FormulaLimit) in
        var slots: [Int] = []
        for argument in arguments {
            guard case .field(let slot) = argument else { return .error }
            slots.append(slot)
        }
        try evaluation.spend(slots.count)
        return evaluation.record.lastModifiedTime(slots).map { .date(FormulaDate($0)) } ?? .blank
    }
}
