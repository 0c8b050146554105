import HTTPCore
import Testing

struct PathSegmentsTests {
    @Test(
        "Paths split at slashes before they are decoded",
        arguments: [
            ("", []), ("/", []), ("/a", ["a"]), ("/a/", ["a"]), ("/v0/appX/Table%20One", ["v0", "appX", "Table One"]),
            ("/a%2Fb/c", ["a/b", "c"]), ("/a%2fb", ["a/b"]), ("/a+b", ["a+b"]), ("/a%2Bb", ["a+b"]),
            ("/a//b", ["a", "", "b"]), ("//", [""]), ("/%E4%B8%AD/x", ["中", "x"]), ("/中", ["中"]), ("a/b", ["a", "b"]),
            ("/..%2f..", ["../.."]), ("/%25", ["%"]), ("/%F0%9F%98%80", ["😀"]), ("/%0A", ["\n"]),
        ] as [(String, [String])])
    func split(path: String, segments: [String]) throws {
        #expect(try PathSegments.split(path) == segments)
    }

    @Test(
        "What cannot be decoded is an error",
        arguments: [
            ("/%", .malformedEscape), ("/a%2", .malformedEscape), ("/%zz", .malformedEscape),
            ("/%2/x", .malformedEscape),
            ("/%+1", .malformedEscape), ("/% 1", .malformedEscape), ("/%00", .nulCharacter), ("/a%00b", .nulCharacter),
            ("/%FF", .invalidUTF8), ("/%C3", .invalidUTF8), ("/%C0%AF", .invalidUTF8), ("/%ED%A0%80", .invalidUTF8),
            ("/%F4%90%80%80", .invalidUTF8), ("/x/%E4%B8/y", .invalidUTF8),
        ] as [(String, TargetError)])
    func refuse(path: String, error: TargetError) {
        #expect(throws: error) { try PathSegments.split(path) }
        #expect(throws: error) { try PathSegments.splitBothWays(path) }
    }

    @Test("A plus sign is offered as itself and as a space; an encoded one is a plus sign only")
    func plus() throws {
        #expect(
            try PathSegments.splitBothWays("/v0/My+Table/a%2Bb+c") == [
                PathSegment(exact: "v0", plusAsSpace: "v0"), PathSegment(exact: "My+Table", plusAsSpace: "My Table"),
                PathSegment(exact: "a+b+c", plusAsSpace: "a+b c"),
            ])
    }
}
