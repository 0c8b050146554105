import CMicrohttpd

/// An answer in the library's own form, ready to be sent once.
struct PreparedAnswer {
    let status: Int
    let response: OpaquePointer
    let bytes: Int
}
