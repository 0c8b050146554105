import Glibc
import HTTPCore
import HTTPServer
import Testing

struct FileTests {
    private let folder = ScratchFolder()

    private func get(_ running: RunningServer, _ path: String, _ headers: String = "") -> RawClient.Answer? {
        running.client().exchange("GET \(path) HTTP/1.1\r\nHost: h\r\n\(headers)\r\n")
    }

    @Test("A file is sent whole, with its length, time of change and tag, from either thread")
    func whole() throws {
        let running = try RunningServer(FileHandler(folder: folder.path))
        for size in [0, 1, 4_096, 100_000, 3_000_001] {
            let bytes = pattern(size)
            folder.write("f", bytes)
            for path in ["/f", "/later/f"] {
                let answer = get(running, path, "Accept-Encoding: gzip\r\n")
                #expect(answer?.status == 200)
                #expect(answer?.body == bytes)
                #expect(answer?["Content-Length"] == "\(size)")
                #expect(answer?["Content-Type"] == "text/x-test")
                #expect(answer?["Cache-Control"] == "private")
                #expect(answer?["ETag"] == "\"a1b2\"")
                #expect(answer?["Last-Modified"] == "Sun, 06 Nov 1994 08:49:37 GMT")
                #expect(answer?["Accept-Ranges"] == "bytes")
                #expect(answer?["Content-Encoding"] == nil && answer?["Vary"] == nil)
                #expect(answer?["X-Request-Id"] != nil)
            }
        }
    }

    @Test("HEAD tells what GET would, without the bytes, and the connection goes on")
    func head() throws {
        let running = try RunningServer(FileHandler(folder: folder.path))
        folder.write("f", pattern(100_000))
        let client = running.client()
        for _ in 0..<3 {
            client.send("HEAD /f HTTP/1.1\r\nHost: h\r\nRange: bytes=0-1\r\n\r\n")
            let answer = client.read(hasBody: false)
            #expect(answer?.status == 200)
            #expect(answer?["Content-Length"] == "100000")
            #expect(answer?["ETag"] == "\"a1b2\"")
        }
        #expect(client.exchange("GET /f HTTP/1.1\r\nHost: h\r\n\r\n")?.body == pattern(100_000))
    }

    @Test(
        "One range is answered with its bytes",
        arguments: [
            ("bytes=0-0", 0..<1), ("bytes=0-99", 0..<100), ("bytes=99000-", 99_000..<100_000),
            ("bytes=-1", 99_999..<100_000), ("bytes=-500000", 0..<100_000),
            ("bytes=5-999999999999999999999", 5..<100_000),
            ("BYTES= 1 - 2", 1..<3),
        ])
    func range(header: String, part: Range<Int>) throws {
        let running = try RunningServer(FileHandler(folder: folder.path))
        let bytes = pattern(100_000)
        folder.write("f", bytes)
        let answer = get(running, "/f", "Range: \(header)\r\n")
        #expect(answer?.status == 206)
        #expect(answer?.body == Array(bytes[part]))
        #expect(answer?["Content-Range"] == "bytes \(part.lowerBound)-\(part.upperBound - 1)/100000")
        #expect(answer?["Content-Length"] == "\(part.count)")
    }

    @Test(
        "Several ranges, and what is no range, are answered with the whole file",
        arguments: [
            "bytes=0-1,5-6", "bytes=5-4", "lines=0-1", "bytes=a-b", "bytes=-", "bytes", "bytes=0-1\r\nRange: bytes=1-2",
        ])
    func ignoredRange(header: String) throws {
        let running = try RunningServer(FileHandler(folder: folder.path))
        folder.write("f", pattern(1_000))
        let answer = get(running, "/f", "Range: \(header)\r\n")
        #expect(answer?.status == 200)
        #expect(answer?.body == pattern(1_000))
    }

    @Test(
        "A range outside the file is answered 416 with the file's size",
        arguments: ["bytes=1000-", "bytes=1000-2000", "bytes=-0"])
    func outside(header: String) throws {
        let running = try RunningServer(FileHandler(folder: folder.path))
        folder.write("f", pattern(1_000))
        let client = running.client()
        let answer = client.exchange("GET /f HTTP/1.1\r\nHost: h\r\nRange: \(header)\r\n\r\n")
        #expect(answer?.status == 416)
        #expect(answer?["Content-Range"] == "bytes */1000")
        #expect(answer?.text.hasPrefix(#"{"error":{"type":"RANGE_NOT_SATISFIABLE","#) == true)
        #expect(client.exchange("GET /f HTTP/1.1\r\nHost: h\r\n\r\n")?.status == 200)
    }

    @Test(
        "A client that has the file already gets 304",
        arguments: [
            ("If-None-Match: \"a1b2\"", 304), ("If-None-Match: W/\"a1b2\", \"x\"", 304), ("If-None-Match: *", 304),
            ("If-None-Match: \"x\"", 200), ("If-None-Match: x*", 200),
            ("If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT", 304),
            ("If-Modified-Since: Sun, 06 Nov 1994 08:49:36 GMT", 200), ("If-Modified-Since: yesterday", 200),
            ("If-None-Match: \"x\"\r\nIf-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT", 200),
        ])
    func conditions(header: String, status: Int) throws {
        let running = try RunningServer(FileHandler(folder: folder.path))
        folder.write("f", pattern(1_000))
        for method in ["GET", "HEAD"] {
            let client = running.client()
            client.send("\(method) /f HTTP/1.1\r\nHost: h\r\n\(header)\r\n\r\n")
            let answer = client.read(hasBody: method == "GET")
            #expect(answer?.status == status)
            #expect(answer?["ETag"] == "\"a1b2\"")
            #expect(answer?["Cache-Control"] == "private")
            // A 304 tells the length of what it spares, or none.
            #expect(answer?["Content-Length"] == "1000")
            #expect(client.exchange("GET /f HTTP/1.1\r\nHost: h\r\n\r\n")?.body == pattern(1_000))
        }
    }

    @Test(
        "A range on the condition that the file is the same is answered whole when it is not",
        arguments: [
            ("\"a1b2\"", 206), ("\"x\"", 200), ("W/\"a1b2\"", 200), ("Sun, 06 Nov 1994 08:49:37 GMT", 206),
            ("Sun, 06 Nov 1994 08:49:38 GMT", 200), ("nonsense", 200),
        ])
    func ifRange(condition: String, status: Int) throws {
        let running = try RunningServer(FileHandler(folder: folder.path))
        folder.write("f", pattern(1_000))
        let answer = get(running, "/f", "Range: bytes=0-9\r\nIf-Range: \(condition)\r\n")
        #expect(answer?.status == status)
        #expect(answer?.body.count == (status == 206 ? 10 : 1_000))
    }

    @Test("What is no file is answered 404, and does not hang")
    func missing() throws {
        let running = try RunningServer(FileHandler(folder: folder.path))
        mkfifo("\(folder.path)/pipe", 0o600)
        for path in ["/absent", "/later/absent", "/f/absent", "/.", "/pipe"] {
            let answer = get(running, path)
            #expect(answer?.status == 404)
            #expect(answer?.text == #"{"error":"NOT_FOUND"}"#)
        }
    }

    @Test("Connection: close is honoured after the last byte")
    func closing() throws {
        let running = try RunningServer(FileHandler(folder: folder.path))
        folder.write("f", pattern(1_000_000))
        let client = running.client()
        let answer = client.exchange("GET /f HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        #expect(answer?.body == pattern(1_000_000))
        #expect(client.isClosed())
    }
}
