package import CivilTime
import Cryptography
package import RowhouseModel
import Synchronization

/// Makes the addresses under which the files of attachments are read, and tells whether one was made here.
///
/// `{public address}/f/{attachment}/{key}/{filename}`, for a rendering `…/{key}/{size}/{filename}`; where links expire the
/// time stands after the key. The key is 128 bits that only who knows the folder's secret can make: whoever has the
/// address needs no token.
package final class AttachmentLinks: Sendable {
    private let key: HMACSHA256.Key
    private let expires: Bool
    private let clock: @Sendable () -> Instant
    private let address: Mutex<[UInt8]>

    /// How long a link works at least where links expire, and to which times its end is rounded so that it stays the
    /// same for a while; milliseconds.
    private static let lifetime: Int64 = 2 * 3_600_000
    private static let step: Int64 = 3_600_000

    /// - Parameters:
    ///   - secret: the folder's own.
    ///   - address: the public one, without a slash at its end.
    ///   - expires: whether links end after two to three hours.
    package init(
        secret: [UInt8] = [], address: String = "", expires: Bool = false,
        clock: @escaping @Sendable () -> Instant = { Instant(milliseconds: 0) }
    ) {
        // The secret signs other things too; these begin otherwise.
        key = HMACSHA256.Key(HMACSHA256.authenticate(message: Array("attachment links".utf8), key: secret))
        self.address = Mutex(Array(address.utf8))
        self.expires = expires
        self.clock = clock
    }

    /// Sets the public address, once it is known.
    package func use(address: String) { self.address.withLock { $0 = Array(address.utf8) } }

    /// Makes the links of one answer.
    func maker() -> AttachmentLinkMaker {
        let now = clock().milliseconds
        let end = expires ? (now &+ Self.lifetime &+ Self.step) / Self.step &* Self.step : nil
        return AttachmentLinkMaker(prefix: address.withLock { $0 } + Array("/f/".utf8), key: key, end: end)
    }

    /// What an address says that was made here, of the file itself; nil for all others. Letters of the other case and
    /// doubled slashes lead here too.
    package func link(at url: String) -> AttachmentLink? {
        let start = address.withLock { $0 }
        let slash = UInt8(ascii: "/")
        guard url.utf8.prefix(start.count).elementsEqual(start, by: { Self.lowercase($0) == Self.lowercase($1) }) else {
            return nil
        }
        let rest = url.utf8.dropFirst(start.count)
        guard rest.first == slash, rest.drop(while: { $0 == slash }).starts(with: "f/".utf8) else { return nil }
        let path = rest.drop { $0 == slash }.dropFirst(2).drop { $0 == slash }
            .prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String($0) }
        guard let link = AttachmentLink(["f"] + segments.compactMap { $0 }), link.size == nil else { return nil }
        return link
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte | 0x20 : byte }

    /// Whether a link is one of ours, and still good.
    ///
    /// - Throws: 404 for what was not made here, 410 for what has expired.
    package func check(_ link: AttachmentLink) throws(APIError) {
        let key = AttachmentLinkMaker(prefix: [], key: key, end: link.end).key(of: link.attachment)
        guard constantTimeEquals(key, Array(link.key.utf8)) else { throw .notFound }
        // Where links expire, one without an end is of a time when they did not.
        let isOver = link.end.map { $0 <= clock().milliseconds } ?? expires
        if isOver { throw .linkExpired }
    }
}

/// What the path of a link says.
package struct AttachmentLink: Sendable, Equatable {
    package let attachment: AttachmentID
    package let key: String
    /// When it ends, in milliseconds since 1970.
    package let end: Int64?
    package let size: ThumbnailSize?

    /// Reads the decoded segments of a path; nil for what is no such path.
    package init?(_ segments: [String]) {
        guard segments.count >= 4, segments[0] == "f", let id = AttachmentID(segments[1]) else { return nil }
        var rest = segments[3...].dropLast()
        attachment = id
        key = segments[2]
        size = rest.last.flatMap { ThumbnailSize(rawValue: $0) }
        if size != nil { rest.removeLast() }
        end = rest.popLast().flatMap { Int64($0) }
        guard rest.isEmpty, segments.count == 4 + (size == nil ? 0 : 1) + (end == nil ? 0 : 1) else { return nil }
    }
}

/// Makes the links of one answer, one attachment after the other, in buffers that serve them all.
final class AttachmentLinkMaker {
    private let prefix: [UInt8]
    private let signer: HMACSHA256.Key
    private let end: [UInt8]
    private var message: [UInt8] = []
    /// What all links of the attachment begin with: all that stands before the size or the name.
    private(set) var start: [UInt8] = []
    /// Its name as one segment of a path.
    private(set) var name: [UInt8] = []

    init(prefix: [UInt8], key: HMACSHA256.Key, end: Int64?) {
        self.prefix = prefix
        signer = key
        self.end = end.map { Array("/\($0)".utf8) } ?? []
    }

    /// The key of an attachment, 22 characters of base64 for URLs.
    func key(of attachment: AttachmentID) -> [UInt8] {
        var key: [UInt8] = []
        appendKey(of: Array(attachment.description.utf8)[...], to: &key)
        return key
    }

    private func appendKey(of attachment: ArraySlice<UInt8>, to output: inout [UInt8]) {
        message.removeAll(keepingCapacity: true)
        message.append(contentsOf: attachment)
        message.append(contentsOf: end)
        Base64URL.append(signer.shortTag(message), to: &output)
    }

    /// Turns to an attachment.
    func turn(to attachment: ArraySlice<UInt8>, named filename: some Collection<UInt8>) {
        start.removeAll(keepingCapacity: true)
        start.append(contentsOf: prefix)
        start.append(contentsOf: attachment)
        start.append(UInt8(ascii: "/"))
        appendKey(of: attachment, to: &start)
        start.append(contentsOf: end)
        start.append(UInt8(ascii: "/"))
        name.removeAll(keepingCapacity: true)
        for byte in filename {
            switch byte {
            case 48...57, 65...90, 97...122, 0x2D, 0x2E, 0x5F, 0x7E: name.append(byte)
            default:
                name.append(UInt8(ascii: "%"))
                name.append(Self.digit(byte >> 4))
                name.append(Self.digit(byte & 15))
            }
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 55 + value }

    /// The address of the file itself.
    func url(_ attachment: AttachmentID, filename: String) -> String {
        turn(to: Array(attachment.description.utf8)[...], named: filename.utf8)
        return String(decoding: start + name, as: UTF8.self)
    }
}
