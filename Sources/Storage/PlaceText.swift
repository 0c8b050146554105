/// Places in an order by hand: texts in byte order, among which record ids stand as their fourteen characters.
///
/// The digits are the printable characters `!` to `~`, a text is a fraction, and none ends in the lowest digit: so
/// there is always room between two of them, and before the first.
package enum PlaceText {
    private static let lowest: UInt8 = 0x21
    private static let base = 94
    /// What belongs to a record's id is never more than this.
    private static let idLength = 14

    /// `count` places in order between two others; nil for the one above means: after all there are, and before the
    /// id of every record still to be made.
    package static func places(_ count: Int, between lower: String, and upper: String?) -> [String] {
        places(count, digits(lower), upper.map(digits)).map(text)
    }

    private static func places(_ count: Int, _ lower: [Int], _ upper: [Int]?) -> [[Int]] {
        guard count > 0 else { return [] }
        let middle = place(between: lower, and: upper)
        let left = (count - 1) / 2
        return places(left, lower, middle) + [middle] + places(count - 1 - left, middle, upper)
    }

    /// A place between two others that is short where they leave room.
    private static func place(between lower: [Int], and upper: [Int]?) -> [Int] {
        var place: [Int] = []
        // Without one above, the first digits are those of an id, which ids to come are greater than.
        var upper = upper
        if upper == nil { place = Array(lower.prefix(idLength)) }
        while true {
            if let above = upper, place.count >= above.count { upper = nil }
            let low = place.count < lower.count ? lower[place.count] : 0
            let high = upper.map { place.count < $0.count ? $0[place.count] : 0 } ?? base
            if high - low > 1 {
                place.append(upper == nil ? low + min(4, (high - low) / 2) : (low + high) / 2)
                return place
            }
            if high > low { upper = nil }
            place.append(low)
        }
    }

    private static func digits(_ text: String) -> [Int] { text.utf8.map { Int($0) - Int(lowest) } }

    private static func text(_ digits: [Int]) -> String {
        String(decoding: digits.map { UInt8(truncatingIfNeeded: $0 + Int(lowest)) }, as: UTF8.self)
    }
}
