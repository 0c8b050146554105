import HTTPCore
import RowhouseModel
import RowhouseWire

extension APIHandler {
    /// A form with a file in it goes to the disk as it comes; nil for every other request.
    func uploadHandling(of request: Request, _ caller: Caller) -> BodyHandling? {
        // Nearly every request is told by its first bytes.
        guard let type = request.headers["Content-Type"], type.utf8.first.map({ $0 | 0x20 }) == UInt8(ascii: "m"),
            let segments = try? PathSegments.splitBothWays(request.rawPath),
            case .uploadAttachment(let base, let record, let field) = Route(
                method: request.method, segments: segments)
        else { return nil }
        let isKeyed = request.headers["Idempotency-Key"] != nil
        // Who may not attach it need not send it; under a key it may have been attached already.
        do throws(APIError) {
            try services.access.check(base: base, table: nil, scope: .recordsWrite, as: caller)
        } catch { if !isKeyed { return .drop } }
        let upload = UploadAttachmentRequest(base: base, record: record, field: field, filename: "", contentType: nil)
        let sink = UploadSink(
            upload, contentType: type, isKeyed: isKeyed, caller: caller,
            attachments: services.attachments)
        return .stream(sink, limit: UploadSink.largestBody)
    }

    func upload(_ base: BaseID, _ record: RecordID, _ field: String, _ call: Call) async throws(APIError) -> Response {
        let (request, receiver, idempotency) = try upload(base, record, field, call)
        let written = try await services.attachments.uploadAttachment(
            request, receiver, as: call.caller, idempotency: idempotency)
        return try respond(written) { (written) throws(APIError) in
            try encoder.written(written, single: true, RecordPresentation(returnFieldsByFieldID: true))
        }
    }

    /// What is to be attached: what a form has brought already, or what is in the JSON of the body.
    private func upload(
        _ base: BaseID, _ record: RecordID, _ field: String, _ call: Call
    ) throws(APIError) -> (UploadAttachmentRequest, any FileReceiver, Idempotency?) {
        if let sink = call.request.sink as? UploadSink {
            let (request, file, hash) = try sink.finish()
            return (request, file, try call.idempotency(body: UploadSink.fingerprint(hash, request)))
        }
        let (request, file) = try UploadDecoder.decode(
            try RecordDecoder.object(call.request.body), base: base, record: record, field: field)
        let idempotency = try call.idempotency()
        let receiver = try services.attachments.receiver(for: request, limit: UploadDecoder.largest, as: call.caller)
        try receiver.take(file.span)
        return (request, receiver, idempotency)
    }

    /// A file by its link, which is all that who asks needs to have.
    func file(_ request: Request, _ segments: [PathSegment]) -> Handling {
        guard request.method == .get || request.method == .head,
            let link = AttachmentLink(segments.map(\.exact))
        else { return .now(Self.failure(.notFound)) }
        do throws(APIError) { try links.check(link) } catch { return .now(Self.failure(error)) }
        return later { () throws(APIError) in
            try services.attachments.file(of: link.attachment, size: link.size).response
        }
    }
}
