package import RowhouseJSON

/// A table as the path of a request names it: by id or name, with `+` taken literally and as a space.
package struct TableReference: Sendable, Equatable {
    package let exact: String
    package let plusAsSpace: String

    package init(_ exact: String, plusAsSpace: String? = nil) {
        self.exact = exact
        self.plusAsSpace = plusAsSpace ?? exact
    }
}

/// Ascending (empty cells first) or descending.
package enum SortDirection: String, Sendable { case asc, desc }

/// One sort key of a list request; the field by name or id.
package struct SortRequest: Sendable, Equatable {
    package var field: String
    package var direction: SortDirection
    package init(field: String, direction: SortDirection) {
        self.field = field
        self.direction = direction
    }
}

/// How cells are answered: as JSON values, or as the texts that a person sees.
package enum CellFormat: Sendable, Equatable {
    case json
    case string(timeZone: String, userLocale: String)
}

/// How records are answered.
package struct RecordPresentation: Sendable, Equatable {
    package var cellFormat: CellFormat
    /// Keys of `fields` are field ids instead of names.
    package var returnFieldsByFieldID: Bool
    /// `commentCount` is added to each record.
    package var commentCount: Bool

    package init(cellFormat: CellFormat = .json, returnFieldsByFieldID: Bool = false, commentCount: Bool = false) {
        self.cellFormat = cellFormat
        self.returnFieldsByFieldID = returnFieldsByFieldID
        self.commentCount = commentCount
    }
}

/// Airtable's "List records".
package struct ListRecordsRequest: Sendable, Equatable {
    package var base: BaseID
    package var table: TableReference
    /// Names or ids; nil means all.
    package var fields: [String]?
    package var sort: [SortRequest] = []
    package var view: String?
    package var filterByFormula: String?
    /// 1–100.
    package var pageSize = 100
    /// At least 1; over all pages.
    package var maxRecords: Int?
    package var offset: String?
    package var presentation = RecordPresentation()

    package init(base: BaseID, table: TableReference) {
        self.base = base
        self.table = table
    }
}

/// Airtable's "Get record".
package struct GetRecordRequest: Sendable, Equatable {
    package var base: BaseID
    package var table: TableReference
    package var record: RecordID
    package var presentation = RecordPresentation()

    package init(base: BaseID, table: TableReference, record: RecordID) {
        self.base = base
        self.table = table
        self.record = record
    }
}

/// The cells of one record as a caller sent them: field name or id, and the value.
package struct RecordInput: Sendable, Equatable {
    /// The record's id where one was sent, not yet checked.
    package var id: String?
    package var fields: JSONObject
    package init(id: String? = nil, fields: JSONObject) {
        self.id = id
        self.fields = fields
    }
}

/// Airtable's "Create records".
package struct CreateRecordsRequest: Sendable, Equatable {
    package var base: BaseID
    package var table: TableReference
    package var records: [RecordInput]
    package var typecast: Bool
    package var presentation: RecordPresentation
    /// One record without the `records` wrapper: it is answered without one too.
    package var isSingle: Bool

    package init(
        base: BaseID, table: TableReference, records: [RecordInput], typecast: Bool,
        presentation: RecordPresentation, isSingle: Bool
    ) {
        self.base = base
        self.table = table
        self.records = records
        self.typecast = typecast
        self.presentation = presentation
        self.isSingle = isSingle
    }
}

/// Airtable's "Update records" (PATCH, PUT) with or without `performUpsert`.
package struct UpdateRecordsRequest: Sendable, Equatable {
    /// What happens to writable cells that are not named.
    package enum Unnamed: Sendable { case kept, cleared }

    package var base: BaseID
    package var table: TableReference
    package var records: [RecordInput]
    package var unnamed: Unnamed
    /// `performUpsert.fieldsToMergeOn`: one to three names or ids.
    package var fieldsToMergeOn: [String]?
    package var typecast: Bool
    package var presentation: RecordPresentation
    /// One record named in the path rather than a batch: an unknown id is 404, not 422.
    package var isSingle: Bool

    package init(
        base: BaseID, table: TableReference, records: [RecordInput], unnamed: Unnamed, fieldsToMergeOn: [String]?,
        typecast: Bool, presentation: RecordPresentation, isSingle: Bool
    ) {
        self.base = base
        self.table = table
        self.records = records
        self.unnamed = unnamed
        self.fieldsToMergeOn = fieldsToMergeOn
        self.typecast = typecast
        self.presentation = presentation
        self.isSingle = isSingle
    }
}

/// Airtable's "Delete records".
package struct DeleteRecordsRequest: Sendable, Equatable {
    package var base: BaseID
    package var table: TableReference
    package var records: [RecordID]
    package var isSingle: Bool

    package init(base: BaseID, table: TableReference, records: [RecordID], isSingle: Bool) {
        self.base = base
        self.table = table
        self.records = records
        self.isSingle = isSingle
    }
}
