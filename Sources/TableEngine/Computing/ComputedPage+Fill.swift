import CivilTime
import FormulaLanguage
import RowhouseJSON
import RowhouseModel

extension ComputedPage {
    func set(_ slot: CellSlot, _ record: Int, _ column: Int) {
        batch.slots[record * batch.fields.count + column] = slot
    }

    /// Puts a text, or one JSON value, in a cell.
    func fill(_ record: Int, _ column: Int, _ utf8: some Collection<UInt8>, isJSON: Bool) throws(APIError) {
        let start = batch.text.count
        guard utf8.count <= ComputedBudget.longestText - start else { throw .tooMuchToCompute }
        batch.text.append(contentsOf: utf8)
        place(start, record, column, isJSON)
    }

    /// Puts parts of `bytes` in a cell, as a JSON array or as a text; empty parts are left out, and a cell without
    /// others stays empty.
    func fill(
        _ record: Int, _ column: Int, joining places: ArraySlice<Int32>, of bytes: [UInt8], _ parts: [Range<Int>],
        isJSON: Bool
    ) throws(APIError) {
        let start = batch.text.count
        for place in places where !parts[Int(place)].isEmpty {
            let part = parts[Int(place)]
            guard part.count <= ComputedBudget.longestText - batch.text.count - 4 else { throw .tooMuchToCompute }
            if isJSON {
                batch.text.append(batch.text.count == start ? UInt8(ascii: "[") : UInt8(ascii: ","))
            } else if batch.text.count > start {
                batch.text.append(contentsOf: ", ".utf8)
            }
            batch.text.append(contentsOf: bytes[part])
        }
        guard batch.text.count > start else { return }
        if isJSON { batch.text.append(UInt8(ascii: "]")) }
        place(start, record, column, isJSON)
    }

    /// Makes every computed cell an error.
    func fillWithErrors(isShown: Bool) throws(APIError) {
        for step in plan.steps {
            guard let column = step.column else { continue }
            let filler = CellFiller(ComputedResult(showing: step.field), isShown: isShown)
            for record in 0..<batch.count { try filler.fill(.error, record, column, self) }
        }
    }

    private func place(_ start: Int, _ record: Int, _ column: Int, _ isJSON: Bool) {
        let first = UInt32(clamping: start)
        let count = UInt32(clamping: batch.text.count - start)
        set(isJSON ? .json(start: first, count: count) : .text(start: first, count: count), record, column)
    }
}

/// Puts the values of one computed field in its cells, in the form that cells of its result's type have.
///
/// What does not fit that type, lists and numbers that are not finite are told as JSON; blank cells stay empty.
struct CellFiller {
    private enum Form { case text, number, date, dateTime, box }
    private let form: Form
    private let isShown: Bool
    private static let error = Array(##"{"error":"#ERROR!"}"##.utf8)
    /// Milliseconds that have a date in the years 0001 to 9999.
    private static let times: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    init(_ result: ComputedResult, isShown: Bool) {
        self.isShown = isShown
        switch result.type {
        case .number, .percent, .currency, .duration, .rating: form = .number
        case .date: form = .date
        case .dateTime: form = .dateTime
        case .checkbox: form = .box
        default: form = .text
        }
    }

    func fill(_ value: FormulaValue, _ record: Int, _ column: Int, _ page: ComputedPage) throws(APIError) {
        switch (form, value) {
        case (_, .blank): return
        case (_, .error): try told(Self.error, shown: "#ERROR!", record, column, page)
        case (_, .array(let items)):
            let json = isShown || items.isEmpty ? [] : list(value)
            // Blank items are left out, so that a list may come to nothing.
            guard isShown || json.count > 2 else { return }
            try told(json, shown: isShown ? value.asText : "", record, column, page)
        case (.box, _): if value.isTrue { page.set(.integer(1), record, column) }
        case (.text, _): try text(value.asText, record, column, page)
        case (_, .number(let number)) where form == .number && number.isFinite:
            page.set(.real(number), record, column)
        case (.number, .boolean(let answer)): page.set(.real(answer ? 1 : 0), record, column)
        case (.date, .date(let date)) where Self.times.contains(date.instant.milliseconds),
            (.dateTime, .date(let date)) where Self.times.contains(date.instant.milliseconds):
            page.set(.integer(date.instant.milliseconds), record, column)
        case (_, .text("")): return
        default: try told(element(value), shown: isShown ? value.asText : "", record, column, page)
        }
    }

    private func text(_ text: String, _ record: Int, _ column: Int, _ page: ComputedPage) throws(APIError) {
        if !text.isEmpty { try page.fill(record, column, text.utf8, isJSON: false) }
    }

    private func told(
        _ json: [UInt8], shown: String, _ record: Int, _ column: Int, _ page: ComputedPage
    ) throws(APIError) {
        if isShown { return try text(shown, record, column, page) }
        try page.fill(record, column, json, isJSON: true)
    }

    private func list(_ value: FormulaValue) -> [UInt8] {
        var items: [FormulaValue] = []
        value.appendFlattened(to: &items)
        var json: [UInt8] = [UInt8(ascii: "[")]
        for item in items {
            if case .blank = item { continue }
            if json.count > 1 { json.append(UInt8(ascii: ",")) }
            json += element(item)
        }
        json.append(UInt8(ascii: "]"))
        return json
    }

    /// One value as JSON, by its own type.
    private func element(_ value: FormulaValue) -> [UInt8] {
        switch value {
        case .text(let text): return JSONWriter.escapedString(text)
        case .boolean(let answer): return [answer ? UInt8(ascii: "1") : UInt8(ascii: "0")]
        case .number(let number):
            if number.isFinite { return JSONValue.number(number).bytes }
            return JSONValue.object(["specialValue": .string(NumberText.text(of: number))]).bytes
        case .date(let date):
            guard Self.times.contains(date.instant.milliseconds) else { return Self.error }
            let text = date.instant.iso8601
            return JSONWriter.escapedString(form == .date ? String(text.prefix(10)) : text)
        case .error: return Self.error
        case .blank: return Array("null".utf8)
        case .array: return list(value)
        }
    }
}
