import RowhouseModel
import Storage

/// What the keys of an order mean beside the cells of records: the types of its fields, the places of choices, formulas.
///
/// A page goes on after a key; where this has changed since the key was made, its place in the order is another.
/// Choices are told apart from the rest: those that are added behind the others move nothing.
struct OrderMeaning {
    private(set) var text = ""
    /// The choices of the select fields among those that count, as bytes.
    private(set) var choices: [[[UInt8]]] = []

    /// Of so many fields the choices may grow while someone pages.
    private static let mostLists = 64

    /// - Parameter computed: the order, where the store cannot make it.
    init(_ order: [SortKey], of table: TableSchema, computed: ComputedOrder?) {
        for key in order {
            let field = table.fields[key.field]
            text += "|\(field.id)\(key.direction.rawValue)\(field.type.rawValue)"
            if computed == nil { add(field.choices, named: false) }
        }
        if let computed { add(computed.plan) }
    }

    private mutating func add(_ plan: ComputedPlan) {
        text += "(\(plan.table.id)"
        for position in plan.read {
            let field = plan.table.fields[position]
            text += "|\(field.id)\(field.type.rawValue)"
            // A formula meets the names of choices.
            add(field.choices, named: true)
        }
        for step in plan.steps {
            text += "|\(step.field.id)\(step.field.type.rawValue)\(step.field.options.computedMeaning)"
        }
        for hop in plan.hops {
            text += "|\(plan.table.fields[hop.link].id)"
            add(hop.plan)
        }
        text += ")"
    }

    private mutating func add(_ list: [SelectChoice], named: Bool) {
        guard !list.isEmpty else { return }
        let parts = list.map { choice in
            var part: [UInt8] = []
            choice.id.text.append(to: &part)
            if named { part += Array(":\(choice.name.utf8.count):\(choice.name)".utf8) }
            return part
        }
        if choices.count < Self.mostLists {
            choices.append(parts)
        } else {
            text += "|\(list.count)"
            for part in parts { text += String(decoding: part, as: UTF8.self) }
        }
    }

    /// How many choices there are in each list.
    var counts: [Int] { choices.map(\.count) }

    /// All of it with the first so many choices of each list; nil where there are no longer so many.
    func description(first counts: [Int]) -> [UInt8]? {
        guard counts.count == choices.count else { return nil }
        var bytes = Array(text.utf8)
        for (count, list) in zip(counts, choices) {
            guard count <= list.count else { return nil }
            bytes += Array("|\(count)".utf8)
            for part in list.prefix(count) { bytes += part }
        }
        return bytes
    }
}

extension FieldOptions {
    /// What the values of a computed field depend on beside those of the fields it names.
    fileprivate var computedMeaning: String {
        switch self {
        case .formula(let formula):
            "\(formula.isValid)\(formula.result?.type.rawValue ?? "")\(formula.formula.utf8.count):\(formula.formula)"
        case .rollup(let rollup):
            "\(rollup.isValid)\(rollup.result?.type.rawValue ?? "")\(Self.path(rollup.recordLinkFieldID, rollup.fieldIDInLinkedTable))"
                + "\(rollup.formula.utf8.count):\(rollup.formula)"
        case .lookup(let lookup):
            "\(lookup.isValid)\(lookup.result?.type.rawValue ?? "")"
                + Self.path(lookup.recordLinkFieldID, lookup.fieldIDInLinkedTable)
        case .count(let link, _): Self.path(link, nil)
        case .button(let button): "\(button.label.utf8.count):\(button.label)"
        case .links(let links): links.linkedTableID.description
        default: ""
        }
    }

    private static func path(_ link: FieldID?, _ field: FieldID?) -> String {
        "\(link?.description ?? "-")/\(field?.description ?? "-")"
    }
}
