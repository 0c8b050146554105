import Glibc
import Platform
import RowhouseModel

/// `files/derived` of a data folder: renderings, each `<hash>-<size>.<ending>`. All of it may be thrown away.
struct DerivedFolder: Sendable {
    private let parent: String
    private let path: String
    private let isReady = Guarded(false)
    /// Ends the names of files that are not whole yet.
    private static let unfinished = ".part"

    /// - Parameter folder: the data folder; nothing is made in it before the first rendering.
    init(of folder: String) {
        parent = folder + "/files"
        path = parent + "/derived"
    }

    /// The rendering of a file, if it was made.
    func find(_ hash: FileHash, _ size: ThumbnailSize) -> (path: String, type: String)? {
        for format in RenderingFormat.allCases {
            let path = name(hash, size, format)
            if access(path, R_OK) == 0 { return (path, format.type) }
        }
        return nil
    }

    /// Keeps a whole rendering, which gets its name once its bytes are on the disk: after a power failure it is whole or
    /// not there.
    func keep(
        _ rendering: OpenFile, of hash: FileHash, _ size: ThumbnailSize, _ format: RenderingFormat
    ) throws(SystemCallError) {
        let path = unfinished(hash, size)
        do throws(SystemCallError) {
            let file = try OpenFile(replacing: path)
            try rendering.copy(to: file)
            try file.synchronize()
            guard rename(path, name(hash, size, format)) == 0 else {
                throw SystemCallError(call: "rename", code: errno)
            }
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Removes every rendering of a file.
    func remove(_ hash: FileHash) {
        for size in ThumbnailSize.allCases {
            for format in RenderingFormat.allCases { unlink(name(hash, size, format)) }
        }
    }

    /// Makes the folder unless it is there, and once removes what an earlier process left unfinished.
    func prepare() throws(SystemCallError) {
        try isReady.withLock { isReady throws(SystemCallError) in
            guard !isReady else { return }
            try PrivateFolder.make(parent)
            try PrivateFolder.make(path)
            removeAllUnfinished()
            isReady = true
        }
    }

    private func removeAllUnfinished() {
        guard let folder = opendir(path) else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(Self.unfinished) { unlink("\(path)/\(name)") }
        }
    }

    private func unfinished(_ hash: FileHash, _ size: ThumbnailSize) -> String {
        "\(path)/\(hash)-\(size.rawValue)\(Self.unfinished)"
    }

    private func name(_ hash: FileHash, _ size: ThumbnailSize, _ format: RenderingFormat) -> String {
        "\(path)/\(hash)-\(size.rawValue).\(format.rawValue)"
    }
}
