/// A file that is an answer's body; it is sent as it lies on the disk and never read into memory.
///
/// The server opens it on a worker, and answers ranges, conditions and HEAD by itself: its length and its time of
/// change are those of the file. A file that is not there is answered 404.
package struct FileBody: Sendable, Equatable {
    package var path: String
    /// A strong entity tag with its quotation marks, such as ``EntityTag/strong(_:)`` makes of a content hash: equal
    /// tags promise equal bytes. Nil if none is known.
    package var entityTag: String?

    package init(path: String, entityTag: String? = nil) {
        self.path = path
        self.entityTag = entityTag
    }
}
