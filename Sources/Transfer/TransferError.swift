package import RowhouseModel

/// Gets how many records of how many are done, and of what; throws to end the work.
package typealias TransferProgress = @Sendable (_ what: String, _ done: Int, _ of: Int) throws(TransferError) -> Void

/// Why something was not brought in or out.
package enum TransferError: Error, Sendable, Equatable {
    /// The file is not what it should be; a sentence that names the place.
    case file(String)
    /// What the house did not take or give: what it was about, and why.
    case refused(String, APIError)
    /// Whoever gets the bytes took no more; a sentence.
    case output(String)
}
