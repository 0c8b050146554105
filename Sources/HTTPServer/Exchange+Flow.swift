import CMicrohttpd
import HTTPCore
import Platform
import Synchronization

extension Exchange {
    /// One step of the request on the event thread; false closes the connection.
    func step(
        _ method: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>, _ upload: UnsafePointer<CChar>?,
        _ uploadSize: UnsafeMutablePointer<Int>
    ) -> Bool {
        switch stage {
        case .head:
            readHead(method, version)
            // An answer before the body is read makes the library close the connection: right after a bad head.
            if let refusal { return answer(refusal.response, closing: true) }
            stage = .body
            if expectsBody { connection.enter(.receivingBody(since: MonotonicClock.coarse(), bytes: 0)) }
            return true
        case .body:
            // What the library holds it offers again, once the sink has taken what came before.
            if isPieceDue(atEnd: uploadSize.pointee == 0) {
                storePiece()
                return true
            }
            guard uploadSize.pointee == 0 else {
                defer { uploadSize.pointee = 0 }
                return receive(UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee))
            }
            return dispatch()
        case .working:
            guard let prepared = takePrepared() else { return false }
            return send(prepared)
        case .answered:
            return false
        }
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        connection.receivedBody(bytes.count)
        if bodyRefusal == nil, keepsBody {
            if bytes.count > bodyLimit - receivedBody {
                refuseBody(.bodyTooLarge)
            } else if !core.reserveBody(bytes.count) {
                refuseBody(.noRoom)
            }
        }
        guard bodyRefusal == nil, keepsBody else {
            dropBody()
            discardedBody += bytes.count
            return discardedBody <= bodyLimit + Exchange.discardLimit
        }
        reservedBody += bytes.count
        receivedBody += bytes.count
        request.body.append(contentsOf: bytes)
        return true
    }

    private func dispatch() -> Bool {
        connection.enter(.working)
        stage = .working
        if let bodyRefusal { return answer(bodyRefusal.response) }
        var request = request
        self.request.body = []
        request.sink = sink.take()
        switch core.handler.handle(request) {
        case .now(let response):
            guard core.writer.needsWorker(response, traits) else { return answer(response) }
            // Without a worker it goes out uncompressed, and its file is opened here.
            if !work({ response }) {
                traits.acceptsGzip = false
                finish(response)
            }
        case .later(let closure):
            if !work(closure) { finish(.retriable) }
        }
        return true
    }

    /// Suspends the connection and hands the work to a worker; false if there is no room for it, and then the
    /// connection, which is suspended all the same, waits for ``finish(_:)``.
    private func work(_ work: @escaping @Sendable () async -> Response) -> Bool {
        core.suspended.wrappingAdd(1, ordering: .relaxed)
        MHD_suspend_connection(library)
        connection.enter(.waiting(self))
        guard !core.isAbandoned.load(ordering: .sequentiallyConsistent) else { return false }
        return core.team.trySubmit(async: { self.finish(await work()) })
    }

    private func answer(_ response: Response, closing: Bool = false) -> Bool {
        let closing = closing || core.isDraining.load(ordering: .relaxed)
        guard let prepared = prepare(response, closing: closing) else { return false }
        return send(prepared)
    }

    private func send(_ prepared: PreparedAnswer) -> Bool {
        stage = .answered
        sent = prepared
        connection.enter(.answering(since: MonotonicClock.coarse(), bytes: prepared.bytes))
        let result = MHD_queue_response(library, UInt32(prepared.status), prepared.response)
        MHD_destroy_response(prepared.response)
        return result == .YES
    }

    func dropBody() {
        request.body = []
        core.releaseBody(reservedBody)
        reservedBody = 0
    }

    /// Takes back every count, and writes the log.
    func end(wasCompleted: Bool) {
        dropBody()
        cancelSink()
        if let prepared = takePrepared() { MHD_destroy_response(prepared.response) }
        if let countedAddress { core.registry.withLock { $0.end(countedAddress) } }
        connection.enter(.idle(since: MonotonicClock.coarse(), received: nil, headSince: nil))
        core.inFlight.wrappingSubtract(1, ordering: .releasing)
        guard let log = core.configuration.accessLog else { return }
        log(
            AccessLogEntry(
                requestID: request.id, method: methodText,
                target: target.map { LoggedTarget.redacted(rawPath: $0.rawPath, rawQuery: $0.rawQuery) } ?? "",
                status: wasCompleted ? sent.map { Status(rawValue: $0.status) } : nil,
                bytes: wasCompleted ? sent?.bytes ?? 0 : 0,
                milliseconds: Double(MonotonicClock.now() &- started) / 1_000_000,
                remoteAddress: request.remoteAddress))
    }
}
