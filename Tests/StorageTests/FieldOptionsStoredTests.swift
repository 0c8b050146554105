import RowhouseJSON
import RowhouseModel
import Storage
import Testing

@Suite struct FieldOptionsStoredTests {
    private static let zoned = DateTimeFormat(date: .local, time: TimeFormat(name: "12hour"), timeZone: "Europe/Berlin")

    /// Of which the link is gone, and with it what it led to.
    private static var lookup: LookupOptions {
        var lookup = LookupOptions(recordLinkFieldID: nil, fieldIDInLinkedTable: nil)
        lookup.missing = MissingReferences(
            link: FieldID(text: IdentifierText(time: 5, counter: 6)),
            linkedField: FieldID(text: IdentifierText(time: 5, counter: 7)))
        return lookup
    }

    @Test(arguments: [
        FieldOptions.none, .number(precision: 8), .currency(precision: 2, symbol: "€\"\\"),
        .duration(format: "h:mm:ss.S"),
        .rating(icon: "star", max: 10, color: "yellowBright"), .checkbox(icon: "check", color: "greenBright"),
        .date(.iso), .dateTime(zoned), .choices([]), .choices([], greatestNumber: 7),
        .choices([
            SelectChoice(
                id: ChoiceID(text: IdentifierText(time: 1, counter: 2)), name: "茶 \u{0}", color: nil, number: 7),
            SelectChoice(
                id: ChoiceID(text: IdentifierText(time: 1, counter: 3)), name: "", color: "blueLight2", number: 2),
        ]),
        .attachments(isReversed: true), .createdTime(result: .standard), .createdTime(result: .date(.local)),
        .lastModifiedTime(referencedFieldIDs: [], result: .dateTime(zoned)),
        .lastModifiedTime(
            referencedFieldIDs: [FieldID(text: IdentifierText(time: 5, counter: 6))],
            gone: [FieldID(text: IdentifierText(time: 5, counter: 6))], result: .date(.iso)),
        .count(recordLinkFieldID: FieldID(text: IdentifierText(time: 5, counter: 6))),
        .count(recordLinkFieldID: nil, missing: FieldID(text: IdentifierText(time: 5, counter: 6))),
        .lookup(lookup),
        .lastModifiedTime(
            referencedFieldIDs: [FieldID(text: IdentifierText(time: 3, counter: 4))], result: .date(.iso)),
    ])
    func `Options read as they were stored`(options: FieldOptions) throws {
        #expect(FieldOptions(stored: try JSONParser.parse(options.stored.bytes)) == options)
    }

    @Test(arguments: [
        "null", "{}", "{\"shape\":\"new\"}", "{\"shape\":\"number\"}", "{\"shape\":\"choices\",\"choices\":[{}]}",
    ])
    func `Anything else is refused`(text: String) throws {
        #expect(FieldOptions(stored: try JSONParser.parse(Array(text.utf8))) == nil)
    }
}
