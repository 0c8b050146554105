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
    private var lookups: [FieldID: ChoiceLookup] = [:]

    /// Choices to be added to the field of this id, in order.
    package var addedChoices: [FieldID: [SelectChoice]] {
        lookups.compactMapValues { $0.added.isEmpty ? nil : $0.added }
    }

    package init(
        typecast: Bool, users: UserDirectory, zones: TimeZoneDatabase, makeChoiceID: @escaping () -> ChoiceID
    ) {
        self.typecast = typecast
        self.users = users
        self.zones = zones
        self.makeChoiceID = makeChoiceID
    }

    /// The choice of this exact name; with typecast one that is missing is made, while the field has room for it.
    mutating func choice(named name: String, of field: Field) -> SelectChoice? {
        let makesMissing = typecast && !name.isEmpty && name.utf8.count <= ChoiceLookup.longestName
        return lookups[field.id, default: ChoiceLookup(field)]
            .choice(named: name, makeID: makesMissing ? makeChoiceID : nil)
    }

    /// The rules of a field's time zone; UTC for `client`.
    func zone(named name: String) -> TimeZoneRules? {
        zones.zone(named: name == "client" ? "utc" : name)
    }
}
