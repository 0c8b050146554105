import Glibc

/// libvips, opened when the worker starts: linking it would cost every start of the server 103 libraries.
///
/// Only calls without variable arguments are used, so that each is a plain function pointer.
struct Vips {
    typealias Object = OpaquePointer

    let imageType: UInt
    let sourceType: UInt
    let targetType: UInt
    let newOperation: @convention(c) (UnsafePointer<CChar>) -> Object?
    let setText: @convention(c) (Object, UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
    let build: @convention(c) (Object) -> Int32
    let dropOutputs: @convention(c) (Object) -> Void
    let setProperty: @convention(c) (Object, UnsafePointer<CChar>, UnsafeRawPointer) -> Void
    let getProperty: @convention(c) (Object, UnsafePointer<CChar>, UnsafeMutableRawPointer) -> Void
    let drop: @convention(c) (Object) -> Void
    let startValue: @convention(c) (UnsafeMutableRawPointer, UInt) -> OpaquePointer?
    let endValue: @convention(c) (UnsafeMutableRawPointer) -> Void
    let setObject: @convention(c) (UnsafeMutableRawPointer, Object) -> Void
    let copyObject: @convention(c) (UnsafeRawPointer) -> Object?
    let real: @convention(c) (UnsafeRawPointer) -> Double
    let openSource: @convention(c) (Int32) -> Object?
    let openMemory: @convention(c) (UnsafeRawPointer, Int) -> Object?
    let openTarget: @convention(c) (Int32) -> Object?
    let copyToMemory: @convention(c) (Object) -> Object?
    let width: @convention(c) (Object) -> Int32
    let height: @convention(c) (Object) -> Int32
    let bands: @convention(c) (Object) -> Int32
    let hasAlpha: @convention(c) (Object) -> Int32
    let typeOf: @convention(c) (Object, UnsafePointer<CChar>) -> UInt
    private let errorText: @convention(c) () -> UnsafePointer<CChar>?
    private let clearError: @convention(c) () -> Void

    /// What libvips says about the last failure, in one line.
    func failure() -> VipsError {
        defer { clearError() }
        let text = errorText().map { String(cString: $0) } ?? ""
        return VipsError(text.split { $0.isNewline }.joined(separator: "; "))
    }

    /// Opens the library, with the loaders of the formats that are read and no other.
    init() throws(VipsError) {
        guard let handle = dlopen("libvips.so.42", RTLD_NOW | RTLD_GLOBAL) else {
            throw VipsError("libvips is not installed (libvips42)")
        }
        let symbols = Symbols(handle: handle)
        let start: @convention(c) (UnsafePointer<CChar>) -> Int32 = try symbols("vips_init")
        let blockUntrusted: @convention(c) (Int32) -> Void = try symbols("vips_block_untrusted_set")
        let block: @convention(c) (UnsafePointer<CChar>, Int32) -> Void = try symbols("vips_operation_block_set")
        let setThreads: @convention(c) (Int32) -> Void = try symbols("vips_concurrency_set")
        let setCache: @convention(c) (Int32) -> Void = try symbols("vips_cache_set_max")
        newOperation = try symbols("vips_operation_new")
        setText = try symbols("vips_object_set_argument_from_string")
        build = try symbols("vips_object_build")
        dropOutputs = try symbols("vips_object_unref_outputs")
        setProperty = try symbols("g_object_set_property")
        getProperty = try symbols("g_object_get_property")
        drop = try symbols("g_object_unref")
        startValue = try symbols("g_value_init")
        endValue = try symbols("g_value_unset")
        setObject = try symbols("g_value_set_object")
        copyObject = try symbols("g_value_dup_object")
        real = try symbols("g_value_get_double")
        openSource = try symbols("vips_source_new_from_descriptor")
        openMemory = try symbols("vips_source_new_from_memory")
        openTarget = try symbols("vips_target_new_to_descriptor")
        copyToMemory = try symbols("vips_image_copy_memory")
        width = try symbols("vips_image_get_width")
        height = try symbols("vips_image_get_height")
        bands = try symbols("vips_image_get_bands")
        hasAlpha = try symbols("vips_image_hasalpha")
        typeOf = try symbols("vips_image_get_typeof")
        errorText = try symbols("vips_error_buffer")
        clearError = try symbols("vips_error_clear")

        // Its modules bring ImageMagick, Poppler and others with them; only the one for HEIF is wanted.
        setenv("VIPSHOME", "/nonexistent", 1)
        // No image is to be put into a temporary file, whatever its size; the limit of memory holds.
        setenv("VIPS_DISC_THRESHOLD", "64g", 1)
        // Files of others can make it complain at will.
        setenv("VIPS_WARNING", "0", 1)
        guard start("rowhouse") == 0 else { throw VipsError("libvips does not start") }
        Self.openHEIFModule(symbols)
        blockUntrusted(1)
        block("VipsForeignLoad", 1)
        for loader in ["Jpeg", "Png", "Nsgif", "Webp", "Heif"] { block("VipsForeignLoad" + loader, 0) }
        setThreads(1)
        setCache(0)
        let imageType: @convention(c) () -> UInt = try symbols("vips_image_get_type")
        let sourceType: @convention(c) () -> UInt = try symbols("vips_source_get_type")
        let targetType: @convention(c) () -> UInt = try symbols("vips_target_get_type")
        self.imageType = imageType()
        self.sourceType = sourceType()
        self.targetType = targetType()
    }

    /// The module stands in a folder beside the library, or what it does is in the library.
    private static func openHEIFModule(_ symbols: Symbols) {
        guard let version: @convention(c) (Int32) -> Int32 = try? symbols("vips_version"),
            let open: @convention(c) (UnsafePointer<CChar>, Int32) -> OpaquePointer? = try? symbols("g_module_open"),
            let folder = symbols.folder
        else { return }
        _ = open("\(folder)/vips-modules-\(version(0)).\(version(1))/vips-heif.so", 1)
    }
}

/// Why libvips did not do what it was asked for.
struct VipsError: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// The functions of an opened library and of those that it needs.
private struct Symbols {
    let handle: UnsafeMutableRawPointer

    func callAsFunction<Function>(_ name: String) throws(VipsError) -> Function {
        guard let address = dlsym(handle, name) else { throw VipsError("libvips is too old: it has no \(name)") }
        return unsafeBitCast(address, to: Function.self)
    }

    /// Where the library's file is.
    var folder: String? {
        // dladdr(3) gives the path of the file, then three addresses.
        var place: (UnsafePointer<CChar>?, UInt, UInt, UInt) = (nil, 0, 0, 0)
        guard let address = dlsym(handle, "vips_init"),
            let find: @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Int32 = try? self("dladdr"),
            find(address, &place) != 0, let path = place.0
        else { return nil }
        return String(cString: path).split(separator: "/").dropLast().map { "/" + $0 }.joined()
    }
}
