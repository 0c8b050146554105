import Glibc
import Testing

/// Reads text files of the repository; the tests run from anywhere.
enum Repository {
    static let root: String = {
        var parts = #filePath.split(separator: "/").map(String.init)
        parts.removeLast(3)
        return "/" + parts.joined(separator: "/")
    }()

    static func text(_ path: String) throws -> String {
        guard let file = fopen(root + "/" + path, "r") else { throw MissingFile(path: path) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { break }
            bytes.append(contentsOf: buffer[0..<count])
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Every file below a folder whose name has the ending, as paths from the root.
    static func files(in folder: String, ending: String) -> [String] {
        guard let directory = opendir(root + "/" + folder) else { return [] }
        defer { closedir(directory) }
        var found: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix(".") { continue }
            let path = folder + "/" + name
            if entry.pointee.d_type == UInt8(DT_DIR) {
                found += files(in: path, ending: ending)
            } else if name.hasSuffix(ending) {
                found.append(path)
            }
        }
        return found.sorted()
    }

    struct MissingFile: Error { let path: String }
}

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

@Suite struct RoomTests {
    private static let system: Set<String> = ["Glibc", "Synchronization", "Dispatch", "Swift", "PackageDescription"]
    /// Rooms that may talk to the operating system.
    private static let systemRooms: Set<String> = [
        "Platform", "Cryptography", "SQLiteStorage", "HTTPServer", "rowhouse", "httplimit",
    ]

    @Test func `The plan is read`() throws {
        let plan = try Plan()
        #expect(plan.swiftRooms.count >= 13)
        #expect(plan.doors["SQLiteStorage"]?.contains("CSQLite") == true)
        #expect(plan.doors["RowhouseModel"] == ["RowhouseJSON", "CivilTime"])
    }

    @Test func `Every import is a declared door`() throws {
        let plan = try Plan()
        var checked = 0
        for room in plan.swiftRooms {
            let folder = room == "rowhouse" ? "Apps/rowhouse" : "Sources/\(room)"
            for path in Repository.files(in: folder, ending: ".swift") {
                for name in try Self.imports(of: path) {
                    checked += 1
                    let isDoor = plan.doors[room]?.contains(name) ?? false
                    let isAllowed = name == "Synchronization" || (name == "Glibc" && Self.systemRooms.contains(room))
                    #expect(isDoor || isAllowed, "\(path) imports \(name), which is no door of \(room)")
                }
            }
        }
        #expect(checked > 50)
    }

    @Test func `Doors lead down`() throws {
        let plan = try Plan()
        for (room, doors) in plan.doors {
            for door in doors {
                guard let from = plan.floor(of: room), let to = plan.floor(of: door) else { continue }
                // A store implements the contract beside it; the wire shape stands beside neither.
                let isContract = door == "Storage" && room.hasSuffix("Storage")
                #expect(to < from || isContract, "\(room) (floor \(from)) opens a door to \(door) (floor \(to))")
            }
        }
    }

    @Test func `No room of the server uses Foundation`() throws {
        for folder in ["Sources", "Apps"] {
            for path in Repository.files(in: folder, ending: ".swift") {
                let foundation = try Self.imports(of: path).filter { $0.hasPrefix("Foundation") }
                #expect(foundation.isEmpty, "\(path) imports \(foundation)")
            }
        }
    }

    @Test func `The documented plan names every room and no other`() throws {
        let plan = try Plan()
        let page = try Repository.text("Documentation/Architecture.md")
        for room in plan.rooms { #expect(page.contains("`\(room)`"), "Architecture.md does not name \(room)") }
        let table = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
        for line in table {
            let name = String(line.dropFirst(3).prefix { $0 != "`" })
            #expect(plan.rooms.contains(name), "Architecture.md names \(name), which Package.swift does not")
        }
        #expect(table.count == plan.rooms.count)
    }

    private static func imports(of path: String) throws -> [String] {
        try Repository.text(path).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard let place = words.firstIndex(of: "import"), place <= 1, place + 1 < words.count else { return nil }
            guard place == 0 || ["package", "public", "internal", "@testable", "private"].contains(words[0]) else {
                return nil
            }
            return words[place + 1].split(separator: ".").first.map(String.init)
        }
    }
}
