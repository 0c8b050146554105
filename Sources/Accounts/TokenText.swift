import Cryptography
import RowhouseModel

/// The text of a personal access token: its id, a dot, and 64 hexadecimal digits that are the secret.
enum TokenText {
    private static let secretLength = 64
    private static let idLength = 17

    /// A new text for a token.
    static func make(_ id: TokenID) -> String {
        "\(id)." + Hexadecimal.encode(RandomBytes.make(count: secretLength / 2))
    }

    /// The id that the text begins with; nil for a text of another shape.
    ///
    /// Asked with every request, so without a buffer; whether the id's characters are right, the table will tell.
    static func id(in text: String) -> TokenID? {
        let bytes = text.utf8Span.span
        guard bytes.count == idLength + 1 + secretLength, bytes[0] == UInt8(ascii: "p"), bytes[1] == UInt8(ascii: "a"),
            bytes[2] == UInt8(ascii: "t"), bytes[idLength] == UInt8(ascii: ".")
        else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for index in 3..<11 { high = high << 8 | UInt64(bytes[index]) }
        for index in 11..<idLength { low = low << 8 | UInt64(bytes[index]) }
        return TokenID(text: IdentifierText(high: high, low: low << 16))
    }
}
