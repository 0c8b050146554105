package import CivilTime
import RowhouseJSON
package import RowhouseModel

/// Turns the cells of a field into those it would have under another type, or with other choices.
///
/// Kinds that mean the same are turned directly: numbers stay numbers, choices stay choices, people stay people. All
/// else goes by the text that a person sees, read as `typecast` reads it.
package struct CellConversion {
    /// What becomes of a cell.
    package enum Outcome: Sendable, Equatable {
        /// There was nothing in it, or nothing that shows.
        case empty
        case kept
        /// A part is lost: further items of a list, the time of day, decimals.
        case shortened
        /// What was read in it is not what it says: `1/2` as 12.
        case changed
        case lost
    }

    private let source: Field
    private let target: Field
    private let zones: TimeZoneDatabase
    private let shown: CellText
    private let sourceNames: [Int: String]
    private let targetNumbers: Set<Int>
    private var context: CellContext

    package init(
        from source: Field, to target: Field, users: UserDirectory, zones: TimeZoneDatabase,
        makeChoiceID: @escaping () -> ChoiceID
    ) {
        self.source = source
        self.target = target
        self.zones = zones
        shown = CellText(users: users, zone: .utc, zones: zones, locale: .english)
        sourceNames = Dictionary(source.choices.map { ($0.number, $0.name) }) { first, _ in first }
        targetNumbers = Set(target.choices.map(\.number))
        context = CellContext(typecast: true, users: users, zones: zones, makeChoiceID: makeChoiceID)
    }

    /// Whether cells of the one type can be turned into cells of the other.
    package static func isPossible(from source: FieldType, to target: FieldType) -> Bool {
        kinds[source] != nil && kinds[target] != nil
    }

    /// The options of the target with the choices that were made on the way.
    package var options: FieldOptions {
        guard let added = context.addedChoices[target.id] else { return target.options }
        return .choices(target.choices + added, given: target.greatestChoiceNumber)
    }

    /// What a person sees of a cell of the source.
    package func text(_ cell: StoredCell) -> String { shown.text(cell, of: source) ?? "" }

    /// What a person sees of a cell that was converted.
    package func convertedText(_ cell: StoredCell) -> String {
        var field = target
        field.options = options
        return shown.text(cell, of: field) ?? ""
    }

    /// The cell under the new type.
    package mutating func convert(_ cell: StoredCell) -> (cell: StoredCell, outcome: Outcome) {
        if cell == .empty { return (.empty, .empty) }
        if source.type == target.type, Self.kinds[source.type] != .choice, source.type != .rating {
            return (cell, .kept)
        }
        switch (Self.kinds[source.type], Self.kinds[target.type]) {
        case (.text, .text): return (cell, .kept)
        case (.number, .number): return number(cell)
        case (.number, .box):
            guard case .real(let value) = cell else { return (.empty, .empty) }
            return (value == 0 ? .empty : .integer(1), value == 0 || value == 1 ? .kept : .shortened)
        case (.box, .number): return (.real(1), .kept)
        case (.box, .box): return (cell, .kept)
        case (.time, .time): return time(cell)
        case (.time, .number), (.number, .time), (.box, .time), (.time, .box): return (.empty, .lost)
        case (.choice, .choice): return choices(cell)
        case (.person, .person): return people(cell)
        default:
            let (converted, outcome) = byText(cell)
            return (converted, outcome == .kept && !isShownWhole(cell) ? .shortened : outcome)
        }
    }

    // MARK: kinds that mean the same

    private enum Kind { case text, number, box, time, choice, person, barcode }

    private static let kinds: [FieldType: Kind] = [
        .singleLineText: .text, .multilineText: .text, .richText: .text, .email: .text, .url: .text,
        .phoneNumber: .text, .number: .number, .percent: .number, .currency: .number, .duration: .number,
        .rating: .number, .checkbox: .box, .date: .time, .dateTime: .time, .singleSelect: .choice,
        .multipleSelects: .choice, .singleCollaborator: .person, .multipleCollaborators: .person, .barcode: .barcode,
    ]

    private func number(_ cell: StoredCell) -> (StoredCell, Outcome) {
        guard case .real(let value) = cell else { return (.empty, .empty) }
        guard case .rating(_, let most, _) = target.options else { return (cell, .kept) }
        let stars = min(value.rounded(), Double(most))
        guard stars >= 1 else { return (.empty, .lost) }
        return (.real(stars), stars == value ? .kept : .shortened)
    }

    private func time(_ cell: StoredCell) -> (StoredCell, Outcome) {
        guard case .integer(let milliseconds) = cell else { return (.empty, .empty) }
        let instant = Instant(milliseconds: milliseconds)
        switch (source.options, target.options) {
        case (.date, .dateTime(let format)):
            let midnight = CivilDateTime(startOf: TimeZoneRules.utc.local(at: instant).date)
            return Self.cell(zone(format).instant(of: midnight), .kept)
        case (.dateTime(let format), .date):
            let local = zone(format).local(at: instant)
            guard 1...9999 ~= local.date.year else { return (.empty, .lost) }
            return (Self.cell(local.date), local.millisecondOfDay == 0 ? .kept : .shortened)
        default: return (cell, .kept)
        }
    }

    private func zone(_ format: DateTimeFormat) -> TimeZoneRules { context.zone(named: format.timeZone) ?? .utc }

    private func choices(_ cell: StoredCell) -> (StoredCell, Outcome) {
        let numbers = numbers(of: cell).filter { sourceNames[$0] != nil }
        if numbers.isEmpty { return (.empty, .empty) }
        let kept = numbers.filter { targetNumbers.contains($0) }
        guard let first = kept.first else { return (.empty, .lost) }
        let isSingle = target.type == .singleSelect
        let isWhole = kept.count == numbers.count && (!isSingle || kept.count == 1)
        let list = StoredCell.text("[\(kept.map(String.init).joined(separator: ","))]")
        return (isSingle ? .integer(Int64(first)) : list, isWhole ? .kept : .shortened)
    }

    private func numbers(of cell: StoredCell) -> [Int] {
        switch cell {
        case .integer(let number): [Int(number)]
        case .text(let list): SelectCell.numbers(list.utf8)
        default: []
        }
    }

    private func people(_ cell: StoredCell) -> (StoredCell, Outcome) {
        guard case .text(let list) = cell, target.type == .singleCollaborator else { return (cell, .kept) }
        let ids = list.split(separator: ",")
        guard let first = ids.first else { return (.empty, .empty) }
        return (.text(String(first)), ids.count == 1 ? .kept : .shortened)
    }

    // MARK: by what a person sees

    /// Whether the text that a person sees says all that is in the cell.
    private func isShownWhole(_ cell: StoredCell) -> Bool {
        switch (source.type, cell) {
        case (.duration, .real(let seconds)):
            guard case .duration(let pattern) = source.options, let format = DurationFormat(pattern: pattern) else {
                return true
            }
            // Decimals of a thousandth of a second are the error of a number, not a part of it.
            return format.seconds(parsing: text(cell)).map { abs($0 - seconds) < 0.000_5 } ?? false
        case (_, .real(let number)): return NumberCell.isShownWhole(number, of: source)
        // Formats show minutes.
        case (.dateTime, .integer(let milliseconds)): return milliseconds % 60_000 == 0
        case (.barcode, .text(let json)):
            return target.type == .barcode || (try? JSONParser.parse(Array(json.utf8)))?.objectValue?["type"] == nil
        default: return true
        }
    }

    private mutating func byText(_ cell: StoredCell) -> (StoredCell, Outcome) {
        let items = items(of: cell)
        let text = items.joined(separator: ", ")
        if text.isEmpty { return (.empty, .empty) }
        switch target.type {
        case .multipleSelects: return list(items, separator: ",") { $0.number(ofChoice: $1) }
        case .multipleCollaborators: return list(items, separator: ",") { $0.person($1) }
        case .singleCollaborator:
            guard let first = items.first.flatMap({ person($0) }) else { return (.empty, .lost) }
            return (.text(first), items.count == 1 ? .kept : .shortened)
        case .checkbox: return box(text)
        case .date, .dateTime: return typedTime(text)
        default:
            let read = try? CellDecoder.decode(.string(text), for: target, in: &context)
            guard let read, read != .empty else { return (.empty, .lost) }
            return (read, outcome(of: text, read))
        }
    }

    /// What reading a text as a cell of the target made of it.
    private func outcome(of text: String, _ cell: StoredCell) -> Outcome {
        guard case .real(let value) = cell else { return .kept }
        if target.type == .duration, text.utf8.contains(UInt8(ascii: ":")) { return .kept }
        guard NumberCell.isWhole(text, for: target) else { return .changed }
        return target.type == .rating && NumberCell.parse(text) != value ? .shortened : .kept
    }

    /// The texts that a cell consists of.
    private func items(of cell: StoredCell) -> [String] {
        switch Self.kinds[source.type] {
        case .choice: return numbers(of: cell).compactMap { sourceNames[$0] }
        case .person:
            guard case .text(let ids) = cell else { return [] }
            return ids.split(separator: ",").map { CollaboratorCell.name(String($0), users: context.users) }
        case .text:
            guard case .text(let text) = cell else { return [] }
            let isList = target.type == .multipleSelects || target.type == .multipleCollaborators
            guard isList else { return [text] }
            return text.split(separator: ",").map { Self.trimmed($0) }.filter { !$0.isEmpty }
        default: return [text(cell)].filter { !$0.isEmpty }
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        let blanks: Set<Unicode.Scalar> = [" ", "\n", "\t", "\r"]
        var scalars = text.unicodeScalars[...]
        while let first = scalars.first, blanks.contains(first) { scalars.removeFirst() }
        while let last = scalars.last, blanks.contains(last) { scalars.removeLast() }
        return String(scalars)
    }

    /// A list of what the items stand for, each once.
    private mutating func list(
        _ items: [String], separator: String, _ find: (inout Self, String) -> String?
    ) -> (StoredCell, Outcome) {
        var found: [String] = []
        var known: Set<String> = []
        var isWhole = items.count <= ChoiceLookup.limit
        for item in items.prefix(ChoiceLookup.limit) {
            guard let one = find(&self, item) else {
                isWhole = false
                continue
            }
            if known.insert(one).inserted { found.append(one) }
        }
        if found.isEmpty { return (.empty, .lost) }
        let text = found.joined(separator: separator)
        return (.text(target.type == .multipleSelects ? "[\(text)]" : text), isWhole ? .kept : .shortened)
    }

    private mutating func number(ofChoice name: String) -> String? {
        context.choice(named: name, of: target).map { String($0.number) }
    }

    private func person(_ name: String) -> String? {
        let user = UserID(name).flatMap { context.users.user($0) } ?? context.users.user(email: name)
        return (user ?? context.users.user(name: name))?.id.description
    }

    private func box(_ text: String) -> (StoredCell, Outcome) {
        let word = text.lowercased()
        if CheckboxCell.trueTexts.contains(word) { return (.integer(1), .kept) }
        return (.empty, CheckboxCell.falseTexts.contains(word) ? .kept : .lost)
    }

    private func typedTime(_ text: String) -> (StoredCell, Outcome) {
        let text = Self.trimmed(text[...])
        switch target.options {
        case .date(let format):
            if let date = CivilDate(iso8601: text) {
                return (Self.cell(date), text.utf8.count > 10 ? .shortened : .kept)
            }
            guard let typed = TypedTime(text, dayFirst: format.name == "european") else { return (.empty, .lost) }
            guard Self.names(text, typed) else { return (Self.cell(typed.date), .changed) }
            return (Self.cell(typed.date), typed.millisecondOfDay ?? 0 == 0 ? .kept : .shortened)
        case .dateTime(let format):
            let zone = zone(format)
            if let instant = Instant(iso8601: text, in: zone) { return (.integer(instant.milliseconds), .kept) }
            guard let typed = TypedTime(text, dayFirst: format.date.name == "european"),
                let local = Self.local(typed)
            else { return (.empty, .lost) }
            return Self.cell(zone.instant(of: local), Self.names(text, typed) ? .kept : .changed)
        default: return (.empty, .lost)
        }
    }

    /// Whether a text names the year that was read in it with two digits at least: `1.2.3` may be anything.
    private static func names(_ text: String, _ typed: TypedTime) -> Bool {
        let year = typed.date.year % 100
        return text.contains(year < 10 ? "0\(year)" : String(year))
    }

    /// The cell of an instant; one that could not be written, since it lies outside the years 1 to 9999, is lost.
    private static func cell(_ instant: Instant, _ outcome: Outcome) -> (StoredCell, Outcome) {
        Instant.writable.contains(instant) ? (.integer(instant.milliseconds), outcome) : (.empty, .lost)
    }

    private static func cell(_ date: CivilDate) -> StoredCell { .integer(Int64(date.daysSinceEpoch) * 86_400_000) }

    private static func local(_ typed: TypedTime) -> CivilDateTime? {
        let time = typed.millisecondOfDay ?? 0
        return CivilDateTime(
            date: typed.date, hour: time / 3_600_000, minute: time / 60_000 % 60, second: time / 1000 % 60)
    }
}
