import RowhouseModel
import Storage
import Testing

@Suite struct StoredConditionTests {
    private let record = RecordID(text: IdentifierText(time: 1, counter: 1))

    private func matches(_ condition: StoredCondition, _ cell: StoredCell) -> Bool {
        condition.matches(record) { $0 == 0 ? cell : .empty }
    }

    /// Cells beside conditions on field 0, and whether they hold.
    private static let cases: [(StoredCondition, StoredCell, Bool)] = [
        (.always, .empty, true), (.never, .empty, false),
        (.isEmpty(field: 0), .empty, true), (.isEmpty(field: 0), .integer(0), false),
        (.real(field: 0, .equal, 0), .empty, false), (.real(field: 0, .equal, 0), .real(-0.0), true),
        (.real(field: 0, .equal, 1), .integer(1), false), (.real(field: 0, .less, 2.5), .real(2.5), false),
        (.real(field: 0, .lessOrEqual, 2.5), .real(2.5), true), (.real(field: 0, .greater, 2.5), .real(3), true),
        (.integer(field: 0, .greaterOrEqual, .max), .integer(.max), true),
        (.integer(field: 0, .less, 9_007_199_254_740_993), .integer(9_007_199_254_740_992), true),
        (.integers(field: 0, [3, 1]), .integer(1), true), (.integers(field: 0, []), .integer(1), false),
        (.texts(field: 0, ["é"]), .text("e\u{301}"), false), (.texts(field: 0, ["b", "é"]), .text("é"), true),
        (.contains(field: 0, "b\u{0}c"), .text("ab\u{0}cd"), true), (.contains(field: 0, "B"), .text("ab"), false),
        (.contains(field: 0, "\u{301}"), .text("e\u{301}x"), true), (.contains(field: 0, "abc"), .text("ab"), false),
        (.not(.real(field: 0, .equal, 1)), .empty, true), (.not(.always), .empty, false),
        (.all([]), .empty, true), (.any([]), .empty, false),
        (.all([.always, .isEmpty(field: 0)]), .real(1), false), (.any([.never, .isEmpty(field: 0)]), .empty, true),
    ]

    @Test(arguments: cases)
    func `A condition holds or does not`(condition: StoredCondition, cell: StoredCell, isTrue: Bool) {
        #expect(matches(condition, cell) == isTrue, "\(condition)")
        #expect(matches(condition.negated, cell) == !isTrue, "not \(condition)")
        #expect(matches(.joined(all: [condition, .always, .all([.always])]), cell) == isTrue)
        #expect(matches(.joined(any: [.any([.never, condition]), .never, .texts(field: 1, ["x"])]), cell) == isTrue)
    }

    @Test func `A condition names records`() {
        let other = RecordID(text: IdentifierText(time: 2, counter: 1))
        #expect(matches(.records([other, record]), .empty))
        #expect(!matches(.records([other]), .empty))
    }

    @Test func `Tests for single values are joined into one`() {
        let joined = StoredCondition.joined(any: [
            .texts(field: 1, ["a"]), .records([record]), .texts(field: 1, ["b"]), .integers(field: 2, [1]),
            .integers(field: 2, [2]), .records([record]),
        ])
        guard case .any(let parts) = joined else { return #expect(Bool(false), "\(joined)") }
        #expect(parts.count == 3)
        #expect(joined.fields == [1, 2])
        #expect(joined.constants == 9)
    }
}
