import Glibc

/// An open file or socket, closed with its last use.
struct FileDescriptor: ~Copyable {
    let number: Int32

    /// Takes the result of a call that opens something.
    init(_ number: Int32, from call: String) throws(SystemCallError) {
        guard number >= 0 else { throw .last(call) }
        self.number = number
    }

    deinit { close(number) }
}
