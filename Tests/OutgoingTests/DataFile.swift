import Platform

/// A table in Data/: one case a line, columns between tabs, `#` begins a remark.
enum DataFile {
    /// The lines, each with at least so many columns.
    static func rows(_ name: String, columns: Int) throws -> [[String]] {
        let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let bytes = try ReadFile.bytes(of: "\(folder)/Data/\(name)", limit: 1 << 20)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return cells + Array(repeating: "", count: max(0, columns - cells.count))
        }
    }
}
