import FormulaLanguage
import RowhouseModel
import RowhouseWire

/// Makes the plan for some fields of one table.
///
/// The options of fields are settled: what is valid leads nowhere in a circle. Depth and size are limited all the same,
/// since a chain of lookups can be long; what lies beyond is an error in its cells.
struct ComputedPlanBuilder {
    /// How far lookups of lookups lead.
    static let deepest = 12
    /// How many links one plan follows, over all tables.
    static let mostHops = 200

    private let formulas: BaseFormulas
    private let table: TableSchema
    private let wanted: ComputedWants
    private let depth: Int

    private var read: [Int]
    private var columns: [Int: Int]
    private var steps: [ComputedPlan.Step] = []
    private var stepPlaces: [Int: Int] = [:]
    private var open: Set<Int> = []
    /// The steps whose values are needed by others.
    private var valued: Set<Int> = []
    /// The link fields to follow in the order of first need, and what is wanted of their linked records.
    private var links: [Int] = []
    private var targets: [Int: [Int]] = [:]
    private var needsModifiedTimes = false

    /// `hopsLeft` is shared by a plan and those within it.
    static func plan(
        _ table: TableSchema, _ wanted: ComputedWants, formulas: BaseFormulas, depth: Int = 0, hopsLeft: inout Int
    ) -> ComputedPlan {
        var builder = ComputedPlanBuilder(formulas, table, wanted, depth)
        return builder.build(hopsLeft: &hopsLeft)
    }

