/// The names of linked records as one text: `A, B, "C, D"`.
package enum LinkNames {
    /// The names in a text, without spaces around them; empty ones are left out. Nil for more than `limit`.
    ///
    /// A name in double quotes may hold commas, and quotes written twice; quotes anywhere else are part of the name.
    package static func split(_ text: String, limit: Int) -> [String]? {
        let bytes = Array(text.utf8)
        var names: [String] = []
        var start = 0
        while start < bytes.count {
            guard bytes[start] != space else {
                start += 1
                continue
            }
            let (name, end) = quoted(bytes, from: start) ?? plain(bytes, from: start)
            if !name.isEmpty { names.append(String(decoding: name, as: UTF8.self)) }
            guard names.count <= limit else { return nil }
            start = end + 1
        }
        return names
    }

    /// A name up to the next comma.
    private static func plain(_ bytes: [UInt8], from start: Int) -> (name: [UInt8], end: Int) {
        let end = bytes[start...].firstIndex(of: comma) ?? bytes.count
        var name = bytes[start..<end]
        while name.last == space { name.removeLast() }
        return (Array(name), end)
    }

    /// A name in quotes with nothing but spaces up to the next comma; nil where there is none.
    private static func quoted(_ bytes: [UInt8], from start: Int) -> (name: [UInt8], end: Int)? {
        guard bytes[start] == quote else { return nil }
        var name: [UInt8] = []
        var index = start + 1
        while index < bytes.count {
            if bytes[index] != quote {
                name.append(bytes[index])
                index += 1
            } else if index + 1 < bytes.count, bytes[index + 1] == quote {
                name.append(quote)
                index += 2
            } else {
                let end = bytes[index...].firstIndex(of: comma) ?? bytes.count
                return bytes[index + 1..<max(end, index + 1)].allSatisfy { $0 == space } ? (name, end) : nil
            }
        }
        return nil
    }

    private static let space = UInt8(ascii: " ")
    private static let comma = UInt8(ascii: ",")
    private static let quote = UInt8(ascii: "\"")
}
