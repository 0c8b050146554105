extension TimeZoneRules {
    /// Reads a time zone file, TZif version 1 to 4 (RFC 8536 and its successor RFC 9636).
    ///
    /// - Throws: `TimeZoneError` for anything malformed, and for files that count leap seconds.
    package init(tzif bytes: [UInt8]) throws(TimeZoneError) {
        var reader = TZifReader(bytes: bytes)
        self = try reader.rules()
    }
}

/// A cursor over the bytes of a TZif file.
private struct TZifReader {
    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    private struct Header {
        var version: UInt8
        var universalFlags, standardFlags, leapSeconds, transitions, types, letters: Int

        func blockLength(timeSize: Int) -> Int {
            transitions * (timeSize + 1) + types * 6 + letters + leapSeconds * (timeSize + 4)
                + standardFlags + universalFlags
        }
    }

    mutating func rules() throws(TimeZoneError) -> TimeZoneRules {
        let first = try header()
        guard first.version > 0 else { return try block(first, timeSize: 4, footer: { _ in nil }) }
        _ = try take(first.blockLength(timeSize: 4))
        let second = try header()
        let end = position + second.blockLength(timeSize: 8)
        return try block(second, timeSize: 8) { (reader) throws(TimeZoneError) in
            reader.position = end
            return try reader.footer()
        }
    }

    private mutating func header() throws(TimeZoneError) -> Header {
        let start = try take(44)
        guard bytes[start..<start + 4].elementsEqual("TZif".utf8) else { throw TimeZoneError("Not a TZif file") }
        let counts = (0..<6).map { Int(integer(at: start + 20 + $0 * 4, size: 4)) }
        // Real files stay below a few thousand; the bound keeps all sums small.
        guard counts.allSatisfy({ 0...100_000 ~= $0 }) else { throw TimeZoneError("Too many entries") }
        return Header(
            version: bytes[start + 4], universalFlags: counts[0], standardFlags: counts[1], leapSeconds: counts[2],
            transitions: counts[3], types: counts[4], letters: counts[5])
    }

    private mutating func block(
        _ header: Header, timeSize: Int, footer: (inout TZifReader) throws(TimeZoneError) -> PosixTimeZone?
    ) throws(TimeZoneError) -> TimeZoneRules {
        guard header.leapSeconds == 0 else { throw TimeZoneError("Leap seconds are not supported") }
        let times = try take(header.transitions * timeSize)
        let indices = try take(header.transitions)
        let types = try localTimeTypes(header)
        guard let initialType = types.first else { throw TimeZoneError("No local time types") }
        let transitions = (0..<header.transitions).map { integer(at: times + $0 * timeSize, size: timeSize) }
        guard zip(transitions, transitions.dropFirst()).allSatisfy(<) else {
            throw TimeZoneError("Transitions are not in order")
        }
        let typesInOrder = bytes[indices..<indices + header.transitions].compactMap {
            Int($0) < types.count ? types[Int($0)] : nil
        }
        guard typesInOrder.count == transitions.count else { throw TimeZoneError("Unknown local time type") }
        return TimeZoneRules(
            transitions: transitions, types: typesInOrder, initialType: initialType, footer: try footer(&self))
    }

    private mutating func localTimeTypes(_ header: Header) throws(TimeZoneError) -> [TimeZoneRules.LocalTimeType] {
        let start = try take(header.types * 6)
        let letters = try take(header.letters)
        let names = bytes[letters..<letters + header.letters]
        var types: [TimeZoneRules.LocalTimeType] = []
        for entry in stride(from: start, to: start + header.types * 6, by: 6) {
            let offset = Int(integer(at: entry, size: 4))
            let name = names.dropFirst(Int(bytes[entry + 5])).prefix { $0 != 0 }
            guard -89_999...93_599 ~= offset else { throw TimeZoneError("Offset out of range") }
            guard name.endIndex < names.endIndex else { throw TimeZoneError("Unterminated abbreviation") }
            types.append(
                .init(
                    offsetSeconds: offset, isDaylightSaving: bytes[entry + 4] != 0,
                    abbreviation: String(decoding: name, as: UTF8.self)))
        }
        return types
    }

    private mutating func footer() throws(TimeZoneError) -> PosixTimeZone? {
        let newline = UInt8(ascii: "\n")
        guard position < bytes.count, bytes[position] == newline,
            let end = bytes[(position + 1)...].firstIndex(of: newline)
        else { throw TimeZoneError("No footer") }
        let text = bytes[position + 1..<end]
        guard !text.isEmpty else { return nil }
        guard let zone = PosixTimeZone(Array(text)) else { throw TimeZoneError("Unreadable footer") }
        return zone
    }

    /// Moves over so many bytes and returns where they begin.
    private mutating func take(_ count: Int) throws(TimeZoneError) -> Int {
        guard count <= bytes.count - position else { throw TimeZoneError("The file is cut off") }
        defer { position += count }
        return position
    }

    /// A big-endian signed integer of four or eight bytes that are known to be there.
    private func integer(at start: Int, size: Int) -> Int64 {
        let value = bytes[start..<start + size].reduce(UInt64(0)) { $0 &<< 8 | UInt64($1) }
        return size == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
    }
}
