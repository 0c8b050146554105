/// The head of a HEIF file (ISO/IEC 23008-12), which HEIC and AVIF are: the properties of its primary item.
///
/// A decoder applies the turns that these properties ask for by itself, and EXIF data has no say; so the size is told
/// as it comes out of the decoder, and nothing is left to be done.
enum HEIFHead {
    static func read(_ reader: inout HeadReader) -> ImageHead? {
        var walk = BoxWalk(0..<reader.size)
        guard let type = walk.next(&reader), type.name == "ftyp", let format = format(&reader, type) else { return nil }
        while let box = walk.next(&reader) {
            guard box.name == "meta" else { continue }
            guard let (width, height) = size(&reader, in: box) else { return nil }
            return ImageHead(format, width: width, height: height)
        }
        return nil
    }

    private static func format(_ reader: inout HeadReader, _ box: Box) -> ImageFormat? {
        let brands: [ImageFormat: Set<String>] = [
            .avif: ["avif", "avis"], .heic: ["heic", "heix", "heim", "heis", "hevc", "hevx"], .heif: ["mif1", "msf1"],
        ]
        // The major brand, then (after a version) those it is compatible with.
        let offsets = [box.start] + stride(from: box.start + 8, to: box.content.upperBound, by: 4)
        var found: Set<ImageFormat> = []
        for offset in offsets.prefix(64) {
            guard let bytes = reader.bytes(at: offset, count: 4) else { break }
            let brand = String(decoding: bytes, as: UTF8.self)
            for (format, names) in brands where names.contains(brand) { found.insert(format) }
        }
        return [.avif, .heic, .heif].first { found.contains($0) }
    }

    private static func size(_ reader: inout HeadReader, in meta: Box) -> (width: Int, height: Int)? {
        var primary: Int?
        var properties: [Box] = []
        var associations: Box?
        var walk = BoxWalk(meta.content.dropFirst(4))
        while let box = walk.next(&reader) {
            if box.name == "pitm" { primary = reader.version(of: box).flatMap { reader.item(at: box.start + 4, $0) } }
            guard box.name == "iprp" else { continue }
            var inner = BoxWalk(box.content)
            while let part = inner.next(&reader) {
                if part.name == "ipma" { associations = part }
                guard part.name == "ipco" else { continue }
                var list = BoxWalk(part.content)
                while let property = list.next(&reader) { properties.append(property) }
            }
        }
        guard let primary, let associations,
            let numbers = propertyNumbers(&reader, of: primary, in: associations)
        else { return nil }
        return size(&reader, numbers.compactMap { $0 > 0 && $0 <= properties.count ? properties[$0 - 1] : nil })
    }

    /// Which properties an item has, numbered from 1, in the order in which they are applied.
    private static func propertyNumbers(_ reader: inout HeadReader, of item: Int, in box: Box) -> [Int]? {
        guard let version = reader.version(of: box), let flags = reader.big(at: box.start + 1, 3),
            let count = reader.big(at: box.start + 4, 4)
        else { return nil }
        let isWide = flags & 1 == 1
        var offset = box.start + 8
        for _ in 0..<min(count, 65_536) {
            guard let id = reader.item(at: offset, version) else { return nil }
            offset += version == 0 ? 2 : 4
            guard let associated = reader.big(at: offset, 1) else { return nil }
            offset += 1
            let width = isWide ? 2 : 1
            if id == item {
                return (0..<associated).compactMap { index in
                    reader.big(at: offset + index * width, width).map { $0 & (isWide ? 0x7FFF : 0x7F) }
                }
            }
            offset += associated * width
        }
        return nil
    }

    private static func size(_ reader: inout HeadReader, _ properties: [Box]) -> (width: Int, height: Int)? {
        var size: (width: Int, height: Int)?
        for box in properties {
            switch box.name {
            case "ispe":
                guard let width = reader.big(at: box.start + 4, 4), let height = reader.big(at: box.start + 8, 4) else {
                    return nil
                }
                size = (width, height)
            case "irot":
                guard let turn = reader.big(at: box.start, 1), let now = size else { return nil }
                if turn & 1 == 1 { size = (now.height, now.width) }
            case "clap":
                guard let now = size else { return nil }
                size = clean(&reader, box, of: now)
            default: continue
            }
        }
        return size
    }

    /// The part of an image that is to be seen: two fractions of 32-bit numbers.
    private static func clean(
        _ reader: inout HeadReader, _ box: Box, of size: (width: Int, height: Int)
    ) -> (width: Int, height: Int)? {
        func side(at offset: Int, atMost whole: Int) -> Int? {
            guard let top = reader.big(at: offset, 4), let bottom = reader.big(at: offset + 4, 4), bottom > 0 else {
                return nil
            }
            return min((top + bottom / 2) / bottom, whole)
        }
        guard let width = side(at: box.start, atMost: size.width),
            let height = side(at: box.start + 8, atMost: size.height)
        else { return nil }
        return (width, height)
    }
}

extension HeadReader {
    /// The version of a box that has one.
    fileprivate mutating func version(of box: Box) -> Int? { big(at: box.start, 1) }

    /// The number of an item, of 2 bytes in version 0 and of 4 in later ones.
    fileprivate mutating func item(at offset: Int, _ version: Int) -> Int? { big(at: offset, version == 0 ? 2 : 4) }
}
