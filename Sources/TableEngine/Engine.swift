package import CivilTime
import Platform
import RowhouseModel
package import RowhouseWire
package import Storage

/// The rules of bases, tables and records over a store: every door of the house goes through it.
///
/// Its work is synchronous and may block the calling thread; it never runs on an event thread except through
/// `ImmediateReads`.
package final class Engine: Sendable {
    /// The most fields of one table.
    static let mostFields = 500
    /// The most tables of one base.
    static let mostTables = 1_000
    /// The longest name of a base, table, field or view, in UTF-8 bytes.
    static let longestName = 1_000

    let storage: any Storage
    let zones: TimeZoneDatabase
    let encoder: AnswerEncoder
    let links: AttachmentLinks
    /// Nil where there is no place for files.
    let files: AttachmentFiles?
    /// The time that formulas are told.
    let clock: @Sendable () -> Instant
    let formulas: FormulaCache
    let orders = OrderCache()
    let filters = FilterCache()
    /// How many threads wait for another change of their field's type to end.
    let waitingRetypings = Guarded(0)
    /// Filters that have to look at many records work two at once, whatever the number of workers.
    let lane = TurnLane(atOnce: 2, mostWaiting: 256)

    package init(
        storage: any Storage, zones: TimeZoneDatabase, links: AttachmentLinks = AttachmentLinks(),
        files: AttachmentFiles? = nil,
        clock: @escaping @Sendable () -> Instant = { Instant(milliseconds: SystemClock.milliseconds()) }
    ) {
        self.storage = storage
        self.zones = zones
        self.links = links
        self.files = files
        self.clock = clock
        formulas = FormulaCache(links: links)
        encoder = AnswerEncoder(zones: zones, links: links)
    }
}
