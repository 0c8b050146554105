/// Small letters as Unicode has them.
enum LetterCase {
    /// The text in small letters; a capital sigma that ends a word becomes the sigma of word ends.
    static func lowercased(_ text: String) -> String {
        let hasSigma = text.unicodeScalars.contains(sigma)
        return hasSigma ? withSigmas(text) : text.lowercased()
    }

    private static let sigma: Unicode.Scalar = "Σ"
    private static let finalSigma: Unicode.Scalar = "ς"

    private static func withSigmas(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        let scalars = text.unicodeScalars
        // Whether the last character that is not to be skipped is a letter with case.
        var isInWord = false
        var index = scalars.startIndex
        while index != scalars.endIndex {
            let scalar = scalars[index]
            index = scalars.index(after: index)
            if scalar == sigma {
                let isLast = isInWord && !beginsWithCased(scalars[index...])
                result.append(isLast ? finalSigma : "σ")
            } else {
                result.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
            }
            if !scalar.properties.isCaseIgnorable { isInWord = scalar.properties.isCased }
        }
        return String(result)
    }

    private static func beginsWithCased(_ rest: Substring.UnicodeScalarView) -> Bool {
        rest.first { !$0.properties.isCaseIgnorable }?.properties.isCased ?? false
    }
}
