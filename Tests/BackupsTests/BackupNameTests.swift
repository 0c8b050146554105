import CivilTime
import Testing

@testable import Backups

@Suite struct BackupNameTests {
    @Test func `A name tells the time to the second in UTC`() throws {
        let time = try #require(Instant(iso8601: "2026-11-30T17:55:09.987Z"))
        #expect(BackupName(time).description == "rowhouse-2026-11-30T175509Z")
        #expect(BackupName("rowhouse-2026-11-30T175509Z") == BackupName(time))
    }

    @Test(arguments: [
        "", "rowhouse-", "rowhouse-2026-11-30T175509", "rowhouse-2026-11-30T17:55:09Z",
        "rowhouse-2026-11-30T175509Z.part",
        "Rowhouse-2026-11-30T175509Z", "rowhouse-2026-11-3xT175509Z", "rowhouse-2026-11-30T175509ZZ", "rowhouse.db",
        " rowhouse-2026-11-30T175509Z", "rowhouse-２０２６-11-30T175509Z",
    ])
    func `Any other name is none of ours`(text: String) {
        #expect(BackupName(text) == nil)
    }

    @Test func `What is not whole is told by its ending`() {
        #expect(BackupName.isPart("rowhouse-2026-11-30T175509Z.part"))
        for text in ["rowhouse-2026-11-30T175509Z", "other.part", ".part", "rowhouse-2026-11-30T175509Z.part.part"] {
            #expect(!BackupName.isPart(text))
        }
    }

    @Test func `Later is greater`() throws {
        let names = ["2025-12-31T23:59:59Z", "2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"].map {
            Instant(iso8601: $0).map { BackupName($0) }
        }
        for (earlier, later) in zip(names, names.dropFirst()) {
            #expect(try #require(earlier) < #require(later))
        }
    }
}
