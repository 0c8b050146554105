package import RowhouseModel

/// Makes calls to places that were checked before.
package protocol Connector: Sendable {
    /// Makes a call and follows no redirect. Blocks, within the call's limits.
    ///
    /// - Parameters:
    ///   - wants: gets the head before the body; false when the body is not wanted, which ends the call.
    ///   - take: gets each piece of the body, in order; false to stop.
    func get(
        _ call: OutgoingCall, wants: (AnswerHead) -> Bool, take: (borrowing Span<UInt8>) -> Bool
    ) throws(RemoteFileError) -> AnswerHead

    /// Ends running calls and refuses later ones.
    func stop()
}

/// What is of use in the head of an answer; of headers sent twice the first.
package struct AnswerHead: Sendable, Equatable {
    package var status: Int
    package var location: String?
    package var contentType: String?
    package var contentDisposition: String?

    package init(
        status: Int, location: String? = nil, contentType: String? = nil, contentDisposition: String? = nil
    ) {
        self.status = status
        self.location = location
        self.contentType = contentType
        self.contentDisposition = contentDisposition
    }
}
