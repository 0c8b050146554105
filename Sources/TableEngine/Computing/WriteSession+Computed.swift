import FormulaLanguage
import RowhouseModel
import RowhouseWire
import Storage

extension WriteSession {
    /// Puts a changed base in place: every table that is not as it was, with all computed fields settled.
    ///
    /// - Returns: the base as it is then.
    @discardableResult
    func put(_ base: BaseSchema) throws(APIError) -> BaseSchema {
        guard let before = writer.schema.base(base.id) else { throw .internalError }
        let settled = Settling.isNeeded(before, base) ? Settling.settled(base) : base
        for table in settled.tables {
            guard let old = before.table(table.id), old !== table else { continue }
            try writer.updateTable(table)
            try log(
                .updateTable, table: table,
                schema: SchemaChange(before: SchemaEncoder.table(old), after: SchemaEncoder.table(table)))
        }
        return writer.schema.base(base.id) ?? base
    }

    /// Records of this transaction with their computed cells; where computing them would hold up other writes for too
    /// long these cells are errors, and `isCutShort` is true.
    func computed(
        _ plan: ComputedPlan, _ ids: [RecordID], _ presentation: RecordPresentation
    ) throws(APIError) -> (batch: RecordBatch, isCutShort: Bool) {
        let page = ComputedPage(
            plan, try writer.records(ids, in: plan.table, fields: plan.read), users: writer.users)
        var computing = try PageComputing(
            now: writer.now, zones: zones, links: formulas.links, presentation, users: writer.users, steps: budget.steps
        )
        do throws(APIError) {
            var links = budget.links
            try page.fetch(from: writer, links: &links)
            try computing.compute(page)
            return (page.finished(), false)
        } catch {
            guard error == .tooMuchToCompute else { throw error }
            let page = ComputedPage(
                plan, try writer.records(ids, in: plan.table, fields: plan.asked), users: writer.users)
            try page.fillWithErrors(isShown: presentation.cellFormat != .json)
            return (page.finished(), true)
        }
    }

    /// The field with the ids of fields in place of their names in its formula, and what it leaves open decided.
    ///
    /// - Parameter fields: those that the formula may name.
    /// - Throws: `INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE` with the place in the formula, or with what is not there.
    func resolved(
        _ field: Field, among fields: [Field], of table: String, in base: BaseID
    ) throws(APIError) -> Field {
        let check = FormulaCheck(table: table, field: field.name)
        var field = field
        try checkRoom(for: field, beside: fields, in: base, check)
        switch field.options {
        case .formula(var formula):
            formula.formula = try check.withIDs(formula.formula, FormulaScope(fields))
            field.options = .formula(formula)
        case .button(var button):
            if let url = button.urlFormula { button.urlFormula = try check.withIDs(url, FormulaScope(fields)) }
            field.options = .button(button)
        case .rollup(var rollup):
            let target = try target(
                of: rollup.recordLinkFieldID, rollup.fieldIDInLinkedTable, among: fields, in: base, check)
            if rollup.formula.isEmpty { rollup.formula = Self.usualRollUp(of: target) }
            _ = try check.checked(rollup.formula, FormulaScope(valuesOf: target))
            field.options = .rollup(rollup)
        case .lookup(let lookup):
            _ = try target(of: lookup.recordLinkFieldID, lookup.fieldIDInLinkedTable, among: fields, in: base, check)
        case .count(let link, _): _ = try linkedTable(of: link, among: fields, in: base, check)
        case .lastModifiedTime(let watched, let gone, _):
            let known = Set(fields.map(\.id)).subtracting([field.id]).union(gone)
            guard watched.allSatisfy({ known.contains($0) }) else {
                throw check.invalid("referencedFieldIds must be ids of other fields of this table")
            }
        default: break
        }
        return field
    }

    /// Refuses a field whose formula is too much for the base.
    func checkRoom(for field: Field, beside fields: [Field], in table: TableSchema) throws(APIError) {
        let check = FormulaCheck(table: table.name, field: field.name)
        try checkRoom(for: field, beside: fields, in: table.base, check)
    }

