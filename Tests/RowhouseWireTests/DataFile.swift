import Platform

/// A table beside the tests: one case a line, columns between tabs, `#` before remarks.
enum DataFile {
    static func rows(_ name: String) throws -> [[String]] {
        let folder = #filePath.dropLast("DataFile.swift".count)
        let text = String(decoding: try ReadFile.bytes(of: "\(folder)Data/\(name)", limit: 1 << 20), as: UTF8.self)
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    }
}
