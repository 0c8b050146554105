import Testing

@Suite struct DocumentationTests {
    private static let pages =
        ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]
        + Repository.files(in: "Documentation", ending: ".md")

    @Test func `Every link of the documentation leads to a file`() throws {
        var checked = 0
        for page in Self.pages {
            let folder = page.split(separator: "/").dropLast().map(String.init)
            for target in Self.links(of: try Repository.text(page)) where !target.contains("://") {
                checked += 1
                var parts = folder
                for part in (target.split(separator: "#").first ?? "").split(separator: "/") {
                    if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
                }
                #expect(Repository.exists(parts.joined(separator: "/")), "\(page) links to \(target)")
            }
        }
        #expect(checked >= 6)
    }

    @Test func `Every make target that the documentation names exists`() throws {
        let makefile = try Repository.text("Makefile")
        var named: Set<String> = []
        for page in Self.pages {
            for span in try Repository.text(page).split(separator: "`") where span.hasPrefix("make ") {
                named.insert(String(span.dropFirst(5).prefix { $0.isLetter || $0 == "-" }))
            }
        }
        #expect(named.contains("check"))
        for target in named { #expect(makefile.contains("\n\(target):"), "no target \(target)") }
    }

    @Test func `Every test file that the documentation names exists`() throws {
        for page in Self.pages {
            for span in try Repository.text(page).split(separator: "`")
            where span.hasPrefix("EndToEnd/") || span.hasPrefix("Tests/") || span.hasPrefix("Sources/") {
                guard !span.contains(" "), !span.contains("<") else { continue }
                #expect(Repository.exists(String(span)), "\(page) names \(span)")
            }
        }
    }

    private static func links(of text: String) -> [String] {
        text.split(separator: "](", omittingEmptySubsequences: false).dropFirst()
            .compactMap { $0.split(separator: ")", omittingEmptySubsequences: false).first.map(String.init) }
    }
}
