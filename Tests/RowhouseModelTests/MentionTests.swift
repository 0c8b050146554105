import CivilTime
import RowhouseModel
import Testing

struct MentionTests {
    private static func user(_ number: UInt64, _ email: String) -> User {
        User(
            id: UserID(text: IdentifierText(time: 0, counter: number)), email: email, name: "N",
            createdTime: Instant(milliseconds: 0))
    }
    private static let ada = user(1, "ada@example.org")
    private static let bob = user(2, "Bob+x@é.org")
    private static let long = user(3, String(repeating: "x", count: 252) + "@y")
    private static let users = UserDirectory(version: 1, users: [ada, bob, long])

    /// What is written, what is kept, and who is mentioned (by number).
    private static let rows: [(String, String, [UInt64])] = [
        ("", "", []), ("ada@example.org", "ada@example.org", []),
        ("@[ada@example.org]", "@[usr00000000000001]", [1]),
        ("a@[ADA@Example.org]b", "a@[usr00000000000001]b", [1]),
        ("@[usr00000000000001]", "@[usr00000000000001]", [1]),
        ("@[usr00000000000009] @[eve@example.org]", "@[usr00000000000009] @[eve@example.org]", []),
        (
            "@[bob+X@É.org]@[ada@example.org]@[usr00000000000002]",
            "@[usr00000000000002]@[usr00000000000001]@[usr00000000000002]", [2, 1]
        ),
        ("@[", "@[", []), ("@[]", "@[]", []), ("@", "@", []), ("@[ada@example.org", "@[ada@example.org", []),
        ("@[@[ada@example.org]", "@[@[usr00000000000001]", [1]),
        ("@@[ada@example.org]]", "@@[usr00000000000001]]", [1]),
        ("@[x@[ada@example.org]", "@[x@[usr00000000000001]", [1]), ("@[[ada@example.org]", "@[[ada@example.org]", []),
        ("@[ ada@example.org]", "@[ ada@example.org]", []), ("@ [ada@example.org]", "@ [ada@example.org]", []),
        ("@[USR00000000000001]", "@[USR00000000000001]", []), ("@[usr0000000000001]", "@[usr0000000000001]", []),
        ("\0@[ada@example.org]\u{FEFF}", "\0@[usr00000000000001]\u{FEFF}", [1]),
        ("@[" + String(repeating: "x", count: 252) + "@y]", "@[usr00000000000003]", [3]),
        ("@[" + String(repeating: "x", count: 253) + "@y]", "@[" + String(repeating: "x", count: 253) + "@y]", []),
    ]

    @Test func `Addresses and ids of people known are mentions, all else is plain text`() {
        for (written, kept, people) in Self.rows {
            #expect(Mention.kept(written, users: Self.users).utf8.elementsEqual(kept.utf8), "\(written)")
            #expect(Mention.people(in: kept, users: Self.users).map(\.id.text.counter) == people, "\(written)")
            #expect(Mention.kept(kept, users: Self.users).utf8.elementsEqual(kept.utf8), "again: \(kept)")
        }
    }

    @Test func `A text between two others is kept as it is alone`() {
        for (first, firstKept, _) in Self.rows {
            for (second, secondKept, _) in Self.rows {
                let kept = Mention.kept(first + " " + second, users: Self.users)
                #expect(kept.utf8.elementsEqual((firstKept + " " + secondKept).utf8), "\(first) \(second)")
            }
        }
    }

    @Test func `However many brackets there are, each byte is looked at a few times only`() {
        let clock = ContinuousClock()
        func time(_ text: String) -> Duration {
            clock.measure { _ = Mention.people(in: Mention.kept(text, users: Self.users), users: Self.users) }
        }
        for piece in ["@[", "@", "[", "@[x", "]@[", "@[" + String(repeating: "x", count: 300)] {
            let short = String(repeating: piece, count: 20_000 / piece.utf8.count)
            let long = String(repeating: piece, count: 400_000 / piece.utf8.count)
            let (base, whole) = (time(short), time(long))
            #expect(whole < base * 200 + .milliseconds(500), "\(piece.prefix(4)): \(base), \(whole)")
        }
    }
}
