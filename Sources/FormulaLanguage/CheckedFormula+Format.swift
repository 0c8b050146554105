package import RowhouseModel

extension CheckedFormula {
    /// The fields whose way of showing numbers and dates is that of the value too, since it is one of theirs or a sum
    /// of theirs; none for any other formula.
    package var formattedLike: [FieldID] {
        var slots: [Int] = []
        guard root.passesOn(&slots) else { return [] }
        return slots.compactMap { fields.indices.contains($0) ? fields[$0] : nil }
    }

    /// Whether it asks when the record was last changed.
    package var needsModifiedTime: Bool { root.calls("LAST_MODIFIED_TIME") }
}

extension Expression {
    private static let passing: Set<String> = [
        "SUM", "MIN", "MAX", "AVERAGE", "ROUND", "ROUNDUP", "ROUNDDOWN", "ABS", "IF", "ARRAYUNIQUE", "ARRAYCOMPACT",
        "ARRAYFLATTEN", "ARRAYSLICE",
    ]

    /// Whether the value is in the unit of fields alone, which are then added to `slots`.
    fileprivate func passesOn(_ slots: inout [Int]) -> Bool {
        switch self {
        case .field(let slot):
            if !slots.contains(slot) { slots.append(slot) }
            return true
        case .constant(.blank): return true
        case .negate(let operand): return operand.passesOn(&slots)
        case .binary(let sign, let left, let right):
            return (sign == .add || sign == .subtract) && left.passesOn(&slots) && right.passesOn(&slots)
        case .chain(let first, let links):
            guard first.passesOn(&slots) else { return false }
            return links.allSatisfy { ($0.sign == .add || $0.sign == .subtract) && $0.operand.passesOn(&slots) }
        case .call(let call) where Self.passing.contains(call.name):
            var values = call.arguments[...]
            switch call.name {
            case "IF": values = values.dropFirst()
            case "ROUND", "ROUNDUP", "ROUNDDOWN", "ARRAYSLICE": values = values.prefix(1)
            default: break
            }
            return !values.isEmpty && values.allSatisfy { $0.passesOn(&slots) }
        default: return false
        }
    }

    /// Whether a function of this name is called anywhere in it.
    fileprivate func calls(_ name: String) -> Bool {
        switch self {
        case .constant, .field: false
        case .negate(let operand): operand.calls(name)
        case .binary(_, let left, let right): left.calls(name) || right.calls(name)
        case .chain(let first, let links): first.calls(name) || links.contains { $0.operand.calls(name) }
        case .call(let call): call.name == name || call.arguments.contains { $0.calls(name) }
        }
    }
}
