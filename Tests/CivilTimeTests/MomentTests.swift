import CivilTime
import Glibc
import Testing

/// Random cases against the library moment, run by Debian's node; without it they are left out.
@Suite struct MomentTests {
    private static let isInstalled = access("/usr/bin/node", X_OK) == 0 && access("/usr/share/nodejs/moment", R_OK) == 0

    @Test(.enabled(if: isInstalled, "nodejs and node-moment are not installed (make setup-tests)"))
    func `random cases give what moment gives`() throws {
        let seed = getenv("ROWHOUSE_SEED").flatMap { UInt32(String(cString: $0)) } ?? UInt32.random(in: 1...UInt32.max)
        let count = getenv("ROWHOUSE_MOMENT_CASES").flatMap { Int(String(cString: $0)) } ?? 5000
        print("moment: \(count) cases, seed \(seed)")
        let lines = try output(of: "node '\(folder)Oracle/moment_cases.js' \(seed) \(count)")
            .split(separator: "\n").map(columns)
        #expect(lines.count == count, "seed \(seed)")
        var failures = 0
        for line in lines {
            let ours = try answer(to: line)
            if ours == line.last { continue }
            failures += 1
            if failures <= 40 { Issue.record("seed \(seed): \(line) but \(ours)") }
        }
        #expect(failures == 0, "seed \(seed): \(failures) of \(lines.count)")
        let kinds = Set(lines.map { $0[0] })
        #expect(kinds == ["F", "P", "L", "A", "D", "S", "H"])
    }

    private func answer(to line: [String]) throws -> String {
        let line = Array(line.dropLast())
        switch line.first {
        case "F":
            let zone = TimeZoneRules(fixedOffsetSeconds: try #require(Int(line[3])) * 60, abbreviation: "UTC")
            return DatePattern(line[4], locale: try locale(line[1])).format(try instant(line[2]), in: zone)
        case "P":
            let reader = DateReader(line[3], locale: try locale(line[1]))
            return text(reader.instant(line[4], now: try instant(line[2])))
        case "L": return text(Instant(loose: line[1]))
        case "A":
            let unit = try #require(CalendarUnit(line[4]))
            return text(try instant(line[1]).adding(try #require(Double(line[3])), unit, in: try zone(line[2])))
        case "D":
            // What moment does not know it counts in milliseconds.
            let unit = CalendarUnit(line[4]) ?? .millisecond
            let zone = try zone(line[3])
            return text(try instant(line[1]).difference(from: try instant(line[2]), in: unit, zone: zone))
        case "S":
            let (zone, unit) = (try zone(line[3]), try #require(CalendarUnit(line[4])))
            let first = try locale(line[5]).firstWeekday
            let starts = try [line[1], line[2]].map { try instant($0).start(of: unit, in: zone, firstWeekday: first) }
            return starts[0] == starts[1] ? "1" : "0"
        case "H": return try locale(line[1]).distance(between: try instant(line[2]), try instant(line[3]))
        default: return "?"
        }
    }

    private func instant(_ text: String) throws -> Instant { Instant(milliseconds: try #require(Int64(text))) }
    private func text(_ instant: Instant?) -> String { instant.map { String($0.milliseconds) } ?? "-" }
    private func text(_ number: Double) -> String { String(Int64(number)) }
    private func locale(_ name: String) throws -> LocaleTable { try #require(LocaleTable.named(name)) }
    private func zone(_ minutes: String) throws -> TimeZoneRules {
        TimeZoneRules(fixedOffsetSeconds: try #require(Int(minutes)) * 60)
    }

    private var folder: Substring { #filePath.dropLast("MomentTests.swift".count) }

    private func output(of command: String) throws -> String {
        let pipe = try #require(popen("TZ=UTC NODE_PATH=/usr/share/nodejs \(command)", "r"))
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, pipe)
            if count == 0 { break }
            bytes.append(contentsOf: buffer[..<count])
        }
        try #require(pclose(pipe) == 0)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The columns of a line without their escapes.
    private func columns(_ line: Substring) -> [String] {
        line.split(separator: "\t", omittingEmptySubsequences: false).map { column in
            var text = ""
            var isEscaped = false
            for scalar in column.unicodeScalars {
                if isEscaped {
                    text.unicodeScalars.append(scalar == "t" ? "\t" : scalar == "n" ? "\n" : scalar)
                    isEscaped = false
                } else if scalar == "\\" {
                    isEscaped = true
                } else {
                    text.unicodeScalars.append(scalar)
                }
            }
            return text
        }
    }
}
