import Glibc
import Platform

/// Renders one file: decoded once, turned once, each size made from the next larger.
struct Renderer {
    let vips: Vips

    /// Writes the outputs of a job, and says as what.
    func render(_ job: RenderJob) throws(VipsError) -> RenderingFormat {
        guard let largest = job.outputs.first else { throw VipsError("nothing to do") }
        let (file, head) = try open(job.input)
        defer { close(file) }
        var image = try decode(file, head, to: largest)
        let format: RenderingFormat = try isSeenThrough(image) ? .webP : .jpeg
        if format == .jpeg, image.hasAlpha {
            image = try image.applying("extract_band", ["band": "0", "n": String(image.bands - 1)]).inMemory()
        }
        for output in job.outputs {
            image = try scaled(image, to: output)
            try save(image, to: output.path, as: format)
        }
        return format
    }

    private func open(_ path: String) throws(VipsError) -> (Int32, ImageHead) {
        guard let file = try? PositionedFile(path) else { throw VipsError("the file cannot be opened") }
        guard let head = ImageHead(file: file) else { throw VipsError("not an image that is read") }
        guard !head.isTooLarge else { throw VipsError("too large an image") }
        let number = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw VipsError("the file cannot be opened") }
        return (number, head)
    }

    /// The image as it is to be seen, in sRGB, at the size of the largest output.
    private func decode(_ file: Int32, _ head: ImageHead, to output: RenderJob.Output) throws(VipsError) -> VipsImage {
        guard let source = vips.openDescriptor(file) else { throw vips.failure() }
        defer { vips.drop(source) }
        let operation = try VipsOperation(vips, "thumbnail_source")
        try operation.set("source", source, of: vips.sourceType)
        let swaps = head.orientation.swapsSides
        try operation.set("width", String(swaps ? output.height : output.width))
        try operation.set("height", String(swaps ? output.width : output.height))
        try operation.set("size", "force")
        try operation.set("no-rotate", "true")
        try operation.set("export-profile", "srgb")
        try operation.run()
        var image = try operation.image("out").inMemory()
        for (name, arguments) in head.orientation.steps { image = try image.applying(name, arguments) }
        return try image.inMemory()
    }

    private func scaled(_ image: VipsImage, to output: RenderJob.Output) throws(VipsError) -> VipsImage {
        if image.width == output.width && image.height == output.height { return image }
        let scaled = try image.applying(
            "thumbnail_image",
            ["width": String(output.width), "height": String(output.height), "size": "force", "no-rotate": "true"])
        guard scaled.width == output.width, scaled.height == output.height else { throw VipsError("a wrong size") }
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

    private func save(_ image: VipsImage, to path: String, as format: RenderingFormat) throws(VipsError) {
        let operation = try VipsOperation(vips, format == .jpeg ? "jpegsave" : "webpsave")
        try operation.set("in", image.object, of: vips.imageType)
        try operation.set("filename", path)
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
