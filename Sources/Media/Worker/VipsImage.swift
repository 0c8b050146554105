/// An image of libvips, given back with its last use.
final class VipsImage {
    let vips: Vips
    let object: Vips.Object

    init(_ vips: Vips, owning object: Vips.Object) {
        self.vips = vips
        self.object = object
    }

    deinit { vips.drop(object) }

    var width: Int { Int(vips.width(object)) }
    var height: Int { Int(vips.height(object)) }
    var bands: Int { Int(vips.bands(object)) }
    var hasAlpha: Bool { vips.hasAlpha(object) != 0 }
    /// Whether the file said what its colours mean.
    var hasProfile: Bool { vips.typeOf(object, "icc-profile-data") != 0 }

    /// The image with all its pixels made.
    func inMemory() throws(VipsError) -> VipsImage {
        guard let copy = vips.copyToMemory(object) else { throw vips.failure() }
        return VipsImage(vips, owning: copy)
    }

    /// The image that an operation makes of this one.
    func applying(_ operation: String, _ arguments: [String: String] = [:]) throws(VipsError) -> VipsImage {
        let operation = try VipsOperation(vips, operation)
        try operation.set("in", object, of: vips.imageType)
        for (name, value) in arguments { try operation.set(name, value) }
        try operation.run()
        return try operation.image("out")
    }
}

/// One operation of libvips, by its name and the names of its arguments.
final class VipsOperation {
    private let vips: Vips
    private let object: Vips.Object

    init(_ vips: Vips, _ name: String) throws(VipsError) {
        guard let object = vips.newOperation(name) else { throw vips.failure() }
        self.vips = vips
        self.object = object
    }

    deinit {
        vips.dropOutputs(object)
        vips.drop(object)
    }

    func set(_ name: String, _ value: String) throws(VipsError) {
        guard vips.setText(object, name, value) == 0 else { throw vips.failure() }
    }

    func set(_ name: String, _ value: Vips.Object, of type: UInt) throws(VipsError) {
        var box = Value()
        _ = vips.startValue(&box, type)
        vips.setObject(&box, value)
        vips.setProperty(object, name, &box)
        vips.endValue(&box)
    }

    func run() throws(VipsError) {
        guard vips.build(object) == 0 else { throw vips.failure() }
    }

    func image(_ name: String) throws(VipsError) -> VipsImage {
        var box = Value()
        _ = vips.startValue(&box, vips.imageType)
        vips.getProperty(object, name, &box)
        defer { vips.endValue(&box) }
        guard let image = vips.copyObject(&box) else { throw VipsError("no image") }
        return VipsImage(vips, owning: image)
    }

    func real(_ name: String) -> Double {
        var box = Value()
        _ = vips.startValue(&box, Value.real)
        vips.getProperty(object, name, &box)
        defer { vips.endValue(&box) }
        return vips.real(&box)
    }

    /// The memory of a GValue.
    private struct Value {
        /// The fundamental type G_TYPE_DOUBLE.
        static let real: UInt = 15 << 2

        var type: UInt = 0
        var data: (UInt64, UInt64) = (0, 0)
    }
}
