import Cryptography
import RowhouseModel

/// Where the next page of a record's comments begins: a number in base64url, which says nothing by itself, as the page is
/// always of the record that the path names.
struct CommentOffset: Equatable {
    /// The place of the last comment shown.
    let place: Int64

    init(place: Int64) { self.place = place }

    /// - Throws: `INVALID_OFFSET_VALUE` for a text that is none.
    init(_ text: String) throws(APIError) {
        guard text.utf8.count <= 40, let bytes = Base64URL.decode(text),
            let place = Int64(String(decoding: bytes, as: UTF8.self)), place > 0, Self(place: place).text == text
        else { throw .invalidOffset(text) }
        self.place = place
    }

    var text: String { Base64URL.encode(Array(String(place).utf8)) }
}
