import HTTPCore
import Testing

struct HTTPDateTests {
    @Test(
        "The three forms of a moment are read",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("Monday, 30-Nov-26 12:00:00 GMT", 1_796_040_000),
        ])
    func reading(text: String, seconds: Int) {
        #expect(HTTPDate(text)?.seconds == seconds)
    }

    @Test(
        "Anything else is not",
        arguments: [
            "", "yesterday", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1969 08:49:37 GMT", "Sun, 06 Now 1994 08:49:37 GMT",
            "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "1994-11-06T08:49:37Z", "784111777",
        ])
    func refusal(text: String) {
        #expect(HTTPDate(text) == nil)
    }

    @Test("Every day of four centuries is written as it is read")
    func roundTrip() {
        var weekday = 4
        let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        for day in 0..<146_097 {
            let date = HTTPDate(seconds: day * 86_400 + day % 86_400)
            let text = date.description
            guard HTTPDate(text) == date, text.hasPrefix(names[weekday]), text.utf8.count == 29 else {
                Issue.record("\(text)")
                return
            }
            weekday = (weekday + 1) % 7
        }
        #expect(HTTPDate(seconds: 784_111_777).description == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate(seconds: -5).description == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(HTTPDate(seconds: .max).description == "Fri, 31 Dec 9999 23:59:59 GMT")
    }
}
