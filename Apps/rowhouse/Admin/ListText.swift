import CivilTime

/// Lists as scripts and people read them: one line each, values between tabs, the heading first.
enum ListText {
    static func lines(_ rows: [[String]]) -> [String] {
        rows.map { $0.map(oneLine).joined(separator: "\t") }
    }

    /// The time in UTC by RFC 3339, to the second.
    static func time(_ instant: Instant) -> String {
        let seconds = floored(instant.milliseconds, 1000)
        let days = floored(seconds, 86_400)
        let second = seconds - days * 86_400
        // Days to a civil date (Hinnant, "chrono-Compatible Low-Level Date Algorithms"): eras of 400 years from March.
        let shifted = days + 719_468
        let era = floored(shifted, 146_097)
        let day = shifted - era * 146_097
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let date = [
            padded(year + era * 400 + (month >= 10 ? 1 : 0), 4), padded(month < 10 ? month + 3 : month - 9, 2),
            padded(dayOfYear - (153 * month + 2) / 5 + 1, 2),
        ]
        let time = [second / 3600, second / 60 % 60, second % 60].map { padded($0, 2) }
        return date.joined(separator: "-") + "T" + time.joined(separator: ":") + "Z"
    }

    private static func oneLine(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
    }

    private static func floored(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : (value + 1) / divisor - 1
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = "\(value)"
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
