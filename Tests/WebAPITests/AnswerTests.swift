import HTTPCore
import RowhouseModel
import Synchronization
import Testing
import WebAPI

struct AnswerTests {
    private static let table = "/v0/\(Door.base)/Tasks"
    private static let record =
        #"{"id":"rec00000000000000","createdTime":"1970-01-01T00:00:00.000Z","fields":{"Name":"a"}}"#

    // MARK: shapes

    @Test func `Records are answered alone or in a list, as they were sent`() async {
        let door = Door()
        #expect(await door.send("POST", Self.table, body: #"{"fields":{}}"#).text == Self.record)
        #expect(
            await door.send("POST", Self.table, body: #"{"records":[{"fields":{}}]}"#).text
                == "{\"records\":[\(Self.record)]}")
        #expect(await door.send("PATCH", "\(Self.table)/\(Door.record)", body: #"{"fields":{}}"#).text == Self.record)
        #expect(await door.send("GET", Self.table).text == "{\"records\":[\(Self.record)]}")
        #expect(await door.send("GET", "\(Self.table)/\(Door.record)").text == Self.record)
        #expect(
            await door.send("DELETE", "\(Self.table)/\(Door.record)").text
                == #"{"deleted":true,"id":"rec00000000000000"}"#)
        #expect(
            await door.send("DELETE", "\(Self.table)?records[]=\(Door.record)").text
                == #"{"records":[{"deleted":true,"id":"rec00000000000000"}]}"#)
    }

    @Test func `Keys are field ids where query or body ask for them`() async {
        let door = Door()
        let byID = #""fields":{"fld00000000000000":"a"}"#
        for query in ["returnFieldsByFieldId=true", "returnFieldsByFieldId=1"] {
            #expect(await door.send("GET", "\(Self.table)?\(query)").text.contains(byID))
            #expect(await door.send("GET", "\(Self.table)/\(Door.record)?\(query)").text.contains(byID))
            #expect(await door.send("POST", "\(Self.table)?\(query)", body: #"{"fields":{}}"#).text.contains(byID))
        }
        let body = #"{"fields":{},"returnFieldsByFieldId":true}"#
        #expect(await door.send("POST", Self.table, body: body).text.contains(byID))
        #expect(await door.send("PUT", "\(Self.table)/\(Door.record)", body: body).text.contains(byID))
    }

    @Test func `What can be answered at once is`() async {
        let door = Door()
        door.services.state.withLock { $0.answersAtOnce = true }
        #expect(await door.send("GET", Self.table).status == .ok)
        #expect(door.lines().last == "list now Tasks")
        #expect(await door.send("POST", "\(Self.table)/listRecords", body: "{}").status == .ok)
        #expect(door.lines().last == "list now Tasks")
        #expect(await door.send("GET", "\(Self.table)/\(Door.record)").status == .ok)
        #expect(door.lines().last == "get now Tasks \(Door.record)")
        door.fail("call", .recordNotFound)
        #expect(await door.send("GET", "\(Self.table)/\(Door.record)").status.rawValue == 404)
    }

