/// The head of a JPEG file (ITU T.81): segments up to the one that tells the size.
enum JPEGHead {
    /// Baseline, extended and progressive, by Huffman or arithmetic coding; the others are not in use for photos.
    private static let frames: Set<Int> = [0xC0, 0xC1, 0xC2, 0xC9, 0xCA]

    static func read(_ reader: inout HeadReader) -> ImageHead? {
        var orientation: ImageOrientation?
        var offset = 2
        while let marker = nextMarker(&reader, &offset) {
            guard let length = reader.big(at: offset, 2), length >= 2 else { return nil }
            if frames.contains(marker) {
                guard let height = reader.big(at: offset + 3, 2), let width = reader.big(at: offset + 5, 2) else {
                    return nil
                }
                return ImageHead(.jpeg, width: width, height: height, orientation ?? .upright)
            }
            // The first frame comes before the first scan.
            if marker == 0xDA { return nil }
            if marker == 0xE1, orientation == nil {
                orientation = exif(&reader, at: offset + 2, count: length - 2)
            }
            offset += length
        }
        return nil
    }

    /// The marker at the offset, which moves behind it; nil where there is none.
    private static func nextMarker(_ reader: inout HeadReader, _ offset: inout Int) -> Int? {
        guard reader.big(at: offset, 1) == 0xFF else { return nil }
        while let byte = reader.big(at: offset, 1) {
            offset += 1
            // Any number of 0xFF may come before; some markers have no segment.
            if byte == 0xFF || byte == 0x01 || (0xD0...0xD7).contains(byte) { continue }
            return byte == 0 || byte == 0xD8 || byte == 0xD9 ? nil : byte
        }
        return nil
    }

    private static func exif(_ reader: inout HeadReader, at offset: Int, count: Int) -> ImageOrientation? {
        guard count > 6, let bytes = reader.bytes(at: offset, count: count) else { return nil }
        guard bytes.starts(with: Array("Exif\0\0".utf8)) else { return nil }
        return ExifOrientation.read(bytes.dropFirst(6))
    }
}
