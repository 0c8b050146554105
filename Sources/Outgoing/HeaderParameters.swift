import HTTPCore

/// The parameters of a header: `; name=token; name="text with \" in it"`. What follows the first fault is not read.
struct HeaderParameters {
    private var values: [String: String] = [:]

    /// The first value under a name in lower case.
    subscript(_ name: String) -> String? { values[name] }

    init(_ header: String) {
        var rest = header.unicodeScalars[...]
        rest = rest.drop { $0 != ";" }
        while rest.first == ";" {
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            let name = rest.prefix { $0.isToken }
            rest = rest.dropFirst(name.count).drop { $0 == " " || $0 == "\t" }
            guard rest.first == "=" else {
                // A second semicolon in a row, or one at the end.
                if name.isEmpty, rest.first == ";" { continue }
                return
            }
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            guard let value = HeaderParameters.value(&rest) else { return }
            let key = String(name).lowercased()
            values[key] = values[key] ?? value
            rest = rest.drop { $0 == " " || $0 == "\t" }
        }
    }

    private static func value(_ rest: inout Substring.UnicodeScalarView) -> String? {
        guard rest.first == "\"" else {
            // More than tokens, for names are often sent without the quotes they need.
            let text = rest.prefix { $0 != ";" }
            rest = rest.dropFirst(text.count)
            return String(text)
        }
        rest.removeFirst()
        var text = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            if scalar == "\"" { return String(text) }
            if scalar == "\\", let escaped = rest.popFirst() { text.append(escaped) } else { text.append(scalar) }
        }
        return nil
    }
}

extension Unicode.Scalar {
    fileprivate var isToken: Bool { isASCII && ASCII.isTokenCharacter(UInt8(truncatingIfNeeded: value)) }
}
