extension Migration {
    /// What is deleted and can be restored, and which changes are about which record.
    ///
    /// Each table `t_<number>` has a twin `d_<number>` for deleted records; those of old tables are made when the
    /// folder is opened.
    static let trash = Migration(
        sql: """
            CREATE TABLE trash (
                number INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id TEXT NOT NULL, base TEXT NOT NULL,
                table_id TEXT, table_number INTEGER, record INTEGER, deletion INTEGER NOT NULL, name TEXT NOT NULL,
                deleted INTEGER NOT NULL, user TEXT, memo TEXT, state INTEGER NOT NULL DEFAULT 0,
                progress INTEGER NOT NULL DEFAULT 0
            ) STRICT;
            CREATE INDEX trash_base ON trash (base) WHERE state = 0 AND kind <> 'base';
            CREATE INDEX trash_bases ON trash (deleted) WHERE state = 0 AND kind = 'base';
            CREATE INDEX trash_id ON trash (id);
            CREATE TABLE trash_links (
                link INTEGER NOT NULL, a INTEGER NOT NULL, pa INTEGER NOT NULL, b INTEGER NOT NULL,
                pb INTEGER NOT NULL, PRIMARY KEY (link, a, pa, b)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX trash_links_b ON trash_links (link, b, pb);
            CREATE TABLE trash_places (
                view INTEGER NOT NULL, record INTEGER NOT NULL, place TEXT NOT NULL, PRIMARY KEY (view, record)
            ) STRICT, WITHOUT ROWID;
            ALTER TABLE fields ADD COLUMN trash INTEGER;
            CREATE INDEX fields_trash ON fields (trash) WHERE trash IS NOT NULL;
            ALTER TABLE tables ADD COLUMN is_purged INTEGER NOT NULL DEFAULT 0;
            CREATE TABLE record_changes (
                record TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (record, seq)
            ) STRICT, WITHOUT ROWID;
            INSERT INTO trash (kind, id, base, deletion, name, deleted)
                SELECT 'base', id, id, 0, name, deleted FROM bases WHERE deleted IS NOT NULL;
            INSERT INTO trash (kind, id, base, table_id, table_number, deletion, name, deleted)
                SELECT 'table', id, base, id, number, 0, name, deleted FROM tables WHERE deleted IS NOT NULL;
            UPDATE fields SET trash = (
                SELECT e.number FROM trash AS e JOIN links AS l ON l.number = fields.link
                WHERE e.kind = 'table' AND e.deleted = fields.deleted AND e.table_number IN (l.a_table, l.b_table)
            ) WHERE deleted IS NOT NULL AND link IS NOT NULL;
            INSERT INTO trash (kind, id, base, table_id, table_number, deletion, name, deleted)
                SELECT 'field', f.id, t.base, t.id, t.number, 0, f.name, f.deleted
                FROM fields AS f JOIN tables AS t ON t.number = f.table_number
                WHERE f.deleted IS NOT NULL AND f.is_retired = 0 AND f.link IS NULL;
            UPDATE fields SET trash = (
                SELECT e.number FROM trash AS e
                WHERE e.kind = 'field' AND e.id = fields.id AND e.table_number = fields.table_number
            ) WHERE deleted IS NOT NULL AND is_retired = 0 AND link IS NULL;
            UPDATE trash SET deletion = number;
            INSERT INTO record_changes (record, seq)
                SELECT DISTINCT substr(json_extract(r.value, '$.id'), 4), c.seq
                FROM changes AS c, json_each(c.payload, '$.records') AS r
                WHERE c.kind IN ('updateRecords', 'upsertRecords', 'deleteRecords') AND coalesce(json_extract(r.value, '$.created'), 0) = 0;
            """)
}

/// What an entry of the trash is (`trash.state`).
enum TrashState {
    /// To be restored, or to go for good when its time is over.
    static let kept = 0
    /// Restored; remembered so that restoring it again is the same.
    static let restored = 1
    /// On its way out for good, step by step.
    static let going = 2
}
