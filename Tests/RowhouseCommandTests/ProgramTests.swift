import Glibc
import Platform
import Testing

@Suite(.timeLimit(.minutes(2))) struct ProgramTests {
    let folder: TemporaryFolder
    let data: String

    init() throws {
        folder = try TemporaryFolder()
        data = folder.path + "/data"
    }

    private func serve(_ more: String...) throws -> Program {
        let server = try Program(["serve", "--data", data, "--listen", "127.0.0.1:0"] + more)
        try server.wait(for: "listening on http://127.0.0.1:")
        return server
    }

    @Test func `Help and version are told on standard output, mistakes in one line on standard error`() throws {
        #expect(try Program.run("--version").output.hasPrefix("rowhouse "))
        #expect(try Program.run("serve", "--help").output.contains("--listen HOST:PORT"))
        #expect(
            try Program.run("frob")
                == .init(
                    code: 64, output: "",
                    error: "rowhouse: There is no command \"frob\"; `rowhouse --help` lists them.\n"))
        #expect(try Program.run("serve").code == 64)
    }

    @Test func `The first start tells a token once, with a line to try it`() throws {
        let server = try serve()
        let output = server.output
        #expect(
            output.contains(
                /curl -H "Authorization: Bearer pat\w{14}\.[0-9a-f]{64}" "http:\/\/127\.0\.0\.1:\d+\/v0\/meta\/bases"/))
        #expect(output.contains("owner@localhost"))
        server.signal(SIGTERM)
        #expect(try server.end().code == 0)
        let again = try serve()
        #expect(!again.output.contains("pat"))
        again.signal(SIGINT)
        #expect(try again.end().code == 0)
    }

    @Test func `A command works the same on a free folder and through the server that holds it`() throws {
        let free = try Program.run("user", "create", "--data", data, "--email", "lin@example.org", "--name", "林")
        #expect(free.code == 0)
        #expect(free.output.wholeMatch(of: /usr\w{14}\n/) != nil)
        let server = try serve("--sample")
        let token = try Program.run(
            "token", "create", "--data", data, "--user", "lin@example.org", "--scopes", "data.records:read")
        #expect(token.output.wholeMatch(of: /pat\w{14}\.[0-9a-f]{64}\n/) != nil)
        #expect(token.error.isEmpty)
        let held = try Program.run("token", "list", environment: ["ROWHOUSE_DATA=\(data)"]).output
        #expect(held.contains("data.records:read"))
        let twice = try Program.run("user", "create", "--data", data, "--email", "LIN@example.org", "--name", "L")
        #expect(
            twice
                == .init(
                    code: 1, output: "",
                    error: "rowhouse: There is a user with the e-mail address LIN@example.org already.\n"))
        let second = try Program.run("serve", "--data", data, "--listen", "127.0.0.1:0")
        #expect(second == .init(code: 69, output: "", error: "rowhouse: \(data) is in use by another process.\n"))
        let taken = try #require(server.output.firstMatch(of: /listening on http:\/\/([0-9.:]+)/)).1
        let third = try Program.run("serve", "--data", data + "-third", "--listen", String(taken))
        #expect(third.error == "rowhouse: Cannot listen on \(taken): Address already in use\n")
        server.signal(SIGTERM)
        #expect(try server.end().code == 0)
        #expect(!ReadFile.exists(data + "/rowhouse.sock"))
        #expect(try Program.run("token", "list", "--data", data).output == held)
    }

    @Test func `A killed server leaves a folder that works`() throws {
        let server = try serve("--sample")
        let before = try Program.run("base", "list", "--data", data)
        #expect(before.output.contains("巷口茶行\t4\t"))
        server.signal(SIGKILL)
        #expect(try server.end().code == -SIGKILL)
        #expect(ReadFile.exists(data + "/rowhouse.sock"))
        #expect(try Program.run("base", "list", "--data", data) == before)
        let again = try serve()
        #expect(try Program.run("base", "list", "--data", data) == before)
        again.signal(SIGTERM)
        #expect(try again.end().code == 0)
    }

    @Test func `A server that had to wait for its folder still ends and renews as it is told`() throws {
        try PrivateFolder.make(data)
        let lock = try FolderLock(path: data + "/rowhouse.lock")
        let server = try Program(["serve", "--data", data, "--listen", "127.0.0.1:0"])
        // Long enough for it to find the folder taken.
        usleep(500_000)
        #expect(!server.output.contains("listening"))
        lock.release()
        try server.wait(for: "listening on http://127.0.0.1:")
        server.signal(SIGHUP)
        usleep(200_000)
        #expect(try Program.run("base", "list", "--data", data).code == 0)
        server.signal(SIGTERM)
        #expect(try server.end().code == 0)
    }

    @Test func `A command whose answer cannot be written does not end well`() throws {
        let program = try Program(["token", "create", "--data", data], output: "/dev/full")
        let outcome = try program.end()
        #expect(outcome.code == 74)
        #expect(outcome.error == "rowhouse: It was done, but standard output did not take the answer.\n")
    }

    @Test func `Commands at the same time wait for each other`() throws {
        let programs = try (0..<6).map { number in
            try Program(["user", "create", "--data", data, "--email", "u\(number)@example.org", "--name", "U"])
        }
        for program in programs {
            let outcome = try program.end()
            #expect(outcome.code == 0, "\(outcome.error)")
        }
        #expect(try Program.run("user", "list", "--data", data).output.split(separator: "\n").count == 8)
    }

    @Test func `The wait for the disk is skipped only in a test folder`() throws {
        let refused = try Program.run("serve", "--data", data, "--unsafe-synchronous-off")
        #expect(refused.code == 77)
        #expect(!ReadFile.exists(data))
        let server = try serve("--test", "--unsafe-synchronous-off")
        server.signal(SIGTERM)
        #expect(try server.end().code == 0)
        let other = folder.path + "/other"
        #expect(try Program.run("user", "create", "--data", other, "--email", "a@b", "--name", "A").code == 0)
        #expect(try Program.run("serve", "--data", other, "--test").code == 77)
    }

    @Test func `What is missing is told by the exit code`() throws {
        let file = try folder.file("file", "not JSON")
        #expect(try Program.run("token", "list", "--data", data).code == 1)
        #expect(!ReadFile.exists(data))
        #expect(try Program.run("serve", "--data", file + "/data").code == 73)
        #expect(try Program.run("serve", "--data", folder.path + "/a/b").code == 73)
        #expect(try Program.run("base", "create", "--data", data, "--from", folder.path + "/no.json").code == 74)
        #expect(try Program.run("base", "create", "--data", data, "--from", file).code == 1)
        #expect(
            try Program.run("serve", "--data", data, "--tls-cert", file, "--tls-key", file, "--listen", "127.0.0.1:0")
                .code == 74)
    }
}
