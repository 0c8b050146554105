/// Writes JSON (RFC 8259) without white space into one buffer; commas come by themselves.
///
/// The caller opens and closes in pairs and puts a key before each value of an object. Nothing is escaped that need
/// not be: `"`, `\` and control characters are, all other UTF-8 stands as it is.
package struct JSONWriter: Sendable {
    private var buffer: ByteBuffer
    private var needsComma = false

    /// An empty writer with room for so many bytes.
    package init(capacity: Int = 256) {
        buffer = ByteBuffer(capacity: capacity)
    }

    /// A copy of what has been written so far; `finish` gives it without copying.
    package var bytes: [UInt8] { buffer.bytes }

    /// How many bytes have been written so far.
    package var count: Int { buffer.count }

    /// Ends the writing and hands the bytes over.
    package consuming func finish() -> [UInt8] { buffer.finish() }

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
        buffer.appendString(name.utf8Span.span)
        buffer.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes the key of the next value from bytes that `escapedKey` made.
    package mutating func key(escaped key: [UInt8]) {
        if needsComma { buffer.appendSeparated(key.span) } else { buffer.append(key.span) }
        needsComma = false
    }

    /// Writes the key of the next value from a part of `bytes` that `escapedKey` made; a part outside is left out.
    package mutating func key(escaped bytes: [UInt8], start: Int, count: Int) {
        appendPart(of: bytes, start: start, count: count)
        needsComma = false
    }

    /// Writes a part of `bytes` that is one valid JSON value; a part outside is left out.
    package mutating func raw(_ bytes: [UInt8], start: Int, count: Int) {
        appendPart(of: bytes, start: start, count: count)
        needsComma = true
    }

    /// Writes a string.
    package mutating func string(_ value: String) {
        separate()
        buffer.appendString(value.utf8Span.span)
    }

    /// Writes `count` bytes from `start` on, known to be valid UTF-8, as a string; bytes outside the array are left out.
    package mutating func string(utf8: [UInt8], start: Int, count: Int) {
        separate()
        let first = min(max(0, start), utf8.count)
        let length = min(max(0, count), utf8.count &- first)
        buffer.appendString(utf8.span.extracting(first..<first &+ length))
    }

    /// Writes the number in the shortest form that reads back the same, as JavaScript does; not finite: `null`.
    package mutating func number(_ value: Double) {
        separate()
        buffer.appendNumber(value)
    }

    /// Writes the integer with all its digits.
    package mutating func integer(_ value: Int64) {
        separate()
        buffer.appendInteger(value)
    }

    /// Writes `true` or `false`.
    package mutating func bool(_ value: Bool) {
        separate()
        buffer.append(value ? "true" : "false")
    }

    /// Writes `null`.
    package mutating func null() {
        separate()
        buffer.append("null")
    }

    /// Writes bytes that are already one valid JSON value.
    package mutating func raw(_ json: [UInt8]) {
        separate()
        buffer.append(json.span)
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
        var buffer = ByteBuffer(capacity: text.utf8.count &+ 2)
        buffer.appendString(text.utf8Span.span)
        return buffer.finish()
    }

    private mutating func appendPart(of bytes: [UInt8], start: Int, count: Int) {
        guard start >= 0, count >= 0, start <= bytes.count, count <= bytes.count &- start else { return }
        let part = bytes.span.extracting(start..<start &+ count)
        if needsComma { buffer.appendSeparated(part) } else { buffer.append(part) }
    }

    private mutating func separate() {
        if needsComma { buffer.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        buffer.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        buffer.append(bracket)
        needsComma = true
    }
}
