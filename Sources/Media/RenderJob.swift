import RowhouseModel

/// What the server asks of the worker: renderings of one file, the largest first.
///
/// It is a line such as `683x512 48x36`, and with it come open files: the one to be read, then one to be written for
/// each size. The worker knows no file by name. It answers with the line `begun`, then with
/// `done jpg`, `done webp`, or `failed` and why.
struct RenderJob: Sendable, Equatable {
    /// As many open files are sent at once, without the one to be read.
    static let sizeLimit = 7
    /// No line of a job is longer.
    static let lineLimit = 256

    let sizes: [ImageDimensions]

    var line: String { sizes.map { "\($0.width)x\($0.height)" }.joined(separator: " ") }

    init(_ sizes: [ImageDimensions]) { self.sizes = sizes }

    /// Nil for a line that asks for nothing.
    init?(line: String) {
        var sizes: [ImageDimensions] = []
        for word in line.split(separator: " ") {
            let sides = word.split(separator: "x").compactMap { Int($0) }
            guard sides.count == 2, sides.allSatisfy({ (1...ImageFormat.sideLimit).contains($0) }) else { return nil }
            sizes.append(ImageDimensions(width: sides[0], height: sides[1]))
        }
        guard (1...Self.sizeLimit).contains(sizes.count) else { return nil }
        self.sizes = sizes
    }
}

/// What renderings are written as; the raw value ends their names.
enum RenderingFormat: String, Sendable, CaseIterable {
    case jpeg = "jpg"
    /// For what can be seen through.
    case webP = "webp"

    var type: String { self == .jpeg ? "image/jpeg" : "image/webp" }
}
