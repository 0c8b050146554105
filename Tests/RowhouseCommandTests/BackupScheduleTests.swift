import Backups
import CivilTime
import Platform
import Testing

@testable import rowhouse

@Suite(.timeLimit(.minutes(1))) struct BackupScheduleTests {
    let folder: TemporaryFolder
    let data: DataFolder
    let house: Wiring.House

    init() throws {
        folder = try TemporaryFolder()
        data = try #require(try DataFolder.open(folder.path + "/data", options: Wiring.options()))
        house = try Wiring.house(data)
    }

    private func schedule(hours: Int64, after: Int64 = 0) -> BackupSchedule {
        var settings = BackupSettings(place: folder.path + "/place")
        settings.pause = hours * 3_600_000
        return BackupSchedule(
            settings, house.backups, clock: { Wiring.clock().adding(milliseconds: after * 3_600_000) }, log: { _ in })
    }

    @Test func `The next is due when the newest is old enough, however often the server was started`() throws {
        let now = Wiring.clock()
        #expect(schedule(hours: 24).due() >= now)
        #expect(schedule(hours: 24).due() <= Wiring.clock())
        let made = try house.backups.make(in: folder.path + "/place") { _ in }.manifest.time
        for hours in [1, 24, 1000] as [Int64] {
            #expect(schedule(hours: hours).due() == made.adding(milliseconds: hours * 3_600_000))
            #expect(schedule(hours: hours, after: 2000).due() == made.adding(milliseconds: hours * 3_600_000))
        }
        // One of the future says nothing of when the last was made.
        let earlier = schedule(hours: 24, after: -1000)
        #expect(earlier.due() < made)
    }

    @Test func `A desk that is stopped ends what is asked of it`() throws {
        house.backups.stop()
        let error = #expect(throws: BackupError.self) { try house.backups.make(in: folder.path + "/place") { _ in } }
        #expect(error?.kind == .stopped)
        #expect(try FolderEntries.names(in: folder.path + "/place") == ["rowhouse-backup.lock"])
    }

    private func settings(_ options: [String: [String]]) throws -> BackupSettings? {
        try BackupSettings(
            Settings(.serve, ParsedArguments(options: options), environment: { _ in nil }))
    }

    @Test func `Settings are read, and wrong ones named`() throws {
        #expect(try settings([:]) == nil)
        var wanted = BackupSettings(place: "/b")
        #expect(try settings(["backup-to": ["/b"]]) == wanted)
        #expect(wanted.pause == 86_400_000)
        wanted.pause = 5_400_000
        wanted.keep = 3
        #expect(try settings(["backup-to": ["/b"], "backup-every": ["1.5"], "backup-keep": ["3"]]) == wanted)
        for wrong in ["0", "-1", "nan", "inf", "1e9", "daily", ""] {
            #expect(throws: CommandError.self) { try settings(["backup-to": ["/b"], "backup-every": [wrong]]) }
        }
        #expect(throws: CommandError.self) { try settings(["backup-to": ["/b"], "backup-keep": ["0"]]) }
        let alone = #expect(throws: CommandError.self) { try settings(["backup-keep": ["3"]]) }
        #expect(alone?.message == "--backup-keep needs --backup-to.")
    }

    @Test func `A line tells how far the work is`() {
        #expect(
            ProgressLine.text(1_204_000_000, of: 2_800_000_000, "Copying the database", .bytes)
                == "Copying the database 43 % · 1.2 of 2.8 GB")
        #expect(ProgressLine.text(1200, of: 2800, "Writing", .records) == "Writing 42 % · 1,200 of 2,800 records")
        #expect(ProgressLine.text(0, of: 0, "Counting", .bytes) == "Counting …")
        #expect(ProgressLine.text(9, of: 3, "x", .bytes) == "x 100 % · 9 of 3 bytes")
    }
}
