import CCurl

/// The library, opened at the first call to elsewhere and never closed.
struct CurlLibrary: @unchecked Sendable {
    // Safe to share: addresses of functions that any thread may call, each with a handle of its own.
    private let functions: curl_functions

    /// Nil when it is not installed.
    static let shared: CurlLibrary? = {
        var functions = curl_functions()
        return curl_load(&functions) ? CurlLibrary(functions: functions) : nil
    }()

    func run(_ get: curl_get) -> CURLcode {
        withUnsafePointer(to: functions) { functions in
            withUnsafePointer(to: get) { curl_run(functions, $0) }
        }
    }

    /// The library's words for a code.
    func explanation(_ code: CURLcode) -> String {
        functions.explain(code).map { String(cString: $0) } ?? "code \(code.rawValue)"
    }
}
