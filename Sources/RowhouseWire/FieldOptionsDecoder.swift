package import CivilTime
package import RowhouseJSON
package import RowhouseModel

/// Reads the options of a field from a schema call, by the rules of its type.
package struct FieldOptionsDecoder {
    private let zones: TimeZoneDatabase
    private let makeChoiceID: () -> ChoiceID
    private let table: String
    private let field: String

    /// `table` and `field` are names, for messages.
    package init(
        table: String, field: String, zones: TimeZoneDatabase, makeChoiceID: @escaping () -> ChoiceID
    ) {
        self.table = table
        self.field = field
        self.zones = zones
        self.makeChoiceID = makeChoiceID
    }

    /// The options of a field of this type; `existing` are the choices there were, which stay those they are, and
    /// `given` is the greatest number that a choice was ever given.
    ///
    /// - Throws: `INVALID_REQUEST_UNKNOWN` where options are needed and missing,
    ///   `INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE` where they do not fit, `UNSUPPORTED_FIELD_TYPE_FOR_CREATE`.
    package func decode(
        _ options: JSONObject?, type: FieldType, existing: [SelectChoice] = [], given: Int = 0
    ) throws(APIError) -> FieldOptions {
        switch type {
        case .singleLineText, .multilineText, .richText, .email, .url, .phoneNumber, .singleCollaborator,
            .multipleCollaborators, .barcode, .autoNumber, .createdBy, .lastModifiedBy:
            return .none
        case .number, .percent: return .number(precision: try precision(try needed(options), upTo: 8))
        case .currency: return try currency(try needed(options))
        case .duration: return try duration(try needed(options))
        case .rating: return try rating(try needed(options))
        case .checkbox: return try checkbox(try needed(options))
        case .date: return .date(try dateFormat(try needed(options)["dateFormat"]))
        case .dateTime: return .dateTime(try dateTimeFormat(try needed(options)))
        case .singleSelect, .multipleSelects:
            let given = max(given, existing.map(\.number).max() ?? 0)
            let choices = try choices(try needed(options)["choices"], existing: existing, given: given)
            return .choices(choices, given: given)
        case .multipleAttachments: return .attachments(isReversed: options?["isReversed"]?.boolValue ?? false)
        case .createdTime: return .createdTime(result: try timeResult(options?["result"]))
        case .lastModifiedTime: return try lastModified(options)
        case .formula, .rollup, .multipleLookupValues, .count, .button: return try computed(options, type: type)
        case .multipleRecordLinks, .aiText, .externalSyncSource, .manualSort:
            throw .unsupportedFieldType(table: table, field: field, type: type.rawValue)
        }
    }

    func needed(_ options: JSONObject?) throws(APIError) -> JSONObject {
        guard let options else { throw .invalidRequest }
        return options
    }

    func invalid(_ detail: String) -> APIError {
        .invalidFieldOptions(table: table, field: field, detail)
    }

    private func precision(_ options: JSONObject, upTo limit: Int) throws(APIError) -> Int {
        guard let value = options["precision"]?.numberValue, value == value.rounded(), value >= 0,
            value <= Double(limit)
        else { throw invalid("precision must be a whole number from 0 to \(limit)") }
        return Int(value)
    }

    private func currency(_ options: JSONObject) throws(APIError) -> FieldOptions {
        guard let symbol = options["symbol"]?.stringValue, symbol.utf8.count <= 100 else {
            throw invalid("symbol must be a text")
        }
        return .currency(precision: try precision(options, upTo: 7), symbol: symbol)
    }

    private func duration(_ options: JSONObject) throws(APIError) -> FieldOptions {
        let formats = ["h:mm", "h:mm:ss", "h:mm:ss.S", "h:mm:ss.SS", "h:mm:ss.SSS"]
        guard let format = options["durationFormat"]?.stringValue, formats.contains(format) else {
            throw invalid("durationFormat must be one of \(formats.joined(separator: ", "))")
        }
        return .duration(format: format)
    }

    private func rating(_ options: JSONObject) throws(APIError) -> FieldOptions {
        let icons = ["star", "heart", "thumbsUp", "flag", "dot"]
        guard let max = options["max"]?.numberValue, max == max.rounded(), (1...10).contains(max) else {
            throw invalid("max must be a whole number from 1 to 10")
        }
        let (icon, color) = try iconAndColor(options, icons)
        return .rating(icon: icon, max: Int(max), color: color)
    }

    private func checkbox(_ options: JSONObject) throws(APIError) -> FieldOptions {
        let icons = ["check", "xCheckbox", "star", "heart", "thumbsUp", "flag", "dot"]
        let (icon, color) = try iconAndColor(options, icons)
        return .checkbox(icon: icon, color: color)
    }

    private func iconAndColor(_ options: JSONObject, _ icons: [String]) throws(APIError) -> (String, String) {
        guard let icon = options["icon"]?.stringValue, icons.contains(icon) else {
            throw invalid("icon must be one of \(icons.joined(separator: ", "))")
        }
        let colors = SelectChoice.hues.map { $0 + "Bright" }
        guard let color = options["color"]?.stringValue, colors.contains(color) else {
            throw invalid("color must be one of \(colors.joined(separator: ", "))")
        }
        return (icon, color)
    }

    private func dateFormat(_ value: JSONValue?) throws(APIError) -> DateFormat {
        let name = try formatName(value, patterns: DateFormat.patterns, of: "dateFormat")
        return DateFormat(name: name)
    }

    private func formatName(
        _ value: JSONValue?, patterns: [String: String], of key: String
    ) throws(APIError) -> String {
        guard let object = value?.objectValue, let name = object["name"]?.stringValue, let pattern = patterns[name]
        else {
            throw invalid("\(key).name must be one of \(patterns.keys.sorted().joined(separator: ", "))")
        }
        guard object["format"].map({ $0.isNull || $0.stringValue == pattern }) ?? true else {
            throw invalid("\(key).format must be \"\(pattern)\" for \(name)")
        }
        return name
    }

    private func dateTimeFormat(_ options: JSONObject) throws(APIError) -> DateTimeFormat {
        guard let zone = options["timeZone"]?.stringValue, isZone(zone) else { throw invalid("Invalid timezone") }
        let time = try formatName(options["timeFormat"], patterns: TimeFormat.patterns, of: "timeFormat")
        return DateTimeFormat(
            date: try dateFormat(options["dateFormat"]), time: TimeFormat(name: time), timeZone: zone)
    }

    private func isZone(_ name: String) -> Bool {
        name == "utc" || name == "client" || (name != "UTC" && zones.zone(named: name) != nil)
    }

    private func timeResult(_ value: JSONValue?) throws(APIError) -> TimeResult {
        guard let result = value?.objectValue else { return .standard }
        let options = result["options"]?.objectValue
        switch result["type"]?.stringValue {
        case "date": return .date(try dateFormat(options?["dateFormat"]))
        case "dateTime": return .dateTime(try dateTimeFormat(options ?? JSONObject()))
        default: throw invalid("result.type must be date or dateTime")
        }
    }

    /// More fields than a table can have.
    private static let mostReferences = 1_000

    private func lastModified(_ options: JSONObject?) throws(APIError) -> FieldOptions {
        var referenced: [FieldID] = []
        if let value = options?["referencedFieldIds"], !value.isNull {
            guard let items = value.arrayValue else { throw invalid("referencedFieldIds must be an array") }
            for item in items {
                guard let id = item.stringValue.flatMap({ FieldID($0) }) else {
                    throw invalid("referencedFieldIds must be field ids")
                }
                if !referenced.contains(id) { referenced.append(id) }
                guard referenced.count <= Self.mostReferences else { throw invalid("referencedFieldIds are too many") }
            }
        }
        return .lastModifiedTime(referencedFieldIDs: referenced, result: try timeResult(options?["result"]))
    }

    // MARK: choices

    private func choices(_ value: JSONValue?, existing: [SelectChoice], given: Int) throws(APIError) -> [SelectChoice] {
        guard let items = value?.arrayValue else { throw invalid("choices must be an array") }
        guard items.count <= ChoiceLookup.limit else { throw invalid("a field has at most 10,000 choices") }
        var choices: [SelectChoice] = []
        var names: Set<[UInt8]> = []
        // A choice that is meant by its id gives its old name free.
        let claimed = Set(items.compactMap { $0.objectValue?["id"]?.stringValue })
        let unclaimed = existing.filter { !claimed.contains($0.id.description) }
        let byName = Dictionary(unclaimed.map { (Array($0.name.utf8), $0) }) { first, _ in first }
        let byID = Dictionary(existing.map { ($0.id.description, $0) }) { first, _ in first }
        var ids: Set<ChoiceID> = []
        var nextNumber = given + 1
        for (position, item) in items.enumerated() {
            let known = try self.known(item, byID: byID, byName: byName)
            let choice = try self.choice(item, known: known, position: position, nextNumber: &nextNumber)
            guard names.insert(Array(choice.name.utf8)).inserted, ids.insert(choice.id).inserted else {
                throw invalid("choice names must be unique")
            }
            choices.append(choice)
        }
        return choices
    }

    private func choice(
        _ value: JSONValue, known: SelectChoice?, position: Int, nextNumber: inout Int
    ) throws(APIError) -> SelectChoice {
        guard let object = value.objectValue else { throw invalid("a choice must be an object") }
        let name = object["name"]?.stringValue
        let color = try self.color(object["color"])
        if var known {
            if let name { known.name = try checked(name) }
            if let color { known.color = color }
            return known
        }
        guard let name else { throw invalid("a choice needs a name") }
        defer { nextNumber += 1 }
        return SelectChoice(
            id: makeChoiceID(), name: try checked(name),
            color: color ?? SelectChoice.colorCycle[position % SelectChoice.colorCycle.count], number: nextNumber)
    }

    /// The choice that is meant: by its id, or without one by its name.
    private func known(
        _ value: JSONValue, byID: [String: SelectChoice], byName: [[UInt8]: SelectChoice]
    ) throws(APIError) -> SelectChoice? {
        guard !byID.isEmpty else { return nil }
        guard let id = value.objectValue?["id"]?.stringValue else {
            return (value.objectValue?["name"]?.stringValue).flatMap { byName[Array($0.utf8)] }
        }
        guard let known = byID[id] else { throw invalid("there is no choice \(id.prefix(100))") }
        return known
    }

    private func checked(_ name: String) throws(APIError) -> String {
        guard !name.isEmpty, name.utf8.count <= ChoiceLookup.longestName else { throw invalid("a choice needs a name") }
        return name
    }

    private func color(_ value: JSONValue?) throws(APIError) -> String? {
        guard let value, !value.isNull else { return nil }
        guard let color = value.stringValue, SelectChoice.colorCycle.contains(color) else {
            throw invalid("unknown choice color")
        }
        return color
    }
}
