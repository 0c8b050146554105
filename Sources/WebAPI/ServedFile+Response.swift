import HTTPCore
import RowhouseModel

extension ServedFile {
    /// Kinds of files that no browser runs anything of: shown where they are linked.
    private static let harmless: Set<String> = [
        "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/heic", "image/heif", "image/bmp",
        "audio/mpeg", "audio/mp4", "audio/ogg", "audio/wav", "audio/flac", "audio/webm", "audio/aac", "video/mp4",
        "video/webm", "video/ogg", "video/quicktime",
    ]

    /// What a page of this server could take in as its own script or style, if it were called that.
    private var isForPages: Bool {
        if type == "text/css" { return true }
        // javascript, ecmascript, jscript, livescript and their numbered and x- forms. Bytes are compared: searching a
        // String costs as much as all the rest of an answer.
        var rest = Substring(type).utf8
        while let start = rest.firstIndex(of: UInt8(ascii: "s")) {
            rest = rest[start...]
            if rest.starts(with: "script".utf8) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    /// The bytes, with all that keeps a browser from running them in the name of this server.
    var response: Response {
        let disposition = Self.harmless.contains(type) ? "inline" : "attachment"
        var response = Response.file(
            FileBody(path: path, entityTag: EntityTag.strong(tag)),
            type: isForPages ? .octetStream : MediaType(rawValue: type))
        response.headers += [
            ("X-Content-Type-Options", "nosniff"), ("Content-Security-Policy", "sandbox; default-src 'none'"),
            ("Content-Disposition", "\(disposition); \(Self.parameters(filename))"),
            ("Cache-Control", "private, max-age=60"),
        ]
        return response
    }

    /// The name as RFC 6266 has it: for old readers in ASCII, for others whole.
    private static func parameters(_ filename: String) -> String {
        var ascii = String.UnicodeScalarView()
        for scalar in filename.unicodeScalars {
            let isPlain = (0x20..<0x7F).contains(scalar.value) && scalar != "\"" && scalar != "\\" && scalar != "%"
            ascii.append(isPlain ? scalar : "_")
        }
        return "filename=\"\(String(ascii))\"; filename*=UTF-8''\(PercentEncoding.encode(filename))"
    }
}
