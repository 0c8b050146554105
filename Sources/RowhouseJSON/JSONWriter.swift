/// Writes JSON (RFC 8259) without white space into one buffer; commas come by themselves.
///
/// The caller opens and closes in pairs and puts a key before each value of an object. Nothing is escaped that need
/// not be: `"`, `\` and control characters are, all other UTF-8 stands as it is.
package struct JSONWriter: Sendable {
    /// What has been written so far.
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// An empty writer with room for so many bytes.
    package init(capacity: Int = 256) {
        bytes.reserveCapacity(max(0, capacity))
    }

    /// Opens an object.
    package mutating func beginObject() { open(UInt8(ascii: "{")) }

    /// Closes the innermost object.
    package mutating func endObject() { close(UInt8(ascii: "}")) }

    /// Opens an array.
    package mutating func beginArray() { open(UInt8(ascii: "[")) }

    /// Closes the innermost array.
    package mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes the key of the next value.
    package mutating func key(_ name: String) {
        separate()
        bytes.appendJSONString(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes the key of the next value from bytes that `escapedKey` made.
    package mutating func key(escaped key: [UInt8]) {
        separate()
        bytes.append(contentsOf: key)
        needsComma = false
    }

    /// Writes a string.
    package mutating func string(_ value: String) {
        separate()
        bytes.appendJSONString(value)
    }

    /// Writes `count` bytes from `start` on, known to be valid UTF-8, as a string; bytes outside the array are left out.
    package mutating func string(utf8: [UInt8], start: Int, count: Int) {
        separate()
        let first = min(max(0, start), utf8.count)
        bytes.appendJSONString(utf8, first..<first &+ min(max(0, count), utf8.count &- first))
    }

    /// Writes the number in the shortest form that reads back the same, as JavaScript does; not finite: `null`.
    package mutating func number(_ value: Double) {
        separate()
        bytes.appendJSONNumber(value)
    }

    /// Writes the integer with all its digits.
    package mutating func integer(_ value: Int64) {
        separate()
        bytes.appendDecimal(value)
    }

    /// Writes `true` or `false`.
    package mutating func bool(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    /// Writes `null`.
    package mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// Writes bytes that are already one valid JSON value.
    package mutating func raw(_ json: [UInt8]) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// Writes a whole value.
    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .number(let value): number(value)
        case .string(let value): string(value)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let members):
            beginObject()
            for (key, value) in members {
                self.key(key)
                self.value(value)
            }
            endObject()
        }
    }

    /// The bytes `"name":`, for keys that are written again and again.
    package static func escapedKey(_ name: String) -> [UInt8] {
        escapedString(name) + [UInt8(ascii: ":")]
    }

    /// The text as a JSON string with its quotes.
    package static func escapedString(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendJSONString(text)
        return bytes
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }
}
