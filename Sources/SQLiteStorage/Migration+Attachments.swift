extension Migration {
    /// What is attached, and for which cell; `hash` is NULL while the bytes are still at `url`,
    /// `unheld` until its cell is found not to hold it.
    static let attachments = Migration(
        sql: """
            CREATE TABLE attachments (
                number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, base TEXT NOT NULL, table_id TEXT NOT NULL,
                field TEXT NOT NULL, record TEXT NOT NULL, user TEXT NOT NULL, filename TEXT NOT NULL, url TEXT,
                hash TEXT, size INTEGER, type TEXT, width INTEGER, height INTEGER, unheld INTEGER,
                created INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX attachments_hash ON attachments (hash) WHERE hash IS NOT NULL;
            CREATE INDEX attachments_waiting ON attachments (number) WHERE hash IS NULL;
            """)
}
