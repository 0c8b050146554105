/// One box of an ISO base media file (ISO/IEC 14496-12).
struct Box {
    let name: String
    let content: Range<Int>

    var start: Int { content.lowerBound }
}

/// Goes through the boxes that stand side by side in a part of a file.
struct BoxWalk {
    private var rest: Range<Int>
    private var stepsLeft = 4096

    init(_ part: Range<Int>) { rest = part }

    /// The next box; nil at the end, and where what stands there is none.
    mutating func next(_ reader: inout HeadReader) -> Box? {
        guard stepsLeft > 0, let short = reader.big(at: rest.lowerBound, 4),
            let name = reader.bytes(at: rest.lowerBound + 4, count: 4)
        else { return nil }
        stepsLeft -= 1
        var headSize = 8
        var size = short
        if short == 0 { size = rest.count }
        if short == 1 {
            headSize = 16
            guard let high = reader.big(at: rest.lowerBound + 8, 4), let low = reader.big(at: rest.lowerBound + 12, 4),
                high < 1 << 24
            else { return nil }
            size = high << 32 | low
        }
        guard size >= headSize, size <= rest.count else { return nil }
        let content = rest.lowerBound + headSize..<rest.lowerBound + size
        rest = content.upperBound..<rest.upperBound
        return Box(name: String(decoding: name, as: UTF8.self), content: content)
    }
}
