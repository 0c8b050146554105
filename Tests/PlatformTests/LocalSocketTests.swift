import Glibc
import Platform
import Testing

@Suite struct LocalSocketTests {
    let temporary: TemporaryFolder

    init() throws { temporary = try TemporaryFolder() }

    /// A folder for a socket; `deep` makes its name longer than a socket's address may be.
    private func folder(deep: Bool = false) throws -> String {
        var path = temporary.path
        for _ in 0..<(deep ? 6 : 0) {
            path += "/" + String(repeating: "x", count: 30)
            try #require(mkdir(path, 0o700) == 0)
        }
        return path
    }

    @Test(arguments: [false, true]) func `A line goes to the listener and one comes back`(deep: Bool) throws {
        let folder = try folder(deep: deep)
        let listener = try LocalSocketListener(name: "s", in: folder)
        let team = WorkerTeam(name: "test", workers: 1, waitingLimit: 1)
        #expect(
            team.trySubmit {
                while let connection = listener.accept() {
                    guard let line = try? connection.readLine(limit: 1 << 20, within: .seconds(5)) else { continue }
                    try? connection.send(line.reversed() + [10], within: .seconds(5))
                }
            })
        for count in [0, 1, 65535, 65536, 1 << 20] {
            let line = (0..<count).map { UInt8(truncatingIfNeeded: $0 % 9 + 48) }
            let connection = try LocalConnection(name: "s", in: folder)
            #expect(connection.peerUser == Environment.user)
            try connection.send(line + [10], within: .seconds(5))
            #expect(try connection.readLine(limit: 1 << 20, within: .seconds(5)) == line.reversed())
        }
        listener.close()
        #expect(team.shutDown(gracePeriod: .seconds(5)))
        #expect(!ReadFile.exists(folder + "/s"))
        #expect(throws: SystemCallError(call: "connect", code: ENOENT)) { try LocalConnection(name: "s", in: folder) }
    }

    @Test func `Only the owner may connect, and what a dead server left behind is replaced`() throws {
        let folder = try folder()
        for _ in 0..<2 {
            let listener = try LocalSocketListener(name: "s", in: folder)
            var information = stat()
            #expect(stat(folder + "/s", &information) == 0)
            #expect(information.st_mode & 0o777 == 0o600)
            _ = listener
        }
        #expect(throws: SystemCallError(call: "connect", code: ECONNREFUSED)) {
            try LocalConnection(name: "s", in: folder)
        }
    }

    @Test func `A line has a greatest length, an end and a time`() throws {
        let folder = try folder()
        let listener = try LocalSocketListener(name: "s", in: folder)
        func pair() throws -> (LocalConnection, LocalConnection) {
            let client = try LocalConnection(name: "s", in: folder)
            return (client, try #require(listener.accept()))
        }
        let (long, longEnd) = try pair()
        try long.send(Array("abc\n".utf8), within: .seconds(1))
        #expect(throws: SystemCallError(call: "recv", code: EMSGSIZE)) {
            try longEnd.readLine(limit: 2, within: .seconds(1))
        }
        let (silent, silentEnd) = try pair()
        #expect(throws: SystemCallError(call: "poll", code: ETIMEDOUT)) {
            try silentEnd.readLine(limit: 9, within: .milliseconds(20))
        }
        _ = silent
        func half() throws -> LocalConnection {
            let (client, end) = try pair()
            try client.send(Array("ab".utf8), within: .seconds(1))
            return end
        }
        let halfEnd = try half()
        #expect(throws: SystemCallError(call: "recv", code: ECONNRESET)) {
            try halfEnd.readLine(limit: 9, within: .seconds(1))
        }
    }
}
