/// The head of a GIF file: the size of its canvas.
enum GIFHead {
    static func read(_ reader: inout HeadReader) -> ImageHead? {
        guard let width = reader.little(at: 6, 2), let height = reader.little(at: 8, 2) else { return nil }
        return ImageHead(.gif, width: width, height: height)
    }
}
