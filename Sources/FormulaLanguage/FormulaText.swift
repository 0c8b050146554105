import RowhouseModel

/// The two spellings of a formula: with names, as people write it, and with field ids, as it is kept so that a renamed
/// field breaks nothing.
///
/// All but the names stays byte for byte as it was typed. A text that is no formula stays as it is from the first byte
/// on that cannot be read.
package enum FormulaText {
    /// The text with the id in braces in place of each name that the scope has.
    package static func withIDs(_ text: String, _ scope: FormulaScope) -> String {
        rewritten(text) { name, _ in
            guard let index = scope.find(name) else { return nil }
            return "{\(scope.names[index].id)}"
        }
    }

    /// The text with the name in braces in place of each id in braces that the scope has; an id stays where its field's
    /// name alone would mean another field.
    package static func withNames(_ text: String, _ scope: FormulaScope) -> String {
        rewritten(text) { reference, isBraced in
            guard isBraced, let id = FieldID(reference), let index = scope.find(reference) else { return nil }
            let name = scope.names[index].name
            guard let found = scope.find(name), scope.names[found].id == id else { return nil }
            return "{\(escaped(name))}"
        }
    }

    /// The text with the ids that stand in braces as references exchanged.
    package static func exchanging(_ ids: [String: String], in text: String) -> String {
        rewritten(text) { reference, isBraced in isBraced ? ids[reference].map { "{\($0)}" } : nil }
    }

    /// The text of a reference for a name in braces.
    private static func escaped(_ name: String) -> String {
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text with each name that `replace` has something for exchanged.
    private static func rewritten(_ text: String, _ replace: (String, _ isBraced: Bool) -> String?) -> String {
        var lexer = FormulaLexer(text)
        var result: [UInt8] = []
        var copied = 0
        var pending: FormulaToken?
        func settle(before next: FormulaToken.Kind?) {
            guard let token = pending else { return }
            pending = nil
            var replacement: String?
            switch (token.kind, next) {
            case (.word, .open): break
            case (.word(let name), _): replacement = replace(name, false)
            case (.reference(let name), _):
                let raw = String(decoding: lexer.bytes[token.range].dropFirst().dropLast(), as: UTF8.self)
                replacement = replace(name, true) ?? replace(raw, true)
            default: break
            }
            guard let replacement else { return }
            result += lexer.bytes[copied..<token.range.lowerBound]
            result += replacement.utf8
            copied = token.range.upperBound
        }
        while let token = try? lexer.next() {
            settle(before: token.kind)
            if case .end = token.kind { break }
            pending = token
        }
        settle(before: nil)
        return String(decoding: result + lexer.bytes[copied...], as: UTF8.self)
    }
}
