import CivilTime
import RowhouseJSON
package import RowhouseModel

/// Writes what Airtable tells about a base and its people.
package enum BaseInfoEncoder {
    /// The parts that were asked for.
    package struct Included: Sendable {
        package let collaborators: Bool
        package let inviteLinks: Bool
        package let interfaces: Bool
        package init(collaborators: Bool, inviteLinks: Bool, interfaces: Bool) {
            self.collaborators = collaborators
            self.inviteLinks = inviteLinks
            self.interfaces = interfaces
        }
    }

    package static func encode(_ base: BaseSchema, users: UserDirectory, included: Included) -> [UInt8] {
        var info = JSONObject([
            ("id", .string(base.id.description)), ("name", .string(base.name)),
            ("createdTime", .string(base.createdTime.iso8601)), ("permissionLevel", .string("create")),
            ("workspaceId", .string(base.workspace.description)),
        ])
        if included.interfaces { info["interfaces"] = .object(JSONObject()) }
        if included.collaborators {
            let people = collaborators(users)
            let none = JSONValue.object(
                JSONObject([("baseCollaborators", .array([])), ("workspaceCollaborators", .array([]))]))
            info["collaborators"] = people
            info["individualCollaborators"] = people
            info["groupCollaborators"] = none
        }
        if included.inviteLinks {
            info["inviteLinks"] = .object(
                JSONObject([("baseInviteLinks", .array([])), ("workspaceInviteLinks", .array([]))]))
        }
        return JSONValue.object(info).bytes
    }

    private static func collaborators(_ users: UserDirectory) -> JSONValue {
        let owner = users.users.first?.id.description ?? ""
        let people = users.users.map { user in
            JSONValue.object(
                JSONObject([
                    ("userId", .string(user.id.description)), ("email", .string(user.email)),
                    ("name", .string(user.name)), ("permissionLevel", .string("create")),
                    ("createdTime", .string(user.createdTime.iso8601)), ("grantedByUserId", .string(owner)),
                ]))
        }
        return .object(JSONObject([("baseCollaborators", .array(people)), ("workspaceCollaborators", .array([]))]))
    }
}
