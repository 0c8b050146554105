import Glibc

/// Standard output for answers that must arrive: among them may be a token, which is told only once.
enum CommandOutput {
    /// Writes the lines.
    ///
    /// - Throws: when standard output does not take all of them.
    static func write(_ lines: [String]) throws(CommandError) {
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
            if count < 0 && errno != EINTR {
                throw CommandError(.inputOutput, "It was done, but standard output did not take the answer.")
            }
            start += max(0, count)
        }
    }
}
