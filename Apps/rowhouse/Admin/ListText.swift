import CivilTime

/// Lists as scripts and people read them: one line each, values between tabs, the heading first.
enum ListText {
    static func lines(_ rows: [[String]]) -> [String] {
        rows.map { $0.map(oneLine).joined(separator: "\t") }
    }

    /// The time in UTC by ISO 8601.
    static func time(_ instant: Instant) -> String { instant.iso8601 }

    private static func oneLine(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
    }
}
