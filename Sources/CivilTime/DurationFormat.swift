/// One of Airtable's ways to write a duration, from `h:mm` to `h:mm:ss.SSS`.
package struct DurationFormat: Hashable, Sendable {
    /// The format as Airtable spells it.
    package let pattern: String
    /// Units a second is cut into; 0 when seconds are not shown.
    private let unitsPerSecond: Int64
    private let fractionDigits: Int

    /// The format, or nil for a pattern Airtable does not have.
    package init?(pattern: String) {
        switch pattern {
        case "h:mm": (unitsPerSecond, fractionDigits) = (0, 0)
        case "h:mm:ss": (unitsPerSecond, fractionDigits) = (1, 0)
        case "h:mm:ss.S": (unitsPerSecond, fractionDigits) = (10, 1)
        case "h:mm:ss.SS": (unitsPerSecond, fractionDigits) = (100, 2)
        case "h:mm:ss.SSS": (unitsPerSecond, fractionDigits) = (1000, 3)
        default: return nil
        }
        self.pattern = pattern
    }

    /// The seconds as text, rounded to the smallest unit shown, halves away from zero; nil beyond a million million
    /// seconds and for what is no number.
    package func format(seconds: Double) -> String? {
        guard seconds.magnitude <= 1e12 else { return nil }
        let units = Int64(
            unitsPerSecond == 0 ? seconds.magnitude / 60 + 0.5 : seconds.magnitude * Double(unitsPerSecond) + 0.5)
        var bytes: [UInt8] = []
        if seconds < 0, units > 0 { bytes.append(UInt8(ascii: "-")) }
        append(units: units, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func append(units: Int64, to bytes: inout [UInt8]) {
        let minutes = unitsPerSecond == 0 ? units : units / unitsPerSecond / 60
        bytes.appendDigits(Int(minutes / 60), width: 1)
        bytes.append(UInt8(ascii: ":"))
        bytes.appendDigits(Int(minutes % 60), width: 2)
        guard unitsPerSecond > 0 else { return }
        bytes.append(UInt8(ascii: ":"))
        bytes.appendDigits(Int(units / unitsPerSecond % 60), width: 2)
        guard fractionDigits > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        bytes.appendDigits(Int(units % unitsPerSecond), width: fractionDigits)
    }
}
