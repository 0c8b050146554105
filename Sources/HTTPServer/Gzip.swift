import CZlib

/// Compresses whole bodies.
enum Gzip {
    /// The gzip form (RFC 1952) of a body; nil if it is not shorter or memory is short.
    static func compress(_ body: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        // Level 4: close to the default in size at half its time.
        guard body.count < Int(UInt32.max), zlib_begin_gzip(&stream, 4) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let room = body.count - 1
        guard room > 0 else { return nil }
        var finished = false
        let packed = [UInt8](unsafeUninitializedCapacity: room) { output, count in
            body.withUnsafeBufferPointer { input in
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(room)
                finished = deflate(&stream, Z_FINISH) == Z_STREAM_END
            }
            count = room - Int(stream.avail_out)
        }
        return finished ? packed : nil
    }
}
