/// A header value of the form `word; name=value; name="value"` (RFC 9110, section 5.6.6).
package struct HeaderParameters: Sendable, Equatable {
    /// What stands before the first semicolon, in lower case.
    package let word: String
    private let parameters: [Parameter]

    private struct Parameter: Sendable, Equatable {
        /// In lower case.
        let name: String
        let value: [UInt8]
    }

    /// Reads a value leniently: what is no parameter is passed over, and so is everything after the first 16.
    package init(_ value: some Sequence<UInt8>) {
        var reader = Reader(bytes: Array(value))
        word = reader.word()
        var parameters: [Parameter] = []
        while parameters.count < 16, let next = reader.next() { parameters.append(next) }
        self.parameters = parameters
    }

    /// The bytes of the first parameter of a name in lower case; nil if there is none.
    package subscript(_ name: String) -> [UInt8]? { parameters.first { $0.name == name }?.value }

    private struct Reader {
        let bytes: [UInt8]
        var place = 0

        mutating func word() -> String {
            lowercased(take { $0 != UInt8(ascii: ";") })
        }

        /// The next parameter, from a semicolon on.
        mutating func next() -> Parameter? {
            while place < bytes.count {
                place += 1
                let name = lowercased(take { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") })
                guard place < bytes.count, bytes[place] == UInt8(ascii: "=") else { continue }
                place += 1
                _ = take(ASCII.isBlank)
                let isQuoted = place < bytes.count && bytes[place] == UInt8(ascii: "\"")
                let value = isQuoted ? quoted() : trimmed(take { $0 != UInt8(ascii: ";") })
                _ = take { $0 != UInt8(ascii: ";") }
                if !name.isEmpty { return Parameter(name: name, value: value) }
            }
            return nil
        }

        /// A backslash hides only what it must: some clients send paths with bare ones.
        private mutating func quoted() -> [UInt8] {
            place += 1
            var value: [UInt8] = []
            while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
                if bytes[place] == UInt8(ascii: "\\"), place + 1 < bytes.count,
                    bytes[place + 1] == UInt8(ascii: "\"") || bytes[place + 1] == UInt8(ascii: "\\")
                {
                    place += 1
                }
                value.append(bytes[place])
                place += 1
            }
            return value
        }

        private mutating func take(_ isWanted: (UInt8) -> Bool) -> ArraySlice<UInt8> {
            let start = place
            while place < bytes.count, isWanted(bytes[place]) { place += 1 }
            return bytes[start..<place]
        }

        private func trimmed(_ text: ArraySlice<UInt8>) -> [UInt8] {
            var rest = text.drop(while: ASCII.isBlank)
            while let last = rest.last, ASCII.isBlank(last) { rest.removeLast() }
            return Array(rest)
        }

        private func lowercased(_ text: ArraySlice<UInt8>) -> String {
            String(decoding: trimmed(text).map(ASCII.lowercased), as: UTF8.self)
        }
    }
}
