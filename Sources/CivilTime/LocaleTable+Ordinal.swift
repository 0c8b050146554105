extension LocaleTable {
    /// What an ordinal number counts.
    enum OrdinalUnit {
        case eraYear, quarter, month, week, dayOfMonth
        /// Days of a year or of a week.
        case day
    }
}

extension LocaleTable.Ordinal {
    /// What follows the number.
    func ending(of number: Int, _ unit: LocaleTable.OrdinalUnit) -> String {
        switch self {
        case .suffix(let suffix): suffix
        case .english: Self.englishEnding(of: number)
        case .french: Self.frenchEnding(of: number, unit)
        case .units(let day, let month, let week):
            switch unit {
            case .day, .dayOfMonth: day
            case .month: month
            case .week: week
            case .quarter, .eraYear: ""
            }
        }
    }

    private static func englishEnding(of number: Int) -> String {
        if number / 10 % 10 == 1 { return "th" }
        switch number % 10 {
        case 1: return "st"
        case 2: return "nd"
        case 3: return "rd"
        default: return "th"
        }
    }

    private static func frenchEnding(of number: Int, _ unit: LocaleTable.OrdinalUnit) -> String {
        switch unit {
        case .dayOfMonth: number == 1 ? "er" : ""
        case .week: number == 1 ? "re" : "e"
        default: number == 1 ? "er" : "e"
        }
    }
}
