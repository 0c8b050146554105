/// Why a path or a query cannot be read.
package enum TargetError: Error, Equatable, Sendable {
    /// A percent sign without two hexadecimal digits.
    case malformedEscape
    /// Decoded bytes that are not UTF-8.
    case invalidUTF8
    /// The character U+0000.
    case nulCharacter
    /// More parameters than allowed.
    case tooManyParameters
}
