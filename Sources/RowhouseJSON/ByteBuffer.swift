/// A growing buffer that is filled through spans.
///
/// `Array.append` checks uniqueness and retains for every piece; a page of records is thousands of pieces of a few
/// bytes, so the room is zeroed in advance and one check serves a whole piece.
struct ByteBuffer: Sendable {
    private(set) var count = 0
    private var storage: [UInt8]

    init(capacity: Int) {
        storage = [UInt8](repeating: 0, count: min(max(0, capacity), 1 << 30))
    }

    var bytes: [UInt8] { Array(storage[..<count]) }

    consuming func finish() -> [UInt8] {
        storage.removeLast(storage.count &- count)
        return storage
    }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        storage[count] = byte
        count &+= 1
    }

    mutating func append(_ text: StaticString) {
        append(String(describing: text).utf8Span.span)
    }

    mutating func append(_ source: Span<UInt8>) {
        reserve(source.count)
        let end = count
        var output = storage.mutableSpan
        copy(source, to: &output, at: end)
        count = end &+ source.count
    }

    /// Appends a comma and the bytes.
    mutating func appendSeparated(_ source: Span<UInt8>) {
        reserve(source.count &+ 1)
        let end = count
        var output = storage.mutableSpan
        output[end] = UInt8(ascii: ",")
        copy(source, to: &output, at: end &+ 1)
        count = end &+ 1 &+ source.count
    }

    /// Appends bytes between quotes that need no escape.
    mutating func appendQuoted(_ source: Span<UInt8>) {
        reserve(source.count &+ 2)
        let start = count &+ 1
        var output = storage.mutableSpan
        output[start &- 1] = UInt8(ascii: "\"")
        copy(source, to: &output, at: start)
        output[start &+ source.count] = UInt8(ascii: "\"")
        count = start &+ source.count &+ 1
    }

    @inline(__always) private mutating func reserve(_ additional: Int) {
        if storage.count &- count < additional { grow(additional) }
    }

    @inline(never) private mutating func grow(_ additional: Int) {
        storage.append(contentsOf: repeatElement(0, count: max(64, storage.count, additional)))
    }
}

@inline(__always) private func copy(_ source: Span<UInt8>, to output: inout MutableSpan<UInt8>, at start: Int) {
    let last = source.count &- 8
    guard last >= 0 else { return copyFew(source, to: &output, at: start) }
    var position = 0
    while position < last {
        copyEight(source, from: position, to: &output, at: start &+ position)
        position &+= 8
    }
    // The last eight may have been copied in part already; once more costs less than single bytes.
    copyEight(source, from: last, to: &output, at: start &+ last)
}

@inline(__always) private func copyFew(_ source: Span<UInt8>, to output: inout MutableSpan<UInt8>, at start: Int) {
    for index in source.indices { output[start &+ index] = source[index] }
}

/// Copies eight bytes; written so that the compiler makes one load and one store of it.
@inline(__always) private func copyEight(
    _ source: Span<UInt8>, from position: Int, to output: inout MutableSpan<UInt8>, at place: Int
) {
    let bytes = source.extracting(position..<position &+ 8)
    let (byte0, byte1, byte2, byte3) = (bytes[0], bytes[1], bytes[2], bytes[3])
    let (byte4, byte5, byte6, byte7) = (bytes[4], bytes[5], bytes[6], bytes[7])
    guard place >= 0, place <= output.count &- 8 else { return }
    output[place] = byte0
    output[place &+ 1] = byte1
    output[place &+ 2] = byte2
    output[place &+ 3] = byte3
    output[place &+ 4] = byte4
    output[place &+ 5] = byte5
    output[place &+ 6] = byte6
    output[place &+ 7] = byte7
}
