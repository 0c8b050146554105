import RowhouseModel

// Conditions put together, with what needs no looking at taken out.

extension StoredCondition {
    /// True when all parts are.
    package static func joined(all parts: [StoredCondition]) -> StoredCondition {
        var kept: [StoredCondition] = []
        for part in parts {
            switch part {
            case .always: continue
            case .never: return .never
            case .all(let inner): kept += inner
            default: kept.append(part)
            }
        }
        return kept.isEmpty ? .always : kept.count == 1 ? kept[0] : .all(kept)
    }

    /// True when at least one part is; tests for single values of one field become one test for several.
    package static func joined(any parts: [StoredCondition]) -> StoredCondition {
        var lists = Lists()
        var kept: [StoredCondition] = []
        for part in parts {
            switch part {
            case .never: continue
            case .always: return .always
            case .any(let inner): for part in inner where !lists.take(part) { kept.append(part) }
            default: if !lists.take(part) { kept.append(part) }
            }
        }
        kept += lists.conditions
        return kept.isEmpty ? .never : kept.count == 1 ? kept[0] : .any(kept)
    }

    /// True when this is not.
    package var negated: StoredCondition {
        switch self {
        case .always: .never
        case .never: .always
        case .not(let part): part
        default: .not(self)
        }
    }

    /// The values that single tests ask for, by field.
    private struct Lists {
        private var integers: [Int: [Int64]] = [:]
        private var texts: [Int: [String]] = [:]
        private var records: [RecordID] = []

        /// Whether the test was taken up.
        mutating func take(_ part: StoredCondition) -> Bool {
            switch part {
            case .integers(let field, let values): integers[field, default: []] += values
            case .texts(let field, let values): texts[field, default: []] += values
            case .records(let ids): records += ids
            default: return false
            }
            return true
        }

        var conditions: [StoredCondition] {
            let integers = integers.sorted { $0.key < $1.key }.map { StoredCondition.integers(field: $0, $1) }
            let texts = texts.sorted { $0.key < $1.key }.map { StoredCondition.texts(field: $0, $1) }
            return integers + texts + (records.isEmpty ? [] : [.records(records)])
        }
    }
}
