import Blobs
import CivilTime
package import RowhouseModel
import Storage

/// Looks after attachments that no cell holds: what is in the trash or in an earlier state of a cell may come back, what
/// is too old for that is forgotten, and its file with it.
package struct AttachmentSweep: Sendable {
    /// How many days an attachment outlives its cell at least: as long as the change log tells of it.
    private static let keepingDays = 90
    /// How many attachments one write looks at.
    private static let portion = 200
    private var after: Int64 = 0

    package init() {}

    /// Looks at the next attachments; true when these were the last, and the files were swept too.
    package mutating func step(_ engine: Engine) throws(APIError) -> Bool {
        guard let files = engine.files else { return true }
        let start = after
        // Or as long as the trash keeps its cell.
        let days = Int64(max(Self.keepingDays, engine.storage.trashDays + 1))
        let last = try engine.storage.write { (writer) throws(APIError) in
            let oldest = Instant(milliseconds: writer.now.milliseconds - days * 86_400_000)
            return try Self.look(after: start, forgetting: oldest, writer)
        }
        after = last ?? 0
        if last != nil { return false }
        let now = Int(clamping: engine.clock().seconds)
        let swept = try files.blobs.sweep(now: now) { (hash) throws(APIError) in
            try engine.storage.readEach { (reader) throws(APIError) in try reader.isAttached(hash) }
        }
        for hash in swept { files.images?.forget(hash) }
        return true
    }

    /// The number of the last looked at; nil at the end.
    private static func look(
        after: Int64, forgetting oldest: Instant, _ writer: any StorageWriter
    ) throws(APIError) -> Int64? {
        let found = try writer.attachments(after: after, limit: portion)
        var kept: (place: StoredAttachment.Place, ids: Set<AttachmentID>)?
        for (_, stored) in found {
            if kept?.place != stored.place {
                let held = try writer.attachments(at: stored.place, in: writer.schema)
                kept = (stored.place, Set(held.map(\.id)))
            }
            try settle(stored, isHeld: kept?.ids.contains(stored.attachment.id) ?? false, forgetting: oldest, writer)
        }
        return found.count < portion ? nil : found.last?.number
    }

    private static func settle(
        _ stored: StoredAttachment, isHeld: Bool, forgetting oldest: Instant, _ writer: any StorageWriter
    ) throws(APIError) {
        var changed = stored
        // What came back with more than one restore wakes.
        if isHeld, stored.dueTime == nil, case .remote = stored.attachment.content {
            changed.dueTime = StoredAttachment.atOnce
        }
        switch (isHeld, stored.unheldTime) {
        case (true, nil):
            if changed.dueTime == stored.dueTime { return }
        case (true, _?): changed.unheldTime = nil
        case (false, nil): changed.unheldTime = writer.now
        case (false, let time?):
            guard time < oldest else { return }
            return try writer.remove(stored.attachment.id)
        }
        try writer.update(changed)
    }
}
