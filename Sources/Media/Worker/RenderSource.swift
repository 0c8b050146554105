import Platform

/// The bytes that a decoder is given: those of a file, or what is left of a PNG when all that is no picture is taken out.
///
/// Texts in a PNG may be packed a thousandfold, and each step of decoding would copy them.
final class RenderSource {
    /// More is not held in memory, in bytes.
    private static let longest = 256 << 20
    private static let piece = 1 << 20

    private let file: OpenFile
    private var memory: UnsafeMutableRawBufferPointer?

    init(_ file: OpenFile, _ format: ImageFormat) throws(VipsError) {
        self.file = file
        let parts = format == .png ? PNGPicture.parts(of: file) : []
        guard parts.count > 1 else { return }
        let count = parts.reduce(0) { $0 + $1.count }
        guard count <= Self.longest else { throw VipsError("too long a file to leave out what is no picture") }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        self.memory = memory
        var filled = 0
        for part in parts {
            copy(part, to: UnsafeMutableRawBufferPointer(rebasing: memory[filled..<filled + part.count]))
            filled += part.count
        }
    }

    deinit { memory?.deallocate() }

    /// A source of libvips, good as long as this is there.
    func open(_ vips: Vips) -> Vips.Object? {
        guard let memory, let start = memory.baseAddress else { return file.withDescriptor(vips.openSource) }
        return vips.openMemory(start, memory.count)
    }

    private func copy(_ part: Range<Int>, to memory: UnsafeMutableRawBufferPointer) {
        var copied = 0
        while copied < part.count {
            let bytes = file.bytes(at: part.lowerBound + copied, count: min(Self.piece, part.count - copied))
            guard !bytes.isEmpty else { return }
            UnsafeMutableRawBufferPointer(rebasing: memory[copied...]).copyBytes(from: bytes)
            copied += bytes.count
        }
    }
}
