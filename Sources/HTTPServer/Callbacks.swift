import CGnuTLS
import CMicrohttpd
import HTTPCore
import Synchronization

/// The functions the library calls, all on its event threads.
enum Callbacks {
    /// A new connection, or the end of one.
    static let notify: MHD_NotifyConnectionCallback = { context, library, socketContext, event in
        guard let core = core(context), let library, let socketContext else { return }
        if event == .CONNECTION_NOTIFY_STARTED {
            let peer = mhd_client_address(library).map(NumericAddress.text) ?? ""
            let connection = core.open(descriptor: mhd_descriptor(library), peer: peer)
            socketContext.pointee = Unmanaged.passRetained(connection).toOpaque()
        } else if let raw = socketContext.pointee {
            socketContext.pointee = nil
            core.close(Unmanaged<Connection>.fromOpaque(raw).takeRetainedValue())
        }
    }

    /// A request line; the result is the context of the other calls for this request.
    static let begin:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
            context, uri, library in
            guard let core = core(context), let library, let raw = mhd_socket_context(library) else { return nil }
            let connection = Unmanaged<Connection>.fromOpaque(raw).takeUnretainedValue()
            let exchange = Exchange(core, library, connection)
            core.inFlight.wrappingAdd(1, ordering: .relaxed)
            exchange.readTarget(UnsafeMutablePointer(mutating: uri))
            return Unmanaged.passRetained(exchange).toOpaque()
        }

    /// The head, each piece of the body, the end of the body, and the connection's return from a worker.
    static let handle: MHD_AccessHandlerCallback = { _, _, _, method, version, upload, uploadSize, context in
        guard let raw = context?.pointee, let method, let version, let uploadSize else { return .NO }
        let exchange = Unmanaged<Exchange>.fromOpaque(raw).takeUnretainedValue()
        return exchange.step(method, version, upload, uploadSize) ? .YES : .NO
    }

    /// The end of a request, whatever it came to.
    static let complete: MHD_RequestCompletedCallback = { _, _, context, code in
        guard let raw = context?.pointee else { return }
        context?.pointee = nil
        Unmanaged<Exchange>.fromOpaque(raw).takeRetainedValue().end(
            wasCompleted: code == .REQUEST_TERMINATED_COMPLETED_OK)
    }

    /// Leaves the path as it is: it is decoded from its raw form, segment by segment.
    static let unescape:
        @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?) -> Int = {
            _, _, text in
            guard let text else { return 0 }
            var end = text
            while end.pointee != 0 { end += 1 }
            return end - text
        }

    /// The certificate for a handshake; the session's pointer is the library's connection.
    static let retrieveCertificate:
        @convention(c) (
            OpaquePointer?, UnsafePointer<gnutls_datum_t>?, Int32, UnsafePointer<gnutls_pk_algorithm_t>?, Int32,
            UnsafeMutablePointer<UnsafeMutablePointer<gnutls_pcert_st>?>?, UnsafeMutablePointer<UInt32>?,
            UnsafeMutablePointer<gnutls_privkey_t?>?
        ) -> Int32 = { session, _, _, _, _, chain, count, key in
            guard let library = gnutls_session_get_ptr(session), let raw = mhd_socket_context(OpaquePointer(library)),
                let store = Unmanaged<Connection>.fromOpaque(raw).takeUnretainedValue().core.certificates
            else { return -1 }
            let certificate = store.current
            chain?.pointee = certificate.chain
            count?.pointee = certificate.count
            key?.pointee = certificate.key
            return 0
        }

    private static func core(_ context: UnsafeMutableRawPointer?) -> ServerCore? {
        context.map { Unmanaged<ServerCore>.fromOpaque($0).takeUnretainedValue() }
    }
}
