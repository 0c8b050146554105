import Storage

/// The statements that do not depend on a table.
enum FixedStatement: Int, CaseIterable {
    case beginRead, beginWrite, commit, rollback, savepoint, release, rollbackToSavepoint
    case recordCount, saveCount
    case appendChange, oldChanges, oldAnswers
    case findAnswer, saveAnswer
    case tokens, insertToken, revokeToken, touchToken, insertUser, setCounter
    case loadFields, loadViews
    case noteChange, oldRecordChanges, addToTrash, restored
    case comments, comment, commentCounts, insertComment, updateComment, deleteComment, countComment, uncountComment
    case attachment, waitingAttachments, attachments, isAttached, insertAttachment, updateAttachment, removeAttachment

    var sql: String {
        switch self {
        case .beginRead: "BEGIN"
        case .beginWrite: "BEGIN IMMEDIATE"
        case .commit: "COMMIT"
        case .rollback: "ROLLBACK"
        case .savepoint: "SAVEPOINT job"
        case .release: "RELEASE job"
        case .rollbackToSavepoint: "ROLLBACK TO job"
        case .recordCount: "SELECT record_count FROM tables WHERE number = ?1"
        case .saveCount:
            "UPDATE tables SET record_count = ?2, last_record = ?3, is_in_order = ?4, last_time = ?5 WHERE number = ?1"
        case .appendChange:
            "INSERT INTO changes (time, base, table_id, user, token, kind, payload) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
        // The last change stays, so that numbers go on counting up.
        case .oldChanges:
            """
            DELETE FROM changes WHERE seq IN (SELECT seq FROM changes ORDER BY seq LIMIT ?2)
            AND time < ?1 AND seq < (SELECT max(seq) FROM changes)
            """
        case .oldAnswers:
            "DELETE FROM answers WHERE number IN (SELECT number FROM answers ORDER BY number LIMIT ?2) AND time < ?1"
        case .findAnswer: "SELECT fingerprint, body FROM answers WHERE key = ?1 AND user = ?2 AND time >= ?3"
        case .saveAnswer:
            "INSERT OR REPLACE INTO answers (key, user, fingerprint, body, time) VALUES (?1, ?2, ?3, ?4, ?5)"
        case .tokens:
            """
            SELECT id, hash, user, name, scopes, bases, created, expires, last_used, is_revoked FROM tokens
            ORDER BY number
            """
        case .insertToken:
            """
            INSERT INTO tokens (id, hash, user, name, scopes, bases, created, expires, last_used, is_revoked)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """
        case .revokeToken: "UPDATE tokens SET is_revoked = 1 WHERE id = ?1"
        case .touchToken: "UPDATE tokens SET last_used = max(coalesce(last_used, 0), ?2) WHERE id = ?1"
        case .insertUser: "INSERT INTO users (id, email, name, created) VALUES (?1, ?2, ?3, ?4)"
        // The order makes the living of several columns of one field the last.
        case .loadFields:
            """
            SELECT id, number, name, type, options, description, deleted IS NULL, link, link_side FROM fields
            WHERE table_number = ?1 AND is_retired = 0 ORDER BY deleted IS NULL, position, number
            """
        case .loadViews:
            """
            SELECT id, name, type, options, number FROM views WHERE table_number = ?1 AND deleted IS NULL
            ORDER BY position
            """
        case .noteChange: "INSERT OR IGNORE INTO record_changes (record, seq) VALUES (?1, ?2)"
        // Of changes that are not old no more is read than their time, for this is asked at every start.
        case .oldRecordChanges:
            """
            DELETE FROM record_changes WHERE (record, seq) IN (
                SELECT substr(json_extract(r.value, '$.id'), 4), c.seq
                FROM changes AS c, json_each(c.payload, '$.records') AS r
                WHERE c.seq IN (SELECT seq FROM changes ORDER BY seq LIMIT ?2)
                    AND c.time < ?1 AND c.seq < (SELECT max(seq) FROM changes)
            )
            """
        // What is deleted by one call has the number of its first entry.
        case .addToTrash:
            """
            INSERT INTO trash (kind, id, base, table_id, table_number, record, deletion, name, deleted, user, memo)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, coalesce(?7, (SELECT seq + 1 FROM sqlite_sequence WHERE name = 'trash'), 1),
                ?8, ?9, ?10, ?11)
            """
        case .restored: "UPDATE trash SET state = 1, name = ?2, memo = NULL WHERE number = ?1"
        case .comments:
            """
            SELECT id, author, text, created, updated, parent, number FROM comments
            WHERE table_number = ?1 AND record = ?2 AND number < ?3 ORDER BY number DESC LIMIT ?4
            """
        case .comment:
            """
            SELECT id, author, text, created, updated, parent FROM comments
            WHERE id = ?3 AND table_number = ?1 AND record = ?2
            """
        case .commentCounts:
            """
            SELECT record, count FROM comment_counts
            WHERE table_number = ?1 AND record IN (SELECT value FROM json_each(?2))
            """
        case .insertComment:
            """
            INSERT INTO comments (table_number, record, id, author, text, created, updated, parent)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """
        case .updateComment: "UPDATE comments SET text = ?2, updated = ?3 WHERE id = ?1"
        case .deleteComment: "DELETE FROM comments WHERE id = ?1"
        case .countComment:
            """
            INSERT INTO comment_counts (table_number, record, count) VALUES (?1, ?2, 1)
            ON CONFLICT (table_number, record) DO UPDATE SET count = count + 1
            """
        case .uncountComment: "UPDATE comment_counts SET count = count - 1 WHERE table_number = ?1 AND record = ?2"
        case .attachment: "SELECT \(StoredAttachment.columns) FROM attachments WHERE id = ?1"
        case .waitingAttachments:
            """
            SELECT \(StoredAttachment.columns), number FROM attachments WHERE hash IS NULL
            ORDER BY number LIMIT ?1
            """
        case .attachments:
            "SELECT \(StoredAttachment.columns), number FROM attachments WHERE number > ?1 ORDER BY number LIMIT ?2"
        case .isAttached: "SELECT 1 FROM attachments WHERE hash = ?1 LIMIT 1"
        case .insertAttachment:
            """
            INSERT INTO attachments (\(StoredAttachment.columns))
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
            """
        case .updateAttachment:
            """
            UPDATE attachments SET filename = ?2, url = ?3, hash = ?4, size = ?5, type = ?6, width = ?7, height = ?8,
                unheld = ?9
            WHERE id = ?1
            """
        case .removeAttachment: "DELETE FROM attachments WHERE id = ?1"
        case .setCounter: "INSERT OR REPLACE INTO counters (name, value) VALUES (?1, ?2)"
        }
    }
}
