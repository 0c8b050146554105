package import CivilTime

/// What somebody said about a record; a reply names the comment that its thread began with.
package struct Comment: Sendable, Equatable {
    package let id: CommentID
    package let author: UserID
    /// Mentions stand in it as `@[usr…]`.
    package var text: String
    package let createdTime: Instant
    /// When its author last changed it; nil if never.
    package var lastUpdatedTime: Instant?
    package let parent: CommentID?

    /// The most characters (Unicode scalars) of a text, as it is kept.
    package static let longestText = 100_000

    package init(
        id: CommentID, author: UserID, text: String, createdTime: Instant, lastUpdatedTime: Instant? = nil,
        parent: CommentID? = nil
    ) {
        self.id = id
        self.author = author
        self.text = text
        self.createdTime = createdTime
        self.lastUpdatedTime = lastUpdatedTime
        self.parent = parent
    }

    /// Whether a text is neither empty nor too long.
    package static func isFit(_ text: String) -> Bool {
        !text.isEmpty && (text.utf8.count <= longestText || text.unicodeScalars.count <= longestText)
    }
}

/// A page of a record's comments, newest first, and where the next one begins.
package struct CommentPage: Sendable {
    package let comments: [Comment]
    /// The people whom authors and mentions show.
    package let users: UserDirectory
    /// Absent on the last page.
    package let offset: String?

    package init(comments: [Comment], users: UserDirectory, offset: String? = nil) {
        self.comments = comments
        self.users = users
        self.offset = offset
    }
}

/// A comment that was just written.
package struct WrittenComment: Sendable {
    package let comment: Comment
    package let users: UserDirectory

    package init(comment: Comment, users: UserDirectory) {
        self.comment = comment
        self.users = users
    }
}
