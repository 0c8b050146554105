package import RowhouseModel
import RowhouseWire
import Storage

extension Engine {
    /// How many records one look takes, and how many cells are shown.
    private static let previewPortion = 1_000
    private static let previewExamples = 10
    /// The longest text shown of one cell, in characters.
    private static let longestExample = 200

    /// What `updateField` would do to the field's cells; nothing is changed.
    package func previewRetyping(_ request: UpdateFieldRequest, as caller: Caller) throws(APIError) -> RetypingReport {
        let table = try Self.table(
            request.table, in: request.base, of: storage.schema, scope: .schemaWrite, as: caller)
        let index = try Self.pathField(request.field, of: table)
        let source = table.fields[index]
        var report = RetypingReport()
        var target = source
        if request.changesCells(of: source) || source.type == .singleSelect || source.type == .multipleSelects {
            let asked = try RetypingTarget(source, request, in: table, zones: zones)
            (target.type, target.options) = (asked.type, asked.options)
        }
        var conversion = CellConversion(from: source, to: target, users: storage.users, zones: zones) {
            Self.randomID()
        }
        var after: PagePosition?
        repeat {
            let plan = PagePlan(table: table, fields: [index], order: [], after: after, limit: Self.previewPortion)
            let page = try storage.readEach { (reader) throws(APIError) in try reader.page(plan) }
            for record in 0..<page.batch.count {
                let cell = page.batch.cell(record: record, field: 0)
                add(cell, of: page.batch.ids[record], &conversion, to: &report)
            }
            after = page.hasMore ? page.last : nil
        } while after != nil
        return report
    }

    private func add(
        _ cell: StoredCell, of record: RecordID, _ conversion: inout CellConversion, to report: inout RetypingReport
    ) {
        let (converted, outcome) = conversion.convert(cell)
        switch outcome {
        case .empty: return
        case .kept: report.kept += 1
        case .shortened: report.shortened += 1
        case .changed, .lost: report.lost += 1
        }
        guard outcome != .kept, report.examples.count < Self.previewExamples else { return }
        let before = String(conversion.text(cell).prefix(Self.longestExample))
        let after = String(conversion.convertedText(converted).prefix(Self.longestExample))
        report.examples.append(
            RetypingReport.Example(record: record, before: before, after: outcome == .lost ? nil : after))
    }
}
