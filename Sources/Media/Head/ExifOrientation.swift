/// Finds the orientation in EXIF data, which is a TIFF file without pictures.
enum ExifOrientation {
    private static let tag = 274
    private static let short = 3

    /// The orientation that the first directory names; upright when it names none that is known.
    static func read(_ tiff: some RandomAccessCollection<UInt8>) -> ImageOrientation {
        find(in: Array(tiff.prefix(65_536))) ?? .upright
    }

    private static func find(in tiff: [UInt8]) -> ImageOrientation? {
        let isLittle: Bool
        switch Array(tiff.prefix(4)) {
        case [0x49, 0x49, 42, 0]: isLittle = true
        case [0x4D, 0x4D, 0, 42]: isLittle = false
        default: return nil
        }
        func number(at offset: Int, _ count: Int) -> Int? {
            guard offset >= 0, offset <= tiff.count - count else { return nil }
            let bytes = tiff[offset..<offset + count]
            return isLittle ? bytes.reversed().reduce(0) { $0 << 8 | Int($1) } : bytes.reduce(0) { $0 << 8 | Int($1) }
        }
        guard let directory = number(at: 4, 4), let count = number(at: directory, 2) else { return nil }
        for index in 0..<count {
            let entry = directory + 2 + index * 12
            guard let tag = number(at: entry, 2) else { return nil }
            guard tag == Self.tag else { continue }
            guard number(at: entry + 2, 2) == short, number(at: entry + 4, 4) == 1 else { return nil }
            return number(at: entry + 8, 2).flatMap(ImageOrientation.init)
        }
        return nil
    }
}
