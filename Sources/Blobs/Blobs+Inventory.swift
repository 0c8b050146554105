import Platform
package import RowhouseModel

/// What is in the folder of files.
package enum BlobEntry: Sendable, Equatable {
    /// A file in its place; its size in bytes and when it was last changed, in seconds since 1970.
    case file(FileHash, size: Int, modified: Int)
    /// What no program of ours puts there.
    case stranger(String)
}

extension Blobs {
    /// Where the file with this hash is in a data folder, or in a backup.
    package static func path(of hash: FileHash, in data: String) -> String {
        "\(data)/files/\(hash.description.prefix(2))/\(hash)"
    }

    /// Everything there is, but for what is on its way and what may be thrown away.
    package static func entries<Failure: Error>(
        in data: String, _ body: (BlobEntry) throws(Failure) -> Void
    ) throws(Failure) {
        let folder = "\(data)/files"
        for name in ((try? FolderEntries.names(in: folder)) ?? []).sorted() where name != "tmp" && name != "derived" {
            for file in (try? FolderEntries.names(in: "\(folder)/\(name)").sorted()) ?? [""] {
                let path = file.isEmpty ? "files/\(name)" : "files/\(name)/\(file)"
                if let hash = FileHash(file), file.hasPrefix(name), name.utf8.count == 2,
                    let facts = FolderEntries.facts(of: "\(data)/\(path)")
                {
                    try body(.file(hash, size: facts.size, modified: facts.modified))
                } else {
                    try body(.stranger(path))
                }
            }
        }
    }
}
