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
    // Checked once here, so that the compiler can drop the check of every byte and copy many at once.
    guard start >= 0, start <= output.count &- source.count else { return }
    for index in 0..<source.count { output[start &+ index] = source[index] }
}
