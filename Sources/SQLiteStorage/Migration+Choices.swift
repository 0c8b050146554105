extension Migration {
    /// The choices of select fields that were removed, by the column of the field: cells in the change log name them by
    /// number. What fields and views said of others is kept by themselves, no more with what was deleted.
    static let choices = Migration(
        sql: """
            CREATE TABLE gone_choices (
                field INTEGER NOT NULL, number INTEGER NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, color TEXT,
                removed INTEGER NOT NULL, is_cleared INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (field, number)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX gone_choices_held ON gone_choices (field) WHERE is_cleared = 0;
            ALTER TABLE trash DROP COLUMN memo;
            """)
}
