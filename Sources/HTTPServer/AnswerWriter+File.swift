import CMicrohttpd
import Glibc
import HTTPCore

extension AnswerWriter {
    /// Makes the answer that sends a file, or the part of it that is asked for; it may wait for the disk.
    ///
    /// What cannot be sent becomes an answer that says so. Files are neither compressed nor hashed: the kernel moves
    /// them from its cache to the socket.
    func prepare(
        _ file: FileBody, _ response: Response, _ traits: AnswerTraits, _ headers: HTTPHeaders, closing: Bool
    ) -> PreparedAnswer? {
        do throws(OpenedFile.Failure) {
            return prepare(try OpenedFile(file.path), file.entityTag, response, traits, headers, closing: closing)
        } catch {
            return prepare(error.response, traits, closing: closing)
        }
    }

    private func prepare(
        _ file: consuming OpenedFile, _ entityTag: String?, _ response: Response, _ traits: AnswerTraits,
        _ headers: HTTPHeaders, closing: Bool
    ) -> PreparedAnswer? {
        let (size, modified) = (file.size, file.modified)
        // Only an answer that would be the whole file may become a part of it, or none.
        let selection =
            response.status == .ok && traits.isRead
            ? FileSelection(headers, isGet: traits.isGet, size: size, modified: modified, entityTag: entityTag) : .whole
        var status = response.status
        var range = 0..<size
        switch selection {
        case .whole: break
        case .unsatisfiable: return prepare(.rangeNotSatisfiable(size: size), traits, closing: closing)
        case .notModified: status = .notModified
        case .part(let part):
            status = .partialContent
            range = part
        }
        if traits.omitsBody { range = 0..<0 }
        guard let made = AnswerWriter.make(file, range, isUnsent: selection == .notModified) else { return nil }
        addHeaders(of: response, traits, closing: closing, to: made)
        AnswerWriter.add("Accept-Ranges", "bytes", made)
        AnswerWriter.add("Last-Modified", modified.description, made)
        if let entityTag { AnswerWriter.add("ETag", entityTag, made) }
        if case .part(let part) = selection {
            AnswerWriter.add("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)", made)
        }
        return PreparedAnswer(
            status: status.rawValue, response: made, bytes: selection == .notModified ? 0 : range.count)
    }

    /// The library owns the descriptor from here on, and closes it with the answer.
    private static func make(
        _ file: consuming OpenedFile, _ range: Range<Int>, isUnsent: Bool
    ) -> OpaquePointer? {
        if isUnsent || range.isEmpty { return make(unsent: range.count) }
        file.announce(range)
        let descriptor = file.release()
        let made = MHD_create_response_from_fd_at_offset64(
            UInt64(range.count), descriptor, UInt64(range.lowerBound))
        if made == nil { close(descriptor) }
        return made
    }
}
