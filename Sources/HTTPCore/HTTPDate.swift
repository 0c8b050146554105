/// A moment to the second, as HTTP writes it (RFC 9110, section 5.6.7).
package struct HTTPDate: Equatable, Comparable, Sendable, CustomStringConvertible {
    /// Seconds since 1970 in UTC.
    package let seconds: Int

    /// Moments outside the years 1970 to 9999 become the nearest one inside.
    package init(seconds: Int) { self.seconds = min(max(seconds, 0), 253_402_300_799) }

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT` and the two obsolete forms; nil for anything else.
    package init?(_ text: String) {
        guard text.utf8.count <= 40 else { return nil }
        let words = text.utf8.split { $0 == 0x20 || $0 == 0x2C || $0 == 0x2D || $0 == 0x3A }.map { String($0) ?? "" }
        // Only the form of asctime(3) has the year last, and no time zone.
        let order = words.count == 8 ? [1, 2, 3, 4, 5, 6] : [2, 1, 6, 3, 4, 5]
        guard words.count == 8 ? words[7] == "GMT" : words.count == 7,
            let month = HTTPDate.months.firstIndex(of: words[order[1]]), let day = HTTPDate.number(words[order[0]]),
            let year = HTTPDate.number(words[order[2]]).map(HTTPDate.fullYear),
            let hour = HTTPDate.number(words[order[3]]),
            let minute = HTTPDate.number(words[order[4]]), let second = HTTPDate.number(words[order[5]]),
            (1...31).contains(day), (1970...9999).contains(year), hour < 24, minute < 60, second <= 60
        else { return nil }
        self.init(seconds: ((HTTPDate.days(year, month + 1, day) * 24 + hour) * 60 + minute) * 60 + second)
    }

    package static func < (first: HTTPDate, second: HTTPDate) -> Bool { first.seconds < second.seconds }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    package var description: String {
        let days = seconds / 86_400
        let time = seconds % 86_400
        var year = 1970 + days / 366
        while HTTPDate.days(year + 1, 1, 1) <= days { year += 1 }
        var month = 1
        while month < 12, HTTPDate.days(year, month + 1, 1) <= days { month += 1 }
        let day = days - HTTPDate.days(year, month, 1) + 1
        return "\(HTTPDate.weekdays[days % 7]), \(HTTPDate.two(day)) \(HTTPDate.months[month - 1]) \(year) "
            + "\(HTTPDate.two(time / 3600)):\(HTTPDate.two(time / 60 % 60)):\(HTTPDate.two(time % 60)) GMT"
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    // 1970 began on a Thursday.
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func number(_ digits: String) -> Int? {
        guard digits.utf8.count <= 4, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(digits)
    }

    /// The obsolete form has two digits.
    private static func fullYear(_ year: Int) -> Int { year < 70 ? year + 2000 : year < 100 ? year + 1900 : year }

    /// Days from 1970-01-01 to a date; a day past the end of its month counts into the next one.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // Years that begin in March have their leap day at the end.
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
