import CMicrohttpd
import Glibc
import HTTPCore

/// Reads the header block of a request out of the library's buffer, in one pass and one copy.
///
/// The library is lenient: it joins folded lines, takes bare line feeds and NUL bytes. In its buffer the fields of a
/// well-formed block lie one after the other, each ended by the two bytes that were CR LF; any other distance betrays
/// one of those shapes, which proxies and servers read differently.
struct HeadReader {
    private var start: UnsafePointer<CChar>?
    private var next: UnsafePointer<CChar>
    private var fields: [HTTPHeaders.Field] = []
    private var isWellFormed = true
    private let limits: ServerLimits
    private var isTooLarge = false

    /// Reads the fields that follow the request line, which begins with the method and ends with the version.
    static func read(
        _ connection: OpaquePointer, _ method: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>,
        limits: ServerLimits
    ) throws(Refusal) -> HTTPHeaders {
        var reader = HeadReader(next: version + strlen(version) + 2, limits: limits)
        withUnsafeMutablePointer(to: &reader) {
            _ = MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { context, _, name, nameSize, value, valueSize in
                    guard let reader = context?.assumingMemoryBound(to: HeadReader.self), let name, let value else {
                        return .NO
                    }
                    reader.pointee.take(name, nameSize, value, valueSize)
                    return reader.pointee.isWellFormed && !reader.pointee.isTooLarge ? .YES : .NO
                }, $0)
        }
        guard reader.isWellFormed else { throw .malformed }
        guard !reader.isTooLarge else { throw .headersTooLarge }
        // The empty line must come next, and be the end: the library takes a line without a name for it.
        guard reader.next + 2 == method + mhd_head_size(connection) else { throw .malformed }
        guard let start = reader.start, let end = reader.fields.last?.value.upperBound else { return HTTPHeaders() }
        let block = UnsafeRawBufferPointer(start: start, count: Int(end))
        return HTTPHeaders(block: Array(block), fields: reader.fields)
    }

    private init(next: UnsafePointer<CChar>, limits: ServerLimits) {
        self.next = next
        self.limits = limits
        fields.reserveCapacity(16)
    }

    private mutating func take(
        _ name: UnsafePointer<CChar>, _ nameSize: Int, _ value: UnsafePointer<CChar>, _ valueSize: Int
    ) {
        let start = self.start ?? name
        self.start = start
        guard name == next, value > name + nameSize, nameSize > 0,
            HeadReader.allBytes(name, nameSize, ASCII.isTokenCharacter),
            HeadReader.allBytes(value, valueSize, { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
        else {
            isWellFormed = false
            return
        }
        next = value + valueSize + 2
        guard fields.count < limits.headerCount, next - start <= limits.headerBytes,
            let nameStart = Int32(exactly: name - start), let valueEnd = Int32(exactly: value + valueSize - start)
        else {
            isTooLarge = true
            return
        }
        fields.append(
            HTTPHeaders.Field(
                name: nameStart..<(nameStart + Int32(nameSize)), value: (valueEnd - Int32(valueSize))..<valueEnd))
    }

    private static func allBytes(_ start: UnsafePointer<CChar>, _ count: Int, _ test: (UInt8) -> Bool) -> Bool {
        UnsafeRawBufferPointer(start: start, count: count).allSatisfy(test)
    }
}
