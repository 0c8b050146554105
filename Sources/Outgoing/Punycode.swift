/// Names with letters beyond ASCII in the form that name servers know (RFC 3492).
enum Punycode {
    private static let base = 36
    private static let (minimum, maximum) = (1, 26)

    /// A label as it is if it is ASCII, else `xn--…`; nil if it is far too long for a name.
    static func label(_ label: Substring) -> String? {
        if label.utf8.allSatisfy({ $0 < 0x80 }) { return String(label) }
        guard label.unicodeScalars.count <= 63 else { return nil }
        return "xn--" + encode(label.unicodeScalars.map { Int($0.value) })
    }

    private static func encode(_ input: [Int]) -> String {
        var output = input.filter { $0 < 0x80 }.map { UInt8(truncatingIfNeeded: $0) }
        let basic = output.count
        if basic > 0 { output.append(UInt8(ascii: "-")) }
        // 63 code points below 0x110000 cannot bring `delta` anywhere near its bounds.
        var (code, delta, bias, handled) = (0x80, 0, 72, basic)
        while let next = input.filter({ $0 >= code }).min() {
            delta += (next - code) * (handled + 1)
            code = next
            for scalar in input {
                if scalar < code { delta += 1 }
                guard scalar == code else { continue }
                write(delta, bias, to: &output)
                bias = adapt(delta, handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            code += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func write(_ delta: Int, _ bias: Int, to output: inout [UInt8]) {
        var rest = delta
        var step = base
        while true {
            let threshold = min(max(step - bias, minimum), maximum)
            guard rest >= threshold else { break }
            output.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            step += base
        }
        output.append(digit(rest))
    }

    private static func adapt(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var bias = 0
        while delta > (base - minimum) * maximum / 2 {
            delta /= base - minimum
            bias += base
        }
        return bias + (base - minimum + 1) * delta / (delta + 38)
    }

    private static func digit(_ value: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: value < 26 ? 0x61 + value : 22 + value)
    }
}
