import CivilTime
import Synchronization
import Testing

@Suite struct TimeZoneDatabaseTests {
    /// Notes each name that is asked for.
    private final class Log: Sendable {
        let names = Mutex<[String]>([])

        func note(_ name: String) { names.withLock { $0.append(name) } }
    }

    @Test func `universal time needs no file`() {
        let database = TimeZoneDatabase { _ in nil }
        for name in ["utc", "UTC"] {
            #expect(database.zone(named: name)?.offsetSeconds(at: Instant(milliseconds: 0)) == 0)
        }
        #expect(database.zone(named: "Utc") == nil)
    }

    @Test func `each file is read once and so is its absence`() {
        let log = Log()
        let database = TimeZoneDatabase { name in
            log.note(name)
            return systemZone(name)
        }
        for _ in 0..<3 {
            #expect(database.zone(named: "Asia/Taipei") != nil)
            #expect(database.zone(named: "Asia/Nowhere") == nil)
            #expect(database.zone(named: "Asia") == nil)
        }
        #expect(log.names.withLock { $0 } == ["Asia/Taipei", "Asia/Nowhere", "Asia"])
    }

    @Test(arguments: [
        "", ".", "..", "../etc/passwd", "Asia/../UTC", "/etc/localtime", "Asia//Taipei", "Asia/", "/", "Asia Taipei",
        "Asia\\Taipei", "Asia/Taipei\0", "Ásia/Taipei", "zone.tab", "%2e", "-\n",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    ]) func `names that could mean another file are never loaded`(name: String) {
        let log = Log()
        let database = TimeZoneDatabase { name in
            log.note(name)
            return systemZone("UTC")
        }
        #expect(database.zone(named: name) == nil)
        #expect(log.names.withLock { $0.isEmpty })
    }

    @Test func `names of 64 bytes with all kinds of characters are loaded`() {
        let database = TimeZoneDatabase { _ in systemZone("Asia/Taipei") }
        let long = String(repeating: "A", count: 64)
        for name in ["Etc/GMT+8", "America/Port-au-Prince", "America/Argentina/Buenos_Aires", "EST5EDT", long] {
            #expect(database.zone(named: name) != nil, "\(name)")
        }
    }

    @Test func `thousands of unknown names are forgotten again`() {
        let log = Log()
        let database = TimeZoneDatabase { name in
            log.note(name)
            return nil
        }
        for index in 0..<5000 { #expect(database.zone(named: "Nowhere/N\(index)") == nil) }
        let before = log.names.withLock { $0.count }
        _ = database.zone(named: "Nowhere/N0")
        #expect(log.names.withLock { $0.count } == before + 1)
        #expect(database.zone(named: "utc") != nil)
    }

    @Test func `every zone of the system can be read`() throws {
        let names = try #require(fileBytes("/usr/share/zoneinfo/tzdata.zi"))
        // Lines `Z NAME …` and `L TARGET NAME`.
        var count = 0
        for line in String(decoding: names, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 2, words[0] == "Z" || words[0] == "L" else { continue }
            let name = String(words[0] == "Z" ? words[1] : words[2])
            guard let bytes = systemZone(name) else { continue }
            #expect(throws: Never.self, "\(name)") { try TimeZoneRules(tzif: bytes) }
            count += 1
        }
        #expect(count > 400)
    }
}
