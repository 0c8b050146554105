import Platform

/// How far a long piece of work has come, in bytes.
package struct BackupProgress: Sendable, Equatable {
    /// What is being done, such as `Copying files`.
    package let what: String
    package let done: Int
    package let total: Int
}

/// Gets how far the work has come; throws to end it.
package typealias BackupListener = (BackupProgress) throws(BackupError) -> Void

/// Tells how far one part of the work has come, ten times a second at most.
struct ProgressReport {
    private let what: String
    var total: Int
    private var done = 0
    private var next: UInt64 = 0
    private static let pause: UInt64 = 100_000_000

    init(_ what: String, of total: Int) {
        self.what = what
        self.total = total
    }

    mutating func add(_ bytes: Int, _ tell: BackupListener) throws(BackupError) { try set(done &+ bytes, tell) }

    mutating func set(_ done: Int, _ tell: BackupListener) throws(BackupError) {
        self.done = done
        let now = SystemClock.monotonicNanoseconds()
        guard now >= next else { return }
        next = now + Self.pause
        try tell(BackupProgress(what: what, done: min(done, total), total: total))
    }
}
