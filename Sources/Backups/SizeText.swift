/// Numbers as people read them.
package enum SizeText {
    private static let units = ["bytes", "KB", "MB", "GB", "TB", "PB", "EB"]

    /// A number of bytes: `999 bytes`, `1.2 GB`; a kilobyte has a thousand.
    package static func bytes(_ count: Int) -> String {
        "\(amount(count, in: unit(of: count))) \(units[unit(of: count)])"
    }

    /// Two numbers of bytes in the unit of the second: `1.2 of 2.8 GB`.
    package static func bytes(_ count: Int, of total: Int) -> String {
        let unit = unit(of: total)
        return "\(amount(count, in: unit)) of \(amount(total, in: unit)) \(units[unit])"
    }

    /// A number with commas between thousands: `12,345`.
    package static func count(_ number: Int) -> String {
        var text = ""
        for (place, digit) in String(number.magnitude).reversed().enumerated() {
            if place > 0, place % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return (number < 0 ? "-" : "") + String(text.reversed())
    }

    /// A number of things: `1 file`, `12,345 files`.
    package static func count(_ number: Int, _ thing: String) -> String {
        "\(count(number)) \(thing)\(number == 1 ? "" : "s")"
    }

    private static func unit(of count: Int) -> Int {
        var unit = 0
        var rest = max(0, count)
        while rest >= 1000, unit < units.count - 1 {
            rest /= 1000
            unit += 1
        }
        return unit
    }

    private static func amount(_ count: Int, in unit: Int) -> String {
        if unit == 0 { return String(max(0, count)) }
        var size = 1
        for _ in 0..<unit { size *= 1000 }
        // Rounded down, so that 100 % is only told of the whole.
        return "\(max(0, count) / size).\(max(0, count) % size / (size / 10))"
    }
}
