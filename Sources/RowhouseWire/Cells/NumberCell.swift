import RowhouseJSON
import RowhouseModel

/// Numbers, percents (a fraction) and currencies: kept unrounded, whatever the precision shown.
enum NumberCell {
    static func decode(
        _ value: JSONValue, for field: Field, in context: CellContext
    ) throws(APIError) -> StoredCell {
        switch value {
        case .number(let number): return .real(number == 0 ? 0 : number)
        case .string(let text) where context.typecast: return parse(text).map { .real($0) } ?? .empty
        case .bool(let flag) where context.typecast: return .real(flag ? 1 : 0)
        default: throw .cannotAccept(field.name)
        }
    }

    /// Reads `1,234.5`, `$1,000`, `(5)` as typed by people, `50%` as 0.5; nil when there is no number.
    static func parse(_ text: String) -> Double? {
        var digits = ""
        var isPercent = false
        var isNegative = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "0"..."9", ".": digits.unicodeScalars.append(scalar)
            case "-", "−", "(": if digits.isEmpty { isNegative = true } else { return nil }
            case "%", "％": isPercent = true
            case "e", "E": return Double(text).flatMap { $0.isFinite ? $0 : nil }
            default: continue
            }
        }
        guard !digits.isEmpty, digits.utf8.count <= 400, let value = Double(digits), value.isFinite else { return nil }
        guard value != 0 else { return 0 }
        let signed = isNegative ? -value : value
        return isPercent ? signed / 100 : signed
    }

    /// The number with exactly `precision` decimals, half away from zero on its shortest decimal text.
    ///
    /// - Parameter shift: how many places the decimal point is moved to the right first, without the error of a
    ///   multiplication: 1.005 is 100.5 %.
    static func fixed(_ value: Double, precision: Int, grouping: Bool = false, shift: Int = 0) -> String {
        var (digits, point, isNegative) = shortestDigits(value)
        point += shift
        let wanted = point + precision
        if wanted < 0 {
            digits = []
            point = 0
        } else if wanted < digits.count {
            let roundsUp = digits[wanted] >= 5
            digits.removeSubrange(wanted...)
            if roundsUp { carry(&digits, &point) }
        }
        var whole = point > 0 ? Array(digits.prefix(point)) : []
        whole += Array(repeating: 0, count: max(0, point - whole.count))
        if whole.isEmpty { whole = [0] }
        var fraction = Array(repeating: 0, count: max(0, -point)) + digits.dropFirst(max(0, point))
        fraction = Array(fraction.prefix(precision))
        fraction += Array(repeating: 0, count: precision - fraction.count)
        if (whole + fraction).allSatisfy({ $0 == 0 }) { isNegative = false }
        var text = isNegative ? "-" : ""
        for (index, digit) in whole.enumerated() {
            if grouping, index > 0, (whole.count - index) % 3 == 0 { text += "," }
            text += String(digit)
        }
        return precision == 0 ? text : text + "." + fraction.map(String.init).joined()
    }

    /// The shortest decimal digits of a finite number, where the point stands, and the sign: 12.5 → [1,2,5], 2.
    static func shortestDigits(_ value: Double) -> (digits: [Int], point: Int, isNegative: Bool) {
        var digits: [Int] = []
        var point: Int?
        var exponent = 0
        let text = Array(abs(value).description.utf8)
        for (index, byte) in text.enumerated() {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(Int(byte - 48))
            case UInt8(ascii: "."): point = digits.count
            default:
                exponent = Int(String(decoding: text[(index + 1)...], as: UTF8.self)) ?? 0
                return trimmed(digits, (point ?? digits.count) + exponent, value < 0)
            }
        }
        return trimmed(digits, point ?? digits.count, value < 0)
    }

    private static func trimmed(_ digits: [Int], _ point: Int, _ isNegative: Bool) -> ([Int], Int, Bool) {
        let leading = digits.prefix { $0 == 0 }.count
        return (Array(digits.dropFirst(leading)), point - leading, isNegative)
    }

    private static func carry(_ digits: inout [Int], _ point: inout Int) {
        var index = digits.count - 1
        while index >= 0 {
            if digits[index] < 9 {
                digits[index] += 1
                return
            }
            digits[index] = 0
            index -= 1
        }
        digits.insert(1, at: 0)
        point += 1
    }

    static func text(_ value: Double, of field: Field) -> String {
        guard value.isFinite, abs(value) < 1e21 else { return plain(value) }
        switch field.options {
        case .currency(let precision, let symbol):
            let text = fixed(value, precision: precision, grouping: true)
            return text.hasPrefix("-") ? "-" + symbol + text.dropFirst() : symbol + text
        case .number(let precision):
            return field.type == .percent
                ? fixed(value, precision: precision, shift: 2) + "%" : fixed(value, precision: precision)
        default: return plain(value)
        }
    }

    /// The number as JSON has it.
    static func plain(_ value: Double) -> String {
        String(decoding: JSONValue.number(value).bytes, as: UTF8.self)
    }
}
