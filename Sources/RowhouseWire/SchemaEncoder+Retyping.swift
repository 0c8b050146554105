import RowhouseJSON
package import RowhouseModel

extension SchemaEncoder {
    /// `{"lost","shortened","kept","examples":[{"recordId","before","after"?}]}`.
    package static func report(_ report: RetypingReport) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for (key, count) in [("lost", report.lost), ("shortened", report.shortened), ("kept", report.kept)] {
            writer.key(key)
            writer.integer(Int64(count))
        }
        writer.key("examples")
        writer.beginArray()
        for example in report.examples {
            writer.beginObject()
            writer.member("recordId", example.record.description)
            writer.member("before", example.before)
            if let after = example.after { writer.member("after", after) }
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }
}