    @Test func `A list is asked for with the parameters of query and body`() async throws {
        let door = Door()
        _ = await door.send("GET", "\(Self.table)?pageSize=3&fields%5B%5D=A+B&sort%5B0%5D%5Bfield%5D=C%2BD&view=")
        var list = try #require(door.services.state.withLock { $0.list })
        #expect(list.pageSize == 3 && list.fields == ["A B"] && list.view == nil)
        #expect(list.sort == [SortRequest(field: "C+D", direction: .asc)])
        _ = await door.send(
            "POST", "\(Self.table)/listRecords?timeZone=utc&userLocale=en",
            body: #"{"cellFormat":"string","method":"post"}"#)
        list = try #require(door.services.state.withLock { $0.list })
        #expect(list.presentation.cellFormat == .string(timeZone: "utc", userLocale: "en"))
        _ = await door.send("GET", "\(Self.table)?limit=7")
        #expect(door.services.state.withLock { $0.list?.pageSize } == 7)
        _ = await door.send("POST", "\(Self.table)/listRecords?limit=7")
        #expect(door.services.state.withLock { $0.list?.pageSize } == 100)
    }

    @Test func `A batch of deletions names one to ten records`() async {
        let door = Door()
        func query(_ count: Int, _ key: String) -> String {
            (0..<count).map { "\(key)=rec\(10_000_000_000_000 + $0)" }.joined(separator: "&")
        }
        for key in ["records[]", "records", "records%5B%5D"] {
            #expect(await door.send("DELETE", "\(Self.table)?\(query(10, key))").status == .ok)
            #expect(await door.send("DELETE", "\(Self.table)?\(query(11, key))").errorType == "INVALID_RECORDS")
        }
        #expect(await door.send("DELETE", Self.table).errorType == "INVALID_RECORDS")
        #expect(await door.send("DELETE", "\(Self.table)?records[]=nope").errorType == "ROW_DOES_NOT_EXIST")
    }

    // MARK: bases

    @Test func `Bases come a thousand a page`() async {
        let door = Door()
        let bases = (0..<2_001).map { number in
            BaseSchema(
                id: BaseID(text: IdentifierText(time: 0, counter: UInt64(number))), name: "B\(number)",
                workspace: RecordingServices.base.workspace, createdTime: RecordingServices.base.createdTime, tables: []
            )
        }
        door.services.state.withLock { $0.bases = bases }
        var seen = 0
        var offset = ""
        for page in 0..<3 {
            let text = await door.send("GET", "/v0/meta/bases?offset=\(offset)").text
            seen += text.split(separator: #""permissionLevel""#).count - 1
            #expect(text.contains("\"name\":\"B\(page * 1_000)\""))
            let last = text.split(separator: #""offset":""#)
            #expect((last.count == 2) == (page < 2))
            offset = last.count == 2 ? String(last[1].prefix(17)) : ""
        }
        #expect(seen == 2_001)
        #expect(await door.send("GET", "/v0/meta/bases?offset=nope").errorType == "INVALID_OFFSET_VALUE")
    }

    @Test func `Visible fields are shown where include says so, in any of its forms`() async {
        let door = Door()
        for path in ["tables", "views", "views/viw00000000000000"] {
            let target = "/v0/meta/bases/\(Door.base)/\(path)"
            for query in ["include=visibleFieldIds", "include[]=visibleFieldIds", "include%5B0%5D=visibleFieldIds"] {
                #expect(await door.send("GET", "\(target)?\(query)").text.contains("visibleFieldIds"))
            }
            #expect(await door.send("GET", target).text.contains("visibleFieldIds") == false)
        }
        #expect(
            await door.send("GET", "/v0/meta/bases/\(Door.base)/views/viw99999999999999").errorType
                == "MODEL_ID_NOT_FOUND")
    }

    @Test func `A base tells of its people only where asked`() async {
        let door = Door()
        let target = "/v0/meta/bases/\(Door.base)"
        #expect(await door.send("GET", target).text.contains("ollaborators") == false)
        #expect(await door.send("GET", target + "?include=collaborators").text.contains("individualCollaborators"))
    }

    // MARK: idempotency

    private func idempotency(_ door: Door) -> [Idempotency?] {
        door.services.state.withLock { state in
            defer { state.idempotency = [] }
            return state.idempotency
        }
    }

    private static let writes: [(String, String, String)] = [
        ("POST", table, #"{"fields":{}}"#), ("PATCH", table, #"{"records":[{"id":"r","fields":{}}]}"#),
        ("PUT", "\(table)/\(Door.record)", #"{"fields":{}}"#), ("DELETE", "\(table)/\(Door.record)", ""),
        ("DELETE", "\(table)?records[]=\(Door.record)", ""),
        (
            "POST", "/v0/meta/bases",
            #"{"name":"B","workspaceId":"w","tables":[{"name":"T","fields":[{"name":"A","type":"email"}]}]}"#
        ),
        ("POST", "\(table)/\(Door.record)/comments", #"{"text":"a"}"#),
        ("PATCH", "\(table)/\(Door.record)/comments/com00000000000000", #"{"text":"a"}"#),
        ("DELETE", "\(table)/\(Door.record)/comments/com00000000000000", ""),
        ("DELETE", "/v0/meta/bases/\(Door.base)", ""),
        ("POST", "/v0/meta/bases/\(Door.base)/tables", #"{"name":"T","fields":[{"name":"A","type":"email"}]}"#),
        ("PATCH", "/v0/meta/bases/\(Door.base)/tables/T", #"{"name":"N"}"#),
        ("DELETE", "/v0/meta/bases/\(Door.base)/tables/T", ""),
        ("POST", "/v0/meta/bases/\(Door.base)/tables/T/fields", #"{"name":"A","type":"email"}"#),
        ("PATCH", "/v0/meta/bases/\(Door.base)/tables/T/fields/fld00000000000000", #"{"name":"N"}"#),
        ("DELETE", "/v0/meta/bases/\(Door.base)/tables/T/fields/fld00000000000000", ""),
    ]

    @Test func `Every write takes an Idempotency-Key of up to 255 characters`() async throws {
        let door = Door()
        for (method, path, body) in Self.writes {
            for key in ["k", String(repeating: "k", count: 255), String(repeating: "字", count: 255)] {
                let response = await door.send(method, path, headers: [("Idempotency-Key", key)], body: body)
                #expect(response.status == .ok, "\(method) \(path)")
                let noted = try #require(idempotency(door).first.flatMap { $0 })
                #expect(noted.key == key && noted.fingerprint.count == 32)
            }
            for key in [String(repeating: "k", count: 256), String(repeating: "字", count: 256)] {
                let response = await door.send(method, path, headers: [("Idempotency-Key", key)], body: body)
                #expect(response.errorType == "INVALID_REQUEST_UNKNOWN", "\(method) \(path)")
                #expect(idempotency(door).isEmpty)
            }
            _ = await door.send(method, path, headers: [("Idempotency-Key", "")], body: body)
            #expect(idempotency(door) == [nil])
        }
    }

    @Test func `A key is tied to method, address and body`() async {
        let door = Door()
        let requests: [(String, String, String)] = [
            ("POST", Self.table, #"{"fields":{}}"#), ("POST", Self.table, #"{"fields":{"A":1}}"#),
            ("POST", Self.table, #"{ "fields":{}}"#),
            ("POST", Self.table + "?returnFieldsByFieldId=1", #"{"fields":{}}"#),
            ("POST", "/v0/\(Door.base)/Other", #"{"fields":{}}"#),
            ("PATCH", "\(Self.table)/\(Door.record)", #"{"fields":{}}"#),
            ("PUT", "\(Self.table)/\(Door.record)", #"{"fields":{}}"#),
        ]
        for (method, path, body) in requests + requests {
            _ = await door.send(method, path, headers: [("idempotency-key", "k")], body: body)
        }
        let prints = idempotency(door).map { $0?.fingerprint ?? [] }
        #expect(Set(prints.prefix(requests.count)).count == requests.count)
        #expect(Array(prints.prefix(requests.count)) == Array(prints.suffix(requests.count)))
    }

    @Test func `A repeated call gets the bytes answered before`() async {
        let door = Door()
        door.services.state.withLock { $0.before = Array(#"{"before":true}"#.utf8) }
        for (method, path, body) in Self.writes {
            let response = await door.send(method, path, headers: [("Idempotency-Key", "k")], body: body)
            #expect(response.text == #"{"before":true}"#, "\(method) \(path)")
            #expect(response.status == .ok)
        }
    }

    @Test func `A repeated call gets the answer of before also where what it names is gone`() async {
        let door = Door()
        door.services.state.withLock { $0.earlier = Array(#"{"before":true}"#.utf8) }
        for step in ["check", "call"] {
            // Whether a base can be made is not told by a path.
            for (method, path, body) in Self.writes where step == "call" || path != "/v0/meta/bases" {
                door.fail(step, .invalidPermissionsOrModelNotFound)
                let again = await door.send(method, path, headers: [("Idempotency-Key", "k")], body: body)
                #expect(again.text == #"{"before":true}"# && again.status == .ok, "\(step) \(method) \(path)")
                let unkeyed = await door.send(method, path, body: body)
                #expect(unkeyed.text != again.text, "\(step) \(method) \(path)")
            }
            door.fail(step, nil)
        }
        door.services.state.withLock { $0.earlier = nil }
        door.fail("check", .invalidPermissionsOrModelNotFound)
        let first = await door.send("DELETE", "/v0/meta/bases/\(Door.base)", headers: [("Idempotency-Key", "k")])
        #expect(first.status.rawValue == 403)
    }

    // MARK: errors

    @Test func `Every error is answered with its status and JSON`() async {
        let rows: [(APIError, String)] = [
            (.recordNotFound, #"{"error":{"type":"MODEL_ID_NOT_FOUND","message":"Record not found"}}"#),
            (.notFound, #"{"error":"NOT_FOUND"}"#),
            (
                .unknownFieldName("X"),
                #"{"error":{"type":"UNKNOWN_FIELD_NAME","message":"Unknown field name: \"X\""}}"#
            ),
            (.iteratorNotAvailable, #"{"error":{"type":"LIST_RECORDS_ITERATOR_NOT_AVAILABLE"}}"#),
            (
                .internalError,
                #"{"error":{"type":"SERVER_ERROR","message":"The server could not answer this request."}}"#
            ),
            (
                .storageFull,
                #"{"error":{"type":"INSUFFICIENT_STORAGE","message":"The disk is full; nothing of this request was written."}}"#
            ),
            (
                .retriable,
                #"{"error":{"type":"RETRIABLE_ERROR","message":"Server encountered an error while processing your request, and it is safe to retry the request"}}"#
            ),
        ]
        for (error, json) in rows {
            let door = Door()
            door.fail("call", error)
            for (method, path, body) in [("GET", Self.table, ""), ("POST", Self.table, #"{"fields":{}}"#)] {
                let response = await door.send(method, path, body: body)
                #expect(response.status.rawValue == error.status)
                #expect(response.text == json)
                #expect(response["Content-Type"] == "application/json; charset=utf-8")
                #expect((response["Retry-After"] != nil) == (error.status == 503))
            }
        }
    }
}
