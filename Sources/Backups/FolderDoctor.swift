import Blobs
import CivilTime
import Platform
import RowhouseModel
package import SQLiteStorage

/// Looks a data folder over and changes nothing.
package struct FolderDoctor {
    /// What one look found.
    package struct Finding: Sendable, Equatable {
        package let isFine: Bool
        /// What was looked at, and what is the matter.
        package let text: String

        /// For a person or a script: `ok` or `attention`, then the text.
        package var line: String { (isFine ? "ok         " : "attention  ") + text }
    }

    private let inspection: DatabaseInspection
    private let data: String
    private let readsFiles: Bool
    private let tell: BackupListener
    private let found: (Finding) throws(BackupError) -> Void

    /// A write-ahead log is brought into the database long before it is this large.
    private static let largeLog = 1 << 30
    /// How many things are named one by one.
    private static let mostNamed = 5

    /// Looks at everything, telling what is found as it is found.
    ///
    /// - Parameter readsFiles: whether every file is read, rather than only looked for.
    package static func examine(
        _ inspection: DatabaseInspection, of data: String, readsFiles: Bool, _ tell: BackupListener,
        found: (Finding) throws(BackupError) -> Void
    ) throws(BackupError) {
        try withoutActuallyEscaping(tell) { (tell) throws(BackupError) in
            try withoutActuallyEscaping(found) { (found) throws(BackupError) in
                let doctor = FolderDoctor(
                    inspection: inspection, data: data, readsFiles: readsFiles, tell: tell, found: found)
                try doctor.examine()
            }
        }
    }

    private func examine() throws(BackupError) {
        try look("Database") { () throws(APIError) in try database() }
        try look("Schema") { () throws(APIError) in try references() }
        try look("Records") { () throws(APIError) in try records() }
        try look("Comments") { () throws(APIError) in
            let wrong = try inspection.wrongCommentCounts()
            return wrong == 0 ? fine("counted right") : attention("\(SizeText.count(wrong, "record")) counted wrong")
        }
        try look("Links") { () throws(APIError) in
            let loose = try inspection.looseLinks()
            return loose == 0 ? fine("both sides of each are there") : attention("\(SizeText.count(loose)) lack a side")
        }
        try look("Change log") { () throws(APIError) in
            let (entries, bytes) = try inspection.changeLog()
            return fine("\(entries == 1 ? "1 entry" : SizeText.count(entries) + " entries"), \(SizeText.bytes(bytes))")
        }
        try look("Write-ahead log") { () throws(APIError) in
            let size = FolderEntries.facts(of: "\(data)/rowhouse.db-wal")?.size ?? 0
            return Result(isFine: size < Self.largeLog, text: SizeText.bytes(size))
        }
        try look("Trash") { () throws(APIError) in
            let (entries, records) = try inspection.trash()
            let things = SizeText.count(entries, "thing")
            return fine("\(things) to be restored, \(SizeText.count(records)) of them records")
        }
        // Reading files takes as long as it takes; a server's write-ahead log must not grow all that time.
        try? inspection.letGo()
        try files()
        try unnamedFiles()
    }

    private struct Result {
        let isFine: Bool
        let text: String
    }

    private func fine(_ text: String) -> Result { Result(isFine: true, text: text) }
    private func attention(_ text: String) -> Result { Result(isFine: false, text: text) }

    private func tell(_ what: String, _ result: Result) throws(BackupError) {
        try found(Finding(isFine: result.isFine, text: "\(what): \(result.text)"))
    }

    private func look(_ what: String, _ body: () throws(APIError) -> Result) throws(BackupError) {
        let result: Result
        do throws(BackupError) {
            result = try BackupCheck.asking(inspection, "Looking at the \(what.lowercased())", data, tell, body)
        } catch {
            if error.kind == .stopped { throw error }
            result = attention("cannot be read; the log says what SQLite found")
        }
        try tell(what, result)
    }

    private func database() throws(APIError) -> Result {
        let faults = inspection.integrityFaults()
        guard let first = faults.first else {
            let version = inspection.schemaVersion
            let newest = SQLiteStorage.schemaVersion
            let schema =
                version == newest ? "schema \(version)" : "schema \(version), which the next start brings to \(newest)"
            return fine("no damage, \(SizeText.bytes(try inspection.size())), \(schema)")
        }
        return attention("damaged, \(SizeText.count(faults.count, "fault")): \(first)")
    }

    private func references() throws(APIError) -> Result {
        let broken = try inspection.brokenReferences()
        if broken.isEmpty { return fine("nothing leads to what is not there") }
        return attention("missing are " + broken.map { "\($0.what) (\($0.count))" }.joined(separator: ", "))
    }

    private func records() throws(APIError) -> Result {
        let counts = try inspection.recordCounts()
        let wrong = counts.filter { $0.kept != $0.counted }
        guard wrong.isEmpty else {
            return attention(
                wrong.prefix(Self.mostNamed).map { one in
                    "\(one.name) (\(one.table)) has \(SizeText.count(one.counted)) and is counted as \(SizeText.count(one.kept))"
                }.joined(separator: "; ") + (wrong.count > Self.mostNamed ? "; …" : ""))
        }
        let sum = counts.map(\.counted).reduce(0, &+)
        return fine("\(SizeText.count(sum)) in \(SizeText.count(counts.count, "table")), counted right")
    }

    // MARK: files

    private func files() throws(BackupError) {
        let totals: (count: Int, bytes: Int)
        do throws(APIError) { totals = try inspection.fileTotals() } catch {
            return try tell("Files", attention("cannot be read; the log says what SQLite found"))
        }
        var report = ProgressReport("Reading files", of: totals.bytes)
        var missing: [FileHash] = []
        var damaged: [FileHash] = []
        try BackupCheck.eachFile(inspection, data) { (hash, size) throws(BackupError) in
            let path = Blobs.path(of: hash, in: data)
            guard let facts = FolderEntries.facts(of: path) else { return missing.append(hash) }
            guard readsFiles else {
                if facts.size != size { damaged.append(hash) }
                return
            }
            let read: FileHash?
            do throws(BackupError) {
                read = try HashedFile.read(path) { (bytes) throws(BackupError) in try report.add(bytes, tell) }
            } catch {
                if error.kind == .stopped { throw error }
                read = nil
            }
            if read != hash { damaged.append(hash) }
        }
        let faults = [("missing", missing), ("damaged", damaged)].filter { !$0.1.isEmpty }.map(Self.named)
        let sum = "\(SizeText.count(totals.count, "file")), \(SizeText.bytes(totals.bytes))"
        guard faults.isEmpty else {
            return try tell("Files", attention(faults.joined(separator: "; ") + " (of \(sum))"))
        }
        try tell("Files", fine(sum + (readsFiles ? ", each read and as it was" : ", all there")))
    }

    private static func named(_ what: String, _ files: [FileHash]) -> String {
        let names = files.prefix(mostNamed).map(\.description).joined(separator: ", ")
        return "\(SizeText.count(files.count)) \(what): \(names)" + (files.count > mostNamed ? ", …" : "")
    }

    private func unnamedFiles() throws(BackupError) {
        var count = 0
        var bytes = 0
        var strangers: [String] = []
        try Blobs.entries(in: data) { (entry) throws(BackupError) in
            switch entry {
            case .stranger(let path): strangers.append(path)
            case .file(let hash, let size, _):
                let isNamed = try inStore(data) { () throws(APIError) in try inspection.isNamed(hash) }
                if isNamed { return }
                count += 1
                bytes += size
            }
        }
        // What a crash leaves is no fault.
        let text =
            count == 0
            ? "none"
            : "\(SizeText.count(count)), \(SizeText.bytes(bytes)); a running server removes them when they are a day old"
        try tell("Files that nothing names", fine(text))
        guard let first = strangers.first else { return }
        try tell("Other things among the files", attention("\(SizeText.count(strangers.count)), such as \(first)"))
    }
}
