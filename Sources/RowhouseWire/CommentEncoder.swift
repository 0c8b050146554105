import CivilTime
import RowhouseJSON
package import RowhouseModel

/// Writes the answers of the calls on comments.
package enum CommentEncoder {
    /// `{"comments":[…],"offset":…}`; unlike that of records, the offset of the last page is there, and null.
    package static func list(_ page: CommentPage) -> [UInt8] {
        var writer = JSONWriter(capacity: 64 + page.comments.count * 400)
        writer.beginObject()
        writer.key("comments")
        writer.beginArray()
        for comment in page.comments { write(comment, wholeSecond(comment.createdTime), page.users, to: &writer) }
        writer.endArray()
        writer.key("offset")
        if let offset = page.offset { writer.string(offset) } else { writer.null() }
        writer.endObject()
        return writer.finish()
    }

    /// A comment just made: only this answer tells the millisecond of its creation.
    package static func created(_ written: WrittenComment) -> [UInt8] {
        comment(written, written.comment.createdTime)
    }

    /// A comment just changed.
    package static func updated(_ written: WrittenComment) -> [UInt8] {
        comment(written, wholeSecond(written.comment.createdTime))
    }

    private static func comment(_ written: WrittenComment, _ createdTime: Instant) -> [UInt8] {
        var writer = JSONWriter(capacity: 400)
        write(written.comment, createdTime, written.users, to: &writer)
        return writer.finish()
    }

    private static func wholeSecond(_ time: Instant) -> Instant { Instant(milliseconds: time.seconds &* 1000) }

    private static func write(
        _ comment: Comment, _ createdTime: Instant, _ users: UserDirectory, to writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.key("id")
        writer.string(comment.id.description)
        writer.key("author")
        CollaboratorCell.write(comment.author.description, users: users, to: &writer)
        writer.key("text")
        writer.string(comment.text)
        writer.key("createdTime")
        writer.string(createdTime.iso8601)
        writer.key("lastUpdatedTime")
        if let time = comment.lastUpdatedTime { writer.string(time.iso8601) } else { writer.null() }
        writeMentions(Mention.people(in: comment.text, users: users), to: &writer)
        if let parent = comment.parent {
            writer.key("parentCommentId")
            writer.string(parent.description)
        }
        writer.endObject()
    }

    private static func writeMentions(_ people: [User], to writer: inout JSONWriter) {
        guard !people.isEmpty else { return }
        writer.key("mentioned")
        writer.beginObject()
        for user in people {
            writer.key(user.id.description)
            writer.beginObject()
            for (key, value) in [
                ("type", "user"), ("id", user.id.description), ("displayName", user.name), ("email", user.email),
            ] {
                writer.key(key)
                writer.string(value)
            }
            writer.endObject()
        }
        writer.endObject()
    }
}
