package import RowhouseJSON

/// A base to be made like another one: its schema, by the identifiers that the other one had.
package struct SchemaCopy: Sendable, Equatable {
    package struct Table: Sendable, Equatable {
        package var id: String
        package var input: TableInput
        /// The identifiers of the fields, in the order of `input.fields`.
        package var fieldIDs: [String]
        package var primaryFieldID: String
        package var views: [View]

        package init(id: String, input: TableInput, fieldIDs: [String], primaryFieldID: String, views: [View]) {
            self.id = id
            self.input = input
            self.fieldIDs = fieldIDs
            self.primaryFieldID = primaryFieldID
            self.views = views
        }
    }

    package struct View: Sendable, Equatable {
        package var id: String
        package var name: String
        package var type: String
        package var filter: String?
        package var sort: [SortRequest]
        /// Nil shows every field.
        package var visibleFieldIDs: [String]?

        package init(
            id: String, name: String, type: String, filter: String?, sort: [SortRequest], visibleFieldIDs: [String]?
        ) {
            self.id = id
            self.name = name
            self.type = type
            self.filter = filter
            self.sort = sort
            self.visibleFieldIDs = visibleFieldIDs
        }
    }

    package var name: String
    package var tables: [Table]

    package init(name: String, tables: [Table]) {
        self.name = name
        self.tables = tables
    }
}

/// Makes bases like others.
package protocol BaseCopying: Sendable {
    /// Makes an empty base of this schema in one step. Every identifier is a new one; what refers to another part of the
    /// base refers to the new one.
    ///
    /// - Throws: the errors of "Create base"; `INVALID_REQUEST_UNKNOWN` for what refers to a part that is not there.
    func createBase(copying copy: SchemaCopy, as caller: Caller) throws(APIError) -> BaseSchema
}

extension JSONValue {
    /// The value with identifiers exchanged: strings that are one, and those that stand in braces in the formulas of
    /// fields.
    package func exchanging(_ identifiers: [String: String]) -> JSONValue {
        switch self {
        case .string(let text): .string(identifiers[text] ?? text.exchangingInBraces(identifiers))
        case .array(let elements): .array(elements.map { $0.exchanging(identifiers) })
        case .object(let object): .object(JSONObject(object.map { ($0.key, $0.value.exchanging(identifiers)) }))
        default: self
        }
    }
}

extension String {
    /// The text with the identifiers exchanged that stand in braces, as a stored formula names fields.
    package func exchangingInBraces(_ identifiers: [String: String]) -> String {
        guard utf8.contains(UInt8(ascii: "{")) else { return self }
        var result: [UInt8] = []
        var rest = utf8[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
            let start = rest.index(after: open)
            result += rest[..<start]
            rest = rest[start...]
            guard let close = rest.firstIndex(of: UInt8(ascii: "}")), let name = String(rest[..<close]),
                let new = identifiers[name]
            else { continue }
            result += new.utf8
            rest = rest[close...]
        }
        return String(decoding: result + rest, as: UTF8.self)
    }
}
