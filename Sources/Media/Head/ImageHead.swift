package import Platform
package import RowhouseModel

/// What the head of an image file says: told from its bytes alone, without a decoder and in few reads.
///
/// A head may lie. It decides what is tried and how large a rendering is, never how much memory the server takes.
package struct ImageHead: Sendable, Equatable {
    package let format: ImageFormat
    /// As stored, in pixels.
    package let width: Int
    package let height: Int
    /// What is left to be done to the stored pixels.
    package let orientation: ImageOrientation

    /// Nil for what is no image that is read.
    package init?(file: OpenFile) {
        var reader = HeadReader(size: file.size) { file.bytes(at: $0, count: $1) }
        self.init(&reader)
    }

    /// Nil for what is no image that is read.
    package init?(bytes: [UInt8]) {
        var reader = HeadReader(size: bytes.count) { Array(bytes.dropFirst($0).prefix($1)) }
        self.init(&reader)
    }

    init?(_ reader: inout HeadReader) {
        guard let start = reader.bytes(at: 0, count: 12) else { return nil }
        let found: ImageHead? =
            if start.starts(with: [0xFF, 0xD8, 0xFF]) {
                JPEGHead.read(&reader)
            } else if start.starts(with: PNGHead.signature) {
                PNGHead.read(&reader)
            } else if start.starts(with: "GIF87a".utf8) || start.starts(with: "GIF89a".utf8) {
                GIFHead.read(&reader)
            } else if start.starts(with: "RIFF".utf8), start.suffix(4).elementsEqual("WEBP".utf8) {
                WebPHead.read(&reader)
            } else if start[4..<8].elementsEqual("ftyp".utf8) {
                HEIFHead.read(&reader)
            } else {
                nil
            }
        guard let found else { return nil }
        self = found
    }

    /// Nil unless there is at least a pixel.
    init?(_ format: ImageFormat, width: Int, height: Int, _ orientation: ImageOrientation = .upright) {
        guard width > 0, height > 0 else { return nil }
        self.format = format
        self.width = width
        self.height = height
        self.orientation = orientation
    }

    /// As it is to be seen.
    package var dimensions: ImageDimensions {
        orientation.swapsSides
            ? ImageDimensions(width: height, height: width) : ImageDimensions(width: width, height: height)
    }

    /// Whether it is not to be decoded.
    package var isTooLarge: Bool {
        width > ImageFormat.sideLimit || height > ImageFormat.sideLimit || width * height > format.pixelLimit
    }
}
