extension Migration {
    /// Which waiting attachments are to be fetched, and from when on: `due` is 0 for what nobody has tried yet, a time
    /// for what is tried again, and NULL for what its cell does not hold now (and for what is here).
    static let queue = Migration(
        sql: """
            ALTER TABLE attachments ADD COLUMN due INTEGER;
            ALTER TABLE attachments ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
            UPDATE attachments SET due = 0 WHERE hash IS NULL;
            DROP INDEX attachments_waiting;
            CREATE INDEX attachments_due ON attachments (base, due) WHERE due IS NOT NULL;
            CREATE INDEX attachments_asleep ON attachments (base, table_id, field) WHERE hash IS NULL AND due IS NULL;
            CREATE INDEX attachments_elsewhere ON attachments (record) WHERE hash IS NULL;
            """)
}
