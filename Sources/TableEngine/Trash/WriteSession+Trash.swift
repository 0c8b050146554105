import RowhouseModel
import RowhouseWire
import Storage

extension WriteSession {
    /// Notes a field that was hidden, with the one on its other side.
    func discard(_ field: Field, of table: TableSchema, _ hidden: [FieldPlace]) throws(APIError) {
        try writer.addToTrash(
            NewTrashEntry(
                kind: .field, id: field.id.text, base: table.base, table: table.id, name: field.name,
                user: caller.user.id, fields: hidden))
    }

    /// Notes a table that was hidden, with the fields of other tables that led to it.
    func discard(_ table: TableSchema, _ hidden: [FieldPlace]) throws(APIError) {
        try writer.addToTrash(
            NewTrashEntry(
                kind: .table, id: table.id.text, base: table.base, table: table.id, name: table.name,
                user: caller.user.id, fields: hidden))
    }

    /// Notes a base that was hidden.
    func discard(_ base: BaseSchema) throws(APIError) {
        try writer.addToTrash(
            NewTrashEntry(
                kind: .base, id: base.id.text, base: base.id, table: nil, name: base.name, user: caller.user.id,
                fields: []))
    }

    /// What the primary cells of records show, by which people know them in the trash.
    func names(of ids: [RecordID], in table: TableSchema) throws(APIError) -> [String] {
        guard let primary = table.index(of: table.primaryFieldID) else { throw .internalError }
        let presentation = RecordPresentation(cellFormat: .string(timeZone: "utc", userLocale: "en"))
        let batch =
            if let plan = formulas.plan(table, [primary], as: presentation, in: writer.schema) {
                try computed(plan, ids, presentation).batch
            } else {
                try writer.records(ids, in: table, fields: [primary])
            }
        // No attachment is a name.
        let shown = try CellText(presentation, users: writer.users, zones: zones, links: AttachmentLinks())
        guard batch.count == ids.count, let text = shown else { return ids.map { _ in "" } }
        return (0..<batch.count).map { record in
            let name = text.text(batch.slots[record * batch.fields.count], batch.text, of: batch.fields[0]) ?? ""
            return name.beginning(bytes: TrashEntry.longestName)
        }
    }
}

extension BaseSchema {
    /// The fields that a later form of the base lacks, save those of tables that it lacks whole.
    func fields(missingIn later: BaseSchema) -> [FieldPlace] {
        tables.flatMap { old -> [FieldPlace] in
            guard let new = later.table(old.id), new !== old else { return [] }
            return old.fields.filter { new.index(of: $0.id) == nil }.map { FieldPlace(table: old.id, field: $0.id) }
        }
    }
}

extension String {
    /// As many whole characters as fit into so many bytes.
    fileprivate func beginning(bytes: Int) -> String {
        if utf8.count <= bytes { return self }
        var end = utf8.index(startIndex, offsetBy: bytes)
        while end > startIndex, end.samePosition(in: unicodeScalars) == nil { utf8.formIndex(before: &end) }
        return String(self[..<end])
    }
}
