import Glibc
import Media
import Platform
import RowhouseModel
import Testing

@Suite struct ImageHeadTests {
    @Test func `Heads are read as their specifications say`() throws {
        let cases = try HeadTable.read()
        for item in cases {
            #expect(HeadTable.describe(ImageHead(bytes: item.bytes)) == item.expected, "\(item.name)")
        }
        #expect(cases.count >= 60)
    }

    @Test func `A head that is cut anywhere is no head or the same but for its turn`() throws {
        for item in try HeadTable.read() {
            guard let whole = ImageHead(bytes: item.bytes) else { continue }
            for count in 0..<item.bytes.count {
                guard let cut = ImageHead(bytes: Array(item.bytes[..<count])) else { continue }
                #expect((cut.width, cut.height) == (whole.width, whole.height), "\(item.name) cut at \(count)")
            }
        }
    }

    /// Files of other programs, which tell kind and size in their names: `<what>-<width>x<height>.<ending>`.
    @Test func `Files of other programs are as large as they say`() throws {
        var formats: Set<ImageFormat> = []
        let names = try Self.names(in: HeadTable.folder + "/files")
        for name in names {
            let file = try OpenFile("\(HeadTable.folder)/files/\(name)")
            let head = try #require(ImageHead(file: file), "\(name)")
            formats.insert(head.format)
            let size = "\(head.dimensions.width)x\(head.dimensions.height)"
            #expect(name.contains("-\(size)."), "\(name): \(size)")
            #expect(name.hasSuffix(head.format == .jpeg ? ".jpg" : ".\(head.format.rawValue.dropFirst(6))"))
        }
        #expect(names.count >= 18)
        #expect(formats.count == 6)
    }

    @Test func `A photo may have megabytes of data before its size and is read in few pieces`() throws {
        var bytes: [UInt8] = [0xFF, 0xD8]
        for _ in 0..<100 { bytes += [0xFF, 0xE2, 0xFF, 0xFF] + [UInt8](repeating: 7, count: 65_533) }
        bytes += [0xFF, 0xC0, 0, 17, 8, 0, 32, 0, 48] + [UInt8](repeating: 0, count: 10)
        #expect(HeadTable.describe(ImageHead(bytes: bytes)) == "jpeg 48x32 1")
    }

    @Test func `A file made to be slow is given up`() {
        let png = HeadTable.png + [0, 0, 0, 9, 0, 0, 0, 9, 8, 2, 0, 0, 0, 0, 0, 0, 0]
        let webP =
            Array("RIFF".utf8) + [0, 0, 0, 9] + Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 8, 0, 0]
        let turns: [[UInt8]] = [
            [0xFF, 0xD8] + Self.times(2_000_000, [0xFF, 0xE0, 0, 2]),
            [0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 8_000_000),
            png + Self.times(600_000, [0, 0, 0, 0, 65, 65, 65, 65, 0, 0, 0, 0]),
            webP + Self.times(900_000, Array("ANMF".utf8) + [0, 0, 0, 0]),
            [0, 0, 0, 16] + Array("ftypheic".utf8) + [0, 0, 0, 0] + Self.times(900_000, [0, 0, 0, 8, 70, 82, 69, 69]),
        ]
        let began = ContinuousClock.now
        for bytes in turns {
            let head = ImageHead(bytes: bytes)
            #expect(head == nil || head?.orientation == .upright)
        }
        #expect(ContinuousClock.now - began < .seconds(20))
    }

    @Test func `What is too large is told by sides and pixels`() {
        let limits: [(width: Int, height: Int, isTooLarge: Bool)] = [
            (30_000, 4000, false), (30_001, 1, true), (1, 30_001, true), (30_000, 4001, true), (10_000, 12_000, false),
            (65_535, 65_535, true), (Int(Int32.max), Int(Int32.max), true), (1, 30_000, false),
        ]
        for (width, height, isTooLarge) in limits {
            let bytes = HeadTable.png + Self.big(width) + Self.big(height) + [8, 2, 0, 0, 0]
            #expect(ImageHead(bytes: bytes)?.isTooLarge == isTooLarge, "\(width)x\(height)")
        }
    }

    private static func big(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (24 - 8 * $0) & 255) } }

    private static func times(_ count: Int, _ piece: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count * piece.count)
        for _ in 0..<count { bytes += piece }
        return bytes
    }

    static func names(in folder: String) throws -> [String] {
        let directory = try #require(opendir(folder))
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
