import CivilTime

/// Dates and times as people type them and as the formats of date fields write them: `5/1/2024 10:00am`,
/// `May 1, 2024`, `1.5.2024 22:00`, `2024年5月1日`.
struct TypedTime {
    let date: CivilDate
    /// Nil where only a day was typed.
    let millisecondOfDay: Int?

    /// The longest text that is looked at.
    private static let longest = 100

    /// Reads a text; of two numbers that may both be the month the first is, or with `dayFirst` the second.
    init?(_ text: String, dayFirst: Bool) {
        guard text.utf8.count <= Self.longest, var parts = Self.parts(of: text),
            let date = Self.takeDate(&parts, dayFirst: dayFirst)
        else { return nil }
        self.date = date
        if parts.isEmpty {
            millisecondOfDay = nil
        } else {
            guard let time = Self.time(parts) else { return nil }
            millisecondOfDay = time
        }
    }

    private enum Part: Equatable {
        case number(Int)
        case month(Int)
        case isAfternoon(Bool)
        case colon
    }

    private static func parts(of text: String) -> [Part]? {
        var parts: [Part] = []
        var word = ""
        var digits = ""
        func endWord() -> Bool {
            defer { word = "" }
            if word.isEmpty { return true }
            if let isAfternoon = ["am": false, "pm": true][word] {
                parts.append(.isAfternoon(isAfternoon))
            } else if let month = month(word) {
                parts.append(.month(month))
            } else if !LocaleTable.english.weekdays.contains(where: { $0.lowercased() == word }) {
                return false
            }
            return true
        }
        func endNumber() -> Bool {
            defer { digits = "" }
            if digits.isEmpty { return true }
            guard digits.utf8.count <= 4, let number = Int(digits) else { return false }
            parts.append(.number(number))
            return true
        }
        for scalar in text.lowercased().unicodeScalars {
            switch scalar {
            case "0"..."9":
                guard endWord() else { return nil }
                digits.unicodeScalars.append(scalar)
            case "a"..."z":
                guard endNumber() else { return nil }
                word.unicodeScalars.append(scalar)
            case " ", ",", "/", ".", "-", "年", "月", "日", "\t", "\n", ":":
                guard endWord(), endNumber() else { return nil }
                if scalar == ":" { parts.append(.colon) }
            default: return nil
            }
        }
        return endWord() && endNumber() ? parts : nil
    }

    private static func month(_ word: String) -> Int? {
        let names = LocaleTable.english.months.map { $0.lowercased() }
        guard word.utf8.count >= 3 else { return nil }
        return names.firstIndex { $0 == word || ($0.hasPrefix(word) && word.utf8.count <= 4) }.map { $0 + 1 }
    }

    private static func takeDate(_ parts: inout [Part], dayFirst: Bool) -> CivilDate? {
        guard parts.count >= 3 else { return nil }
        let first = Array(parts.prefix(3))
        parts.removeFirst(3)
        switch (first[0], first[1], first[2]) {
        case (.month(let month), .number(let day), .number(let year)): return date(year, month, day)
        case (.number(let day), .month(let month), .number(let year)): return date(year, month, day)
        case (.number(let year), .number(let month), .number(let day)) where year >= 1000:
            return date(year, month, day)
        case (.number(let left), .number(let right), .number(let year)):
            let monthFirst = date(year, left, right)
            let monthSecond = date(year, right, left)
            return dayFirst ? monthSecond ?? monthFirst : monthFirst ?? monthSecond
        default: return nil
        }
    }

    /// Years of one or two digits are those of this century, as where cells are typed.
    private static func date(_ year: Int, _ month: Int, _ day: Int) -> CivilDate? {
        CivilDate(year: year < 100 ? year + 2000 : year, month: month, day: day)
    }

    private static func time(_ parts: [Part]) -> Int? {
        var parts = parts
        var isAfternoon: Bool?
        if case .isAfternoon(let flag)? = parts.last {
            isAfternoon = flag
            parts.removeLast()
        }
        var numbers: [Int] = []
        for (index, part) in parts.enumerated() {
            switch part {
            case .number(let number) where index % 2 == 0: numbers.append(number)
            case .colon where index % 2 == 1: continue
            default: return nil
            }
        }
        guard (2...3).contains(numbers.count), parts.count == 2 * numbers.count - 1 else { return nil }
        var hour = numbers[0]
        if let isAfternoon {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
        }
        guard (0...23).contains(hour), numbers.dropFirst().allSatisfy({ (0...59).contains($0) }) else { return nil }
        let second = numbers.count == 3 ? numbers[2] : 0
        return ((hour * 60 + numbers[1]) * 60 + second) * 1000
    }
}
