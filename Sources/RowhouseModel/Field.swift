/// One field of a table.
package struct Field: Sendable, Equatable {
    package let id: FieldID
    package var name: String
    package var type: FieldType
    package var options: FieldOptions
    package var description: String?

    package init(id: FieldID, name: String, type: FieldType, options: FieldOptions, description: String? = nil) {
        self.id = id
        self.name = name
        self.type = type
        self.options = options
        self.description = description
    }

    /// The choices of a select field in their order, else none.
    package var choices: [SelectChoice] {
        if case .choices(let choices, _) = options { choices } else { [] }
    }

    /// The greatest number that a choice of the field was ever given.
    package var greatestChoiceNumber: Int {
        guard case .choices(let choices, let greatest) = options else { return 0 }
        return max(greatest, choices.map(\.number).max() ?? 0)
    }
}
