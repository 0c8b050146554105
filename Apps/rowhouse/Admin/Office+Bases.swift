import Accounts
import RowhouseModel
import Storage

extension Office {
    func createBase(_ file: BaseFile) async throws(CommandError) -> String {
        let owner: Caller
        do { owner = try accounts.ownerAsCaller() } catch { throw .account(error) }
        return "\(try await file.create(with: operations, as: owner).id)"
    }

    func listBases() -> [String] {
        ListText.lines(
            [["id", "name", "tables", "created"]]
                + storage.schema.bases.map {
                    ["\($0.id)", $0.name, "\($0.tables.count)", ListText.time($0.createdTime)]
                })
    }
}
