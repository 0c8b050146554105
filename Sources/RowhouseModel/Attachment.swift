/// One attachment of a cell, in the form that is stored: keys of files, never addresses of ours.
package struct Attachment: Sendable, Equatable {
    package let id: AttachmentID
    package var filename: String
    package var content: Content

    /// Where its bytes are.
    package enum Content: Sendable, Equatable {
        /// Still elsewhere: the address that was written, to be fetched.
        case remote(url: String)
        /// In a file of the folder.
        case file(FileFacts)
    }

    package init(id: AttachmentID, filename: String, content: Content) {
        self.id = id
        self.filename = filename
        self.content = content
    }
}

/// What is known of a file: found out once, when it arrives.
package struct FileFacts: Sendable, Equatable {
    package let hash: FileHash
    /// In bytes.
    package let size: Int
    /// The media type, told from the bytes where they tell it: `image/png`.
    package let type: String
    /// As it is to be seen, its orientation applied; nil for what is no image that we read.
    package let dimensions: ImageDimensions?

    package init(hash: FileHash, size: Int, type: String, dimensions: ImageDimensions?) {
        self.hash = hash
        self.size = size
        self.type = type
        self.dimensions = dimensions
    }
}

/// Width and height in pixels.
package struct ImageDimensions: Sendable, Equatable {
    package let width: Int
    package let height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// The SHA-256 of a file's bytes, which is its name in the folder: 64 lower-case hexadecimal digits.
package struct FileHash: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// Nil for anything else.
    package init?(_ text: String) {
        let isHash = text.utf8.count == 64 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
        guard isHash else { return nil }
        description = text
    }

    /// - Parameter hash: 32 bytes; nil for any other number.
    package init?(bytes hash: [UInt8]) {
        guard hash.count == 32 else { return nil }
        let digits = Array("0123456789abcdef".utf8)
        description = String(decoding: hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
