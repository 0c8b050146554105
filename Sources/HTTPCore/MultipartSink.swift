/// Takes the parts of a multipart body as they are read.
package protocol MultipartSink {
    /// A part begins; false to stop reading.
    mutating func begin(_ part: MultipartPart) -> Bool
    /// The next bytes of the part; false to stop reading.
    mutating func receive(_ bytes: borrowing Span<UInt8>) -> Bool
    /// The part is complete; false to stop reading.
    mutating func end() -> Bool
}
