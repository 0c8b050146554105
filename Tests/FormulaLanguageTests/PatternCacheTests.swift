import RegularExpressions
import Testing

@testable import FormulaLanguage

@Suite("The cache of patterns")
struct PatternCacheTests {
    @Test("A pattern that is asked for stays, and others are forgotten")
    func forgets() {
        let cache = PatternCache(generation: 3)
        cache.remember(RegularExpression("kept"), for: Array("kept".utf8))
        for number in 0..<20 {
            let key = Array("pattern \(number)".utf8)
            #expect(!isKnown(key, to: cache))
            cache.remember(nil, for: key)
            #expect(isKnown(key, to: cache))
            #expect(isKnown(Array("kept".utf8), to: cache))
        }
        let known = (0..<20).filter { isKnown(Array("pattern \($0)".utf8), to: cache) }
        #expect(known.count <= 6)
        #expect(known.contains(19))
    }

    private func isKnown(_ text: [UInt8], to cache: PatternCache) -> Bool {
        if case .some = cache.pattern(for: text) { true } else { false }
    }
}