    private init(_ formulas: BaseFormulas, _ table: TableSchema, _ wanted: ComputedWants, _ depth: Int) {
        self.formulas = formulas
        self.table = table
        self.wanted = wanted
        self.depth = depth
        read = wanted.fields
        needsModifiedTimes = wanted.modified
        columns = Dictionary(wanted.fields.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    private mutating func build(hopsLeft: inout Int) -> ComputedPlan {
        for position in wanted.fields where wanted.filled.contains(position) && isFilled(position) {
            _ = source(of: position)
        }
        let sources = wanted.fields.map { position in
            wanted.valued.contains(position) ? value(of: position) : .error
        }
        var hops: [ComputedPlan.Hop] = []
        for link in links {
            guard let linked = linkedTable(link) else { continue }
            let wants = wants(through: link)
            hopsLeft -= 1
            let isReached = depth < Self.deepest && hopsLeft >= 0
            let plan =
                isReached
                ? Self.plan(linked, wants, formulas: formulas, depth: depth + 1, hopsLeft: &hopsLeft)
                : Self.unreached(linked, wants.fields)
            hops.append(.init(link: link, plan: plan))
        }
        let linkCells = takeLinkCells()
        return ComputedPlan(
            table: table, asked: wanted.fields, read: read, linkCells: linkCells, hops: hops, steps: finishedSteps(),
            sources: sources, needsModifiedTimes: needsModifiedTimes)
    }

    /// The link fields asked for whose links are followed anyway: their cells need not be read. A field without cells
    /// of its own holds their place.
    private mutating func takeLinkCells() -> [(column: Int, hop: Int)] {
        let holder = table.fields.firstIndex { $0.type.isComputedFromCells }
        guard depth == 0, let holder else { return [] }
        var cells: [(column: Int, hop: Int)] = []
        for (hop, link) in links.enumerated() where wanted.filled.contains(link) && !isFilled(link) {
            guard let column = columns[link] else { continue }
            read[column] = holder
            cells.append((column, hop))
        }
        return cells
    }

    /// What is wanted of the records that a link leads to: cells for lookups that are answered, values for the rest.
    private func wants(through link: Int) -> ComputedWants {
        var wants = ComputedWants(fields: targets[link] ?? [], filled: [], valued: [], shown: wanted.shown)
        for (place, step) in steps.enumerated() {
            switch step.kind {
            case .lookup(let hop, let target) where links[hop] == link:
                if step.column != nil { wants.filled.insert(wants.fields[target]) }
                if valued.contains(place) { wants.valued.insert(wants.fields[target]) }
            case .rollup(_, let hop, let target) where links[hop] == link,
                .names(let hop, let target) where links[hop] == link:
                wants.valued.insert(wants.fields[target])
            default: continue
            }
        }
        return wants
    }

    private func finishedSteps() -> [ComputedPlan.Step] {
        steps.enumerated().map { place, step in
            var step = step
            step.needsValues = valued.contains(place)
            if case .count(let link, _) = step.kind { step.kind = .count(link: link, hop: links.firstIndex(of: link)) }
            return step
        }
    }

    /// A plan that yields errors: what lies too deep.
    private static func unreached(_ table: TableSchema, _ asked: [Int]) -> ComputedPlan {
        let steps = asked.enumerated().map { column, position in
            ComputedPlan.Step(kind: .error, field: table.fields[position], column: column, needsValues: true)
        }
        return ComputedPlan(
            table: table, asked: asked, read: asked, hops: [], steps: steps,
            sources: steps.indices.map { .step($0) }, needsModifiedTimes: false)
    }

    /// Whether the cells of a field are filled in rather than stored as they are answered.
    private func isFilled(_ position: Int) -> Bool {
        let field = table.fields[position]
        return field.options.isComputed || (wanted.shown && field.type == .multipleRecordLinks)
    }

    private func isAnswered(_ position: Int) -> Bool { wanted.filled.contains(position) && isFilled(position) }

    // MARK: values

    /// Where the value of a field comes from, which is then needed.
    private mutating func value(of position: Int) -> ComputedPlan.Source {
        let source = source(of: position)
        if case .step(let place) = source { valued.insert(place) }
        return source
    }

    /// Where the value of a field comes from; steps and cells that it needs are added.
    private mutating func source(of position: Int) -> ComputedPlan.Source {
        let field = table.fields[position]
        guard field.options.isComputed || field.type == .multipleRecordLinks else {
            return .cell(column: column(of: position), CellForm(field, links: formulas.links))
        }
        if let place = stepPlaces[position] { return .step(place) }
        guard open.insert(position).inserted else { return .error }
        let kind = kind(of: field, at: position)
        open.remove(position)
        steps.append(
            ComputedPlan.Step(
                kind: kind, field: field, column: isAnswered(position) ? columns[position] : nil, needsValues: false))
        stepPlaces[position] = steps.count - 1
        return .step(steps.count - 1)
    }

    private mutating func column(of position: Int) -> Int {
        if let column = columns[position] { return column }
        read.append(position)
        columns[position] = read.count - 1
        return read.count - 1
    }

    private mutating func kind(of field: Field, at position: Int) -> ComputedPlan.Step.Kind {
        switch field.options {
        case .formula:
            guard let checked = formulas.formula(of: field, in: table) else { return .error }
            return .formula(checked, sources(of: checked))
        case .button(let button):
            guard button.urlFormula != nil else { return .button(button.label, nil, []) }
            guard let checked = formulas.formula(of: field, in: table) else { return .button(button.label, nil, []) }
            return .button(button.label, checked, sources(of: checked))
        case .rollup(let rollup):
            guard let (hop, target) = hop(rollup.recordLinkFieldID, rollup.fieldIDInLinkedTable),
                let checked = formulas.formula(of: field, in: table)
            else { return .error }
            return .rollup(checked, hop: hop, target: target)
        case .lookup(let lookup):
            guard lookup.isValid, let (hop, target) = hop(lookup.recordLinkFieldID, lookup.fieldIDInLinkedTable) else {
                return .error
            }
            return .lookup(hop: hop, target: target)
        case .count(let link, _):
            guard let link = link.flatMap({ table.index(of: $0) }), linkedTable(link) != nil else { return .error }
            return .count(link: link, hop: nil)
        case .links:
            guard let linked = linkedTable(position), let (hop, target) = hop(field.id, linked.primaryFieldID) else {
                return .error
            }
            return .names(hop: hop, target: target)
        default: return .error
        }
    }

    private mutating func sources(of checked: CheckedFormula) -> [ComputedPlan.Source] {
        if checked.needsModifiedTime { needsModifiedTimes = true }
        return checked.fields.map { id in table.index(of: id).map { value(of: $0) } ?? .error }
    }

    // MARK: links

    private func linkedTable(_ link: Int) -> TableSchema? {
        guard case .links(let links) = table.fields[link].options else { return nil }
        return formulas.base.table(links.linkedTableID)
    }

    /// The place of a link among those followed, and of a field among those wanted of the linked records.
    private mutating func hop(_ link: FieldID?, _ field: FieldID?) -> (hop: Int, target: Int)? {
        guard let link = link.flatMap({ table.index(of: $0) }), let linked = linkedTable(link),
            let position = field.flatMap({ linked.index(of: $0) })
        else { return nil }
        if !links.contains(link) { links.append(link) }
        guard let hop = links.firstIndex(of: link) else { return nil }
        var wanted = targets[link] ?? []
        if !wanted.contains(position) { wanted.append(position) }
        targets[link] = wanted
        guard let target = wanted.firstIndex(of: position) else { return nil }
        return (hop, target)
    }
}

/// What is wanted of the records of a table.
struct ComputedWants: Sendable, Hashable {
    /// Positions, in the order of the cells.
    var fields: [Int]
    /// Those whose cells are to be answered.
    var filled: Set<Int>
    /// Those whose values are needed: for sorting, filtering, or what follows links.
    var valued: Set<Int> = []
    /// Cells are answered as texts for a person rather than as JSON values.
    var shown = false
    /// Whether it is asked when each record was last changed.
    var modified = false
}
