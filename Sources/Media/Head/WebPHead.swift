/// The head of a WebP file (RFC 9649).
enum WebPHead {
    /// An animation has a chunk a frame before its EXIF data.
    private static let chunkLimit = 4096

    static func read(_ reader: inout HeadReader) -> ImageHead? {
        guard let name = reader.bytes(at: 12, count: 4) else { return nil }
        switch String(decoding: name, as: UTF8.self) {
        case "VP8 ": return lossy(&reader)
        case "VP8L": return lossless(&reader)
        case "VP8X": return extended(&reader)
        default: return nil
        }
    }

    private static func lossy(_ reader: inout HeadReader) -> ImageHead? {
        guard reader.bytes(at: 23, count: 3) == [0x9D, 0x01, 0x2A],
            let width = reader.little(at: 26, 2), let height = reader.little(at: 28, 2)
        else { return nil }
        return ImageHead(.webP, width: width & 0x3FFF, height: height & 0x3FFF)
    }

    private static func lossless(_ reader: inout HeadReader) -> ImageHead? {
        guard reader.big(at: 20, 1) == 0x2F, let bits = reader.little(at: 21, 4) else { return nil }
        return ImageHead(.webP, width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
    }

    private static func extended(_ reader: inout HeadReader) -> ImageHead? {
        guard let flags = reader.big(at: 20, 1), let width = reader.little(at: 24, 3),
            let height = reader.little(at: 27, 3)
        else { return nil }
        let orientation = flags & 0x08 == 0 ? .upright : exif(&reader)
        return ImageHead(.webP, width: width + 1, height: height + 1, orientation)
    }

    private static func exif(_ reader: inout HeadReader) -> ImageOrientation {
        var offset = 12
        for _ in 0..<chunkLimit {
            guard let name = reader.bytes(at: offset, count: 4), let length = reader.little(at: offset + 4, 4) else {
                break
            }
            if name.elementsEqual("EXIF".utf8) {
                guard let bytes = reader.bytes(at: offset + 8, count: min(length, 65_536)) else { break }
                // Some programs write the mark that EXIF data has in a JPEG.
                let isMarked = bytes.starts(with: Array("Exif\0\0".utf8))
                return ExifOrientation.read(isMarked ? bytes.dropFirst(6) : bytes[...])
            }
            offset += 8 + length + length % 2
        }
        return .upright
    }
}
