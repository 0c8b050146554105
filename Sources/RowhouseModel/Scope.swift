/// What a personal access token may do, by Airtable's names.
package struct Scope: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let recordsRead = Scope(rawValue: "data.records:read")
    package static let recordsWrite = Scope(rawValue: "data.records:write")
    package static let commentsRead = Scope(rawValue: "data.recordComments:read")
    package static let commentsWrite = Scope(rawValue: "data.recordComments:write")
    package static let schemaRead = Scope(rawValue: "schema.bases:read")
    package static let schemaWrite = Scope(rawValue: "schema.bases:write")
    package static let webhookManage = Scope(rawValue: "webhook:manage")
    package static let userEmailRead = Scope(rawValue: "user.email:read")
    package static let workspacesRead = Scope(rawValue: "workspacesAndBases:read")
    package static let workspacesWrite = Scope(rawValue: "workspacesAndBases:write")

    /// Every scope that a token can be given.
    package static let all: [Scope] = [
        .recordsRead, .recordsWrite, .commentsRead, .commentsWrite, .schemaRead, .schemaWrite, .webhookManage,
        .userEmailRead, .workspacesRead, .workspacesWrite,
    ]
}
