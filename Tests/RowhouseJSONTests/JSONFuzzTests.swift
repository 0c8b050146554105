import Glibc
import RowhouseJSON
import Testing

@Suite struct JSONFuzzTests {
    /// Runs for `ROWHOUSE_FUZZ_SECONDS` seconds (two by default), with `ROWHOUSE_FUZZ_SEED` or a new seed.
    @Test func `damaged documents never trap and whatever is accepted reads back equal`() {
        let seconds = environment("ROWHOUSE_FUZZ_SECONDS").flatMap(Double.init) ?? 2
        let seed = environment("ROWHOUSE_FUZZ_SEED").flatMap(UInt64.init) ?? UInt64.random(in: 1...UInt64.max)
        print("JSON fuzz: seed \(seed)")
        let counts = fuzzJSON(seconds: seconds, seed: seed)
        print("JSON fuzz: seed \(seed), \(counts.documents) documents, \(counts.accepted) accepted")
        #expect(counts.accepted > 0 && counts.accepted < counts.documents)
    }

    private func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}

/// Feeds damaged documents and noise to the parser; an accepted value must survive writing and reading.
func fuzzJSON(seconds: Double, seed: UInt64) -> (documents: Int, accepted: Int) {
    var generator = SeededGenerator(seed: seed)
    let end = ContinuousClock.now + .seconds(seconds)
    var counts = (documents: 0, accepted: 0)
    while ContinuousClock.now < end {
        for _ in 0..<64 {
            let document = fuzzDocument(using: &generator)
            counts.documents += 1
            guard let value = try? JSONParser.parse(document) else { continue }
            counts.accepted += 1
            #expect((try? JSONParser.parse(value.bytes)) == value, "seed \(seed), document \(document)")
        }
    }
    return counts
}

private func fuzzDocument(using generator: inout SeededGenerator) -> [UInt8] {
    if Int.random(in: 0..<8, using: &generator) == 0 { return noise(using: &generator) }
    var document = JSONValue.random(using: &generator, depth: 3).bytes
    for _ in 0..<Int.random(in: 0..<4, using: &generator) { damage(&document, using: &generator) }
    return document
}

private func noise(using generator: inout SeededGenerator) -> [UInt8] {
    let isPunctuation = Bool.random(using: &generator)
    return (0..<Int.random(in: 0..<200, using: &generator)).map { _ in
        isPunctuation
            ? pieces.randomElement(using: &generator)?.utf8.first ?? 0 : UInt8.random(in: 0...255, using: &generator)
    }
}

private let pieces = [
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\uD83D", "\\uDE00", "\\ud800", "0", "1", "-", ".", "e", "E+",
    "1e308",
    "e99999999", "00", " ", "\n", "\t", "\0", "true", "false", "null", "nul", "{\"\":", "[[[[", "]]]]", "\u{FEFF}", "é",
    "😀",
]

private func damage(_ document: inout [UInt8], using generator: inout SeededGenerator) {
    let place = Int.random(in: 0...document.count, using: &generator)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: document.insert(UInt8.random(in: 0...255, using: &generator), at: place)
    case 1: document.insert(contentsOf: (pieces.randomElement(using: &generator) ?? "").utf8, at: place)
    case 2: document.removeSubrange(place...)
    case 3 where place < document.count: document.remove(at: place)
    case 4 where place < document.count: document[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    default:
        let end = Int.random(in: place...document.count, using: &generator)
        document.insert(contentsOf: document[place..<min(end, place + 64)], at: place)
    }
}
