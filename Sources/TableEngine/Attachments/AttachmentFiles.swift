package import Blobs
package import RowhouseModel

/// What the engine needs to keep, look into and fetch files.
package struct AttachmentFiles: Sendable {
    let blobs: Blobs
    let images: (any ImageOperations)?
    package let fetcher: AttachmentFetcher?

    /// - Parameters:
    ///   - images: nil where images are files like any other.
    ///   - fetcher: nil where nothing is fetched now; what is to be fetched waits for the next start.
    package init(blobs: Blobs, images: (any ImageOperations)?, fetcher: AttachmentFetcher?) {
        self.blobs = blobs
        self.images = images
        self.fetcher = fetcher
    }
}

extension Blob {
    /// What is to be known of the file from now on. Looks into it, if it may be an image.
    ///
    /// - Parameter claimed: the type that came with it.
    func facts(in blobs: Blobs, images: (any ImageOperations)?, claimed: String?, filename: String) -> FileFacts {
        let told = FileType.told(by: head)
        let image = told?.isImage ?? false ? images?.inspect(path: blobs.path(of: hash)) : nil
        let type = image?.type ?? (told ?? FileType.claimed(claimed, filename: filename, isText: head.isText)).rawValue
        return FileFacts(hash: hash, size: size, type: type, dimensions: image?.dimensions)
    }
}
