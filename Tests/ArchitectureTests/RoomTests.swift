import Testing

@Suite struct RoomTests {
    private static let system: Set<String> = ["Glibc", "Synchronization", "Dispatch", "Swift", "PackageDescription"]
    /// Rooms that may talk to the operating system.
    private static let systemRooms: Set<String> = [
        "Platform", "Cryptography", "SQLiteStorage", "HTTPServer", "Media", "Outgoing", "rowhouse", "httplimit",
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
        // The table of rooms: its names stand alone in their cells.
        let table = page.split(separator: "\n").prefix { !$0.hasPrefix("## ") }.filter { $0.hasPrefix("| `") }
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
