import CCurl
package import RowhouseModel
import Synchronization

/// Calls through libcurl, a connection of its own for each.
package final class CurlConnector: Connector {
    /// A file of certificates to trust in place of the system's.
    private let authorities: String?
    private let isStopped = Atomic(false)

    package init(authorities: String? = nil) { self.authorities = authorities }

    package func stop() { isStopped.store(true, ordering: .relaxed) }

    package func get(
        _ call: OutgoingCall, wants: (AnswerHead) -> Bool, take: (borrowing Span<UInt8>) -> Bool
    ) throws(RemoteFileError) -> AnswerHead {
        guard !isStopped.load(ordering: .relaxed) else { throw .stopped }
        guard let library = CurlLibrary.shared else { throw .failed("libcurl-gnutls.so.4 cannot be opened") }
        let result: Result<AnswerHead, RemoteFileError> = withoutActuallyEscaping(wants) { wants in
            withoutActuallyEscaping(take) { take in
                let exchange = CurlExchange(call, wants, take) { self.isStopped.load(ordering: .relaxed) }
                return exchange.result(of: run(library, call, exchange), library)
            }
        }
        return try result.get()
    }

    private func run(_ library: CurlLibrary, _ call: OutgoingCall, _ exchange: CurlExchange) -> CURLcode {
        var get = curl_get()
        get.connect_milliseconds = call.limits.connecting.wholeMilliseconds
        get.total_milliseconds = call.limits.total.wholeMilliseconds
        get.lowest_speed = call.limits.lowestSpeed
        get.lowest_speed_seconds = Int(call.limits.patience.components.seconds)
        get.size_limit = call.limits.body
        get.context = Unmanaged.passUnretained(exchange).toOpaque()
        get.head = CurlCallbacks.head
        get.body = CurlCallbacks.body
        get.open_socket = CurlCallbacks.openSocket
        get.progress = CurlCallbacks.progress
        return withExtendedLifetime(exchange) {
            call.address.description.withCString { url in
                get.url = url
                return withOptionalCString(call.pinned) { pinned in
                    get.pinned = pinned
                    return withOptionalCString(authorities) { authorities in
                        get.authorities = authorities
                        return library.run(get)
                    }
                }
            }
        }
    }

    private func withOptionalCString<Value>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Value) -> Value {
        guard let text else { return body(nil) }
        return text.withCString(body)
    }
}

extension OutgoingCall {
    /// The answer to the library's only look-up; nil when the URL holds the address itself.
    fileprivate var pinned: String? {
        guard case .name(let name) = address.place.host else { return nil }
        return "\(name):\(address.place.port):\(endpoints.map(\.bracketed).joined(separator: ","))"
    }
}

extension Duration {
    /// At least one, for zero is no limit to the library.
    fileprivate var wholeMilliseconds: Int {
        let (seconds, rest) = components
        return max(1, Int(seconds) &* 1000 &+ Int(rest / 1_000_000_000_000_000))
    }
}
