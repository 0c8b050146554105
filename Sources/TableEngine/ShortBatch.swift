import RowhouseModel

extension RecordBatch {
    /// Whether an event thread may wait while these records are made into an answer.
    var isShort: Bool { text.count < Self.shortText(of: fields) }

    /// From how many bytes of text on records with these fields are no longer short.
    static func shortText(of fields: [Field]) -> Int {
        fields.contains { $0.type == .multipleAttachments || $0.type == .multipleLookupValues } ? 64 << 10 : 512 << 10
    }
}
