import Accounts
import RowhouseModel
import Storage

extension Office {
    func createBase(_ file: BaseFile) async throws(CommandError) -> String {
        "\(try await file.create(with: operations, as: try owner()).id)"
    }

    /// The owner, with every right.
    func owner() throws(CommandError) -> Caller {
        do { return try accounts.ownerAsCaller() } catch { throw .account(error) }
    }

    func listBases() -> [String] {
        ListText.lines(
            [["id", "name", "tables", "created"]]
                + storage.schema.bases.map {
                    ["\($0.id)", $0.name, "\($0.tables.count)", ListText.time($0.createdTime)]
                })
    }
}
