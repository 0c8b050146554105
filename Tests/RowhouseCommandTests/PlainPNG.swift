import CZlib

/// PNG files of one colour.
enum PlainPNG {
    /// A picture of three bytes a pixel.
    static func bytes(width: Int, height: Int, _ colour: [UInt8] = [200, 100, 50]) -> [UInt8] {
        let row: [UInt8] = [0] + [[UInt8]](repeating: colour, count: width).joined()
        return bytes(width: width, height: height, head: [8, 2, 0, 0, 0], row: row)
    }

    /// A grey picture with many texts before it, packed as far as they can be.
    static func bytes(width: Int, height: Int, texts: Int, of count: Int) -> [UInt8] {
        let text = chunk("zTXt", [0x78, 0, 0] + compressed([UInt8](repeating: 97, count: count)))
        let plain = bytes(width: width, height: height)
        return Array(plain[..<33]) + [[UInt8]](repeating: text, count: texts).joined() + plain[33...]
    }

    /// A white picture of one bit a pixel: few bytes, however much there is to decode.
    static func white(width: Int, height: Int) -> [UInt8] {
        bytes(
            width: width, height: height, head: [1, 0, 0, 0, 0], row: [0] + [UInt8](repeating: 255, count: width / 8))
    }

    private static func bytes(width: Int, height: Int, head: [UInt8], row: [UInt8]) -> [UInt8] {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(row.count * height)
        for _ in 0..<height { pixels += row }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", big(width) + big(height) + head)
            + chunk("IDAT", compressed(pixels)) + chunk("IEND", [])
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return big(data.count) + body + big(Int(crc32(0, body, UInt32(body.count))))
    }

    private static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var count = compressBound(UInt(bytes.count))
        var compressed = [UInt8](repeating: 0, count: Int(count))
        compress2(&compressed, &count, bytes, UInt(bytes.count), 9)
        return Array(compressed.prefix(Int(count)))
    }

    private static func big(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (24 - 8 * $0) & 255) } }
}
