import Storage
import Testing

@Suite struct PlaceTextTests {
    private static func isRising(_ texts: [String]) -> Bool {
        zip(texts, texts.dropFirst()).allSatisfy { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    @Test func `There are as many places as asked for between any two, in order`() {
        let ids = ["00000000000000", "00000000000001", "0zzzzzzzzzzzzz", "zzzzzzzzzzzzzz"]
        for count in [1, 2, 3, 10, 1_000] {
            for (lower, upper) in [("", ids[0]), (ids[0], ids[1]), (ids[1], ids[2]), (ids[2], ids[3]), ("", ids[3])] {
                let places = PlaceText.places(count, between: lower, and: upper)
                #expect(places.count == count)
                #expect(Self.isRising([lower] + places + [upper]))
                #expect(places.allSatisfy { $0.utf8.count <= 18 })
            }
        }
    }

    @Test func `Places after all stand before every later id`() {
        for count in [1, 7, 1_000] {
            let places = PlaceText.places(count, between: "0abcdefgh00001", and: nil)
            #expect(Self.isRising(["0abcdefgh00001"] + places + ["0abcdefgh00002"]))
        }
    }

    @Test func `Room does not run out wherever things are put`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed)
        for habit in 0..<5 {
            var order = ["0000AAAA000001", "0000AAAA000002", "0000AAAA000003"]
            for _ in 0..<800 {
                let index: Int
                switch habit {
                case 0: index = 0
                case 1: index = order.count
                case 2: index = 1
                case 3: index = order.count - 1
                default: index = Int.random(in: 0...order.count, using: &random)
                }
                let lower = index == 0 ? "" : order[index - 1]
                let upper = index == order.count ? nil : order[index]
                order.insert(contentsOf: PlaceText.places(1, between: lower, and: upper), at: index)
            }
            #expect(Self.isRising(order), "seed \(seed) habit \(habit)")
            #expect(order.allSatisfy { !$0.hasSuffix("!") }, "seed \(seed) habit \(habit)")
        }
    }
}
