import RowhouseJSON

extension JSONValue {
    /// A value with every kind of member, letters of every length and numbers of every size.
    static func random(using generator: inout SeededGenerator, depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &generator) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &generator))
        case 2: return .number(Double(Int.random(in: -1000...1000, using: &generator)))
        case 3: return .number(Double.random(in: -1e6...1e6, using: &generator))
        case 4, 5: return .string(randomText(using: &generator))
        case 6:
            return .array(
                (0..<Int.random(in: 0..<6, using: &generator)).map { _ in random(using: &generator, depth: depth - 1) })
        default:
            return .object(
                JSONObject(
                    (0..<Int.random(in: 0..<16, using: &generator)).map { _ in
                        (randomText(using: &generator), random(using: &generator, depth: depth - 1))
                    }))
        }
    }

    private static func randomText(using generator: inout SeededGenerator) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<12, using: &generator) {
            let limit: UInt32 = [0x20, 0x80, 0x80, 0x800, 0x10000, 0x110000].randomElement(using: &generator) ?? 0x80
            if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator)) { text.append(scalar) }
        }
        return String(text)
    }
}
