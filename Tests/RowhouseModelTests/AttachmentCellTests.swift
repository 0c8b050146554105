import RowhouseModel
import Testing

struct AttachmentCellTests {
    private static let id = AttachmentID(text: IdentifierText(time: 0, counter: 1))
    private static let hash = String(repeating: "0a", count: 32)

    @Test func `A cell keeps all that showing it takes, and reads it back`() throws {
        let facts = FileFacts(
            hash: try #require(FileHash(Self.hash)), size: 7, type: "image/png",
            dimensions: ImageDimensions(width: 3, height: 2))
        let plain = FileFacts(hash: facts.hash, size: 0, type: "text/plain", dimensions: nil)
        let attachments = [
            Attachment(id: Self.id, filename: "a \"b\" 字.png", content: .file(facts)),
            Attachment(id: Self.id, filename: "c", content: .file(plain)),
            Attachment(id: Self.id, filename: "d", content: .remote(url: "https://example.org/d?e=\"f\"")),
        ]
        let cell = StoredCell.attachments(attachments)
        #expect(
            cell
                == .text(
                    #"[{"id":"att00000000000001","filename":"a \"b\" 字.png","hash":"\#(Self.hash)","size":7,"#
                        + #""type":"image/png","width":3,"height":2},{"id":"att00000000000001","filename":"c","#
                        + #""hash":"\#(Self.hash)","size":0,"type":"text/plain"},{"id":"att00000000000001","#
                        + #""filename":"d","url":"https://example.org/d?e=\"f\""}]"#))
        #expect(cell.attachments == attachments)
        #expect(StoredCell.attachments([]) == .empty)
        #expect(StoredCell.empty.attachments == [])
    }

    @Test(arguments: [
        "", "{}", "[{}]", #"[{"id":"att00000000000001"}]"#, #"[{"id":"x","filename":"a","url":"u"}]"#,
        #"[{"id":"att00000000000001","filename":"a","hash":"zz","size":1,"type":"a/b"}]"#, "[1]",
        #"[{"id":"att00000000000001","filename":"a","hash":"\#(Self.hash)","size":1e300,"type":"a/b"}]"#,
    ])
    func `What is no such cell is none`(text: String) {
        #expect(StoredCell.text(text).attachments == nil)
        #expect(StoredCell.integer(1).attachments == nil)
    }

    @Test(arguments: [
        ("a.png", "a.png"), ("/etc/passwd", "passwd"), ("a/../..", nil), ("C:\\a\\b.txt", "b.txt"), ("", nil),
        ("  ", nil), (".", nil), (" a b ", "a b"), ("a\u{0}\u{7}\nb", "ab"), ("x\u{202E}gnp.exe", "xgnp.exe"),
        (".profile", ".profile"), ("字\u{FEFF}.txt", "字.txt"),
        ("\u{61C}cod.txt", "cod.txt"), ("\u{200B}", nil), ("a\u{AD}b\u{200B}c\u{2060}", "abc"),
        ("\u{3164}\u{115F}", nil),
        ("\u{E0041}\u{E007F}a", "a"), ("\u{FFF9}a\u{FFFB}", "a"), ("\u{3000}\u{A0}", nil), ("\u{2800}", nil),
        ("\u{2003}a\u{3000}b\u{A0}", "a\u{3000}b"), ("\u{34F}a\u{180E}", "a"), ("\u{200D}\u{FE0F}", nil),
        ("a\u{200D}b", "ab"), ("\u{628}\u{200C}.txt", "\u{628}.txt"),
        ("\u{645}\u{200C}\u{62E}", "\u{645}\u{200C}\u{62E}"),
        ("👩\u{200D}👧.png", "👩\u{200D}👧.png"), ("🏳\u{FE0F}\u{200D}🌈", "🏳\u{FE0F}\u{200D}🌈"),
        ("❤\u{FE0F}\u{FE0F}.png", "❤\u{FE0F}.png"), ("字\u{200D}\u{200D}\u{200C}字", "字\u{200D}字"),
        ("\u{600}1", "\u{600}1"), ("א\u{200F}ב\u{2067}", "אב"),
    ])
    func `Names of files are made harmless`(given: String, cleaned: String?) {
        #expect(Filename.cleaned(given) == cleaned)
    }

    @Test func `Long names are cut before their extension, between characters`() throws {
        for letter in ["x", "é", "字", "😀"] {
            let name = try #require(Filename.cleaned(String(repeating: letter, count: 300) + ".jpeg"))
            #expect(name.hasSuffix(letter + ".jpeg"))
            #expect((252...255).contains(name.utf8.count))
        }
        #expect(Filename.cleaned(String(repeating: "x", count: 300))?.utf8.count == 255)
    }

    @Test(arguments: [
        ("http://example.org/a/b.png", "b.png"), ("HTTPS://example.org/b%20c.png?d=/e#/f", "b c.png"),
        ("https://example.org", nil), ("https://example.org/", nil), ("http://[::1]:80/x", "x"),
        ("http://example.org/a%2Fb", "b"), ("http://example.org/%zz%", "%zz%"),
    ])
    func `The last part of an address is a name`(url: String, name: String?) throws {
        let rest = try #require(RemoteAddress.afterScheme(url))
        #expect(RemoteAddress.filename(afterScheme: rest) == name)
    }

    @Test(arguments: [
        "", "http://", "http:///a", "ftp://example.org/a", "example.org", "http:/example.org", "javascript:1",
        "http://a\nb/", "file:///etc/passwd", "http:\u{0F}\u{0F}example.org", "http://@example.org/",
    ])
    func `Other addresses are none to fetch from`(url: String) {
        #expect(RemoteAddress.afterScheme(url) == nil)
    }
}
