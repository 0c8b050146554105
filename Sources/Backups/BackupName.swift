package import CivilTime

/// How the folder of a backup is called: `rowhouse-2026-11-30T175500Z`, the time in UTC. No colon: some disks refuse it.
package struct BackupName: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let description: String

    /// What is being made or removed has this behind its name, so that it is never taken for whole.
    package static let partEnding = ".part"
    private static let beginning = "rowhouse-"

    /// The name of a backup made at this time.
    package init(_ time: Instant) {
        let text = time.iso8601.prefix { $0 != "." }.filter { $0 != ":" }
        description = "\(Self.beginning)\(text)Z"
    }

    /// Reads a name; nil for any other.
    package init?(_ text: String) {
        guard text.hasPrefix(Self.beginning) else { return nil }
        let time = Array(text.utf8.dropFirst(Self.beginning.utf8.count))
        let form = Array("0000-00-00T000000Z".utf8)
        let isDigit = { (byte: UInt8) in (48...57).contains(byte) }
        guard time.count == form.count, zip(time, form).allSatisfy({ $1 == 48 ? isDigit($0) : $0 == $1 }) else {
            return nil
        }
        description = text
    }

    /// Whether what is called so is a backup, or a leftover of one, that is not whole.
    package static func isPart(_ text: String) -> Bool {
        text.hasSuffix(partEnding) && BackupName(String(text.dropLast(partEnding.count))) != nil
    }

    package static func < (left: BackupName, right: BackupName) -> Bool { left.description < right.description }
}
