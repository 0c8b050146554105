/// Names of files as strangers give them, made harmless: nothing that names a place, no invisible signs, not too long.
package enum Filename {
    /// The longest name, in bytes.
    package static let longest = 255
    /// The name of what has none.
    package static let unnamed = "Unnamed attachment"

    /// What is left of a name: its last part, without control characters and signs that turn the direction of writing,
    /// cut before its extension; nil when that is nothing.
    package static func cleaned(_ text: String) -> String? {
        let last = text.utf8.split(omittingEmptySubsequences: false) { $0 == 0x2F || $0 == 0x5C }.last ?? [][...]
        var scalars = String.UnicodeScalarView()
        for scalar in String(decoding: last, as: UTF8.self).unicodeScalars where !isInvisible(scalar) {
            scalars.append(scalar)
        }
        while scalars.last == " " { scalars.removeLast() }
        let name = cut(String(scalars.drop { $0 == " " }))
        return name.isEmpty || name == "." || name == ".." ? nil : name
    }

    /// What follows the last dot, if it is a few letters and digits.
    package static func fileExtension(of name: String) -> String? {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.utf8.startIndex else { return nil }
        let letters = name.utf8[name.utf8.index(after: dot)...]
        let isPlain = (1...10).contains(letters.count) && letters.allSatisfy { isLetterOrDigit($0) }
        return isPlain ? String(decoding: letters, as: UTF8.self).lowercased() : nil
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122: true
        default: false
        }
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    private static func cut(_ name: String) -> String {
        guard name.utf8.count > longest else { return name }
        let ending = fileExtension(of: name).map { "." + $0 } ?? ""
        var scalars = String.UnicodeScalarView()
        var length = ending.utf8.count
        for scalar in name.unicodeScalars {
            length += UTF8.width(scalar)
            guard length <= longest else { break }
            scalars.append(scalar)
        }
        return String(scalars) + ending
    }
}
