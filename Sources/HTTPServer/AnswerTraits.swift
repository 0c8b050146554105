/// What must be known of a request to shape its answer, after the request itself is gone.
struct AnswerTraits: Sendable {
    var requestID = ""
    var isGet = false
    /// GET or HEAD.
    var isRead = false
    /// A HEAD written in small letters, which the library does not know as one.
    var omitsBody = false
    var acceptsGzip = false
    var ifNoneMatch: String?
}
