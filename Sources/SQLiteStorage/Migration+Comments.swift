extension Migration {
    /// Comments by the record they are about, which may be out of sight, and how many each record has.
    static let comments = Migration(
        sql: """
            CREATE TABLE comments (
                number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, table_number INTEGER NOT NULL, record TEXT NOT NULL,
                author TEXT NOT NULL, text TEXT NOT NULL, created INTEGER NOT NULL, updated INTEGER, parent TEXT
            ) STRICT;
            CREATE INDEX comments_record ON comments (table_number, record);
            CREATE TABLE comment_counts (
                table_number INTEGER NOT NULL, record TEXT NOT NULL, count INTEGER NOT NULL,
                PRIMARY KEY (table_number, record)
            ) STRICT, WITHOUT ROWID;
            """)
}
