package import RowhouseJSON
package import RowhouseModel

/// Attachments: what requests say of them, and how they are shown.
package enum AttachmentCell {
    /// One item of a cell as a request wrote it.
    package enum Item: Sendable {
        /// One that there is already; `json` is how it was written, for the error.
        case existing(AttachmentID, json: JSONValue)
        /// One whose bytes are to be fetched.
        case remote(url: String, filename: String)
        /// One whose address nobody could fetch from.
        case unreachable
    }

    /// How many attachments one cell holds.
    package static let most = 1_000
    /// The longest address, in bytes.
    private static let longestURL = 16_000

    /// Reads an array of `{"id"}` (which wins over all other keys) and `{"url","filename"?}`; with typecast also addresses
    /// as texts, or one alone.
    ///
    /// - Throws: `INVALID_ATTACHMENT_OBJECT`, `INVALID_VALUE_FOR_COLUMN`.
    package static func items(_ value: JSONValue, for field: Field, typecast: Bool) throws(APIError) -> [Item] {
        let values: [JSONValue]
        switch value {
        case .null: return []
        case .array(let items): values = items
        case .string(let text) where typecast: values = text.isEmpty ? [] : [value]
        default: throw .cannotAccept(field.name)
        }
        guard values.count <= most else { throw .tooManyAttachments(field.name, most) }
        var items: [Item] = []
        for value in values { items.append(try item(value, for: field, typecast: typecast)) }
        return items
    }

    private static func item(_ value: JSONValue, for field: Field, typecast: Bool) throws(APIError) -> Item {
        if typecast, let url = value.stringValue, !url.isEmpty { return remote(url, filename: nil) }
        guard let object = value.objectValue else { throw invalid(value, for: field) }
        switch object["id"] {
        case .string(let id):
            guard let id = AttachmentID(id) else { throw invalid(value, for: field) }
            return .existing(id, json: value)
        case nil, .null: break
        default: throw invalid(value, for: field)
        }
        guard let url = object["url"]?.stringValue, !url.isEmpty else { throw invalid(value, for: field) }
        switch object["filename"] {
        case nil, .null: return remote(url, filename: nil)
        case .string(let name): return remote(url, filename: name)
        default: throw invalid(value, for: field)
        }
    }

    private static func remote(_ url: String, filename: String?) -> Item {
        guard url.utf8.count <= longestURL, let rest = RemoteAddress.afterScheme(url) else { return .unreachable }
        let name = filename.flatMap { Filename.cleaned($0) } ?? RemoteAddress.filename(afterScheme: rest)
        return .remote(url: url, filename: name ?? Filename.unnamed)
    }

    /// The error for an item that cannot be read, or names nothing.
    package static func invalid(_ value: JSONValue, for field: Field) -> APIError {
        .invalidAttachment(field.name, value.indented)
    }

    // MARK: what is shown

    /// Writes the array of read objects of a kept cell.
    static func write(_ kept: [UInt8], _ links: AttachmentLinkMaker, to writer: inout JSONWriter) {
        writer.beginArray()
        for attachment in Attachment.list(kept) ?? [] { write(attachment, links, to: &writer) }
        writer.endArray()
    }

    private static func write(_ attachment: Attachment, _ links: AttachmentLinkMaker, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("id")
        writer.string(attachment.id.description)
        switch attachment.content {
        case .remote(let url):
            writer.key("url")
            writer.string(url)
            writer.key("filename")
            writer.string(attachment.filename)
        case .file(let facts):
            let parts = links.parts(attachment.id, filename: attachment.filename)
            writer.write(facts.dimensions)
            writer.key("url")
            writer.link(parts.start, parts.name)
            writer.key("filename")
            writer.string(attachment.filename)
            writer.key("size")
            writer.integer(Int64(facts.size))
            writer.key("type")
            writer.string(facts.type)
            if let dimensions = facts.dimensions { writeThumbnails(dimensions, parts, to: &writer) }
        }
        writer.endObject()
    }

    private static func writeThumbnails(
        _ dimensions: ImageDimensions, _ parts: (start: [UInt8], name: [UInt8]), to writer: inout JSONWriter
    ) {
        writer.key("thumbnails")
        writer.beginObject()
        for size in ThumbnailSize.allCases {
            writer.key(size.rawValue)
            writer.beginObject()
            writer.key("url")
            writer.link(parts.start + Array("\(size.rawValue)/".utf8), parts.name)
            writer.write(dimensions.of(size))
            writer.endObject()
        }
        writer.endObject()
    }

    /// `name (address)`, joined by commas: what a person sees.
    static func text(_ kept: String, _ links: AttachmentLinkMaker) -> String {
        texts(Array(kept.utf8), links).joined(separator: ", ")
    }

    private static func texts(_ kept: [UInt8], _ links: AttachmentLinkMaker) -> [String] {
        (Attachment.list(kept) ?? []).map { attachment in
            switch attachment.content {
            case .remote(let url): "\(attachment.filename) (\(url))"
            case .file:
                "\(attachment.filename) (\(String(decoding: links.url(attachment.id, filename: attachment.filename), as: UTF8.self)))"
            }
        }
    }

    /// One `name (address)` for each attachment of a kept cell: its value in formulas.
    package static func texts(_ kept: [UInt8], _ links: AttachmentLinks) -> [String] { texts(kept, links.maker()) }
}

extension JSONWriter {
    fileprivate mutating func write(_ dimensions: ImageDimensions?) {
        guard let dimensions else { return }
        key("width")
        integer(Int64(dimensions.width))
        key("height")
        integer(Int64(dimensions.height))
    }

    /// An address: none of its characters has to be escaped.
    fileprivate mutating func link(_ start: [UInt8], _ name: [UInt8]) {
        let bytes = start + name
        string(utf8: bytes, start: 0, count: bytes.count)
    }
}

extension JSONValue {
    /// The value as a person writes it: each member on a line, two spaces deeper than what it is in.
    fileprivate var indented: String { indented(by: "") }

    private func indented(by margin: String) -> String {
        let inner = margin + "  "
        switch self {
        case .array(let items) where !items.isEmpty:
            let lines = items.prefix(100).map { inner + $0.indented(by: inner) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(margin)]"
        case .object(let members) where !members.isEmpty:
            let lines = members.prefix(100).map { key, value in
                inner + String(decoding: JSONWriter.escapedKey(key), as: UTF8.self) + " " + value.indented(by: inner)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(margin)}"
        default: return String(decoding: bytes, as: UTF8.self)
        }
    }
}
