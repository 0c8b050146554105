/// What the server asks of the worker: renderings of one file, the largest first.
///
/// On the pipe a job is its texts, each ended by a zero byte, and an empty one at the end: no path is empty or holds a
/// zero. The answer is a line: `done jpg`, `done webp` or `failed` with a reason.
struct RenderJob: Sendable, Equatable {
    /// One file to be made.
    struct Output: Sendable, Equatable {
        let path: String
        let width: Int
        let height: Int
    }

    let input: String
    let outputs: [Output]

    /// A frame holds no more.
    static let byteLimit = 65_536

    var frame: [UInt8] {
        let texts = [input] + outputs.flatMap { [$0.path, String($0.width), String($0.height)] }
        return texts.flatMap { Array($0.utf8) + [0] } + [0]
    }

    init(input: String, outputs: [Output]) {
        self.input = input
        self.outputs = outputs
    }

    /// - Parameter texts: those of a frame; nil when they are no job.
    init?(_ texts: [String]) {
        guard texts.count > 3, texts.count % 3 == 1 else { return nil }
        input = texts[0]
        var outputs: [Output] = []
        for index in stride(from: 1, to: texts.count, by: 3) {
            guard let width = Int(texts[index + 1]), let height = Int(texts[index + 2]),
                (1...ImageFormat.sideLimit).contains(width), (1...ImageFormat.sideLimit).contains(height)
            else { return nil }
            outputs.append(Output(path: texts[index], width: width, height: height))
        }
        self.outputs = outputs
    }
}

/// What renderings are written as; the raw value ends their names.
enum RenderingFormat: String, Sendable, CaseIterable {
    case jpeg = "jpg"
    /// For what can be seen through.
    case webP = "webp"

    var type: String { self == .jpeg ? "image/jpeg" : "image/webp" }
}
