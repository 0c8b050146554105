/// One step from a schema of the folder to the next; never changed once released.
struct Migration: Sendable {
    let sql: String

    /// All steps in order: the first makes schema 1 of an empty file.
    static let all = [
        Migration(sql: first), Migration(sql: links), views, attachments, comments, trash, making, choices, queue,
    ]

    /// Marks the file as ours ("RwHs").
    static let applicationID: Int64 = 0x5277_4873

    // Identifiers are kept as their fourteen characters; only cells and `created_by` hold them whole.
    private static let first = """
        CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
        CREATE TABLE users (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, email TEXT NOT NULL, name TEXT NOT NULL,
            created INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE tokens (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, hash BLOB NOT NULL, user TEXT NOT NULL,
            name TEXT NOT NULL, scopes TEXT NOT NULL, bases TEXT, created INTEGER NOT NULL, expires INTEGER,
            last_used INTEGER, is_revoked INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE TABLE bases (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, workspace TEXT NOT NULL,
            created INTEGER NOT NULL, deleted INTEGER
        ) STRICT;
        CREATE TABLE tables (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, base TEXT NOT NULL, name TEXT NOT NULL,
            description TEXT, primary_field TEXT NOT NULL, version INTEGER NOT NULL,
            record_count INTEGER NOT NULL DEFAULT 0, last_record INTEGER NOT NULL DEFAULT 0,
            is_in_order INTEGER NOT NULL DEFAULT 1, last_time INTEGER NOT NULL DEFAULT 0, created INTEGER NOT NULL, deleted INTEGER
        ) STRICT;
        CREATE TABLE fields (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL, table_number INTEGER NOT NULL, position INTEGER NOT NULL,
            name TEXT NOT NULL, type TEXT NOT NULL, kept TEXT NOT NULL, options TEXT NOT NULL, description TEXT,
            created INTEGER NOT NULL, deleted INTEGER, is_retired INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE UNIQUE INDEX fields_live ON fields (table_number, id) WHERE deleted IS NULL;
        CREATE TABLE views (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL, table_number INTEGER NOT NULL, position INTEGER NOT NULL,
            name TEXT NOT NULL, type TEXT NOT NULL, deleted INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX views_live ON views (table_number, id) WHERE deleted IS NULL;
        CREATE TABLE changes (
            seq INTEGER PRIMARY KEY, time INTEGER NOT NULL, base TEXT NOT NULL, table_id TEXT, user TEXT NOT NULL,
            token TEXT, kind TEXT NOT NULL, payload TEXT NOT NULL
        ) STRICT;
        CREATE TABLE answers (
            number INTEGER PRIMARY KEY, key TEXT NOT NULL, user TEXT NOT NULL, fingerprint BLOB NOT NULL,
            body BLOB NOT NULL, time INTEGER NOT NULL, UNIQUE (key, user)
        ) STRICT;
        CREATE TABLE sort_indexes (
            number INTEGER PRIMARY KEY AUTOINCREMENT, table_number INTEGER NOT NULL, definition TEXT NOT NULL,
            fingerprint TEXT NOT NULL, is_ready INTEGER NOT NULL DEFAULT 0, last_used INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE find_indexes (
            number INTEGER PRIMARY KEY, table_number INTEGER NOT NULL, columns TEXT NOT NULL,
            UNIQUE (table_number, columns)
        ) STRICT;
        """

    // Each of `links` has a table `l_<number>` of its own; its columns `a` and `b` hold the numbers of records.
    private static let links = """
        CREATE TABLE links (number INTEGER PRIMARY KEY, a_table INTEGER NOT NULL, b_table INTEGER NOT NULL) STRICT;
        ALTER TABLE fields ADD COLUMN link INTEGER;
        ALTER TABLE fields ADD COLUMN link_side TEXT;
        """
}
