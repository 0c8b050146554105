import CivilTime
import Testing

@Suite struct DateReaderTests {
    @Test func `any pattern and any text do no harm`() {
        let seed = UInt64.random(in: 1...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let letters = Array("MDYdwWQoeEHhkmsSZXxaALlTgNyz[]\\ é中\n")
        let texts = Array("0123456789 -/:.,aApPmMZ+T中月日下午\u{1F600}januarydimanche\u{300}")
        let names = ["en", "zh-tw", "ja", "ko", "de", "fr", "es"]
        var read = 0
        for _ in 0..<3000 {
            let pattern = String((0..<10).map { _ in letters.randomElement(using: &generator) ?? " " })
            let text = String((0..<20).map { _ in texts.randomElement(using: &generator) ?? " " })
            let locale = names.randomElement(using: &generator).flatMap(LocaleTable.named) ?? .english
            let now = Instant(milliseconds: Int64(bitPattern: generator.next()) >> 16)
            if let instant = DateReader(pattern, locale: locale).instant(text, now: now) {
                read += 1
                #expect(1...9999 ~= CivilDateTime(instant).date.year, "seed \(seed)")
            }
            _ = Instant(loose: text)
        }
        #expect(read > 100, "seed \(seed)")
    }

    @Test(arguments: [
        "", " ", "5/1", "May 2024", "2/30/2024", "13/1/2024", "May 32, 2024", "5/1/2024 25:00", "5/1/2024 13:00 PM",
        "5/1/2024 10:60", "5/1/2024 10:00 XST", "5/1/2024 10:00 am pm", "5/1/2024 10:00 +25:00", "May May 1 2024",
        "Sunday, May 1, 2024", "1 2 3 4", "5/1/2024 (open", "+08:00 5/1/2024", "am 5/1/2024", "5/1/10000",
        "1/1/1234567890", "2024-02-30", "2024-13-01", "2024-W54-1", "2024-000", "2023-366", "2024-05-01T1000",
        "20240501T10:00", "2024-05-01T10:00:00.Z", "٢٠٢٤-٠٥-٠١", "2024 -05-01", "12",
    ]) func `texts that name no day are refused`(text: String) {
        #expect(Instant(loose: text) == nil)
    }

    @Test(arguments: [
        ("5/1/2024", "2024-05-01T00:00:00.000Z"), (" 5/1/2024 ", "2024-05-01T00:00:00.000Z"),
        ("5/1/49", "2049-05-01T00:00:00.000Z"), ("5/1/50", "1950-05-01T00:00:00.000Z"),
        ("Sept 5, 2024", "2024-09-05T00:00:00.000Z"), ("2024/05/01T10:00", "2024-05-01T10:00:00.000Z"),
        ("5/1/2024 24:00", "2024-05-02T00:00:00.000Z"), ("May 1, 2024 (noon) 12:00 PM", "2024-05-01T12:00:00.000Z"),
        ("01 May 2024 10:00:00 GMT+0800", "2024-05-01T02:00:00.000Z"), ("2024-05-01T10", "2024-05-01T10:00:00.000Z"),
        ("2024-05-01 10:00:00,5+08", "2024-05-01T02:00:00.500Z"),
    ]) func `common forms are read`(text: String, expected: String) {
        #expect(Instant(loose: text)?.iso8601 == expected)
    }

    @Test func `every table is whole`() {
        for name in ["en", "zh-tw", "zh-hk", "zh-cn", "ja", "ko", "de", "fr", "es", "en-gb", "en-ca"] {
            let table = LocaleTable.named(name)
            #expect(table?.identifier == name)
            #expect(table?.months.count == 12 && table?.shortMonths.count == 12)
            #expect([table?.weekdays, table?.shortWeekdays, table?.minimalWeekdays].allSatisfy { $0?.count == 7 })
            #expect(table?.longFormats.dates.count == 4)
        }
        #expect(LocaleTable.named("zh_Hant_TW")?.identifier == "zh-tw")
        #expect(LocaleTable.named("en-US")?.identifier == "en")
        for name in ["", "-", "x", "en" + String(repeating: "-x", count: 100)] {
            #expect(LocaleTable.named(name) == nil)
        }
    }
}
