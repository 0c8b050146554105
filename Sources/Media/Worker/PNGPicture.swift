import Platform

/// What of a PNG file (W3C, PNG third edition) makes the picture: the pixels, how they are laid out and what their
/// colours mean.
enum PNGPicture {
    private static let wanted: Set<String> = [
        "IHDR", "PLTE", "tRNS", "iCCP", "sRGB", "gAMA", "cHRM", "sBIT", "pHYs", "tIME", "IDAT", "IEND",
    ]

    /// The parts of the file that hold these chunks, one of each kind but the pixels'; one part where there is nothing
    /// else between them.
    static func parts(of file: OpenFile) -> [Range<Int>] {
        var parts = [0..<PNGHead.signature.count]
        var chunks = PNGChunks(file)
        var seen: Set<String> = []
        while let chunk = chunks.next() {
            let isFirst = seen.insert(chunk.name).inserted
            if wanted.contains(chunk.name), isFirst || chunk.name == "IDAT" {
                if let last = parts.last, last.upperBound == chunk.place.lowerBound {
                    parts[parts.count - 1] = last.lowerBound..<chunk.place.upperBound
                } else {
                    parts.append(chunk.place)
                }
            }
            if chunk.name == "IEND" { break }
        }
        return parts
    }
}

/// The chunks of a PNG file, one after the other.
private struct PNGChunks {
    private let file: OpenFile
    private var offset = PNGHead.signature.count
    /// A part of the file in which heads of chunks are looked up: most chunks are short.
    private var window: [UInt8] = []
    private var windowStart = 0

    init(_ file: OpenFile) { self.file = file }

    /// The next chunk with its head and its checksum; a file that is cut ends in a chunk.
    mutating func next() -> (name: String, place: Range<Int>)? {
        if offset + 8 > windowStart + window.count {
            window = file.bytes(at: offset, count: 65_536)
            windowStart = offset
        }
        let start = offset - windowStart
        guard start + 8 <= window.count else { return nil }
        let length = window[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        let name = String(decoding: window[start + 4..<start + 8], as: UTF8.self)
        let place = offset..<min(offset + 12 + length, file.size)
        offset = place.upperBound
        return (name, place)
    }
}
