/// Gets what an address elsewhere leads to; fulfilled by the one room that calls out.
package protocol RemoteFiles: Sendable {
    /// Whether an address could be fetched from, as far as that is known without looking a name up: a spelling that is
    /// read, and no number of a place that may not be reached. Does not block.
    func accepts(_ url: String) -> Bool

    /// Fetches and hands the bytes over in pieces, in order. Blocks the calling thread, for a bounded time.
    ///
    /// - Parameters:
    ///   - url: http or https; what leads to an address that may not be reached is refused before a byte is sent.
    ///   - limit: the most bytes taken.
    ///   - take: gets each piece; false to stop.
    /// - Returns: what the other side said of the file.
    func fetch(
        _ url: String, limit: Int, take: (borrowing Span<UInt8>) -> Bool
    ) throws(RemoteFileError) -> RemoteFileFacts

    /// Ends running fetches with ``RemoteFileError/stopped`` and refuses later ones.
    func stop()
}

/// What a server said of a file that it sent.
package struct RemoteFileFacts: Sendable, Equatable {
    /// The Content-Type without parameters, in lower case; nil when there was none.
    package let type: String?
    /// The name in Content-Disposition; nil when there was none.
    package let filename: String?

    package init(type: String?, filename: String?) {
        self.type = type
        self.filename = filename
    }
}

/// Why a file could not be fetched.
package enum RemoteFileError: Error, Sendable, Equatable {
    /// Not an http or https address, or none at all.
    case invalidURL
    /// It leads to an address that may not be reached: private, loopback, link-local and the like.
    case refusedAddress
    case unknownHost, unreachable, tooManyRedirects, tooLarge, tooSlow
    /// The other side answered with this status.
    case status(Int)
    /// The receiver wanted no more.
    case stopped
    /// Anything else, for the log.
    case failed(String)

    /// A few words for the log.
    package var reason: String {
        switch self {
        case .invalidURL: "it is no http or https address"
        case .refusedAddress: "it leads to a private address (see --fetch-allow)"
        case .unknownHost: "the host is not known"
        case .unreachable: "the host cannot be reached"
        case .tooManyRedirects: "it is redirected too often"
        case .tooLarge: "it is too large"
        case .tooSlow: "it is too slow"
        case .status(let status): "the answer was \(status)"
        case .stopped: "it was broken off"
        case .failed(let reason): reason
        }
    }
}

/// The renderings of an image that records show.
package enum ThumbnailSize: String, CaseIterable, Sendable {
    case small, large, full
}

extension ImageDimensions {
    /// No side of a rendering is longer.
    private static let longestSide = 3000

    /// How large a rendering of an image of these dimensions is, never larger than the image itself: `small` is 36 high;
    /// the short side of `large` is 512; no side of `full`, nor of the others, is longer than 3,000. So none is larger
    /// than the next.
    package func of(_ size: ThumbnailSize) -> ImageDimensions {
        let longest = max(width, height)
        var (factor, whole) =
            switch size {
            case .small: (36, height)
            case .large: (512, min(width, height))
            case .full: (Self.longestSide, longest)
            }
        if Double(factor) / Double(whole) > Double(Self.longestSide) / Double(longest) {
            (factor, whole) = (Self.longestSide, longest)
        }
        guard whole > factor else { return self }
        func scaled(_ side: Int) -> Int { max(1, (side * factor + whole / 2) / whole) }
        return ImageDimensions(width: scaled(width), height: scaled(height))
    }
}

/// Looks into image files and renders them; fulfilled by the room that keeps decoders in a process of their own.
package protocol ImageOperations: Sendable {
    /// What kind of image a file is and how large it is to be seen, from its head alone; nil for what is no image that
    /// is read, or too large a one. Blocks.
    func inspect(path: String) -> (type: String, dimensions: ImageDimensions)?

    /// The path of a rendering of a file, made now unless it is there: without the place where it was taken, turned as
    /// it is to be seen. Blocks.
    ///
    /// - Parameter base: where the file is attached; bases take turns.
    /// - Throws: 422 for a file that cannot be rendered, 503 when too much is being rendered, 507 when the disk is full.
    func rendering(
        of hash: FileHash, path: String, size: ThumbnailSize, for base: BaseID
    ) throws(APIError) -> (path: String, type: String)

    /// Throws the renderings of a file away, as when the file goes.
    func forget(_ hash: FileHash)
}
