import FormulaLanguage
import Glibc
import Platform
import RowhouseJSON
import RowhouseModel
import Testing

/// Documentation/FormulaReference.md, and the comments above the functions that it is made from.
@Suite("The formula reference")
struct ReferenceTests {
    @Test("The functions are those of Airtable, and each has its entry")
    func complete() throws {
        let names = try text("Tests/FormulaLanguageTests/Data/function-names.txt").split(whereSeparator: \.isWhitespace)
        #expect(names.count == 84)
        #expect(Set(names.map(String.init)) == Set(FormulaFunctions.all.keys))
        let page = try text("Documentation/FormulaReference.md").split(separator: "\n")
        let entries = page.filter { $0.hasPrefix("### ") }
        #expect(entries.map { String($0.dropFirst(4)) }.sorted() == FormulaFunctions.all.keys.sorted())
    }

    @Test("The page says what the comments say")
    func faithful() throws {
        let page = words(of: try text("Documentation/FormulaReference.md"))
        var checked = 0
        for comment in try comments() {
            for line in comment {
                let words = words(of: line.hasPrefix("Example: ") ? String(line.dropFirst(9)) : line)
                #expect(page.contains(words), "The page lacks: \(line)")
            }
            checked += 1
        }
        #expect(checked >= FormulaFunctions.all.count)
    }

    @Test("Every example is a formula and gives what is written behind it")
    func examples() throws {
        var checked = 0
        for line in try comments().joined() where line.hasPrefix("Example: ") {
            let parts = line.dropFirst(9).split(separator: " → ", maxSplits: 1).map(String.init)
            let cells = try FormulaCells(fields(in: parts[0]).map { ($0, .null) })
            let outcome = FormulaTable.outcome(of: parts[0], cells)
            switch outcome {
            case .value: checked += 1
            default: Issue.record("\(line): \(outcome)")
            }
            guard parts.count > 1 else { continue }
            let expected = try JSONParser.parse(Array((parts[1] == "blank" ? "null" : parts[1]).utf8))
            #expect(outcome.matches(expected), "\(line) gave \(outcome)")
        }
        #expect(checked >= FormulaFunctions.all.count)
    }

    /// The documentation comments that begin with a call: their lines without the slashes.
    private func comments() throws -> [[String]] {
        var comments: [[String]] = []
        for name in try files() {
            var lines: [String] = []
            for line in try text("Sources/FormulaLanguage/Functions/\(name)").split(separator: "\n") {
                let trimmed = line.drop { $0 == " " }
                if trimmed.hasPrefix("///") {
                    lines.append(String(trimmed.dropFirst(3).drop { $0 == " " }))
                } else {
                    if let call = lines.first?.prefix(while: { $0 != "(" }), FormulaFunctions.all[String(call)] != nil {
                        comments.append(lines.filter { !$0.isEmpty })
                    }
                    lines = []
                }
            }
        }
        return comments
    }

    private func files() throws -> [String] {
        let folder = try #require(opendir(root + "Sources/FormulaLanguage/Functions"))
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".swift") { names.append(name) }
        }
        return names
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try ReadFile.bytes(of: root + path, limit: 1 << 20), as: UTF8.self)
    }

    private let root = String(#filePath.dropLast("Tests/FormulaLanguageTests/ReferenceTests.swift".count))

    /// What stands in braces.
    private func fields(in formula: String) -> [String] {
        var names: [String] = []
        for part in formula.split(separator: "{", omittingEmptySubsequences: false).dropFirst() {
            let name = String(part.prefix { $0 != "}" })
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Without line breaks and backticks, which the page sets otherwise.
    private func words(of text: String) -> String {
        text.filter { $0 != "`" }.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
