/// What a Range header asks of a file (RFC 9110, section 14).
package enum ByteRange: Equatable, Sendable {
    /// Everything: the header is not understood, or asks for several parts.
    case whole
    case part(Range<Int>)
    /// Not one byte of the file.
    case unsatisfiable

    /// Reads `bytes=0-99`, `bytes=100-` and `bytes=-100` against a file's size.
    package init(_ value: String, size: Int) {
        let bytes = Array(value.utf8)
        let unit = Array("bytes=".utf8)
        self = .whole
        guard bytes.count > unit.count, zip(bytes, unit).allSatisfy({ ASCII.lowercased($0) == $1 }) else { return }
        let rest = bytes.dropFirst(unit.count).filter { !ASCII.isBlank($0) }
        guard let dash = rest.firstIndex(of: UInt8(ascii: "-")) else { return }
        let (low, high) = (rest[..<dash], rest[(dash + 1)...])
        guard low.allSatisfy(ByteRange.isDigit), high.allSatisfy(ByteRange.isDigit), !(low.isEmpty && high.isEmpty)
        else { return }
        if low.isEmpty {
            let length = min(ByteRange.number(high), size)
            self = length > 0 ? .part((size - length)..<size) : .unsatisfiable
            return
        }
        let start = ByteRange.number(low)
        let last = high.isEmpty ? Int.max : ByteRange.number(high)
        guard last >= start else { return }
        self = start < size ? .part(start..<(min(last, size - 1) + 1)) : .unsatisfiable
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Digits that do not fit are past the end of every file.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int {
        Int(String(decoding: digits, as: UTF8.self)) ?? .max
    }
}
