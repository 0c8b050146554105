import Platform
import RowhouseModel

/// Renders one file: decoded once, turned once, each size made from the next larger.
struct Renderer {
    let vips: Vips

    /// Writes renderings of `input` into `outputs`, one a size, the largest first, and says as what.
    func render(_ sizes: [ImageDimensions], of input: OpenFile, into outputs: [OpenFile]) throws(VipsError)
        -> RenderingFormat
    {
        guard let head = ImageHead(file: input) else { throw VipsError("not an image that is read") }
        guard !head.isTooLarge else { throw VipsError("too large an image") }
        guard let largest = sizes.first else { throw VipsError("nothing to do") }
        var image = try decode(try RenderSource(input, head.format), head, to: largest)
        let format: RenderingFormat = try isSeenThrough(image) ? .webP : .jpeg
        if format == .jpeg, image.hasAlpha {
            image = try image.applying("extract_band", ["band": "0", "n": String(image.bands - 1)]).inMemory()
        }
        for (size, output) in zip(sizes, outputs) {
            image = try scaled(image, to: size)
            try save(image, in: output, as: format)
        }
        return format
    }

    /// The image as it is to be seen, in sRGB, at the size of the largest output.
    private func decode(
        _ file: RenderSource, _ head: ImageHead, to size: ImageDimensions
    ) throws(VipsError) -> VipsImage {
        let stored = head.orientation.swapsSides ? ImageDimensions(width: size.height, height: size.width) : size
        var image = try thumbnail(of: file, stored)
        if image.hasProfile {
            // Colours are brought to sRGB when few pixels are left; a profile for four inks must come before that.
            do { image = try image.applying("icc_transform", ["output-profile": "srgb", "embedded": "true"]) } catch {
                image = try thumbnail(of: file, stored, ["export-profile": "srgb"])
            }
        }
        for (name, arguments) in head.orientation.steps { image = try image.applying(name, arguments) }
        return try image.inMemory()
    }

    private func thumbnail(
        of file: RenderSource, _ size: ImageDimensions, _ more: [String: String] = [:]
    ) throws(VipsError) -> VipsImage {
        guard let source = file.open(vips) else { throw vips.failure() }
        defer {
            vips.drop(source)
            withExtendedLifetime(file) {}
        }
        let operation = try VipsOperation(vips, "thumbnail_source")
        try operation.set("source", source, of: vips.sourceType)
        let arguments = [
            "width": String(size.width), "height": String(size.height), "size": "force", "no-rotate": "true",
        ]
        for (name, value) in arguments.merging(more, uniquingKeysWith: { $1 }) { try operation.set(name, value) }
        try operation.run()
        return try operation.image("out").inMemory()
    }

    private func scaled(_ image: VipsImage, to size: ImageDimensions) throws(VipsError) -> VipsImage {
        if image.width == size.width && image.height == size.height { return image }
        let scaled = try image.applying(
            "thumbnail_image",
            ["width": String(size.width), "height": String(size.height), "size": "force", "no-rotate": "true"])
        guard scaled.width == size.width, scaled.height == size.height else { throw VipsError("a wrong size") }
        return try scaled.inMemory()
    }

    /// Whether any pixel is not quite opaque.
    private func isSeenThrough(_ image: VipsImage) throws(VipsError) -> Bool {
        guard image.hasAlpha else { return false }
        let alpha = try image.applying("extract_band", ["band": String(image.bands - 1)])
        let least = try VipsOperation(vips, "min")
        try least.set("in", alpha.object, of: vips.imageType)
        try least.run()
        return least.real("out") < 255
    }

    private func save(_ image: VipsImage, in file: OpenFile, as format: RenderingFormat) throws(VipsError) {
        guard let target = file.withDescriptor(vips.openTarget) else { throw vips.failure() }
        defer { vips.drop(target) }
        let operation = try VipsOperation(vips, format == .jpeg ? "jpegsave_target" : "webpsave_target")
        try operation.set("in", image.object, of: vips.imageType)
        try operation.set("target", target, of: vips.targetType)
        try operation.set("Q", "82")
        try operation.set("strip", "true")
        try operation.run()
    }
}

extension ImageOrientation {
    /// The operations that turn stored pixels into what is to be seen.
    fileprivate var steps: [(String, [String: String])] {
        let mirror = ("flip", ["direction": "horizontal"])
        let flip = ("flip", ["direction": "vertical"])
        func turn(_ degrees: Int) -> (String, [String: String]) { ("rot", ["angle": "d\(degrees)"]) }
        return switch self {
        case .upright: []
        case .mirrored: [mirror]
        case .upsideDown: [turn(180)]
        case .mirroredUpsideDown: [flip]
        case .transposed: [turn(90), mirror]
        case .quarterRight: [turn(90)]
        case .transverse: [turn(270), mirror]
        case .quarterLeft: [turn(270)]
        }
    }
}
