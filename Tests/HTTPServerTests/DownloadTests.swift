import Glibc
import HTTPCore
import HTTPServer
import Platform
import Testing

struct DownloadTests {
    private let folder = ScratchFolder()
    private let request = "GET /big HTTP/1.1\r\nHost: h\r\n\r\n"

    /// A file of zeros that takes no room.
    private func makeBig(_ size: Int) -> String {
        let path = folder.write("big", [])
        truncate(path, size)
        return path
    }

    /// How many descriptors of this process lead to a file.
    private func openings(of path: String) -> Int {
        (0..<8_192).count { descriptor in
            var target = [CChar](repeating: 0, count: 4_096)
            let count = readlink("/proc/self/fd/\(descriptor)", &target, target.count - 1)
            return count > 0 && path.utf8.elementsEqual(target[..<count].map { UInt8(bitPattern: $0) })
        }
    }

    /// Reads as much as comes until so many bytes are there; the number of bytes.
    private func take(_ client: RawClient, _ count: Int) -> Int {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var taken = 0
        while taken < count {
            let part = recv(client.descriptor, &buffer, min(buffer.count, count - taken), 0)
            guard part > 0 else { break }
            taken += part
        }
        return taken
    }

    @Test("Clients that vanish in the middle of a big file leave nothing open")
    func vanishing() throws {
        let path = makeBig(200_000_000)
        let running = try RunningServer(FileHandler(folder: folder.path))
        for isAbrupt in [false, true] {
            var clients = (0..<20).map { _ in RawClient(port: running.port, receiveBuffer: 16_384) }
            for client in clients {
                client.send(request)
                #expect(take(client, 1_000) == 1_000)
                if isAbrupt { client.reset() }
            }
            #expect(openings(of: path) == 20)
            clients = []
            #expect(wait { openings(of: path) == 0 })
        }
        #expect(running.client().exchange("HEAD /big HTTP/1.1\r\nHost: h\r\n\r\n")?.status == 200)
    }

    @Test("Clients that stop reading, or drip, are cut off and their file closed")
    func slow() throws {
        let path = makeBig(200_000_000)
        let running = try RunningServer(FileHandler(folder: folder.path)) {
            $0.limits.idleTime = .milliseconds(400)
            $0.limits.slowestRate = 1_000_000
        }
        let still = RawClient(port: running.port, receiveBuffer: 16_384)
        let dripping = RawClient(port: running.port, receiveBuffer: 16_384)
        let start = ContinuousClock.now
        for client in [still, dripping] { client.send(request) }
        #expect(take(dripping, 100) == 100)
        #expect(openings(of: path) == 2)
        var isAlive = true
        for _ in 0..<400 where isAlive {
            isAlive = take(dripping, 1_000) == 1_000
            usleep(20_000)
        }
        #expect(!isAlive)
        #expect(wait { openings(of: path) == 0 })
        // The whole file at the slowest rate would take 200 s.
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test("A client that takes a big file slowly, but fast enough, gets all of it")
    func steady() throws {
        _ = makeBig(12_000_000)
        let running = try RunningServer(FileHandler(folder: folder.path)) {
            $0.limits.idleTime = .milliseconds(200)
            $0.limits.slowestRate = 200_000
        }
        let client = RawClient(port: running.port, receiveBuffer: 65_536)
        client.send(request)
        var taken = 0
        for _ in 0..<200 {
            let count = take(client, 500_000)
            taken += count
            guard count == 500_000 else { break }
            usleep(50_000)
        }
        #expect(taken > 12_000_000)
    }

    @Test("A file that gets shorter while it is sent ends the connection, and nothing else")
    func shortened() throws {
        for length in [0, 1_000_001] {
            let path = makeBig(50_000_000)
            let running = try RunningServer(FileHandler(folder: folder.path)) {
                $0.limits.idleTime = .milliseconds(300)
            }
            let client = RawClient(port: running.port, receiveBuffer: 16_384)
            client.send(request)
            #expect(take(client, 1_000) == 1_000)
            truncate(path, length)
            #expect(take(client, 60_000_000) < 50_000_000)
            #expect(client.isClosedNow())
            #expect(wait { openings(of: path) == 0 })
            #expect(running.client().exchange(request)?.body.count == length)
        }
    }

    @Test("A thousand clients download at a time")
    func thousand() throws {
        OpenFiles.raiseLimit()
        let expected = pattern(400_000)
        let path = folder.write("big", expected)
        let running = try RunningServer(FileHandler(folder: folder.path))
        var clients = (0..<1_000).map { _ in RawClient(port: running.port, timeout: 20, receiveBuffer: 16_384) }
        for client in clients { client.send(request) }
        #expect(clients.allSatisfy { $0.read()?.body == expected })
        clients = []
        #expect(wait { openings(of: path) == 0 })
    }
}
