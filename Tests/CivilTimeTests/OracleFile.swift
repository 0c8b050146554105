import Glibc
import Testing

/// The bytes of a file; nil when it cannot be read.
func fileBytes(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count == 0 { return bytes }
        guard count > 0 else { return nil }
        bytes.append(contentsOf: buffer[..<count])
    }
}

/// The lines of a file in Oracle/, each split at the separator; a missing or empty file is an error.
func oracleLines(_ name: String, separator: Character) throws -> [[String]] {
    let folder = #filePath.dropLast("OracleFile.swift".count)
    let bytes = try #require(fileBytes(folder + "Oracle/" + name))
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    try #require(lines.count > 100)
    return lines.map { $0.split(separator: separator, omittingEmptySubsequences: false).map(String.init) }
}

/// The bytes of a zone of the system's database.
func systemZone(_ name: String) -> [UInt8]? { fileBytes("/usr/share/zoneinfo/" + name) }
