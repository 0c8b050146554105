/// Names of files as strangers give them, made harmless: nothing that names a place, no invisible signs, not too long.
package enum Filename {
    /// The longest name, in bytes.
    package static let longest = 255
    /// The name of what has none.
    package static let unnamed = "Unnamed attachment"

    /// What is left of a name: its last part, without control characters and signs that nobody sees or that turn the
    /// direction of writing, cut before its extension; nil when that is nothing.
    package static func cleaned(_ text: String) -> String? {
        let last = text.utf8.split(omittingEmptySubsequences: false) { $0 == 0x2F || $0 == 0x5C }.last ?? [][...]
        let name = cut(String(visible(String(decoding: last, as: UTF8.self).unicodeScalars)))
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

    private static func visible(_ given: String.UnicodeScalarView) -> String.UnicodeScalarView {
        var scalars = String.UnicodeScalarView()
        var joiner: Unicode.Scalar?
        for scalar in given {
            if isVisible(scalar) {
                if let joiner, !scalar.isASCII { scalars.append(joiner) }
                scalars.append(scalar)
                joiner = nil
            } else if let last = scalars.last, !last.isASCII, joiner == nil {
                if isJoiner(scalar) { joiner = scalar }
                if isVariation(scalar), !isVariation(last) { scalars.append(scalar) }
            }
        }
        while let last = scalars.last, isBlank(last) { scalars.removeLast() }
        while let first = scalars.first, isBlank(first) { scalars.removeFirst() }
        return scalars
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
        // Signs around notes between the lines; they are not among those that may be ignored.
        case .format where (0xFFF9...0xFFFB).contains(scalar.value): false
        default: !scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// Scripts and emoji need these between two signs.
    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool { scalar == "\u{200C}" || scalar == "\u{200D}" }

    /// And these behind one.
    private static func isVariation(_ scalar: Unicode.Scalar) -> Bool {
        (0xFE00...0xFE0F).contains(scalar.value) || (0xE0100...0xE01EF).contains(scalar.value)
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar == "\u{2800}"
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
