/// White space as JavaScript's `trim` has it.
enum WhiteSpace {
    /// The text without white space at its ends.
    static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !contains($0) }),
            let last = scalars.lastIndex(where: { !contains($0) })
        else { return "" }
        if first == scalars.startIndex, scalars.index(after: last) == scalars.endIndex { return text }
        return String(text[first...last])
    }

    private static func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 9...13, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF: true
        default: false
        }
    }
}
