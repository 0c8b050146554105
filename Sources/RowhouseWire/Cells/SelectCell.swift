import RowhouseJSON
import RowhouseModel

/// Selects: choices by exact name; the order of several is kept, repetitions are dropped.
enum SelectCell {
    static func decodeSingle(
        _ value: JSONValue, for field: Field, in context: inout CellContext
    ) throws(APIError) -> StoredCell {
        let name: String
        switch value {
        case .string(let text): name = text
        case .number where context.typecast, .bool where context.typecast: name = TextCell.plainText(value) ?? ""
        default: throw .cannotAccept(field.name)
        }
        if context.typecast, name.isEmpty { return .empty }
        guard let choice = context.choice(named: name, of: field) else { throw .unknownChoice(name) }
        return .integer(Int64(choice.number))
    }

    static func decodeMultiple(
        _ value: JSONValue, for field: Field, in context: inout CellContext
    ) throws(APIError) -> StoredCell {
        var numbers: [Int] = []
        var known: Set<Int> = []
        for name in try names(value, for: field, typecast: context.typecast) {
            guard let choice = context.choice(named: name, of: field) else { throw .unknownChoice(name) }
            if known.insert(choice.number).inserted { numbers.append(choice.number) }
        }
        guard !numbers.isEmpty else { return .empty }
        return .text("[" + numbers.map(String.init).joined(separator: ",") + "]")
    }

    private static func names(
        _ value: JSONValue, for field: Field, typecast: Bool
    ) throws(APIError) -> [String] {
        switch value {
        case .array(let items):
            guard items.count <= ChoiceLookup.limit else { throw .cannotAccept(field.name) }
            var names: [String] = []
            for item in items {
                if case .string(let name) = item {
                    names.append(name)
                } else if typecast, let name = TextCell.plainText(item) {
                    names.append(name)
                } else {
                    throw .cannotAccept(field.name)
                }
            }
            return typecast ? names.filter { !$0.isEmpty } : names
        case .string(let text) where typecast:
            let parts = text.split(separator: ",", maxSplits: ChoiceLookup.limit)
            guard parts.count <= ChoiceLookup.limit else { throw .cannotAccept(field.name) }
            return parts.map { trimmed($0) }.filter { !$0.isEmpty }
        default: throw .cannotAccept(field.name)
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    /// The choice numbers in the kept form `[3,1]`.
    static func numbers(_ text: some Sequence<UInt8>) -> [Int] {
        var numbers: [Int] = []
        forEachNumber(in: text) { numbers.append($0) }
        return numbers
    }

    /// Calls `body` with each choice number in the kept form.
    static func forEachNumber(in text: some Sequence<UInt8>, _ body: (Int) -> Void) {
        var current: Int?
        for byte in text {
            if byte >= 48, byte <= 57 {
                current = (current ?? 0) &* 10 &+ Int(byte &- 48)
            } else if let number = current {
                body(number)
                current = nil
            }
        }
    }
}
