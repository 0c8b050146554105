import HTTPCore

/// Answers with what it was asked; paths below /later are answered by a worker.
struct EchoHandler: RequestHandler {
    var later: @Sendable (Request) async -> Response = { EchoHandler.echo($0) }

    func handle(_ request: Request) -> Handling {
        if request.rawPath.hasPrefix("/later") {
            let later = later
            return .later { await later(request) }
        }
        return .now(EchoHandler.echo(request))
    }

    static func echo(_ request: Request) -> Response {
        if request.rawPath.hasSuffix("/big") { return .text(String(repeating: "gossamer ", count: 1_000)) }
        return .text(
            "\(request.method.rawValue) \(request.rawPath) ?\(request.rawQuery) \(request.body.count) "
                + String(decoding: request.body.prefix(20), as: UTF8.self))
    }
}
