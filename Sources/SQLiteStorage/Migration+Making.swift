extension Migration {
    /// Bases that are still being made, and answers kept by the token that got them, no longer by its user.
    ///
    /// An answer from before this was kept for every token of the user, and so stays found by all of them for its day.
    static let making = Migration(
        sql: """
            ALTER TABLE bases ADD COLUMN is_made INTEGER NOT NULL DEFAULT 1;
            CREATE TABLE token_answers (
                number INTEGER PRIMARY KEY, key TEXT NOT NULL, token TEXT NOT NULL, fingerprint BLOB NOT NULL,
                body BLOB NOT NULL, time INTEGER NOT NULL, UNIQUE (key, token)
            ) STRICT;
            INSERT INTO token_answers (key, token, fingerprint, body, time)
                SELECT a.key, t.id, a.fingerprint, a.body, a.time FROM answers AS a JOIN tokens AS t ON t.user = a.user
                ORDER BY a.number;
            DROP TABLE answers;
            ALTER TABLE token_answers RENAME TO answers;
            """)
}
