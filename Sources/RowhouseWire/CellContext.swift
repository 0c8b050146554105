package import CivilTime
package import RowhouseModel

/// What reading a cell value may need besides the value and its field.
package struct CellContext {
    /// Texts are converted as well as can be, and unknown choices are made.
    package let typecast: Bool
    package let users: UserDirectory
    package let zones: TimeZoneDatabase
    /// Makes the id of a new choice.
    package let makeChoiceID: () -> ChoiceID
    /// Choices to be added to the field of this id, in order.
    package private(set) var addedChoices: [FieldID: [SelectChoice]] = [:]
    /// The choices of the fields met so far.
    private var known: [FieldID: KnownChoices] = [:]
    /// The most choices of one field.
    private static let mostChoices = 10_000

    package init(
        typecast: Bool, users: UserDirectory, zones: TimeZoneDatabase, makeChoiceID: @escaping () -> ChoiceID
    ) {
        self.typecast = typecast
        self.users = users
        self.zones = zones
        self.makeChoiceID = makeChoiceID
    }

    /// The choice of this exact name; with typecast one that is missing is made.
    mutating func choice(named name: String, of field: Field) -> SelectChoice? {
        var known = known[field.id] ?? KnownChoices(field.choices)
        defer { self.known[field.id] = known }
        if let choice = known.choice(named: name) { return choice }
        guard typecast, !name.isEmpty, name.utf8.count <= 10_000, known.count < Self.mostChoices else { return nil }
        let color = SelectChoice.colorCycle[known.count % SelectChoice.colorCycle.count]
        let choice = SelectChoice(id: makeChoiceID(), name: name, color: color, number: known.nextNumber)
        known.add(choice)
        addedChoices[field.id, default: []].append(choice)
        return choice
    }

    /// The rules of a field's time zone; UTC for `client`.
    func zone(named name: String) -> TimeZoneRules? {
        zones.zone(named: name == "client" ? "utc" : name)
    }
}

/// The choices of a field by the bytes of their names, so that many names are found in many choices quickly.
private struct KnownChoices {
    private var byName: [[UInt8]: SelectChoice] = [:]
    private(set) var count = 0
    private(set) var nextNumber = 1

    init(_ choices: [SelectChoice]) {
        for choice in choices { add(choice) }
    }

    func choice(named name: String) -> SelectChoice? { byName[Array(name.utf8)] }

    mutating func add(_ choice: SelectChoice) {
        let name = Array(choice.name.utf8)
        byName[name] = byName[name] ?? choice
        count += 1
        nextNumber = max(nextNumber, choice.number + 1)
    }
}
