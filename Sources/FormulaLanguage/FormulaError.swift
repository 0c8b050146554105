/// Why a text is no formula, with the place: `line` and `column` count from 1, the column in characters.
package struct FormulaError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// The text breaks the grammar, calls an unknown function or gives it too few or too many arguments.
        case syntax
        /// A name that no field has.
        case unknownField(String)
    }
    package let reason: Reason
    package let message: String
    package let line: Int
    package let column: Int
    /// All names that no field has, each once, in the order in which they appear; the first is that of `reason`.
    package let unknownNames: [String]

    package init(reason: Reason, message: String, line: Int, column: Int, unknownNames: [String] = []) {
        self.reason = reason
        self.message = message
        self.line = line
        self.column = column
        self.unknownNames = unknownNames
    }
}

/// Why a text is no formula, with the byte where that shows.
struct FormulaFault: Error {
    let reason: FormulaError.Reason
    let message: String
    let place: Int

    init(_ message: String, reason: FormulaError.Reason = .syntax, at place: Int) {
        self.reason = reason
        self.message = message
        self.place = place
    }
}

extension FormulaError {
    init(_ fault: FormulaFault, in text: String, unknownNames: [String] = []) {
        let before = text.utf8.prefix(fault.place)
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { before.index(after: $0) } ?? before.startIndex
        let line = before.reduce(into: 1) { count, byte in count += byte == UInt8(ascii: "\n") ? 1 : 0 }
        let column = String(decoding: before[lineStart...], as: UTF8.self).count + 1
        self.init(
            reason: fault.reason, message: fault.message, line: line, column: column, unknownNames: unknownNames)
    }

    /// The message with its place, the line of the formula and a caret below the character, for a person to read:
    ///
    ///     Line 1, column 5: Here must stand a value, not )
    ///     1 + )
    ///         ^
    ///
    /// Of a long line only what stands around the place is shown.
    package func rendered(in text: String) -> String {
        let (before, after) = shownLine(of: text)
        let blanks = before.map { character -> Character in
            character == "\t" ? "\t" : Self.isWide(character) ? "\u{3000}" : " "
        }
        return "Line \(line), column \(column): \(message)\n\(before)\(after)\n\(String(blanks))^"
    }

    /// The characters of the line before the place and from there on.
    private func shownLine(of text: String) -> (before: String, after: String) {
        let lines = text.split(maxSplits: line, omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        guard lines.indices.contains(line - 1) else { return ("", "") }
        let shown = lines[line - 1]
        let place = shown.index(shown.startIndex, offsetBy: column - 1, limitedBy: shown.endIndex) ?? shown.endIndex
        let (before, after) = (shown[..<place], shown[place...])
        let (kept, following) = (before.suffix(60), after.prefix(60))
        return (
            (kept.count < before.count ? "…" : "") + kept, following + (following.count < after.count ? "…" : "")
        )
    }

    /// Whether a character takes two places in text of fixed width: those of East Asia and pictures.
    private static func isWide(_ character: Character) -> Bool {
        switch character.unicodeScalars.first?.value ?? 0 {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
