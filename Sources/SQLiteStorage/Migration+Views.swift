extension Migration {
    /// What views choose, sort and hide, and where records were put by hand.
    static let views = Migration(
        sql: """
            ALTER TABLE views ADD COLUMN options TEXT NOT NULL DEFAULT '{}';
            CREATE TABLE places (
                view INTEGER NOT NULL, place TEXT NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (view, place)
            ) STRICT, WITHOUT ROWID;
            CREATE UNIQUE INDEX places_record ON places (view, record);
            """)
}
