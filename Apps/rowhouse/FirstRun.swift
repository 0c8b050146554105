import Accounts
import RowhouseModel

/// What happens once in a folder's life: its owner, a first token, perhaps the sample.
enum FirstRun {
    /// Makes what a fresh folder needs.
    ///
    /// - Returns: what to tell the person who started it, the token included; nil when the folder is not fresh.
    static func welcome(
        _ house: Wiring.House, _ settings: ServeSettings, _ addresses: ServerAddresses
    ) async throws(CommandError) -> String? {
        let token: String
        let owner: User
        do throws(AccountsError) {
            let first = try house.accounts.ensureOwner()
            guard first.isNew else { return nil }
            owner = first.owner
            token = try house.accounts.createToken(name: "First token", user: owner.id).text
        } catch {
            throw .account(error)
        }
        var path = "/v0/meta/bases"
        if settings.makesSample {
            path = "/v0/\(try await house.office.createBase(try SampleBase.file()))/Orders"
        }
        return """
            This folder is new. It belongs to \(owner.name) (\(owner.email)).
            This token has all rights and is shown only this once:

              \(token)

            Try it:

              curl -H "Authorization: Bearer \(token)" "\(addresses.usable)\(path)"

            """
    }
}
