/// The rooms and doors as Package.swift declares them.
struct Plan {
    /// Doors by room.
    let doors: [String: Set<String>]
    /// Rooms by floor, the cellar first.
    let floors: [[String]]

    init() throws {
        let manifest = try Repository.text("Package.swift")
        var doors: [String: Set<String>] = [:]
        var floors: [[String]] = []
        for floor in ["cellar", "ground", "floor1", "floor2", "floor3", "floor4", "roof"] {
            let section = Self.section(of: manifest, named: floor)
            var rooms: [String] = []
            for declaration in Self.declarations(in: section) {
                let names = Self.quoted(declaration)
                guard let room = names.first else { continue }
                rooms.append(room)
                doors[room] = Set(names.dropFirst())
            }
            floors.append(rooms)
        }
        self.doors = doors
        self.floors = floors
    }

    var rooms: Set<String> { Set(floors.joined()) }
    var swiftRooms: [String] { floors.dropFirst().joined().sorted() }

    func floor(of room: String) -> Int? { floors.firstIndex { $0.contains(room) } }

    private static func section(of manifest: String, named name: String) -> String {
        guard let start = manifest.range(of: "let \(name): [Target] = [") else { return "" }
        let rest = manifest[start.upperBound...]
        guard let end = rest.range(of: "\n]") else { return "" }
        return String(rest[..<end.lowerBound])
    }

    private static func declarations(in section: String) -> [String] {
        var parts: [String] = []
        var current = ""
        for line in section.split(separator: "\n") {
            let trimmed = line.drop { $0 == " " }
            let begins = ["room(", "wrapper(", ".systemLibrary(", ".executableTarget(", ".target("]
                .contains { trimmed.hasPrefix($0) }
            if begins, !current.isEmpty {
                parts.append(current)
                current = ""
            }
            if begins || !current.isEmpty { current += trimmed + "\n" }
        }
        if !current.isEmpty { parts.append(current) }
        return parts
    }

    private static func quoted(_ text: String) -> [String] {
        // Only names of targets: options such as paths and packages of the system hold other characters.
        let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
        let quoted = stride(from: 1, to: parts.count, by: 2).map { String(parts[$0]) }
        return quoted.filter { name in
            name.utf8.allSatisfy { ($0 >= 65 && $0 <= 90) || ($0 >= 97 && $0 <= 122) || ($0 >= 48 && $0 <= 57) }
        }
    }
}

extension String {
    fileprivate func range(of needle: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(needle) { return start..<index(start, offsetBy: needle.count) }
            start = index(after: start)
        }
        return nil
    }
}

extension Substring {
    fileprivate func range(of needle: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(needle) { return start..<index(start, offsetBy: needle.count) }
            start = index(after: start)
        }
        return nil
    }
}
