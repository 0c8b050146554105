/// Writes comma-separated values (RFC 4180), lines ending in CR LF.
package struct CSVWriter {
    /// Whether cells that a spreadsheet would take for a formula get an apostrophe before them.
    let isSpreadsheetSafe: Bool
    private var bytes: [UInt8] = []

    package init(isSpreadsheetSafe: Bool) { self.isSpreadsheetSafe = isSpreadsheetSafe }

    /// Adds a row.
    package mutating func row(_ cells: [String]) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(cell, isAlone: cells.count == 1)
        }
        bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    }

    /// Hands over what was written since the last time.
    package mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    private mutating func append(_ cell: String, isAlone: Bool) {
        let prefix = isSpreadsheetSafe && Self.isFormula(cell) ? "'" : ""
        let needsQuotes = cell.utf8.contains { byte in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ";"), 9, 10, 13: true
            default: false
            }
        }
        // A line of one empty cell would be no line at all.
        guard needsQuotes || isAlone && cell.isEmpty else {
            bytes += prefix.utf8
            bytes += cell.utf8
            return
        }
        bytes.append(UInt8(ascii: "\""))
        bytes += prefix.utf8
        for byte in cell.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether spreadsheets run what a cell holds: it begins with one of `=`, `+`, `-`, `@`, a tab or a line break, and
    /// is no number.
    private static func isFormula(_ cell: String) -> Bool {
        guard let first = cell.utf8.first, "=+-@\t\r\n".utf8.contains(first) else { return false }
        return Double(cell) == nil
    }
}
