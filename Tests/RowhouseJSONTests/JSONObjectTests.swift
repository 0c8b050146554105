import RowhouseJSON
import Testing

@Suite struct JSONObjectTests {
    @Test func `every small size sets, replaces, removes and compares`() {
        for size in 0...40 {
            var object = JSONObject((0..<size).map { ("k\($0)", .number(Double($0))) })
            #expect(object.count == size)
            #expect(object.keys == (0..<size).map { "k\($0)" })
            #expect(object == JSONObject((0..<size).reversed().map { ("k\($0)", .number(Double($0))) }))
            #expect(object["none"] == nil)
            for index in 0..<size { object["k\(index)"] = .number(Double(index + 1)) }
            for index in 0..<size { #expect(object["k\(index)"] == .number(Double(index + 1))) }
            for index in stride(from: 0, to: size, by: 2) { object["k\(index)"] = nil }
            #expect(object.keys == stride(from: 1, to: size, by: 2).map { "k\($0)" })
            for index in 0..<size { #expect((object["k\(index)"] == nil) == (index % 2 == 0)) }
            object["k0"] = true
            #expect(object.keys.last == "k0")
        }
    }

    @Test func `objects with other keys or values are not equal`() {
        let object: JSONObject = ["a": 1, "b": 2]
        #expect(object != ["a": 1])
        #expect(object != ["a": 1, "b": 3])
        #expect(object != ["a": 1, "c": 2])
        #expect(object == ["b": 2, "a": 1])
    }

    @Test func `iteration gives the pairs in order`() {
        let object: JSONObject = ["b": 1, "a": nil, "c": "x"]
        #expect(object.map(\.key) == ["b", "a", "c"])
        #expect(object.map(\.value) == [1, nil, "x"])
    }
}
