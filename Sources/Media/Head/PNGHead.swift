/// The head of a PNG file (W3C, PNG third edition): the first chunk, and EXIF data if it comes before the pixels.
enum PNGHead {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let chunkLimit = 1000

    static func read(_ reader: inout HeadReader) -> ImageHead? {
        guard reader.big(at: 8, 4) == 13, let first = reader.bytes(at: 12, count: 4), first.elementsEqual("IHDR".utf8),
            let width = reader.big(at: 16, 4), let height = reader.big(at: 20, 4),
            width <= Int(Int32.max), height <= Int(Int32.max)
        else { return nil }
        return ImageHead(.png, width: width, height: height, orientation(&reader))
    }

    private static func orientation(_ reader: inout HeadReader) -> ImageOrientation {
        var offset = 33
        for _ in 0..<chunkLimit {
            guard let length = reader.big(at: offset, 4), let name = reader.bytes(at: offset + 4, count: 4) else {
                break
            }
            if name.elementsEqual("IDAT".utf8) || name.elementsEqual("IEND".utf8) { break }
            if name.elementsEqual("eXIf".utf8) {
                return reader.bytes(at: offset + 8, count: min(length, 65_536)).map { ExifOrientation.read($0) }
                    ?? .upright
            }
            offset += 12 + length
        }
        return .upright
    }
}
