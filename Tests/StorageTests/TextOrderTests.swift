import RowhouseModel
import Testing

@Suite struct TextOrderTests {
    /// The definition, pair by pair: units compared one after another, then code points.
    private static func precedes(_ left: String, _ right: String) -> Bool {
        let leftUnits = units(left)
        let rightUnits = units(right)
        for (first, second) in zip(leftUnits, rightUnits) where first != second {
            switch (first, second) {
            case (.number(let first), .number(let second)):
                return first.count != second.count ? first.count < second.count : first < second
            case (.scalar(let first), .scalar(let second)): return first < second
            case (.number, .scalar(let scalar)): return 48 < scalar
            case (.scalar(let scalar), .number): return scalar < 48
            }
        }
        if leftUnits.count != rightUnits.count { return leftUnits.count < rightUnits.count }
        return left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
    }

    private enum Unit: Equatable {
        /// Digits without leading zeros.
        case number(String)
        case scalar(UInt32)
    }

    private static func units(_ text: String) -> [Unit] {
        var units: [Unit] = []
        var digits: String?
        func close() {
            if let run = digits { units.append(.number(String(run.drop { $0 == "0" }))) }
            digits = nil
        }
        for scalar in text.unicodeScalars {
            if ("0"..."9").contains(scalar) {
                digits = (digits ?? "") + String(scalar)
            } else {
                close()
                units.append(.scalar(fold(scalar)))
            }
        }
        close()
        return units
    }

    /// Simple case folding told by the standard library's mappings, with the places where Unicode says otherwise.
    private static func fold(_ scalar: Unicode.Scalar) -> UInt32 {
        if let exception = exceptions[scalar.value] { return exception }
        if (0x13A0...0x13F5).contains(scalar.value) { return scalar.value }
        if (0xAB70...0xABBF).contains(scalar.value) { return scalar.value - 0xAB70 + 0x13A0 }
        if (0x13F8...0x13FD).contains(scalar.value) { return scalar.value - 8 }
        let upper = scalar.properties.uppercaseMapping.unicodeScalars
        let base = upper.count == 1 ? upper[upper.startIndex] : scalar
        let lower = base.properties.lowercaseMapping.unicodeScalars
        return lower.count == 1 ? lower[lower.startIndex].value : scalar.value
    }

    /// From CaseFolding.txt 15.0: İ and ı fold to themselves; scalars whose upper case is two scalars fold to their
    /// single lower case.
    private static let exceptions: [UInt32: UInt32] = [
        0x130: 0x130, 0x131: 0x131, 0x1E9E: 0xDF,
        0x1F88: 0x1F80, 0x1F89: 0x1F81, 0x1F8A: 0x1F82, 0x1F8B: 0x1F83, 0x1F8C: 0x1F84, 0x1F8D: 0x1F85,
        0x1F8E: 0x1F86, 0x1F8F: 0x1F87, 0x1F98: 0x1F90, 0x1F99: 0x1F91, 0x1F9A: 0x1F92, 0x1F9B: 0x1F93,
        0x1F9C: 0x1F94, 0x1F9D: 0x1F95, 0x1F9E: 0x1F96, 0x1F9F: 0x1F97, 0x1FA8: 0x1FA0, 0x1FA9: 0x1FA1,
        0x1FAA: 0x1FA2, 0x1FAB: 0x1FA3, 0x1FAC: 0x1FA4, 0x1FAD: 0x1FA5, 0x1FAE: 0x1FA6, 0x1FAF: 0x1FA7,
        0x1FBC: 0x1FB3, 0x1FCC: 0x1FC3, 0x1FFC: 0x1FF3,
    ]

    @Test func `Every scalar folds by the simple case folding of Unicode`() {
        var differences: [String] = []
        for value in UInt32(0)..<0x20000 {
            // Letters younger than Unicode 15 may fold in the standard library only.
            guard let scalar = Unicode.Scalar(value), !("0"..."9").contains(scalar),
                let age = scalar.properties.age, age.major <= 15
            else { continue }
            guard let folded = Unicode.Scalar(Self.fold(scalar)) else { continue }
            let key = TextOrder.key(of: String(scalar)).prefix { $0 != 0 }
            let expected = String(folded).utf8.map { $0 + 1 }
            if Array(key) != expected { differences.append(String(value, radix: 16)) }
        }
        #expect(differences == [])
    }

    @Test func `Digit runs stand by value, case decides last, empty stands first`() {
        let texts = [
            "", "#", "0", "00x", "0x", "1", "2", "02b", "2B", "2b", "10", "A", "a", "Ab", "aB", "ab",
            "STRASSE", "Strasse", "strasse", "straſſe", "strasz", "straße", "z2", "z11",
        ]
        // 00x before 0x: of equal values the code points decide, and 0 stands before x.
        #expect(texts.shuffled().sorted(by: TextOrder.precedes) == texts)
    }

    @Test(arguments: [UInt64(1), 2, 3, 4])
    func `Keys order random texts as the definition does`(seed: UInt64) {
        var random = SeededRandom(seed)
        let pieces = [
            "a", "A", "b", "B", "k", "K", "\u{212A}", "s", "S", "ſ", "ß", "ẞ", "i", "I", "ı", "İ", "é", "É", "e\u{301}",
            "E\u{301}", "0", "00", "1", "01", "9", "10", "99", "/", ":", " ", "\0", "茶", "茉", "🫖", "🍵", "Σ", "σ", "ς",
            "Ж", "ж", "Ⴀ", "ꭰ", "Ꭰ", "\u{7F}", "\u{80}", "\u{10FFFF}",
        ]
        func text() -> String {
            (0..<Int.random(in: 0...7, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        }
        for _ in 0..<30_000 {
            let left = text()
            // Half of the pairs share a beginning.
            let right = Bool.random(using: &random) ? text() : String(left.prefix(3)) + text()
            let expected = Self.precedes(left, right)
            if TextOrder.precedes(left, right) != expected {
                Issue.record("seed \(seed): \(left.debugDescription) and \(right.debugDescription)")
                return
            }
            let same = Array(left.utf8) == Array(right.utf8)
            if (TextOrder.key(of: left) == TextOrder.key(of: right)) != same {
                Issue.record("seed \(seed): keys of \(left.debugDescription) and \(right.debugDescription)")
                return
            }
        }
    }

    @Test func `A key ends at the limit, and texts that agree so far are equal`() {
        let long = String(repeating: "x", count: 5000)
        #expect(TextOrder.key(of: long).count == TextOrder.limit)
        #expect(TextOrder.key(of: long) == TextOrder.key(of: long + "y"))
        #expect(TextOrder.precedes("w" + long, long))
        #expect(TextOrder.key(of: String(repeating: "7", count: 100_000)).count == TextOrder.limit)
        #expect(TextOrder.precedes(String(repeating: "9", count: 300), "1" + String(repeating: "0", count: 300)))
    }
}
