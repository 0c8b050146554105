/// The header fields of a request, in the order they came; names are matched without regard to case.
///
/// They stay one block of bytes, and a value becomes a `String` only when asked for: most requests ask for one or two.
package struct HTTPHeaders: Sendable {
    /// Where the name and the value of one field lie in the block.
    package struct Field: Sendable {
        package var name: Range<Int32>
        package var value: Range<Int32>

        package init(name: Range<Int32>, value: Range<Int32>) {
            self.name = name
            self.value = value
        }
    }

    private var block: [UInt8]
    private var fields: [Field]

    /// No fields.
    package init() {
        block = []
        fields = []
    }

    /// Fields that lie in `block`; those with places outside it are left out, and white space around values is not theirs.
    package init(block: [UInt8], fields: [Field]) {
        let bounds = 0..<Int32(clamping: block.count + 1)
        let isInside = { (place: Range<Int32>) in bounds.contains(place.lowerBound) && bounds.contains(place.upperBound)
        }
        self.block = block
        self.fields =
            fields.allSatisfy { isInside($0.name) && isInside($0.value) }
            ? fields : fields.filter { isInside($0.name) && isInside($0.value) }
    }

    /// Fields from names and values, for requests made by hand.
    package init(_ pairs: [(name: String, value: String)]) {
        self.init()
        for (name, value) in pairs {
            let start = Int32(clamping: block.count)
            block.append(contentsOf: name.utf8)
            let middle = Int32(clamping: block.count)
            block.append(contentsOf: value.utf8)
            let end = Int32(clamping: block.count)
            fields.append(Field(name: start..<middle, value: middle..<end))
        }
    }

    /// The number of fields.
    package var count: Int { fields.count }

    /// The first value of a name, repaired where it is not UTF-8; nil if there is none.
    package subscript(_ name: String) -> String? {
        for field in fields where isNamed(field, name) { return value(field) }
        return nil
    }

    /// The bytes of the first value of a name, without a copy; nil if there is none.
    package func bytes(_ name: String) -> ArraySlice<UInt8>? {
        for field in fields where isNamed(field, name) { return block[trimmed(field.value)] }
        return nil
    }

    /// Every value of a name, in order.
    package func values(_ name: String) -> [String] {
        fields.filter { isNamed($0, name) }.map(value)
    }

    /// How many fields have this name.
    package func count(of name: String) -> Int {
        var result = 0
        for field in fields where isNamed(field, name) { result += 1 }
        return result
    }

    /// Every field as texts, in order.
    package var all: [(name: String, value: String)] { fields.map { (text($0.name), value($0)) } }

    private func text(_ place: Range<Int32>) -> String {
        String(decoding: block[Int(place.lowerBound)..<Int(place.upperBound)], as: UTF8.self)
    }

    private func isNamed(_ field: Field, _ name: String) -> Bool {
        let wanted = name.utf8Span.span
        guard field.name.count == wanted.count else { return false }
        let found = block.span.extracting(Int(field.name.lowerBound)..<Int(field.name.upperBound))
        for index in wanted.indices {
            guard ASCII.lowercased(wanted[index]) == ASCII.lowercased(found[index]) else { return false }
        }
        return true
    }

    /// White space around a value is not part of it.
    private func value(_ field: Field) -> String { String(decoding: block[trimmed(field.value)], as: UTF8.self) }

    private func trimmed(_ place: Range<Int32>) -> Range<Int> {
        var (low, high) = (Int(place.lowerBound), Int(place.upperBound))
        while low < high, ASCII.isBlank(block[low]) { low += 1 }
        while low < high, ASCII.isBlank(block[high - 1]) { high -= 1 }
        return low..<high
    }
}
