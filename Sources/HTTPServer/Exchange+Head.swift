import CMicrohttpd
import Glibc
import HTTPCore
import Platform

extension Exchange {
    /// Takes the target from the library's buffer, and hides its query from the library.
    ///
    /// The library would turn every parameter into a node of the connection's memory; 4,000 of them fill any
    /// reasonable pool, and then there is no room left for an answer. It looks at the query only after this call.
    func readTarget(_ uri: UnsafeMutablePointer<CChar>?) {
        guard let uri else {
            refusal = .malformed
            return
        }
        let length = strlen(uri)
        targetEnd = UnsafePointer(uri + length)
        if length > core.limits.targetLength {
            refusal = .targetTooLong
        } else {
            target = RequestTarget(Array(UnsafeRawBufferPointer(start: uri, count: length)))
            if target == nil { refusal = .malformed }
        }
        if let mark = strchr(uri, 0x3F), mark + 1 < uri + length { mark[1] = 0 }
    }

    /// Judges the complete head; what is wrong with it is left in `refusal`.
    func readHead(_ method: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>) {
        request.id = core.nextRequestID()
        traits.requestID = request.id
        do {
            try readHeadStrictly(method, version)
        } catch {
            refusal = error
        }
    }

    private func readHeadStrictly(
        _ method: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>
    ) throws(Refusal) {
        guard let known = Exchange.method(method) else { throw .malformed }
        request.method = known
        methodText = known.rawValue
        traits.isGet = known == .get
        traits.isRead = traits.isGet || known == .head
        traits.omitsBody = known == .head && strcmp(method, "HEAD") != 0
        // A distance that is not one means blanks or a NUL between target and version.
        guard let targetEnd, version == targetEnd + 1 else { throw .malformed }
        let isVersion11 = strcmp(version, "HTTP/1.1") == 0
        guard isVersion11 || strcmp(version, "HTTP/1.0") == 0 else { throw .malformed }
        if let refusal { throw refusal }
        guard let target else { throw .malformed }
        request.rawPath = target.rawPath
        request.rawQuery = target.rawQuery
        let headers = try HeadReader.read(library, method, version, limits: core.limits)
        request.headers = headers
        let framing = try BodyFraming(headers, isVersion11: isVersion11)
        readOrigin(headers)
        if let value = headers["Accept-Encoding"] { traits.acceptsGzip = AcceptEncoding.allowsGzip(value) }
        if traits.isRead { traits.ifNoneMatch = headers["If-None-Match"] }
        try admit()
        try expectBody(framing)
    }

    private static func method(_ text: UnsafePointer<CChar>) -> Method? {
        // The two most frequent ones without an array.
        if strcmp(text, "GET") == 0 { return .get }
        if strcmp(text, "POST") == 0 { return .post }
        return Method(Array(UnsafeRawBufferPointer(start: text, count: strlen(text))))
    }

    private func readOrigin(_ headers: HTTPHeaders) {
        request.remoteAddress = connection.peer
        request.isSecure = core.configuration.tls != nil
        guard connection.isTrustedProxy else { return }
        request.remoteAddress = ForwardedAddress.client(
            headers.values("X-Forwarded-For"), peer: connection.peer, trusted: core.trustedProxies)
        if let scheme = headers["X-Forwarded-Proto"] { request.isSecure = ASCII.isEqual(scheme, "https") }
    }

    private func admit() throws(Refusal) {
        if connection.isOverLimit { throw .noRoom }
        guard connection.isTrustedProxy, let limit = core.configuration.connectionsPerAddress else { return }
        let address = request.remoteAddress
        countedAddress = address
        guard core.registry.withLock({ $0.begin(address, limit: limit) }) else { throw .noRoom }
    }

    private func expectBody(_ framing: BodyFraming) throws(Refusal) {
        guard framing != .none else { return }
        expectsBody = true
        switch core.handler.bodyHandling(of: request) {
        case .drop:
            bodyLimit = BodyHandling.usualLimit
            keepsBody = false
        case .keep(let limit): bodyLimit = limit
        case .stream(let sink, let limit):
            bodyLimit = limit
            self.sink = sink
        }
        guard case .length(let length) = framing, length > bodyLimit else { return }
        // A client that asks first, or sends more than one cares to read, learns it at once and is closed.
        if request.headers["Expect"] != nil || length - bodyLimit > Exchange.discardLimit { throw .bodyTooLarge }
        bodyRefusal = .bodyTooLarge
    }

    /// Bytes of a refused body that are read and dropped, so that a client that sends first still gets its answer.
    static let discardLimit = 64 * 1024 * 1024
}
