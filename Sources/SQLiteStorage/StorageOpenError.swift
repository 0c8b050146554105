/// Why a folder could not be opened as a store; nothing in it was changed.
package enum StorageOpenError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Another process (by its number, when known) has the folder.
    case held(process: Int?)
    /// A later version of the program wrote the folder.
    case newerSchema(found: Int, known: Int)
    /// The database file is of another program.
    case foreign
    /// The operating system or SQLite refused; the text says what and why.
    case failed(String)

    /// One line for a person.
    package var description: String {
        switch self {
        case .held(let process?): "The data folder is in use by process \(process)."
        case .held(nil): "The data folder is in use by another process."
        case .newerSchema(let found, let known):
            "The data folder was written by a later version (schema \(found); this version knows up to \(known))."
        case .foreign: "rowhouse.db in the data folder is not a Rowhouse database."
        case .failed(let text): text
        }
    }
}
