import Cryptography
import Testing

/// The examples of FIPS 180-4 (NIST, "SHA256.pdf" and the long-message example).
@Suite struct SHA256Tests {
    static let vectors: [(message: [UInt8], hash: String)] = [
        ([], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (Array("abc".utf8), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            Array(
                ("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                    + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu").utf8),
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        (
            [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ]

    @Test func `The published examples hash as published`() {
        for (message, hash) in Self.vectors { #expect(Hexadecimal.encode(SHA256.hash(message)) == hash) }
    }

    @Test func `Parts added one by one hash like the whole`() {
        for (message, hash) in Self.vectors.dropLast() {
            var parts = SHA256()
            for byte in message { parts.update([byte]) }
            #expect(Hexadecimal.encode(parts.finish()) == hash)
        }
    }
}
