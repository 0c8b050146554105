import Accounts
import RowhouseModel

extension Office {
    func createUser(email: String, name: String) throws(CommandError) -> String {
        do throws(AccountsError) {
            // The first user is the owner, whoever is made on a fresh folder.
            _ = try accounts.ensureOwner()
            return "\(try accounts.createUser(email: email, name: name).id)"
        } catch {
            throw .account(error)
        }
    }

    func listUsers() -> [String] {
        ListText.lines(
            [["id", "email", "name", "created"]]
                + accounts.users().users.map {
                    ["\($0.id)", $0.email, $0.name, ListText.time($0.createdTime)]
                })
    }
}
