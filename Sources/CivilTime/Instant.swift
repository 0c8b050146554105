/// A point in time, counted in milliseconds since 1970-01-01T00:00:00Z.
package struct Instant: Hashable, Comparable, Sendable {
    package var milliseconds: Int64
    package init(milliseconds: Int64) { self.milliseconds = milliseconds }
    package static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
}
