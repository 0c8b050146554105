/// What of a file answers a GET or HEAD, by its conditions and range (RFC 9110, sections 13 and 14).
package enum FileSelection: Equatable, Sendable {
    case whole
    case part(Range<Int>)
    case notModified
    case unsatisfiable

    /// Decides by the headers of a request.
    package init(
        _ headers: HTTPHeaders, isGet: Bool, size: Int, modified: HTTPDate, entityTag: String?
    ) {
        if FileSelection.isUnchanged(headers, modified, entityTag) {
            self = .notModified
            return
        }
        self = .whole
        guard isGet, headers.count(of: "Range") == 1, let range = headers["Range"] else { return }
        if let condition = headers["If-Range"], !FileSelection.isSame(condition, modified, entityTag) { return }
        switch ByteRange(range, size: size) {
        case .whole: return
        case .part(let part): self = .part(part)
        case .unsatisfiable: self = .unsatisfiable
        }
    }

    /// A condition on the tag, where there is one, takes the place of one on the time.
    private static func isUnchanged(_ headers: HTTPHeaders, _ modified: HTTPDate, _ entityTag: String?) -> Bool {
        if let condition = headers["If-None-Match"] {
            return entityTag.map { EntityTag.matches(condition, $0) } ?? (condition == "*")
        }
        guard let since = headers["If-Modified-Since"].flatMap({ HTTPDate($0) }) else { return false }
        return modified <= since
    }

    /// Strong comparison: a range of other bytes than the client holds would spoil its copy.
    private static func isSame(_ condition: String, _ modified: HTTPDate, _ entityTag: String?) -> Bool {
        condition.utf8.last == UInt8(ascii: "\"")
            ? condition == entityTag && !condition.hasPrefix("W/") : HTTPDate(condition) == modified
    }
}
