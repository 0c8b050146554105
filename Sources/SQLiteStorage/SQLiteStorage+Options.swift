package import CivilTime
import Platform

extension SQLiteStorage {
    /// How a store is opened.
    package struct Options: Sendable {
        /// When a commit counts as durable.
        package enum Synchronous: String, Sendable {
            /// After the write-ahead log is on the disk.
            case full = "FULL"
            /// Whenever the system likes: for tests that need speed more than their data.
            case off = "OFF"
        }

        /// How many threads read at once; more wait.
        package var readers = 4
        /// How many readers are kept free for reads that never wait: one for each event thread.
        package var shortReaders = 2
        package var synchronous = Synchronous.full
        package var clock: @Sendable () -> Instant = { Instant(milliseconds: SystemClock.milliseconds()) }
        /// How long the change log is kept.
        package var changeLogDays = 90
        /// How long what is deleted can be restored.
        package var trashDays = 30
        /// Whether what is too old goes for good; a command that knows no settings of the server leaves it.
        package var purgesTrash = true
        /// How many writes wait at most; more are told to try again.
        package var waitingWrites = 1024
        /// Takes the full text of failures that callers only see as 500.
        package var log: @Sendable (String) -> Void = { _ in }
        /// The greatest number of 4,096-byte pages of the database file; nil for no limit.
        package var pageLimit: Int?
        /// How many columns a table may have had: as many as SQLite lets it have, less those of our own.
        package var columnLimit = 1_950
        /// How many bytes of the file are read through memory that the system shares with its cache; 0 for none.
        package var mappedBytes = 256 << 20
        /// How many KiB of pages each reader keeps for itself; it has the mapped file besides.
        package var cacheKiB = 2048
        /// How many KiB of pages the writer keeps for itself. Every new record touches a page of each sort index: one that
        /// is not kept is read again from the file.
        package var writerCacheKiB = 16_384
        /// How many bytes of text a page holds, and how many of links: one that is longer ends early.
        package var pageBytes = 8 << 20

        /// Whether sort indexes are made; without them every order is sorted anew.
        package var makesIndexes = true

        package init() {}
    }
}
