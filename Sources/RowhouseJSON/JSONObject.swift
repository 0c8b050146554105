/// The members of a JSON object in their order, each key once.
///
/// Finding a key is linear in small objects and constant in large ones. Equality ignores the order.
package struct JSONObject: Sendable, Sequence {
    package typealias Element = (key: String, value: JSONValue)

    private var pairs: [Element] = []
    /// Positions by key; empty while a walk through the pairs is faster.
    private var positions: [ExactText: Int] = [:]
    private static let indexThreshold = 12

    /// An object without members.
    package init() {}

    /// The pairs in their order; of two with one key the last value wins, at the position of the first.
    package init(_ pairs: [(String, JSONValue)]) {
        self.pairs.reserveCapacity(pairs.count)
        for (key, value) in pairs { set(key, to: value) }
    }

    /// The value under the key, or nil; setting nil removes the member, setting a new key appends it.
    package subscript(key: String) -> JSONValue? {
        get {
            guard let position = position(of: key) else { return nil }
            return pairs[position].value
        }
        set {
            if let newValue { set(key, to: newValue) } else { remove(key) }
        }
    }

    /// The number of members.
    package var count: Int { pairs.count }

    /// Whether there are no members.
    package var isEmpty: Bool { pairs.isEmpty }

    /// The keys in their order.
    package var keys: [String] { pairs.map(\.key) }

    /// Walks the members in their order.
    package func makeIterator() -> IndexingIterator<[(key: String, value: JSONValue)]> { pairs.makeIterator() }

    mutating func set(_ key: String, to value: JSONValue) {
        if let position = position(of: key) {
            pairs[position].value = value
        } else {
            pairs.append((key, value))
            index(lastKey: key)
        }
    }

    private mutating func remove(_ key: String) {
        guard let position = position(of: key) else { return }
        pairs.remove(at: position)
        positions = [:]
        if pairs.count > Self.indexThreshold { indexAll() }
    }

    private func position(of key: String) -> Int? {
        guard positions.isEmpty else { return positions[ExactText(text: key)] }
        return pairs.firstIndex { $0.key.hasSameBytes(as: key) }
    }

    private mutating func index(lastKey key: String) {
        if !positions.isEmpty {
            positions[ExactText(text: key)] = pairs.count - 1
        } else if pairs.count > Self.indexThreshold {
            indexAll()
        }
    }

    private mutating func indexAll() {
        for (position, pair) in pairs.enumerated() { positions[ExactText(text: pair.key)] = position }
    }
}

extension JSONObject: Equatable {
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.key] == $0.value }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}
