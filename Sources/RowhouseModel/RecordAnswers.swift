/// A page of records and where the next one begins.
package struct RecordPage: Sendable {
    package var batch: RecordBatch
    /// The people whose names the cells show.
    package var users: UserDirectory
    /// Absent on the last page.
    package var offset: String?
    /// Where the fields come from, when that is known: then what is prepared for a table serves all its answers.
    package var shape: RecordShape?

    package init(batch: RecordBatch, users: UserDirectory, offset: String? = nil, shape: RecordShape? = nil) {
        self.batch = batch
        self.users = users
        self.offset = offset
        self.shape = shape
    }
}

/// What a create, update or upsert made, in the order of the request.
package struct WrittenRecords: Sendable {
    package var batch: RecordBatch
    package var users: UserDirectory
    /// Set by an upsert only: which records are new, and which were there before.
    package var upsert: (created: [RecordID], updated: [RecordID])?
    /// Where the fields come from, when that is known.
    package var shape: RecordShape?
    /// Whether computed cells stand as errors since computing them would have held up other writes for too long.
    package var isCutShort: Bool
    /// Whether attachments are missing since nobody could fetch from what was given as their address.
    package var hasFailedAttachments = false

    package init(
        batch: RecordBatch, users: UserDirectory, upsert: (created: [RecordID], updated: [RecordID])? = nil,
        shape: RecordShape? = nil, isCutShort: Bool = false
    ) {
        self.batch = batch
        self.users = users
        self.upsert = upsert
        self.shape = shape
        self.isCutShort = isCutShort
    }
}

/// The outcome of a write that may carry an `Idempotency-Key`.
package enum Written<Value: Sendable>: Sendable {
    /// Done now.
    case now(Value)
    /// Done before under the same key: the bytes that were answered then.
    case before([UInt8])
}

/// An `Idempotency-Key` with what ties it to one request.
package struct Idempotency: Sendable, Equatable {
    /// Up to 255 characters.
    package let key: String
    /// SHA-256 of method, path, query and body.
    package let fingerprint: [UInt8]
    package init(key: String, fingerprint: [UInt8]) {
        self.key = key
        self.fingerprint = fingerprint
    }
}
