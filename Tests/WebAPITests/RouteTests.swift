import HTTPCore
import RowhouseModel
import Testing
import WebAPI

struct RouteTests {
    private static let base = Door.base
    private static let record = Door.record
    private static let fieldsBody = #"{"fields":{}}"#
    private static let updates = #"{"records":[{"id":"rec00000000000000","fields":{}}]}"#

    /// Method, address below `/v0/`, body, scope (`-` where none is checked) and what the floors below are asked for.
    private static let served: [(String, String, String, String, String)] = [
        ("GET", "\(base)/Tasks", "", "Tasks data.records:read", "list Tasks"),
        ("POST", "\(base)/Tasks/listRecords", "{}", "Tasks data.records:read", "list Tasks"),
        ("POST", "\(base)/Tasks/listRecords", "", "Tasks data.records:read", "list Tasks"),
        ("GET", "\(base)/Tasks/\(record)", "", "Tasks data.records:read", "get Tasks \(record)"),
        ("POST", "\(base)/Tasks", fieldsBody, "Tasks data.records:write", "create 1 single Tasks"),
        (
            "POST", "\(base)/Tasks", #"{"records":[{"fields":{}},{"fields":{}}]}"#, "Tasks data.records:write",
            "create 2 batch Tasks"
        ),
        ("PATCH", "\(base)/Tasks", updates, "Tasks data.records:write", "update \(record) kept batch - Tasks"),
        ("PUT", "\(base)/Tasks", updates, "Tasks data.records:write", "update \(record) cleared batch - Tasks"),
        (
            "PATCH", "\(base)/Tasks", #"{"records":[{"fields":{}}],"performUpsert":{"fieldsToMergeOn":["A","B"]}}"#,
            "Tasks data.records:write", "update - kept batch A,B Tasks"
        ),
        (
            "PATCH", "\(base)/Tasks/\(record)", fieldsBody, "Tasks data.records:write",
            "update \(record) kept single - Tasks"
        ),
        (
            "PUT", "\(base)/Tasks/\(record)", fieldsBody, "Tasks data.records:write",
            "update \(record) cleared single - Tasks"
        ),
        (
            "DELETE", "\(base)/Tasks?records[]=\(record)", "", "Tasks data.records:write",
            "delete \(record) batch Tasks"
        ),
        (
            "DELETE", "\(base)/Tasks?records%5B%5D=\(record)&records%5B%5D=rec00000000000001", "",
            "Tasks data.records:write", "delete \(record),rec00000000000001 batch Tasks"
        ),
        ("DELETE", "\(base)/Tasks/\(record)", "", "Tasks data.records:write", "delete \(record) single Tasks"),
        (
            "GET", "\(base)/Tasks/\(record)/comments?pageSize=5&offset=MTk", "", "Tasks data.recordComments:read",
            "listComments Tasks \(record) 5 MTk"
        ),
        (
            "GET", "\(base)/My+Tasks/\(record)/comments", "", "My+Tasks|My Tasks data.recordComments:read",
            "listComments My+Tasks|My Tasks \(record) 100 -"
        ),
        (
            "POST", "\(base)/Tasks/\(record)/comments", #"{"text":"a"}"#, "Tasks data.recordComments:write",
            "createComment Tasks \(record) a -"
        ),
        (
            "POST", "\(base)/comments/\(record)/comments", #"{"text":"a","parentCommentId":"com00000000000001"}"#,
            "comments data.recordComments:write", "createComment comments \(record) a com00000000000001"
        ),
        (
            "PATCH", "\(base)/Tasks/\(record)/comments/com00000000000000", #"{"text":"b"}"#,
            "Tasks data.recordComments:write", "updateComment Tasks \(record) com00000000000000 b"
        ),
        (
            "DELETE", "\(base)/Tasks/\(record)/comments/com00000000000000", "", "Tasks data.recordComments:write",
            "deleteComment Tasks \(record) com00000000000000"
        ),
        ("GET", "meta/bases", "", "-", "listBases"),
        (
            "POST", "meta/bases",
            #"{"name":"B","workspaceId":"w","tables":[{"name":"T","fields":[{"name":"A","type":"email"}]}]}"#,
            "-", "createBase B"
        ),
        ("GET", "meta/bases/\(base)", "", "- workspacesAndBases:read", "baseSchema \(base)"),
        ("DELETE", "meta/bases/\(base)", "", "- workspacesAndBases:write", "deleteBase \(base)"),
        ("GET", "meta/bases/\(base)/tables", "", "- schema.bases:read", "baseSchema \(base)"),
        (
            "POST", "meta/bases/\(base)/tables", #"{"name":"T","fields":[{"name":"A","type":"email"}]}"#,
            "- schema.bases:write", "createTable T"
        ),
        (
            "PATCH", "meta/bases/\(base)/tables/My%20Table", #"{"name":"N"}"#, "My Table schema.bases:write",
            "updateTable My Table N"
        ),
        ("DELETE", "meta/bases/\(base)/tables/T", "", "T schema.bases:write", "deleteTable T"),
        (
            "POST", "meta/bases/\(base)/tables/T/fields", #"{"name":"A","type":"email"}"#, "T schema.bases:write",
            "createField A T"
        ),
        (
            "PATCH", "meta/bases/\(base)/tables/T/fields/fld00000000000000", #"{"name":"N"}"#, "T schema.bases:write",
            "updateField fld00000000000000 T N"
        ),
        (
            "DELETE", "meta/bases/\(base)/tables/A%2FB/fields/fld00000000000000", "", "A/B schema.bases:write",
            "deleteField fld00000000000000 A/B"
        ),
        (
            "PATCH", "meta/bases/\(base)/tables/T/fields/fld00000000000000?preview=true", #"{"type":"number"}"#,
            "T schema.bases:write", "previewRetyping fld00000000000000 number"
        ),
        (
            "POST", "meta/bases/\(base)/tables/T/views", #"{"name":"V","filterByFormula":"1"}"#,
            "T schema.bases:write", "createView V T"
        ),
        (
            "PATCH", "meta/bases/\(base)/tables/T/views/viw00000000000000", #"{"name":"V"}"#, "T schema.bases:write",
            "updateView viw00000000000000|viw00000000000000 T"
        ),
        (
            "PATCH", "meta/bases/\(base)/tables/T/views/My+%2F%20View", #"{"sort":[]}"#, "T schema.bases:write",
            "updateView My+/ View|My / View T"
        ),
        (
            "DELETE", "meta/bases/\(base)/tables/T/views/viw00000000000000", "", "T schema.bases:write",
            "deleteView viw00000000000000 T"
        ),
        (
            "DELETE", "meta/bases/\(base)/views/viw00000000000000", "", "- workspacesAndBases:write",
            "deleteView viw00000000000000 -"
        ),
        ("GET", "meta/bases/\(base)/trash", "", "- data.records:read", "listTrash \(base) 100 -"),
        (
            "GET", "meta/bases/\(base)/trash?pageSize=7&offset=del00000000000000", "", "- data.records:read",
            "listTrash \(base) 7 del00000000000000"
        ),
        (
            "POST", "meta/bases/\(base)/trash/\(record)/restore", "", "- data.records:write",
            "restore \(record) \(base)"
        ),
        (
            "POST", "meta/bases/\(base)/trash/del00000000000001/restore", "", "- data.records:write",
            "restore del00000000000001 \(base)"
        ),
        (
            "POST", "meta/bases/\(base)/trash/fld00000000000000/restore", "", "- schema.bases:write",
            "restore fld00000000000000 \(base)"
        ),
        (
            "POST", "meta/bases/\(base)/trash/tbl00000000000000/restore", "", "- schema.bases:write",
            "restore tbl00000000000000 \(base)"
        ),
        ("GET", "meta/trash", "", "-", "listTrash - 100 -"),
        (
            "GET", "\(base)/Tasks/\(record)/history", "", "Tasks data.records:read", "history Tasks \(record) 100"
        ),
        (
            "POST", "\(base)/Tasks/\(record)/history/chg00000000000009/restore", #"{"fieldId":"A"}"#,
            "Tasks data.records:write", "restoreCell Tasks \(record) chg00000000000009 A before"
        ),
        (
            "POST", "\(base)/Tasks/\(record)/history/chg00000000000009/restore",
            #"{"fieldId":"A","value":"after"}"#, "Tasks data.records:write",
            "restoreCell Tasks \(record) chg00000000000009 A after"
        ),
        ("GET", "meta/bases/\(base)/views", "", "- workspacesAndBases:read", "baseSchema \(base)"),
        ("GET", "meta/bases/\(base)/views/viw00000000000000", "", "- workspacesAndBases:read", "baseSchema \(base)"),
    ]

