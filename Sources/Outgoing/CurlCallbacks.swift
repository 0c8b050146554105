import CCurl
import Glibc

/// The functions that the library calls, all on the thread that makes the call.
enum CurlCallbacks {
    static let head: curl_write_callback = { bytes, size, count, context in
        guard let exchange = exchange(context), let bytes else { return 0 }
        return exchange.addHead(CurlCallbacks.buffer(bytes, size &* count)) ? size &* count : 0
    }

    static let body: curl_write_callback = { bytes, size, count, context in
        guard let exchange = exchange(context), let bytes else { return 0 }
        return exchange.addBody(CurlCallbacks.buffer(bytes, size &* count)) ? size &* count : 0
    }

    static let openSocket: curl_opensocket_callback = { context, purpose, address in
        guard purpose == CURLSOCKTYPE_IPCXN, let exchange = exchange(context), let address,
            withUnsafePointer(to: &address.pointee.addr, { exchange.permits($0, length: Int(address.pointee.addrlen)) })
        else { return CURL_SOCKET_BAD }
        return socket(
            address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
    }

    static let progress: curl_xferinfo_callback = { context, _, _, _, _ in
        exchange(context)?.isStopped() == false ? 0 : 1
    }

    private static func exchange(_ context: UnsafeMutableRawPointer?) -> CurlExchange? {
        context.map { Unmanaged<CurlExchange>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func buffer(_ bytes: UnsafeMutablePointer<CChar>, _ count: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: UnsafeRawPointer(bytes).assumingMemoryBound(to: UInt8.self), count: count)
    }
}
