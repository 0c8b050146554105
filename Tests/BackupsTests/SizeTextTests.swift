import Testing

@testable import Backups

@Suite struct SizeTextTests {
    @Test(arguments: [
        (0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 KB"), (1099, "1.0 KB"), (999_999, "999.9 KB"),
        (1_000_000, "1.0 MB"), (2_850_000_000, "2.8 GB"), (Int.max, "9.2 EB"), (-5, "0 bytes"),
    ])
    func `Bytes are told in the largest unit that they fill`(count: Int, text: String) {
        #expect(SizeText.bytes(count) == text)
    }

    @Test func `A part is told in the unit of the whole`() {
        #expect(SizeText.bytes(1_230_000_000, of: 2_800_000_000) == "1.2 of 2.8 GB")
        #expect(SizeText.bytes(5, of: 2_800_000_000) == "0.0 of 2.8 GB")
        #expect(SizeText.bytes(5, of: 7) == "5 of 7 bytes")
    }

    @Test(arguments: [
        (0, "0 files"), (1, "1 file"), (999, "999 files"), (1000, "1,000 files"), (1_234_567, "1,234,567 files"),
    ])
    func `Things are counted with commas`(count: Int, text: String) {
        #expect(SizeText.count(count, "file") == text)
    }
}
