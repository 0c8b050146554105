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
    /// How many bytes the names and addresses of one cell take, and all else that is kept of each.
    package static let longest = 1 << 20

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
        let url = RemoteAddress.trimmed(url)
        guard url.utf8.count <= RemoteAddress.longest, let rest = RemoteAddress.afterScheme(url) else {
            return .unreachable
        }
        let name = filename.flatMap { Filename.cleaned($0) } ?? RemoteAddress.filename(afterScheme: rest)
        return .remote(url: url, filename: name ?? Filename.unnamed)
    }

    /// The error for an item that cannot be read, or names nothing.
    package static func invalid(_ value: JSONValue, for field: Field) -> APIError {
        .invalidAttachment(field.name, value.indented)
    }

    // MARK: what is shown

    /// Appends the array of read objects of a kept cell, which is a part of `bytes`.
    static func append(
        _ part: Range<Int>, of bytes: [UInt8], _ links: AttachmentLinkMaker, to output: inout [UInt8]
    ) {
        var kept = KeptAttachments(bytes, part)
        output.append(UInt8(ascii: "["))
        var isFirst = true
        while let item = kept.next() {
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            append(item, of: bytes, links, to: &output)
        }
        output.append(UInt8(ascii: "]"))
    }

    private static func append(
        _ item: KeptAttachments.Item, of bytes: [UInt8], _ links: AttachmentLinkMaker, to output: inout [UInt8]
    ) {
        output.append(contentsOf: idKey)
        output.append(contentsOf: bytes[item.id])
        switch item.content {
        case .remote(let url):
            output.append(contentsOf: remoteKey)
            output.append(contentsOf: bytes[url])
            output.append(contentsOf: filenameKey)
            output.append(contentsOf: bytes[item.filename])
        case .file(let size, let type, let dimensions):
            turn(links, to: item, of: bytes)
            output.append(UInt8(ascii: "\""))
            append(dimensions, to: &output)
            output.append(contentsOf: urlKey)
            output.append(contentsOf: links.start)
            output.append(contentsOf: links.name)
            output.append(UInt8(ascii: "\""))
            output.append(contentsOf: filenameKey)
            output.append(contentsOf: bytes[item.filename])
            output.append(contentsOf: sizeKey)
            output.append(contentsOf: bytes[size])
            output.append(contentsOf: typeKey)
            output.append(contentsOf: bytes[type])
            if let dimensions { appendThumbnails(dimensions, links, to: &output) }
        }
        output.append(UInt8(ascii: "}"))
    }

    private static let idKey = Array(#"{"id":""#.utf8)
    private static let remoteKey = Array(#"","url":"#.utf8)
    private static let urlKey = Array(#","url":""#.utf8)
    private static let filenameKey = Array(#","filename":"#.utf8)
    private static let sizeKey = Array(#","size":"#.utf8)
    private static let typeKey = Array(#","type":"#.utf8)
    private static let widthKey = Array(#","width":"#.utf8)
    private static let heightKey = Array(#","height":"#.utf8)
    private static let thumbnailsKey = Array(#","thumbnails":{"#.utf8)
    /// Up to the address of each rendering, and what follows the address's beginning.
    private static let thumbnailKeys = ThumbnailSize.allCases.map { size in
        (size: size, key: Array("\"\(size.rawValue)\":{\"url\":\"".utf8), step: Array("\(size.rawValue)/".utf8))
    }

    private static func appendThumbnails(
        _ dimensions: (width: Int, height: Int), _ links: AttachmentLinkMaker, to output: inout [UInt8]
    ) {
        let whole = ImageDimensions(width: dimensions.width, height: dimensions.height)
        output.append(contentsOf: thumbnailsKey)
        for (index, thumbnail) in thumbnailKeys.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            output.append(contentsOf: thumbnail.key)
            output.append(contentsOf: links.start)
            output.append(contentsOf: thumbnail.step)
            output.append(contentsOf: links.name)
            output.append(UInt8(ascii: "\""))
            let rendered = whole.of(thumbnail.size)
            append((rendered.width, rendered.height), to: &output)
            output.append(UInt8(ascii: "}"))
        }
        output.append(UInt8(ascii: "}"))
    }

    private static func append(_ dimensions: (width: Int, height: Int)?, to output: inout [UInt8]) {
        guard let dimensions else { return }
        output.append(contentsOf: widthKey)
        output.append(contentsOf: String(dimensions.width).utf8)
        output.append(contentsOf: heightKey)
        output.append(contentsOf: String(dimensions.height).utf8)
    }

    private static func turn(_ links: AttachmentLinkMaker, to item: KeptAttachments.Item, of bytes: [UInt8]) {
        let inner = bytes[item.filename].dropFirst().dropLast()
        guard inner.contains(UInt8(ascii: "\\")) else { return links.turn(to: bytes[item.id], named: inner) }
        let text = (try? JSONParser.parse(Array(bytes[item.filename])))?.stringValue ?? ""
        links.turn(to: bytes[item.id], named: text.utf8)
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
                "\(attachment.filename) (\(links.url(attachment.id, filename: attachment.filename)))"
            }
        }
    }

    /// One `name (address)` for each attachment of a kept cell: its value in formulas.
    package static func texts(_ kept: [UInt8], _ links: AttachmentLinks) -> [String] { texts(kept, links.maker()) }
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
