/// A cursor over the bytes of one document; one method a rule of the grammar.
struct JSONReader {
    let bytes: [UInt8]
    var position = 0
    private var depthLeft: Int

    init(bytes: [UInt8], depth: Int) {
        self.bytes = bytes
        self.depthLeft = depth
    }

    mutating func document() throws(JSONError) -> JSONValue {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw JSONError("A byte order mark is not allowed", at: 0) }
        skipWhitespace()
        let result = try value()
        skipWhitespace()
        guard position == bytes.count else { throw failure("Unexpected text after the value") }
        return result
    }

    /// The byte under the cursor; nil at the end.
    var current: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    func failure(_ reason: String) -> JSONError {
        JSONError(position < bytes.count ? reason : "Unexpected end of the document", at: position)
    }

    private mutating func skipWhitespace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position &+= 1 }
    }

    private mutating func value() throws(JSONError) -> JSONValue {
        guard let byte = current else { throw failure("Expected a value") }
        switch byte {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .array(try array())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: throw failure("Expected a value")
        }
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for letter in word.utf8 {
            guard current == letter else { throw failure("Unknown word") }
            position &+= 1
        }
        return value
    }

    private mutating func array() throws(JSONError) -> [JSONValue] {
        try open()
        var elements: [JSONValue] = []
        if try closes(UInt8(ascii: "]")) { return elements }
        repeat {
            skipWhitespace()
            elements.append(try value())
        } while try continues(until: UInt8(ascii: "]"), "Expected a comma or the end of the array")
        return elements
    }

    private mutating func object() throws(JSONError) -> JSONObject {
        try open()
        var members = JSONObject()
        if try closes(UInt8(ascii: "}")) { return members }
        repeat {
            skipWhitespace()
            guard current == UInt8(ascii: "\"") else { throw failure("Expected a key") }
            let key = try string()
            skipWhitespace()
            guard current == UInt8(ascii: ":") else { throw failure("Expected a colon") }
            position &+= 1
            skipWhitespace()
            members.set(key, to: try value())
        } while try continues(until: UInt8(ascii: "}"), "Expected a comma or the end of the object")
        return members
    }

    private mutating func open() throws(JSONError) {
        guard depthLeft > 0 else { throw failure("Nested too deeply") }
        depthLeft &-= 1
        position &+= 1
    }

    private mutating func closes(_ bracket: UInt8) throws(JSONError) -> Bool {
        skipWhitespace()
        guard current == bracket else { return false }
        depthLeft &+= 1
        position &+= 1
        return true
    }

    private mutating func continues(until bracket: UInt8, _ reason: String) throws(JSONError) -> Bool {
        if try closes(bracket) { return false }
        guard current == UInt8(ascii: ",") else { throw failure(reason) }
        position &+= 1
        return true
    }
}
