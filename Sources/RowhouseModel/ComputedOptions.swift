/// What a computed field yields: the type whose cells it looks like, and how they are shown.
package struct ComputedResult: Sendable, Equatable {
    package var type: FieldType
    package var options: FieldOptions
    package init(type: FieldType, options: FieldOptions = .none) {
        self.type = type
        self.options = options
    }
}

/// The options of a `formula` field.
///
/// `isValid`, `referencedFieldIDs` and `result` follow from the formula and the schema around it; they are made anew
/// with every change of the schema and kept with the field, so that reading a schema compiles nothing.
package struct FormulaOptions: Sendable, Equatable {
    /// The text as it was typed, with field ids in place of names.
    package var formula: String
    /// How the one who made the field wants the result shown; nil leaves it to the formula.
    package var format: ComputedResult?
    package var isValid: Bool
    /// In the order of their first appearance.
    package var referencedFieldIDs: [FieldID]
    /// Nil when the formula is not valid.
    package var result: ComputedResult?

    package init(
        formula: String, format: ComputedResult? = nil, isValid: Bool = false, referencedFieldIDs: [FieldID] = [],
        result: ComputedResult? = nil
    ) {
        self.formula = formula
        self.format = format
        self.isValid = isValid
        self.referencedFieldIDs = referencedFieldIDs
        self.result = result
    }
}

/// What a field that follows links named when it was made and is not there: it is named again when it comes back from
/// the trash.
package struct MissingReferences: Sendable, Equatable {
    package var link: FieldID?
    package var linkedField: FieldID?
    package init(link: FieldID? = nil, linkedField: FieldID? = nil) {
        self.link = link
        self.linkedField = linkedField
    }
}

/// The options of a `rollup` field: a formula over the cells of one field of the linked records, called `values`.
package struct RollupOptions: Sendable, Equatable {
    /// The link field of the same table; nil while it is gone.
    package var recordLinkFieldID: FieldID?
    /// The field of the linked table; nil while it is gone.
    package var fieldIDInLinkedTable: FieldID?
    package var missing = MissingReferences()
    /// The text over `values`, such as `SUM(values)`.
    package var formula: String
    package var format: ComputedResult?
    package var isValid: Bool
    package var referencedFieldIDs: [FieldID]
    package var result: ComputedResult?

    package init(
        recordLinkFieldID: FieldID?, fieldIDInLinkedTable: FieldID?, formula: String, format: ComputedResult? = nil,
        isValid: Bool = false, referencedFieldIDs: [FieldID] = [], result: ComputedResult? = nil
    ) {
        self.recordLinkFieldID = recordLinkFieldID
        self.fieldIDInLinkedTable = fieldIDInLinkedTable
        self.formula = formula
        self.format = format
        self.isValid = isValid
        self.referencedFieldIDs = referencedFieldIDs
        self.result = result
    }
}

/// The options of a `multipleLookupValues` field: the cells of one field of the linked records, in the links' order.
package struct LookupOptions: Sendable, Equatable {
    package var recordLinkFieldID: FieldID?
    package var fieldIDInLinkedTable: FieldID?
    package var missing = MissingReferences()
    package var isValid: Bool
    /// The type of one value; nil when the lookup is not valid.
    package var result: ComputedResult?

    package init(
        recordLinkFieldID: FieldID?, fieldIDInLinkedTable: FieldID?, isValid: Bool = false,
        result: ComputedResult? = nil
    ) {
        self.recordLinkFieldID = recordLinkFieldID
        self.fieldIDInLinkedTable = fieldIDInLinkedTable
        self.isValid = isValid
        self.result = result
    }
}

/// The options of a `button` field: what stands on it and the address it opens.
package struct ButtonOptions: Sendable, Equatable {
    package var label: String
    /// A formula with field ids that yields the address; nil for a button without one.
    package var urlFormula: String?
    package var isValid: Bool
    package var referencedFieldIDs: [FieldID]

    package init(
        label: String, urlFormula: String?, isValid: Bool = false, referencedFieldIDs: [FieldID] = []
    ) {
        self.label = label
        self.urlFormula = urlFormula
        self.isValid = isValid
        self.referencedFieldIDs = referencedFieldIDs
    }
}