    @Test func `Every route asks for its scope and its work, with or without a slash at the end`() async {
        for (method, path, body, scope, work) in Self.served {
            for slash in ["", "/"] {
                let parts = path.split(separator: "?", maxSplits: 1)
                let target = "/v0/" + parts[0] + slash + (parts.count > 1 ? "?" + parts[1] : "")
                let door = Door()
                let response = await door.send(method, target, body: body)
                #expect(response.status == .ok, "\(method) \(target) \(response.text)")
                #expect(response["Content-Type"] == "application/json; charset=utf-8")
                let admit = "admit " + (scope == "-" ? "-" : Self.base)
                let check = scope == "-" ? [] : ["check \(Self.base) \(scope)"]
                #expect(door.lines() == ["caller", admit] + check + [work], "\(method) \(target)")
            }
        }
    }

    @Test func `What one call deleted is restored with the right to write records or the schema`() async {
        let path = "/v0/meta/bases/\(Self.base)/trash/del00000000000001/restore"
        for (token, scope) in [("schema", "schema.bases:write"), ("all", "data.records:write")] {
            let door = Door()
            _ = await door.send("POST", path, token: token)
            #expect(door.lines().contains("check \(Self.base) - \(scope)"))
        }
    }

    @Test func `A deleted base is restored by a call that counts as one on it`() async {
        let door = Door()
        let response = await door.send("POST", "/v0/meta/trash/\(Self.base)/restore")
        #expect(response.text == #"{"id":"\#(Self.base)","restored":true,"entries":[]}"#)
        #expect(door.lines() == ["caller", "admit \(Self.base)", "restore \(Self.base) -"])
    }

