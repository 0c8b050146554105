import Glibc
import Media
import Platform
import RowhouseModel
import Synchronization
import Testing

/// Renderings made by the built program as the worker of the process that runs the tests.
@Suite(.timeLimit(.minutes(2)), .serialized) struct ImageRenderingTests {
    let folder: TemporaryFolder
    let image: String
    let base = BaseID(text: IdentifierText(time: 0, counter: 1))

    init() throws {
        folder = try TemporaryFolder()
        image = try folder.file("image", bytes: PlainPNG.bytes(width: 300, height: 200))
    }

    private func renderings(_ change: (inout ImageRenderings.Options) -> Void = { _ in }) throws -> ImageRenderings {
        var options = ImageRenderings.Options()
        options.program = try Program.path()
        change(&options)
        return ImageRenderings(folder: folder.path, options: options)
    }

    private func hash(_ number: Int) throws -> FileHash {
        try #require(FileHash(bytes: [UInt8](repeating: 0, count: 31) + [UInt8(number)]))
    }

    /// What a process has used of a processor, in hundredths of a second.
    private func processorTime(of process: Int32) throws -> Int {
        let status = String(decoding: try ReadFile.bytes(of: "/proc/\(process)/stat", limit: 4096), as: UTF8.self)
        return try #require(Int(status.split(separator: " ")[13]))
    }

    /// What another reader of heads says of a JPEG: this house's own, on a file of the worker.
    private func size(_ path: String) throws -> ImageDimensions? { try ImageHead(file: OpenFile(path))?.dimensions }

    @Test func `A rendering is made once, beside the other one that lists show`() throws {
        let renderings = try renderings()
        #expect(!ReadFile.exists(folder.path + "/files"))
        let large = try renderings.rendering(of: hash(1), path: image, size: .large, for: base)
        #expect(large.type == "image/jpeg")
        #expect(try large.path == "\(folder.path)/files/derived/\(hash(1))-large.jpg")
        #expect(try size(large.path) == ImageDimensions(width: 300, height: 200))
        let small = large.path.replacingLast("large", "small")
        #expect(try size(small) == ImageDimensions(width: 54, height: 36))
        #expect(!ReadFile.exists(large.path.replacingLast("large", "full")))
        // What is there needs neither the file nor a worker.
        let again = try renderings.rendering(of: hash(1), path: "/nonexistent", size: .small, for: base)
        #expect(again.path == small)
        renderings.forget(try hash(1))
        #expect(!ReadFile.exists(small) && !ReadFile.exists(large.path))
    }

    @Test func `Looking into a file starts no process`() throws {
        let renderings = try renderings { $0.program = "/nonexistent" }
        let found = renderings.inspect(path: image)
        #expect(found?.type == "image/png")
        #expect(found?.dimensions == ImageDimensions(width: 300, height: 200))
        #expect(renderings.inspect(path: "/nonexistent") == nil)
        #expect(renderings.inspect(path: folder.path) == nil)
        #expect(renderings.inspect(path: try folder.file("text", "no image at all")) == nil)
    }

    @Test func `A worker that is killed in the middle costs this file its rendering and the next none`() throws {
        let logged = Guarded<[String]>([])
        let renderings = try renderings { options in
            options.log = { line in logged.withLock { $0.append(line) } }
        }
        _ = try renderings.rendering(of: hash(1), path: image, size: .small, for: base)
        let worker = try #require(renderings.idleWorkers.first)
        let long = try folder.file("long", bytes: PlainPNG.white(width: 24_000, height: 5000))
        let before = try processorTime(of: worker)
        let outcome = Guarded<Result<String, APIError>?>(nil)
        let thread = OwnThread(name: "caller") {
            let result = Result { () throws(APIError) in
                guard let hash = try? self.hash(2) else { throw .internalError }
                return try renderings.rendering(of: hash, path: long, size: .small, for: base).path
            }
            outcome.withLock { $0 = result }
        }
        while try processorTime(of: worker) < before + 10 { usleep(2000) }
        kill(worker, SIGKILL)
        thread?.join()
        #expect(outcome.withLock { $0 } == .failure(.imageNotRenderable))
        #expect(logged.withLock { $0 }.contains { $0.contains("signal 9") })
        // It is left alone for a while; others are not.
        #expect(throws: APIError.imageNotRenderable) {
            try renderings.rendering(of: hash(2), path: long, size: .small, for: base)
        }
        #expect(renderings.idleWorkers.isEmpty)
        _ = try renderings.rendering(of: hash(3), path: image, size: .small, for: base)
        #expect(renderings.idleWorkers.count == 1)
        #expect(renderings.idleWorkers.first != worker)
        #expect(try !ImageRenderingTests.names(folder.path + "/files/derived").contains { $0.hasSuffix(".part") })
    }

    @Test func `A worker that does not answer in time is ended`() throws {
        let renderings = try renderings {
            $0.timePerFile = .milliseconds(500)
            $0.firstRefusal = .milliseconds(300)
        }
        _ = try? renderings.rendering(of: hash(1), path: image, size: .small, for: base)
        let worker = try #require(renderings.idleWorkers.first)
        kill(worker, SIGSTOP)
        #expect(throws: APIError.imageNotRenderable) {
            try renderings.rendering(of: hash(2), path: image, size: .small, for: base)
        }
        #expect(kill(worker, 0) != 0)
        // Once the while is over it is tried again.
        usleep(400_000)
        _ = try renderings.rendering(of: hash(2), path: image, size: .small, for: base)
    }

    @Test func `A worker that is killed while it waits costs nobody anything`() throws {
        let renderings = try renderings()
        for number in 1...3 {
            _ = try renderings.rendering(of: hash(number), path: image, size: .small, for: base)
            for worker in renderings.idleWorkers { kill(worker, SIGKILL) }
        }
    }

    @Test func `A worker that is killed before it has looked at a file is not that file's fault`() throws {
        let renderings = try renderings()
        _ = try renderings.rendering(of: hash(1), path: image, size: .small, for: base)
        let worker = try #require(renderings.idleWorkers.first)
        // Stopped, it takes the job and does not look.
        kill(worker, SIGSTOP)
        let killer = OwnThread(name: "killer") {
            usleep(300_000)
            kill(worker, SIGKILL)
        }
        _ = try renderings.rendering(of: hash(2), path: image, size: .small, for: base)
        killer?.join()
    }

    @Test func `A worker ends when it is not needed, and another does the next file`() throws {
        let renderings = try renderings { $0.idleSeconds = 1 }
        _ = try renderings.rendering(of: hash(1), path: image, size: .small, for: base)
        let worker = try #require(renderings.idleWorkers.first)
        // Longer than it waits: it is a zombie until the next file.
        usleep(1_500_000)
        _ = try renderings.rendering(of: hash(2), path: image, size: .small, for: base)
        #expect(renderings.idleWorkers.first != worker)
        #expect(kill(worker, 0) != 0)
    }

    @Test func `Many callers for one file get one rendering of one worker`() throws {
        let renderings = try renderings()
        let paths = Guarded<[String]>([])
        let threads = (0..<12).compactMap { number in
            OwnThread(name: "caller") { [image] in
                let size: ThumbnailSize = number % 2 == 0 ? .small : .large
                guard let hash = try? self.hash(1),
                    let made = try? renderings.rendering(of: hash, path: image, size: size, for: base)
                else { return }
                paths.withLock { $0.append(made.path) }
            }
        }
        for thread in threads { thread.join() }
        #expect(paths.withLock { $0.count } == 12)
        #expect(Set(paths.withLock { $0 }).count == 2)
        #expect(renderings.idleWorkers.count == 1)
    }

    /// A thread that has a file rendered for a base and notes how that ended.
    private func caller(
        _ renderings: ImageRenderings, _ name: String, _ hash: Int, _ path: String, base number: UInt64,
        _ ended: Guarded<[String]>
    ) -> OwnThread? {
        OwnThread(name: "caller") {
            guard let hash = try? self.hash(hash) else { return }
            let base = BaseID(text: IdentifierText(time: 0, counter: number))
            let made = try? renderings.rendering(of: hash, path: path, size: .small, for: base)
            ended.withLock { $0.append(made == nil ? "\(name) not" : name) }
        }
    }

    @Test func `The next turn is that of the base for which least was done`() throws {
        let renderings = try renderings()
        _ = try renderings.rendering(of: hash(9), path: image, size: .small, for: base)
        let worker = try #require(renderings.idleWorkers.first)
        kill(worker, SIGSTOP)
        let ended = Guarded<[String]>([])
        var threads: [OwnThread?] = []
        for number in 1...3 {
            threads.append(caller(renderings, "busy \(number)", number, image, base: 1, ended))
            usleep(100_000)
        }
        threads.append(caller(renderings, "other", 4, image, base: 2, ended))
        usleep(300_000)
        #expect(ended.withLock { $0 }.isEmpty)
        kill(worker, SIGCONT)
        for thread in threads { thread?.join() }
        #expect(ended.withLock { Array($0.prefix(2)) } == ["busy 1", "other"])
        #expect(ended.withLock { $0.count } == 4)
    }

    @Test func `A heavy file keeps no light one out, but another heavy one`() throws {
        let renderings = try renderings { $0.workers = 2 }
        _ = try renderings.rendering(of: hash(9), path: image, size: .small, for: base)
        let worker = try #require(renderings.idleWorkers.first)
        kill(worker, SIGSTOP)
        let heavy = try folder.file("heavy", bytes: PlainPNG.white(width: 8000, height: 4000))
        let ended = Guarded<[String]>([])
        var threads = [caller(renderings, "heavy", 1, heavy, base: 1, ended)]
        usleep(200_000)
        threads.append(caller(renderings, "second", 2, heavy, base: 2, ended))
        usleep(200_000)
        let light = caller(renderings, "light", 3, image, base: 1, ended)
        light?.join()
        #expect(ended.withLock { $0 } == ["light"])
        kill(worker, SIGCONT)
        for thread in threads { thread?.join() }
        #expect(ended.withLock { $0 } == ["light", "heavy", "second"])
    }

    @Test func `The last places of callers are kept for other bases`() throws {
        let renderings = try renderings {
            $0.callerLimit = 4
            $0.patience = .seconds(8)
        }
        _ = try renderings.rendering(of: hash(9), path: image, size: .small, for: base)
        let worker = try #require(renderings.idleWorkers.first)
        kill(worker, SIGSTOP)
        let ended = Guarded<[String]>([])
        var threads = (1...4).map { caller(renderings, "\($0)", $0, image, base: 1, ended) }
        usleep(300_000)
        #expect(ended.withLock { $0.count } == 1)
        threads.append(caller(renderings, "other", 5, image, base: 2, ended))
        usleep(300_000)
        #expect(ended.withLock { $0.count } == 1)
        kill(worker, SIGCONT)
        for thread in threads { thread?.join() }
        #expect(ended.withLock { $0 }.contains("other"))
        #expect(ended.withLock { $0.count { $0.hasSuffix("not") } } == 1)
    }

    @Test func `What is made when the caller has lost patience is given all the same`() throws {
        let renderings = try renderings { $0.patience = .milliseconds(600) }
        _ = try renderings.rendering(of: hash(9), path: image, size: .small, for: base)
        let worker = try #require(renderings.idleWorkers.first)
        kill(worker, SIGSTOP)
        let waker = OwnThread(name: "waker") {
            usleep(1_200_000)
            kill(worker, SIGCONT)
        }
        #expect(try renderings.rendering(of: hash(1), path: image, size: .small, for: base).type == "image/jpeg")
        waker?.join()
    }

    @Test func `Texts in a PNG are not unpacked`() throws {
        let text = try folder.file("text", bytes: PlainPNG.bytes(width: 100, height: 100, texts: 60, of: 7_900_000))
        let renderings = try renderings { $0.timePerFile = .seconds(5) }
        _ = try renderings.rendering(of: hash(9), path: image, size: .small, for: base)
        let made = try renderings.rendering(of: hash(1), path: text, size: .small, for: base)
        #expect(try size(made.path) == ImageDimensions(width: 36, height: 36))
    }

    @Test func `Past so many callers the answer is to come back later`() throws {
        let renderings = try renderings {
            $0.callerLimit = 2
            $0.patience = .seconds(5)
        }
        _ = try renderings.rendering(of: hash(9), path: image, size: .small, for: base)
        let worker = try #require(renderings.idleWorkers.first)
        kill(worker, SIGSTOP)
        let errors = Guarded<[APIError]>([])
        let threads = (0..<5).compactMap { number in
            OwnThread(name: "caller") { [image] in
                guard let hash = try? self.hash(number) else { return }
                do throws(APIError) {
                    _ = try renderings.rendering(of: hash, path: image, size: .small, for: base)
                } catch {
                    errors.withLock { $0.append(error) }
                }
            }
        }
        usleep(500_000)
        #expect(errors.withLock { $0 } == [.retriable, .retriable, .retriable])
        kill(worker, SIGCONT)
        for thread in threads { thread.join() }
        #expect(errors.withLock { $0.count } == 3)
        // What is there is given all the same.
        _ = try renderings.rendering(of: hash(9), path: image, size: .small, for: base)
    }

    @Test func `Without decoders every file is refused and the program goes on`() throws {
        // It answers what no worker answers.
        let renderings = try renderings { $0.program = "/bin/echo" }
        #expect(throws: APIError.imageNotRenderable) {
            try renderings.rendering(of: hash(1), path: image, size: .small, for: base)
        }
        let none = try self.renderings { $0.program = "/nonexistent" }
        #expect(throws: APIError.retriable) { try none.rendering(of: hash(1), path: image, size: .small, for: base) }
    }

    @Test func `What is no image, or too large a one, is refused without a worker`() throws {
        let renderings = try renderings { $0.program = "/nonexistent" }
        let text = try folder.file("text", "no image")
        #expect(throws: APIError.imageNotRenderable) {
            try renderings.rendering(of: hash(1), path: text, size: .full, for: base)
        }
        // The head of a PNG of 65,535 by 65,535.
        var bytes = PlainPNG.bytes(width: 1, height: 1)
        bytes.replaceSubrange(16..<24, with: [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF])
        let large = try folder.file("large", bytes: bytes)
        #expect(renderings.inspect(path: large) == nil)
        #expect(throws: APIError.imageNotRenderable) {
            try renderings.rendering(of: hash(2), path: large, size: .full, for: base)
        }
    }

    @Test func `What an earlier process left unfinished is swept`() throws {
        try PrivateFolder.make(folder.path + "/files")
        try PrivateFolder.make(folder.path + "/files/derived")
        let old = try folder.file("files/derived/abc-small.part", "half")
        _ = try renderings().rendering(of: hash(1), path: image, size: .small, for: base)
        #expect(!ReadFile.exists(old))
    }

    private static func names(_ folder: String) throws -> [String] {
        let directory = try #require(opendir(folder))
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names
    }
}

extension String {
    fileprivate func replacingLast(_ word: String, _ other: String) -> String {
        let parts = split(separator: "-").map(String.init)
        let last = parts.last.map { other + $0.dropFirst(word.count) }
        return (parts.dropLast() + [last ?? ""]).joined(separator: "-")
    }
}
