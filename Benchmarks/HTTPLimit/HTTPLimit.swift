import Glibc
import HTTPCore
import HTTPServer

/// The most the HTTP room can do: a fixed answer of 400 bytes, on the event thread (`/now`) or by a worker (`/later`).
///
/// Arguments: event threads (1) and workers (2), and a file to be answered with at `/file`.
@main
struct HTTPLimit {
    static func main() throws {
        var configuration = ServerConfiguration()
        configuration.eventThreads = number(1) ?? 1
        configuration.workers = number(2) ?? 2
        let server = try HTTPServer(configuration: configuration, handler: FixedAnswer(file: path(3)))
        print("listening on http://127.0.0.1:\(try server.start())")
        fflush(nil)
        while true { pause() }
    }

    private static func path(_ place: Int) -> String? {
        CommandLine.arguments.count > place ? CommandLine.arguments[place] : nil
    }

    private static func number(_ place: Int) -> Int? {
        CommandLine.arguments.count > place ? Int(CommandLine.arguments[place]) : nil
    }
}

private struct FixedAnswer: RequestHandler {
    let file: String?
    let body = Array((#"{"text":""# + String(repeating: "x", count: 389) + #""}"#).utf8)

    func handle(_ request: Request) -> Handling {
        if request.rawPath == "/file", let file {
            return .now(.file(FileBody(path: file, entityTag: EntityTag.strong("file")), type: .octetStream))
        }
        let body = body
        return request.rawPath == "/later" ? .later { .json(body) } : .now(.json(body))
    }
}
