import Cryptography
import RowhouseModel

/// The folder's own random bytes, made once and kept with the data.
enum FolderSecret {
    static func load(_ connection: Connection) throws(APIError) -> [UInt8] {
        let insert = try connection.prepare("INSERT OR IGNORE INTO secrets (name, value) VALUES ('signing', ?1)")
        insert.bind(1, blob: RandomBytes.make(count: 32))
        try insert.run()
        let select = try connection.prepare("SELECT value FROM secrets WHERE name = 'signing'")
        defer { select.reset() }
        guard try select.step() else { throw .internalError }
        return select.bytes(0)
    }
}
