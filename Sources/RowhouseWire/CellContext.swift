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
        let added = addedChoices[field.id] ?? []
        if let choice = (field.choices + added).first(where: { $0.isNamed(name) }) {
            return choice
        }
        guard typecast, !name.isEmpty, name.utf8.count <= 10_000 else { return nil }
        let position = field.choices.count + added.count
        let number = ((field.choices + added).map(\.number).max() ?? 0) + 1
        let color = SelectChoice.colorCycle[position % SelectChoice.colorCycle.count]
        let choice = SelectChoice(id: makeChoiceID(), name: name, color: color, number: number)
        addedChoices[field.id] = added + [choice]
        return choice
    }

    /// The rules of a field's time zone; UTC for `client`.
    func zone(named name: String) -> TimeZoneRules? {
        zones.zone(named: name == "client" ? "utc" : name)
    }
}
