import Glibc
import Media
import Platform
import Testing

@Suite struct ImageHeadFuzzTests {
    /// Runs for `ROWHOUSE_FUZZ_SECONDS` seconds (two by default), with `ROWHOUSE_FUZZ_SEED` or a new seed.
    @Test func `damaged heads never trap and a head has pixels`() throws {
        let seconds = environment("ROWHOUSE_FUZZ_SECONDS").flatMap(Double.init) ?? 2
        let seed = environment("ROWHOUSE_FUZZ_SEED").flatMap(UInt64.init) ?? UInt64.random(in: 1...UInt64.max)
        print("image head fuzz: seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        var heads = try HeadTable.read().map(\.bytes).filter { !$0.isEmpty }
        for name in try ImageHeadTests.names(in: HeadTable.folder + "/files") {
            heads.append(try ReadFile.bytes(of: "\(HeadTable.folder)/files/\(name)", limit: 1 << 20))
        }
        let end = ContinuousClock.now + .seconds(seconds)
        var counts = (tried: 0, accepted: 0)
        while ContinuousClock.now < end {
            for _ in 0..<256 {
                var bytes = heads.randomElement(using: &generator) ?? []
                for _ in 0..<Int.random(in: 1...4, using: &generator) { damage(&bytes, using: &generator) }
                counts.tried += 1
                guard let head = ImageHead(bytes: bytes) else { continue }
                counts.accepted += 1
                #expect(head.width > 0 && head.height > 0, "seed \(seed), bytes \(bytes)")
                // Neither may overflow.
                _ = (head.isTooLarge, head.dimensions)
            }
        }
        print("image head fuzz: seed \(seed), \(counts.tried) heads, \(counts.accepted) accepted")
        #expect(counts.accepted > 0 && counts.accepted < counts.tried)
    }

    private func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    private func damage(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 1: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
        case 2: bytes.removeSubrange(place...)
        case 3: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
        case 4: for offset in place..<min(place + 4, bytes.count) { bytes[offset] = 0xFF }
        default:
            let end = Int.random(in: place...bytes.count, using: &generator)
            bytes.insert(contentsOf: Array(bytes[place..<min(end, place + 64)]), at: place)
        }
    }
}
