/// Why bytes are not a usable time zone file.
package struct TimeZoneError: Error, Equatable, Sendable {
    /// A short English sentence without a full stop.
    package let reason: String

    init(_ reason: String) { self.reason = reason }
}
