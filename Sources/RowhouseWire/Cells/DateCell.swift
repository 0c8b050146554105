import CivilTime
import RowhouseJSON
import RowhouseModel

/// Dates without time: `YYYY-MM-DD`, or an ISO date-time cut to its date; kept as 00:00 UTC.
enum DateCell {
    static func decode(
        _ value: JSONValue, for field: Field, in context: CellContext
    ) throws(APIError) -> StoredCell {
        guard case .string(let text) = value else { throw .cannotAccept(field.name) }
        guard let date = CivilDate(iso8601: text) ?? (context.typecast ? typed(text) : nil) else {
            if context.typecast { return .empty }
            throw .cannotAccept(field.name)
        }
        return .integer(Int64(date.daysSinceEpoch) * 86_400_000)
    }

    /// Reads `12/31/2023` and `12/31/23` (month first, as Airtable does).
    static func typed(_ text: String) -> CivilDate? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let month = parts[0], let day = parts[1], var year = parts[2] else { return nil }
        if (0..<100).contains(year) { year += 2000 }
        guard (1...12).contains(month), (1...31).contains(day), (1...9999).contains(year) else { return nil }
        func padded(_ value: Int, _ width: Int) -> String {
            String(repeating: "0", count: max(0, width - String(value).count)) + String(value)
        }
        return CivilDate(iso8601: "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))")
    }

    static func append(_ milliseconds: Int64, to bytes: inout [UInt8]) {
        let days = milliseconds.dividedFloored(by: 86_400_000)
        CivilDate(daysSinceEpoch: Int(days)).appendISO8601(to: &bytes)
    }
}

extension Int64 {
    fileprivate func dividedFloored(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
