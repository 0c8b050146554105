import Glibc

/// The standard streams, written at once and without a buffer, so that nothing is lost or late.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Writes the text and a line break; a reader that has gone is not an error.
    package func line(_ text: String) { write(text + "\n") }

    /// Writes the text; a reader that has gone is not an error.
    package func write(_ text: String) {
        let bytes = Array(text.utf8)
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { Glibc.write(rawValue, $0.baseAddress, $0.count) }
            if count < 0 && errno != EINTR { return }
            start += max(0, count)
        }
    }

    /// Whether a person reads it.
    package var isTerminal: Bool { isatty(rawValue) == 1 }
}
