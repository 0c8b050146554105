/// Reads a file here and there, within a budget: past it, or past the end, there is nothing.
struct HeadReader {
    /// In bytes.
    let size: Int
    private let source: (_ offset: Int, _ count: Int) -> [UInt8]
    private var window: [UInt8] = []
    private var windowStart = 0
    private var readsLeft = 512

    private static let windowSize = 4096
    /// The most asked for at once: an EXIF segment of a JPEG.
    private static let pieceLimit = 65_536

    init(size: Int, _ source: @escaping (_ offset: Int, _ count: Int) -> [UInt8]) {
        self.size = size
        self.source = source
    }

    /// Exactly `count` bytes, numbered from 0.
    mutating func bytes(at offset: Int, count: Int) -> [UInt8]? {
        guard let slice = slice(at: offset, count: count) else { return nil }
        return Array(slice)
    }

    /// A big-endian number of 1 to 4 bytes.
    mutating func big(at offset: Int, _ count: Int) -> Int? {
        slice(at: offset, count: count)?.reduce(0) { $0 << 8 | Int($1) }
    }

    /// A little-endian number of 1 to 4 bytes.
    mutating func little(at offset: Int, _ count: Int) -> Int? {
        slice(at: offset, count: count)?.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func slice(at offset: Int, count: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, offset <= size, count > 0, count <= size - offset, count <= Self.pieceLimit else {
            return nil
        }
        if offset < windowStart || offset + count > windowStart + window.count {
            guard readsLeft > 0 else { return nil }
            readsLeft -= 1
            window = source(offset, min(max(count, Self.windowSize), size - offset))
            windowStart = offset
        }
        let start = offset - windowStart
        return start + count <= window.count ? window[start..<start + count] : nil
    }
}
