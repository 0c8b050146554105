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
    static func id(in text: String) -> TokenID? {
        let utf8 = text.utf8
        guard utf8.count == idLength + 1 + secretLength else { return nil }
        let bytes = Array(utf8.prefix(idLength + 1))
        guard bytes[idLength] == UInt8(ascii: ".") else { return nil }
        return TokenID(bytes: Array(bytes[..<idLength]))
    }
}
