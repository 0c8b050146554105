/// A file of settings: `name = value` a line, `#` begins a line that is not read.
struct SettingsFile: Sendable {
    struct Entry: Sendable, Equatable {
        let value: String
        let line: Int
    }

    let path: String
    private(set) var entries: [String: [Entry]] = [:]

    /// Reads the text of the file at `path` (for messages); `options` are the names it may hold.
    init(_ text: String, path: String, options: [CommandOption]) throws(CommandError) {
        self.path = path
        let known = Dictionary(options.map { ($0.name, $0) }) { first, _ in first }
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            let line = line.drop { $0 == " " || $0 == "\t" || $0 == "\u{FEFF}" }
            guard !line.isEmpty, line.first != "#" else { continue }
            try add(line, number: index + 1, known: known)
        }
    }

    private mutating func add(
        _ line: Substring, number: Int, known: [String: CommandOption]
    ) throws(CommandError) {
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw .usage("\(path), line \(number): expected `name = value`.") }
        let name = parts[0].withoutMargins
        guard let option = known[name] else { throw .usage("\(path), line \(number): there is no setting \(name).") }
        guard option.isRepeatable || entries[name] == nil else {
            throw .usage("\(path), line \(number): \(name) was set before.")
        }
        entries[name, default: []].append(Entry(value: parts[1].withoutMargins, line: number))
    }
}

extension StringProtocol {
    /// The text without blanks and tabs at either end.
    var withoutMargins: String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
            return ""
        }
        return String(self[first...last])
    }
}
