import RowhouseJSON
import RowhouseModel
import Storage

/// What the change log keeps of moves by hand: `{"id":"viw…","places":{"rec…":"…"}}`, null for the place of the id.
enum ViewLog {
    static func places(
        of view: View, _ placements: [RecordPlacement], _ place: (RecordPlacement) -> String?
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: 64 + 48 * placements.count)
        writer.beginObject()
        writer.key("id")
        writer.string(view.id.description)
        writer.key("places")
        writer.beginObject()
        for placement in placements {
            writer.key(placement.record.description)
            if let text = place(placement) { writer.string(text) } else { writer.null() }
        }
        writer.endObject()
        writer.endObject()
        return writer.finish()
    }
}
