import Synchronization

/// Time zones by IANA name, loaded once each.
package final class TimeZoneDatabase: Sendable {
    private struct Cache {
        var zones: [String: TimeZoneRules] = ["utc": .utc, "UTC": .utc]
        var unknown: Set<String> = []
    }

    private let load: @Sendable (String) -> [UInt8]?
    private let cache = Mutex(Cache())
    /// There are some six hundred names; whoever asks for others must not fill the memory.
    private static let limit = 1024

    /// A database over a function that gives the TZif bytes of a name, or nil when there is none.
    ///
    /// The function is only called with names of at most 64 letters, digits and `_+-/` without an empty part, outside
    /// any lock and possibly by several threads at once.
    package init(load: @escaping @Sendable (String) -> [UInt8]?) { self.load = load }

    /// The rules of the zone, or nil for a name that is malformed, unknown or has an unreadable file.
    package func zone(named name: String) -> TimeZoneRules? {
        guard Self.isAcceptable(name) else { return nil }
        let known: TimeZoneRules?? = cache.withLock { cache in
            if let zone = cache.zones[name] { return .some(zone) }
            return cache.unknown.contains(name) ? .some(nil) : .none
        }
        if let known { return known }
        let zone = load(name).flatMap { try? TimeZoneRules(tzif: $0) }
        remember(zone, as: name)
        return zone
    }

    private func remember(_ zone: TimeZoneRules?, as name: String) {
        cache.withLock { cache in
            if let zone {
                if cache.zones.count >= Self.limit { cache.zones = Cache().zones }
                cache.zones[name] = zone
            } else {
                if cache.unknown.count >= Self.limit { cache.unknown = [] }
                cache.unknown.insert(name)
            }
        }
    }

    /// Whether the name can be handed to a file system: no dots, no empty parts, nothing absolute.
    static func isAcceptable(_ name: String) -> Bool {
        let bytes = name.utf8
        guard 1...64 ~= bytes.count else { return false }
        guard bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty })
        else { return false }
        return bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "/"):
                true
            default: false
            }
        }
    }
}
