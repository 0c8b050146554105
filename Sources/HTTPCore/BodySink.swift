/// Takes the body of one request piece by piece, while it arrives.
///
/// The server calls it on workers, one call at a time and in order, so it may block for as long as writing a piece
/// takes; the client is not read from meanwhile. A body that arrives whole ends with the request being handled:
/// ``Request/sink`` then is this sink, and what becomes of it is the handler's affair. Work that was to come later may
/// never come, when no worker is free, so a sink that is released unused must leave nothing behind.
package protocol BodySink: AnyObject, Sendable {
    /// Takes the next bytes, at most some hundred kilobytes; false if no more are wanted, and then the rest is read and
    /// dropped before the request is handled.
    func receive(_ bytes: borrowing Span<UInt8>) -> Bool

    /// The body will not arrive whole: the client is gone, was too slow or sent too much, or the server ends.
    ///
    /// Called at most once and last, never after the request was handled.
    func cancel()
}
