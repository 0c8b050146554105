import RowhouseModel

/// The choices of one field while cells are read: those it has, and those that typecast makes.
///
/// A few names are looked for one by one; many are found through an index, so that long lists cost no square of time
/// while other writes wait.
struct ChoiceLookup {
    /// How many choices a field has at most.
    static let limit = 10_000
    /// The greatest length of a name in bytes.
    static let longestName = 10_000
    /// So many searches are done without an index: as many as a batch of single selects needs.
    private static let plainSearches = 12

    private let own: [SelectChoice]
    /// The choices made, in order.
    private(set) var added: [SelectChoice] = []
    private var searches = 0
    private var positions: [[UInt8]: Int] = [:]
    private var greatestNumber: Int?
    private let field: Field

    init(_ field: Field) {
        self.field = field
        own = field.choices
    }

    /// The choice of this exact name; a missing one is made if it may be: with an id, and while there is room.
    mutating func choice(named name: String, makeID: (() -> ChoiceID)?) -> SelectChoice? {
        if let found = find(name) { return found }
        let position = own.count + added.count
        guard let makeID, position < Self.limit else { return nil }
        let number = (greatestNumber ?? field.greatestChoiceNumber) + 1
        greatestNumber = number
        let color = SelectChoice.colorCycle[position % SelectChoice.colorCycle.count]
        let choice = SelectChoice(id: makeID(), name: name, color: color, number: number)
        added.append(choice)
        if !positions.isEmpty { positions[Array(name.utf8)] = position }
        return choice
    }

    private mutating func find(_ name: String) -> SelectChoice? {
        if positions.isEmpty {
            searches += 1
            guard searches > Self.plainSearches else {
                return own.first { $0.isNamed(name) } ?? added.first { $0.isNamed(name) }
            }
            for (position, choice) in (own + added).enumerated() { positions[Array(choice.name.utf8)] = position }
        }
        guard let position = positions[Array(name.utf8)] else { return nil }
        return position < own.count ? own[position] : added[position - own.count]
    }
}