    /// All formulas of a base are read when its schema changes, while other writes wait.
    private func checkRoom(
        for field: Field, beside fields: [Field], in base: BaseID, _ check: FormulaCheck
    ) throws(APIError) {
        guard field.options.formulaBytes > 0 else { return }
        let own = Set(fields.map(\.id) + [field.id])
        var bytes = field.options.formulaBytes
        for other in fields where other.id != field.id { bytes += other.options.formulaBytes }
        for table in writer.schema.base(base)?.tables ?? [] {
            for other in table.fields where !own.contains(other.id) { bytes += other.options.formulaBytes }
        }
        guard bytes <= Self.mostFormulaBytes else {
            throw check.invalid("the formulas of the base come to more than \(Self.mostFormulaBytes) bytes")
        }
    }

    /// Refuses a field that its place in the schema makes invalid: it refers to itself, over other fields or not.
    func requireValid(_ id: FieldID, in table: TableSchema) throws(APIError) {
        guard let position = table.index(of: id) else { return }
        let field = table.fields[position]
        let isValid =
            switch field.options {
            case .formula(let formula): formula.isValid
            case .rollup(let rollup): rollup.isValid
            case .lookup(let lookup): lookup.isValid
            case .button(let button): button.isValid
            default: true
            }
        guard isValid else {
            throw FormulaCheck(table: table.name, field: field.name).invalid("the field would refer to itself")
        }
    }

    /// Refuses a table with a field that refers to itself.
    func requireValid(fieldsOf table: TableSchema) throws(APIError) {
        for field in table.fields { try requireValid(field.id, in: table) }
    }

    /// The length of all formulas of a base together.
    private static let mostFormulaBytes = 500_000

    /// What a rollup does when nothing is said: numbers are added up, all else becomes a text.
    private static func usualRollUp(of field: Field) -> String {
        var type = FormulaType(type: field.type, options: field.options)
        while case .array(let item) = type { type = item }
        if case .number = type { return "SUM(values)" }
        return "ARRAYJOIN(values, \", \")"
    }

    private func linkedTable(
        of link: FieldID?, among fields: [Field], in base: BaseID, _ check: FormulaCheck
    ) throws(APIError) -> TableSchema {
        guard let field = fields.first(where: { $0.id == link }), case .links(let links) = field.options,
            let table = writer.schema.base(base)?.table(links.linkedTableID)
        else { throw check.invalid("recordLinkFieldId is no link field of this table") }
        return table
    }

    private func target(
        of link: FieldID?, _ field: FieldID?, among fields: [Field], in base: BaseID, _ check: FormulaCheck
    ) throws(APIError) -> Field {
        let table = try linkedTable(of: link, among: fields, in: base, check)
        guard let position = field.flatMap({ table.index(of: $0) }), table.fields[position].type != .button else {
            throw check.invalid("fieldIdInLinkedTable is no field of the linked table that can be looked up")
        }
        return table.fields[position]
    }
}

extension Engine {
    /// The answer to a write as it is; where computed cells were left out for the sake of other writes they are
    /// computed now, from what the records have become.
    ///
    /// An answer that is kept under an idempotency key stays as it was kept.
    func completed(
        _ written: Written<WrittenRecords>, _ presentation: RecordPresentation, _ idempotency: Idempotency?
    ) throws(APIError) -> Written<WrittenRecords> {
        guard case .now(var answer) = written, answer.isCutShort, idempotency == nil, let shape = answer.shape,
            let plan = formulas.plan(shape.table, shape.positions, as: presentation, in: storage.schema)
        else { return written }
        let ids = answer.batch.ids
        let page = try? computed(plan, ids.count, presentation, .record) { (reader, _) throws(APIError) in
            StoredPage(
                batch: try reader.records(ids, in: shape.table, fields: plan.read), last: nil, hasMore: false)
        }
        // A record that is gone meanwhile was written all the same.
        if var batch = page?.batch, batch.count == ids.count {
            batch.commentCounts = answer.batch.commentCounts
            answer.batch = batch
        }
        return .now(answer)
    }
}

/// Tells what is wrong with the options of a computed field.
private struct FormulaCheck {
    let table: String
    let field: String

    func withIDs(_ text: String, _ scope: FormulaScope) throws(APIError) -> String {
        _ = try checked(text, scope)
        return FormulaText.withIDs(text, scope)
    }

    func checked(_ text: String, _ scope: FormulaScope) throws(APIError) -> CheckedFormula {
        do throws(FormulaError) {
            return try CheckedFormula(text, scope)
        } catch {
            throw invalid(error.rendered(in: text))
        }
    }

    func invalid(_ detail: String) -> APIError { .invalidFieldOptions(table: table, field: field, detail) }
}
