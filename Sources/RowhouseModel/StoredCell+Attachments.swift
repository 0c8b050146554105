import RowhouseJSON

extension StoredCell {
    /// The cell of an attachment field that holds these, in this order: a JSON array with all that showing it takes.
    package static func attachments(_ attachments: [Attachment]) -> StoredCell {
        guard !attachments.isEmpty else { return .empty }
        var writer = JSONWriter(capacity: attachments.count * 200)
        writer.beginArray()
        for attachment in attachments { writer.attachment(attachment) }
        writer.endArray()
        return .text(String(decoding: writer.finish(), as: UTF8.self))
    }

    /// The attachments that the cell of an attachment field holds; nil for what is no such cell.
    package var attachments: [Attachment]? {
        switch self {
        case .empty: []
        case .text(let text): Attachment.list(Array(text.utf8))
        case .integer, .real: nil
        }
    }
}

extension Attachment {
    /// Reads what an attachment cell keeps; nil for anything else.
    package static func list(_ kept: [UInt8]) -> [Attachment]? {
        guard let items = (try? JSONParser.parse(kept, limits: .init(bytes: .max)))?.arrayValue else { return nil }
        let attachments = items.compactMap { $0.objectValue.flatMap { Attachment(kept: $0) } }
        return attachments.count == items.count ? attachments : nil
    }

    private init?(kept: JSONObject) {
        guard let id = kept["id"]?.stringValue.flatMap({ AttachmentID($0) }),
            let filename = kept["filename"]?.stringValue
        else { return nil }
        if let url = kept["url"]?.stringValue {
            self.init(id: id, filename: filename, content: .remote(url: url))
            return
        }
        guard let hash = kept["hash"]?.stringValue.flatMap({ FileHash($0) }),
            let size = kept["size"]?.numberValue.flatMap({ Int(exactly: $0) }), let type = kept["type"]?.stringValue
        else { return nil }
        var dimensions: ImageDimensions?
        if let width = kept["width"]?.numberValue.flatMap({ Int(exactly: $0) }),
            let height = kept["height"]?.numberValue.flatMap({ Int(exactly: $0) })
        {
            dimensions = ImageDimensions(width: width, height: height)
        }
        let facts = FileFacts(hash: hash, size: size, type: type, dimensions: dimensions)
        self.init(id: id, filename: filename, content: .file(facts))
    }
}

extension JSONWriter {
    fileprivate mutating func attachment(_ attachment: Attachment) {
        beginObject()
        key("id")
        string(attachment.id.description)
        key("filename")
        string(attachment.filename)
        switch attachment.content {
        case .remote(let url):
            key("url")
            string(url)
        case .file(let facts):
            key("hash")
            string(facts.hash.description)
            key("size")
            integer(Int64(facts.size))
            key("type")
            string(facts.type)
            if let dimensions = facts.dimensions {
                key("width")
                integer(Int64(dimensions.width))
                key("height")
                integer(Int64(dimensions.height))
            }
        }
        endObject()
    }
}
