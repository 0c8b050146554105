/// A media type as it stands in a Content-Type header.
package struct MediaType: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let json = MediaType(rawValue: "application/json; charset=utf-8")
    package static let html = MediaType(rawValue: "text/html; charset=utf-8")
    package static let text = MediaType(rawValue: "text/plain; charset=utf-8")
    package static let css = MediaType(rawValue: "text/css; charset=utf-8")
    package static let javaScript = MediaType(rawValue: "text/javascript; charset=utf-8")
    package static let csv = MediaType(rawValue: "text/csv; charset=utf-8")
    package static let svg = MediaType(rawValue: "image/svg+xml")
    package static let webManifest = MediaType(rawValue: "application/manifest+json")
    package static let formURLEncoded = MediaType(rawValue: "application/x-www-form-urlencoded")
    package static let octetStream = MediaType(rawValue: "application/octet-stream")
    package static let jpeg = MediaType(rawValue: "image/jpeg")
    package static let png = MediaType(rawValue: "image/png")
    package static let webp = MediaType(rawValue: "image/webp")

    /// Whether texts of this type get shorter by compression; pictures and archives do not.
    package var isCompressible: Bool {
        if self == .json { return true }
        let essence = rawValue.prefix { $0 != ";" }.lowercased()
        return essence.hasPrefix("text/") || essence.hasSuffix("json") || essence.hasSuffix("xml")
            || essence.hasSuffix("javascript")
    }
}
