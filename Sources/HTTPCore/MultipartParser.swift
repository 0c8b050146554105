/// Reads a multipart/form-data body (RFC 7578) in pieces of any size; it holds no more than one piece and a header block.
package struct MultipartParser: Sendable {
    /// Bytes of the headers of one part.
    package static let headerLimit = 8 * 1024
    /// Parts of one body.
    package static let partLimit = 20

    private enum State {
        /// Before the first delimiter, whose line the body's beginning may be.
        case preamble
        case headers
        case content
        case epilogue
        case failed(MultipartError)
    }

    /// Two hyphens and the boundary, after the end of a line.
    private let delimiter: [UInt8]
    private var state = State.preamble
    private var parts = 0
    /// What cannot be understood without what follows. It begins with the end of a line that the body need not have.
    private var held: [UInt8] = [13, 10]

    /// - Parameter contentType: the header's value; nil for another type, or without a boundary of 1 to 70 characters.
    package init?(contentType: String) {
        let parameters = HeaderParameters(contentType.utf8)
        guard parameters.word == "multipart/form-data", let boundary = parameters["boundary"],
            (1...70).contains(boundary.count), boundary.last != 0x20,
            boundary.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        delimiter = [13, 10, 0x2D, 0x2D] + boundary
    }

    /// Reads the next bytes of the body, and hands on what they complete.
    package mutating func read(
        _ bytes: borrowing Span<UInt8>, into sink: inout some MultipartSink
    ) throws(MultipartError) {
        if case .epilogue = state { return }
        if case .failed(let error) = state { throw error }
        var buffer = held
        buffer.reserveCapacity(held.count + bytes.count)
        for index in bytes.indices { buffer.append(bytes[index]) }
        do throws(MultipartError) {
            held = Array(buffer[try advance(buffer, &sink)...])
        } catch {
            state = .failed(error)
            held = []
            throw error
        }
    }

    /// Tells that the body has ended.
    ///
    /// - Throws: ``MultipartError/malformed`` unless the last delimiter has been read.
    package func finish() throws(MultipartError) {
        switch state {
        case .epilogue: return
        case .failed(let error): throw error
        case .preamble, .headers, .content: throw .malformed
        }
    }

    /// Goes as far as the buffer can be understood; returns where it cannot.
    private mutating func advance(_ buffer: [UInt8], _ sink: inout some MultipartSink) throws(MultipartError) -> Int {
        var place = 0
        while true {
            let start = place
            switch state {
            case .preamble:
                place = find(delimiter, in: buffer, from: place)
                guard try passDelimiter(buffer, &place) else { return place }
            case .headers:
                guard let next = try readHeaders(buffer, from: place, &sink) else { return place }
                place = next
            case .content:
                place = find(delimiter, in: buffer, from: place)
                if place > start, !sink.receive(buffer.span.extracting(start..<place)) { throw .stopped }
                guard try passDelimiter(buffer, &place) else { return place }
                if !sink.end() { throw .stopped }
            case .epilogue, .failed:
                return buffer.count
            }
        }
    }

    /// Steps over a delimiter; false if more bytes are needed to know it.
    ///
    /// The end of its line stays: it may be half of the empty line that ends a header block.
    private mutating func passDelimiter(_ buffer: [UInt8], _ place: inout Int) throws(MultipartError) -> Bool {
        var end = place + delimiter.count
        guard end + 2 <= buffer.count else { return false }
        if buffer[end] == 0x2D, buffer[end + 1] == 0x2D {
            state = .epilogue
            return true
        }
        while end < buffer.count, ASCII.isBlank(buffer[end]) { end += 1 }
        guard end - place <= MultipartParser.headerLimit else { throw .headersTooLarge }
        guard end + 2 <= buffer.count else { return false }
        guard buffer[end] == 13, buffer[end + 1] == 10 else { throw .malformed }
        place = end
        state = .headers
        return true
    }

    /// Reads a header block from the end of the delimiter's line on; nil if it is not complete.
    private mutating func readHeaders(
        _ buffer: [UInt8], from start: Int, _ sink: inout some MultipartSink
    ) throws(MultipartError) -> Int? {
        let end = find([13, 10, 13, 10], in: buffer, from: start)
        guard end - start <= MultipartParser.headerLimit else { throw .headersTooLarge }
        guard end + 4 <= buffer.count else { return nil }
        guard parts < MultipartParser.partLimit else { throw .tooManyParts }
        parts += 1
        guard let part = MultipartPart(buffer[start..<end]) else { throw .malformed }
        if !sink.begin(part) { throw .stopped }
        state = .content
        return end + 4
    }

    /// Where a pattern that begins with the end of a line begins, or where at the buffer's end it may begin.
    private func find(_ pattern: [UInt8], in buffer: [UInt8], from start: Int) -> Int {
        let (bytes, wanted) = (buffer.span, pattern.span)
        var place = start
        while place < bytes.count {
            if bytes[place] == 13 {
                var length = 1
                while length < wanted.count, place + length < bytes.count, bytes[place + length] == wanted[length] {
                    length += 1
                }
                if length == wanted.count || place + length == bytes.count { return place }
            }
            place += 1
        }
        return place
    }
}
