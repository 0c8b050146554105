/// The method of a request, always in upper case ("Patch" and "patch" are PATCH), because clients differ.
package struct Method: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue.uppercased() }

    private init(known: StaticString) { rawValue = "\(known)" }

    /// Reads a method from the bytes of a request line; other characters than letters, digits, `-` and `_` give nil.
    package init?(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, bytes.count <= 32 else { return nil }
        for known in Method.common where known.rawValue.utf8.elementsEqual(bytes) {
            self = known
            return
        }
        guard bytes.allSatisfy(Method.isAllowed) else { return nil }
        self.init(rawValue: String(decoding: bytes, as: UTF8.self))
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    package static let get = Method(known: "GET")
    package static let head = Method(known: "HEAD")
    package static let post = Method(known: "POST")
    package static let put = Method(known: "PUT")
    package static let patch = Method(known: "PATCH")
    package static let delete = Method(known: "DELETE")
    package static let options = Method(known: "OPTIONS")

    private static let common: [Method] = [.get, .post, .patch, .delete, .put, .options, .head]
}