    @Test func `whoami needs a token and nothing else`() async {
        let door = Door()
        #expect(
            await door.send("GET", "/v0/meta/whoami").text == #"{"id":"usr00000000000000","email":"ada@example.org"}"#)
        #expect(await door.send("GET", "/v0/meta/whoami", token: "none").text == #"{"id":"usr00000000000000"}"#)
        #expect(await door.send("GET", "/v0/meta/whoami", token: nil).status.rawValue == 401)
    }

    @Test func `A table is named as its segment says, encoded slashes and plus signs included`() async {
        let rows = [
            ("My%20Table", "My Table"), ("A%2FB", "A/B"), ("A%3FB%26C", "A?B&C"), ("100%25", "100%"),
            ("%E5%AD%97", "字"), ("My+Table", "My+Table|My Table"), ("C%2B%2B", "C++"),
            ("tbl00000000000000", "tbl00000000000000"),
            ("meta", "meta"), ("listRecords", "listRecords"), ("bases", "bases"),
        ]
        for (segment, name) in rows {
            let door = Door()
            _ = await door.send("GET", "/v0/\(Door.base)/\(segment)?pageSize=1")
            #expect(door.lines().last == "list \(name)", "\(segment)")
        }
    }

    @Test func `What is not served is not found, token or not`() async {
        let base = Door.base
        let rows = [
            ("GET", "/v0"), ("GET", "/v0/"), ("GET", "/v1/\(base)/Tasks"), ("GET", "/\(base)/Tasks"),
            ("GET", "/v0/\(base)"),
            ("GET", "/v0/\(base)/"), ("GET", "/v0/nope/Tasks"), ("GET", "/v0/app0000000000000/Tasks"),
            ("GET", "/v0/app000000000000000/Tasks"), ("GET", "/v0/tbl00000000000000/Tasks"),
            ("GET", "/v0/\(base)/Tasks/nope"), ("GET", "/v0/\(base)/Tasks/rec0000000000000"),
            ("PATCH", "/v0/\(base)/Tasks/nope"), ("PUT", "/v0/\(base)/Tasks/nope"),
            ("DELETE", "/v0/\(base)/Tasks/nope"),
            ("DELETE", "/v0/\(base)/Tasks/tbl00000000000000"), ("POST", "/v0/\(base)/Tasks/\(Door.record)"),
            ("GET", "/v0/\(base)/Tasks/listRecords"), ("POST", "/v0/\(base)/Tasks/listrecords"),
            ("POST", "/v0/\(base)/Tasks/listRecords/x"), ("GET", "/v0/\(base)//"), ("GET", "/v0/\(base)/Tasks//"),
            ("PUT", "/v0/\(base)/Tasks/\(Door.record)/comments"),
            ("PATCH", "/v0/\(base)/Tasks/\(Door.record)/comments"),
            ("GET", "/v0/\(base)/Tasks/\(Door.record)/Comments"), ("GET", "/v0/\(base)/Tasks/rec1/comments"),
            ("GET", "/v0/\(base)/Tasks/\(Door.record)/comments/com00000000000000"),
            ("PATCH", "/v0/\(base)/Tasks/\(Door.record)/comments/com1"),
            ("DELETE", "/v0/\(base)/Tasks/\(Door.record)/comments/rec00000000000000"),
            ("DELETE", "/v0/\(base)/Tasks/\(Door.record)/comments/com00000000000000/x"),
            ("POST", "/v0/\(base)//\(Door.record)/comments"),
            ("GET", "/v0//\(base)/Tasks"), ("GET", "//v0/\(base)/Tasks"), ("GET", "/v0/bases/\(base)/webhooks"),
            ("GET", "/v0/meta"), ("GET", "/v0/meta/nope"), ("POST", "/v0/meta/whoami"), ("GET", "/v0/meta/whoami/x"),
            ("PUT", "/v0/meta/bases"), ("GET", "/v0/meta/bases/nope"), ("POST", "/v0/meta/bases/\(base)"),
            ("GET", "/v0/meta/bases/nope/tables"), ("PUT", "/v0/meta/bases/\(base)/tables"),
            ("GET", "/v0/meta/bases/\(base)/tables/T"), ("PUT", "/v0/meta/bases/\(base)/tables/T"),
            ("GET", "/v0/meta/bases/\(base)/tables/T/fields"),
            ("PUT", "/v0/meta/bases/\(base)/tables/T/fields/fld00000000000000"),
            ("PATCH", "/v0/meta/bases/\(base)/tables/T/fields/Name"),
            ("DELETE", "/v0/meta/bases/\(base)/tables/T/fields/fld0000000000000"),
            ("GET", "/v0/meta/bases/\(base)/views/nope"), ("GET", "/v0/meta/bases/\(base)/nope"),
            ("BREW", "/v0/\(base)/Tasks"), ("GET", "/v0/\(base)/%zz"), ("GET", "/v0/\(base)/%ff"),
            ("GET", "/v0/\(base)/%00"),
            ("POST", "/"), ("GET", "/nope"),
        ]
        for (method, path) in rows {
            for token in ["all", nil] {
                let door = Door()
                let response = await door.send(method, path, token: token)
                #expect(response.status.rawValue == 404, "\(method) \(path)")
                #expect(response.text == #"{"error":"NOT_FOUND"}"#, "\(method) \(path)")
                #expect(door.lines() == [], "\(method) \(path)")
            }
        }
    }

    @Test func `HEAD is answered as GET, and OPTIONS anywhere without a token`() async {
        let door = Door()
        let response = await door.send("HEAD", "/v0/\(Door.base)/Tasks")
        #expect(response.status == .ok)
        #expect(door.lines().last == "list Tasks")
        for path in ["/v0/\(Door.base)/Tasks", "/v0/nope", "/"] {
            #expect(await door.send("OPTIONS", path, token: nil).status == .noContent)
        }
        #expect(door.lines() == [])
    }

    @Test func `The front page and the sign of life need no token`() async {
        let door = Door()
        #expect(await door.send("GET", "/", token: nil)["Content-Type"]?.hasPrefix("text/html") == true)
        #expect(await door.send("GET", "/healthz", token: nil).text == #"{"status":"ok"}"#)
        #expect(door.lines() == [])
    }
}
