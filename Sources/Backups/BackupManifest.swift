package import CivilTime
import Cryptography
import Platform
import RowhouseJSON
package import RowhouseModel

/// What a backup says of itself: `manifest.json`.
package struct BackupManifest: Sendable, Equatable {
    /// The form of backups that this program writes, and the newest that it reads.
    package static let format = 1
    package static let name = "manifest.json"

    /// The version of the program that made it.
    package let program: String
    /// The schema of its database.
    package let schema: Int
    /// Tells backups of one folder from those of others.
    package let folder: String
    package let time: Instant
    package let database: Database
    /// The files of attachments, those that are missing not counted.
    package let files: Totals
    /// Files that attachments name and that were missing or damaged in the folder itself.
    package let missing: [FileHash]
    /// The number of records by table.
    package let records: [TableID: Int]

    package struct Database: Sendable, Equatable {
        package let hash: FileHash
        package let size: Int

        package init(hash: FileHash, size: Int) {
            self.hash = hash
            self.size = size
        }
    }

    package struct Totals: Sendable, Equatable {
        package let count: Int
        package let bytes: Int

        package init(count: Int, bytes: Int) {
            self.count = count
            self.bytes = bytes
        }
    }

    package init(
        program: String, schema: Int, folder: String, time: Instant, database: Database, files: Totals,
        missing: [FileHash], records: [TableID: Int]
    ) {
        self.program = program
        self.schema = schema
        self.folder = folder
        self.time = time
        self.database = database
        self.files = files
        self.missing = missing
        self.records = records
    }

    /// The number of all records.
    package var recordCount: Int { records.values.reduce(0, &+) }

    /// What a folder is called in manifests, made from its secret and telling nothing of it.
    package static func folderName(secret: [UInt8]) -> String {
        String(Hexadecimal.encode(SHA256.hash(Array("rowhouse backup of ".utf8) + secret)).prefix(16))
    }
}

extension BackupManifest {
    // The last line holds the hash of all before it, so that any altered byte is found.
    private static let sealBeginning = Array(",\n\"sha256\":\"".utf8)
    private static let sealEnding = Array("\"}\n".utf8)

    /// The bytes of the file.
    package var bytes: [UInt8] {
        let counts = records.map { ("\($0.key)", JSONValue.number(Double($0.value))) }.sorted { $0.0 < $1.0 }
        let members: [(String, JSONValue)] = [
            ("format", .number(Double(Self.format))),
            ("program", .string(program)),
            ("schema", .number(Double(schema))),
            ("folder", .string(folder)),
            ("time", .string(time.iso8601)),
            (
                "database",
                .object(["sha256": .string("\(database.hash)"), "size": .number(Double(database.size))])
            ),
            ("files", .object(["count": .number(Double(files.count)), "bytes": .number(Double(files.bytes))])),
            ("missing", .array(missing.map { .string("\($0)") })),
            ("records", .object(JSONObject(counts))),
        ]
        let lines = members.map { name, value in Array("\"\(name)\":".utf8) + value.bytes }
        let body = Array("{\n".utf8) + Array(lines.joined(separator: Array(",\n".utf8)))
        return body + Self.sealBeginning + Array(Hexadecimal.encode(SHA256.hash(body)).utf8) + Self.sealEnding
    }

    /// Reads the file of a backup; `path` is for messages.
    package init(_ bytes: [UInt8], path: String) throws(BackupError) {
        let damaged = BackupError(.damaged, "\(path) is damaged: the backup is truncated or was altered.")
        let length = Self.sealBeginning.count + 64 + Self.sealEnding.count
        guard bytes.count > length else { throw damaged }
        let body = Array(bytes.dropLast(length))
        let seal = Self.sealBeginning + Array(Hexadecimal.encode(SHA256.hash(body)).utf8) + Self.sealEnding
        guard bytes.suffix(length).elementsEqual(seal) else { throw damaged }
        guard let object = try? JSONParser.parse(bytes, limits: .init(bytes: Self.limit)).objectValue else {
            throw damaged
        }
        guard object.whole("format") == Self.format else {
            throw BackupError(.refused, "\(path): the backup was made by a newer version of the program.")
        }
        guard let manifest = Self(object) else { throw damaged }
        self = manifest
    }

    /// The longest file that is read, in bytes.
    static let limit = 64 << 20

    /// Reads the manifest of the backup at `path`.
    static func read(of path: String) throws(BackupError) -> BackupManifest {
        let file = "\(path)/\(name)"
        let bytes: [UInt8]
        do throws(SystemCallError) { bytes = try ReadFile.bytes(of: file, limit: limit) } catch {
            guard error.isMissing else { throw .file(file, error) }
            throw BackupError(.refused, "\(path) is no backup: it has no \(name).")
        }
        return try BackupManifest(bytes, path: file)
    }

    private init?(_ object: JSONObject) {
        guard let program = object["program"]?.stringValue, let schema = object.whole("schema"),
            let folder = object["folder"]?.stringValue,
            let time = object["time"]?.stringValue.flatMap({ Instant(iso8601: $0) }),
            let database = object["database"]?.objectValue, let size = database.whole("size"),
            let hash = database["sha256"]?.stringValue.flatMap({ FileHash($0) }),
            let files = object["files"]?.objectValue, let count = files.whole("count"),
            let bytes = files.whole("bytes"), let missing = object["missing"]?.arrayValue,
            let records = object["records"]?.objectValue
        else { return nil }
        self.init(
            program: program, schema: schema, folder: folder, time: time, database: Database(hash: hash, size: size),
            files: Totals(count: count, bytes: bytes),
            missing: missing.compactMap { $0.stringValue.flatMap { FileHash($0) } },
            records: Dictionary(
                records.compactMap { key, value in
                    guard let table = TableID(key), let count = value.numberValue.flatMap({ Int(exactly: $0) }) else {
                        return nil
                    }
                    return (table, count)
                }
            ) { first, _ in first })
        guard self.missing.count == missing.count, self.records.count == records.count else { return nil }
    }
}

extension JSONObject {
    fileprivate func whole(_ key: String) -> Int? {
        self[key]?.numberValue.flatMap { Int(exactly: $0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}
