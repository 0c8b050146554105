/// The kinds of image that are read; the raw value is the media type.
package enum ImageFormat: String, Sendable, CaseIterable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case gif = "image/gif"
    case webP = "image/webp"
    case heic = "image/heic"
    /// HEIF that is neither HEIC nor AVIF by its brands.
    case heif = "image/heif"
    case avif = "image/avif"

    /// Decoding takes far longer than anything else that is done to it, so that one decoding should serve all.
    var isSlow: Bool { self == .heic || self == .heif || self == .avif }

    /// More pixels are not decoded. JPEG is decoded smaller than it is; cameras of 200 megapixels write it.
    var pixelLimit: Int { self == .jpeg ? 220_000_000 : 120_000_000 }

    static let sideLimit = 30_000
}
