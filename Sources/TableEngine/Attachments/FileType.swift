import RowhouseModel

/// The media type of a file: told by its first bytes where these tell it, else as it was said to be.
struct FileType: RawRepresentable, Equatable {
    let rawValue: String

    var isImage: Bool { rawValue.hasPrefix("image/") && rawValue != "image/svg+xml" }

    /// What begins as no other kind of file does.
    static func told(by head: [UInt8]) -> FileType? {
        for (offset, bytes, type) in signatures where head.dropFirst(offset).starts(with: bytes) {
            return FileType(rawValue: type)
        }
        if head.starts(with: Array("RIFF".utf8)) {
            switch String(decoding: head.dropFirst(8).prefix(4), as: UTF8.self) {
            case "WEBP": return FileType(rawValue: "image/webp")
            case "WAVE": return FileType(rawValue: "audio/wav")
            case "AVI ": return FileType(rawValue: "video/x-msvideo")
            default: return nil
            }
        }
        if head.dropFirst(4).starts(with: Array("ftyp".utf8)) { return brand(head) }
        return markup(head)
    }

    private static let signatures: [(offset: Int, bytes: [UInt8], type: String)] = [
        (0, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"), (0, [0xFF, 0xD8, 0xFF], "image/jpeg"),
        (0, Array("GIF87a".utf8), "image/gif"), (0, Array("GIF89a".utf8), "image/gif"),
        (0, [0x49, 0x49, 0x2A, 0x00], "image/tiff"), (0, [0x4D, 0x4D, 0x00, 0x2A], "image/tiff"),
        (0, Array("%PDF-".utf8), "application/pdf"), (0, [0x1F, 0x8B], "application/gzip"),
        (0, Array("OggS".utf8), "audio/ogg"), (0, Array("fLaC".utf8), "audio/flac"),
        (0, Array("ID3".utf8), "audio/mpeg"), (0, [0x1A, 0x45, 0xDF, 0xA3], "video/webm"),
    ]

    /// ISO base media files say what they are by their brand.
    private static func brand(_ head: [UInt8]) -> FileType? {
        switch String(decoding: head.dropFirst(8).prefix(4), as: UTF8.self) {
        case "avif", "avis": FileType(rawValue: "image/avif")
        case "heic", "heix", "hevc", "hevx", "heim", "heis": FileType(rawValue: "image/heic")
        case "mif1", "msf1": FileType(rawValue: "image/heif")
        case "M4A ", "M4B ": FileType(rawValue: "audio/mp4")
        case "qt  ": FileType(rawValue: "video/quicktime")
        default: FileType(rawValue: "video/mp4")
        }
    }

    /// Markup is what browsers would take for it.
    private static func markup(_ head: [UInt8]) -> FileType? {
        var text = head[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        while let first = text.first, [0x20, 0x09, 0x0A, 0x0D].contains(first) { text.removeFirst() }
        guard text.first == UInt8(ascii: "<") else { return nil }
        let lowered = String(decoding: text.map { (65...90).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
        for tag in ["<!doctype html", "<html", "<head", "<body", "<script", "<iframe", "<!--<html"] {
            if lowered.hasPrefix(tag) { return FileType(rawValue: "text/html") }
        }
        if lowered.contains("<svg") { return FileType(rawValue: "image/svg+xml") }
        return lowered.hasPrefix("<?xml") ? FileType(rawValue: "text/xml") : nil
    }

    /// What was said of the file, or what its name says, or what is left.
    static func claimed(_ type: String?, filename: String, isText: Bool) -> FileType {
        let said = type.flatMap(essence).flatMap { $0 == "application/octet-stream" ? nil : $0 }
        let named = Filename.fileExtension(of: filename).flatMap { types[$0] }
        for case let type? in [said, named] where canBe(type, isText: isText) { return FileType(rawValue: type) }
        return FileType(rawValue: isText ? "text/plain" : "application/octet-stream")
    }

    /// Whether a file may be of this type although its bytes do not tell it: pictures and sounds are shown in place, and
    /// nothing else is to pass for one.
    private static func canBe(_ type: String, isText: Bool) -> Bool {
        let isShown = ["image/", "audio/", "video/"].contains { type.hasPrefix($0) } && type != "image/svg+xml"
        return !isShown || !isText && !recognizable.contains(type)
    }

    /// Types whose files all begin in a way that tells them.
    private static let recognizable: Set<String> = [
        "image/png", "image/jpeg", "image/gif", "image/tiff", "image/webp", "image/avif", "image/heic", "image/heif",
        "audio/wav", "audio/ogg", "audio/flac", "audio/mp4", "audio/webm", "video/ogg", "video/mp4", "video/webm",
    ]

    /// `type/subtype` without parameters, in lower case; nil for what is no media type.
    static func essence(_ type: String) -> String? {
        let text = type.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard text.utf8.count <= 100, parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        let isToken = text.utf8.allSatisfy { byte in
            switch byte {
            case 48...57, 97...122, UInt8(ascii: "/"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
            default: false
            }
        }
        return isToken ? text : nil
    }

    /// The extension for a file that has no name; nil for types without one.
    var fileExtension: String? {
        switch rawValue {
        case "image/jpeg": "jpg"
        case "text/plain": "txt"
        default: Self.types.first { $0.value == rawValue }?.key
        }
    }

    private static let types = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "avif": "image/avif", "heic": "image/heic", "svg": "image/svg+xml", "pdf": "application/pdf",
        "txt": "text/plain", "csv": "text/csv", "md": "text/markdown", "html": "text/html", "xml": "text/xml",
        "json": "application/json", "zip": "application/zip", "mp3": "audio/mpeg", "m4a": "audio/mp4",
        "wav": "audio/wav", "mp4": "video/mp4", "mov": "video/quicktime", "webm": "video/webm",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ]
}

extension [UInt8] {
    /// Whether it reads as text: UTF-8, perhaps cut at its end, without control characters but spaces.
    var isText: Bool {
        guard allSatisfy({ $0 >= 0x20 || [0x09, 0x0A, 0x0C, 0x0D].contains($0) }) else { return false }
        return (0..<4).contains { cut in String(validating: dropLast(cut), as: UTF8.self) != nil }
    }
}
