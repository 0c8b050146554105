import Backups
import CivilTime
import Platform

/// Makes backups by itself while a server runs. When the next is due is told by the backups that there are, so restarts
/// neither skip nor add one; what fails leaves a line in the log and is tried again.
final class BackupSchedule: Sendable {
    private let settings: BackupSettings
    private let desk: BackupDesk
    private let clock: @Sendable () -> Instant
    private let log: @Sendable (String) -> Void
    private let wake = Semaphore()
    private let isStopped = Guarded(false)
    /// Its one thread lets others go first.
    private let team = WorkerTeam(name: "backups", workers: 1, waitingLimit: 1, niceness: 10)

    /// In milliseconds.
    private static let hour: Int64 = 3_600_000
    private static let longestPause: Int64 = 60_000

    init(
        _ settings: BackupSettings, _ desk: BackupDesk, clock: @escaping @Sendable () -> Instant = Wiring.clock,
        log: @escaping @Sendable (String) -> Void = Wiring.log
    ) {
        self.settings = settings
        self.desk = desk
        self.clock = clock
        self.log = log
    }

    /// Begins.
    func start() { _ = team.trySubmit { self.run() } }

    /// Ends a backup that is being made, and itself.
    func stop() {
        isStopped.withLock { $0 = true }
        desk.stop()
        wake.signal()
        team.shutDown(gracePeriod: .seconds(10))
    }

    private func run() {
        var next = due()
        while !isStopped.withLock({ $0 }) {
            var left = next.milliseconds - clock().milliseconds
            // The clock was set back, or a backup was made by hand.
            if left <= 0 || left > settings.pause { next = due() }
            left = next.milliseconds - clock().milliseconds
            if left <= 0 { next = clock().adding(milliseconds: attempt()) }
            left = max(1, min(next.milliseconds - clock().milliseconds, Self.longestPause))
            _ = wake.wait(milliseconds: Int(left))
        }
    }

    /// When the newest backup is old enough; now when there is none, or when that cannot be told.
    func due() -> Instant {
        let now = clock()
        let newest = (try? desk.times(in: settings.place))?.first { $0 <= now }
        return newest?.adding(milliseconds: settings.pause) ?? now
    }

    /// Makes one; how long to wait after it, in milliseconds.
    private func attempt() -> Int64 {
        do throws(BackupError) {
            let made = try desk.make(in: settings.place, keeping: settings.keep) { _ in }
            log("backup: \(made.lines.joined(separator: ": "))")
            for name in made.removed { log("backup: \(name) had its time and was removed.") }
            return settings.pause
        } catch {
            if error.kind == .stopped { return settings.pause }
            log("the backup was not made: \(error.message)")
            return error.kind == .busy ? min(settings.pause, Self.longestPause) : min(settings.pause, Self.hour)
        }
    }
}
