/// The open connections, and how many things each address has running.
struct ConnectionRegistry {
    private(set) var connections: [ObjectIdentifier: Connection] = [:]
    private var counts: [String: Int] = [:]

    mutating func insert(_ connection: Connection) {
        connections[ObjectIdentifier(connection)] = connection
    }

    mutating func remove(_ connection: Connection) {
        connections[ObjectIdentifier(connection)] = nil
    }

    /// Counts one more for an address, and tells whether that is within the limit.
    mutating func begin(_ address: String, limit: Int) -> Bool {
        let count = counts[address, default: 0] &+ 1
        counts[address] = count
        return count <= limit
    }

    /// Takes back one ``begin(_:limit:)``.
    mutating func end(_ address: String) {
        guard let count = counts[address] else { return }
        counts[address] = count > 1 ? count &- 1 : nil
    }
}
