import Glibc
import HTTPCore
import HTTPServer

/// The most the HTTP room can do: a fixed answer of 400 bytes, on the event thread (`/now`) or by a worker (`/later`).
///
/// Arguments: event threads (1) and workers (2).
@main
struct HTTPLimit {
    static func main() throws {
        var configuration = ServerConfiguration()
        configuration.eventThreads = number(1) ?? 1
        configuration.workers = number(2) ?? 2
        let server = try HTTPServer(configuration: configuration, handler: FixedAnswer())
        print("listening on http://127.0.0.1:\(try server.start())")
        fflush(nil)
        while true { pause() }
    }

    private static func number(_ place: Int) -> Int? {
        CommandLine.arguments.count > place ? Int(CommandLine.arguments[place]) : nil
    }
}

private struct FixedAnswer: RequestHandler {
    let body = Array((#"{"text":""# + String(repeating: "x", count: 389) + #""}"#).utf8)

    func handle(_ request: Request) -> Handling {
        let body = body
        return request.rawPath == "/later" ? .later { .json(body) } : .now(.json(body))
    }
}
