import HTTPCore
import RowhouseModel
import RowhouseWire

extension APIHandler {
    func upload(_ base: BaseID, _ record: RecordID, _ field: String, _ call: Call) async throws(APIError) -> Response {
        let (request, file) = try UploadDecoder.decode(
            try RecordDecoder.object(call.request.body), base: base, record: record, field: field)
        let idempotency = try call.idempotency()
        let receiver = try services.attachments.receiver(
            for: request, limit: UploadDecoder.largest, as: call.caller)
        try receiver.take(file.span)
        let written = try await services.attachments.uploadAttachment(
            request, receiver, as: call.caller, idempotency: idempotency)
        return try respond(written) { (written) throws(APIError) in
            try encoder.written(written, single: true, RecordPresentation(returnFieldsByFieldID: true))
        }
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
