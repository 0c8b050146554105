import RowhouseJSON
import RowhouseModel
import RowhouseWire
import Testing

struct ListRecordsDecoderTests {
    typealias Query = [(name: String, value: String)]

    private static let empty = ListRecordsRequest(
        base: BaseID(text: IdentifierText(time: 0, counter: 0)), table: TableReference("Tasks"))

    private static func get(_ query: Query) throws(APIError) -> ListRecordsRequest {
        var request = empty
        try ListRecordsDecoder.decode(query: query, acceptsLimit: true, into: &request)
        return request
    }

    private static func post(_ body: String, _ query: Query = []) throws -> ListRecordsRequest {
        var request = empty
        try ListRecordsDecoder.decode(body: try Sample.object(body), query: query, into: &request)
        return request
    }

    private static func sort(_ field: String, _ direction: SortDirection = .asc) -> SortRequest {
        SortRequest(field: field, direction: direction)
    }

    @Test func `Without parameters a list asks for everything, a hundred a page`() throws {
        for request in [try Self.get([]), try Self.post("{}")] {
            #expect(request == Self.empty)
            #expect(request.fields == nil && request.sort.isEmpty && request.view == nil)
            #expect(request.filterByFormula == nil && request.offset == nil && request.maxRecords == nil)
            #expect(request.pageSize == 100 && request.presentation == RecordPresentation())
        }
    }

    @Test func `Fields are named with brackets, with indexes or by repetition`() throws {
        let forms: [Query] = [
            [("fields[]", "A"), ("fields[]", "B")], [("fields[0]", "A"), ("fields[1]", "B")],
            [("fields", "A"), ("fields", "B")], [("fields[]", "A"), ("view", "v"), ("fields[]", "B")],
        ]
        for form in forms { #expect(try Self.get(form).fields == ["A", "B"], "\(form)") }
        #expect(try Self.get([("fields[]", "A")]).fields == ["A"])
        #expect(try Self.get([("fields[]", "a[b]c")]).fields == ["a[b]c"])
        #expect(try Self.post(#"{"fields":["A","B"]}"#).fields == ["A", "B"])
        #expect(try Self.post(#"{"fields":[]}"#).fields == [])
        #expect(try Self.post(#"{"fields":null}"#).fields == nil)
    }

    @Test func `Sort keys are read by index`() throws {
        #expect(
            try Self.get([("sort[0][field]", "A"), ("sort[0][direction]", "desc")]).sort == [Self.sort("A", .desc)])
        #expect(try Self.get([("sort[0][field]", "A")]).sort == [Self.sort("A")])
        #expect(try Self.get([("sort[0][direction]", "asc"), ("sort[0][field]", "A")]).sort == [Self.sort("A")])
        #expect(
            try Self.get([
                ("sort[2][field]", "C"), ("sort[0][field]", "A"), ("sort[10][field]", "D"),
                ("sort[2][direction]", "desc"), ("sort[0][direction]", ""),
            ]).sort == [Self.sort("A"), Self.sort("C", .desc), Self.sort("D")])
    }

    @Test func `Sort keys without an index follow each other, in either order of their parts`() throws {
        #expect(
            try Self.get([("sort[][field]", "A"), ("sort[][direction]", "desc"), ("sort[][field]", "B")]).sort
                == [Self.sort("A", .desc), Self.sort("B")])
        #expect(
            try Self.get([
                ("sort[][direction]", "desc"), ("sort[][field]", "A"), ("sort[][direction]", "asc"),
                ("sort[][field]", "B"),
            ]).sort == [Self.sort("A", .desc), Self.sort("B")])
        #expect(
            try Self.get([("sort[][field]", "A"), ("sort[][field]", "B"), ("sort[][direction]", "desc")]).sort
                == [Self.sort("A"), Self.sort("B", .desc)])
    }

    @Test func `Sort keys of a body are objects`() throws {
        #expect(
            try Self.post(#"{"sort":[{"field":"A","direction":"desc"},{"field":"B"},{"direction":null,"field":"C"}]}"#)
                .sort == [Self.sort("A", .desc), Self.sort("B"), Self.sort("C")])
        #expect(try Self.post(#"{"sort":[]}"#).sort == [])
    }

    @Test func `Page size and the greatest number are whole numbers within their limits`() throws {
        #expect(try Self.get([("pageSize", "1"), ("maxRecords", "25")]).pageSize == 1)
        #expect(try Self.get([("pageSize", "100")]).pageSize == 100)
        #expect(try Self.get([("limit", "7")]).pageSize == 7)
        #expect(try Self.get([("maxRecords", "1000000")]).maxRecords == 1_000_000)
        #expect(try Self.get([("pageSize", ""), ("maxRecords", ""), ("limit", "")]) == Self.empty)
        #expect(try Self.post(#"{"pageSize":3,"maxRecords":4}"#).pageSize == 3)
        #expect(try Self.post(#"{"pageSize":3,"maxRecords":4}"#).maxRecords == 4)
        #expect(try Self.post(#"{"pageSize":"3"}"#).pageSize == 3)
        #expect(try Self.post(#"{"limit":5}"#) == Self.empty)
        #expect(try Self.post(#"{"pageSize":null,"maxRecords":null}"#) == Self.empty)
    }

    @Test func `View, formula and offset are taken as they are, and empty ones as absent`() throws {
        let request = try Self.get([("view", "Grid view"), ("filterByFormula", "{A}='b'"), ("offset", "itr/rec")])
        #expect(request.view == "Grid view" && request.filterByFormula == "{A}='b'" && request.offset == "itr/rec")
        #expect(
            try Self.post(#"{"view":"Grid view","filterByFormula":"{A}='b'","offset":"itr/rec"}"#) == request)
        #expect(try Self.get([("view", ""), ("filterByFormula", ""), ("offset", "")]) == Self.empty)
        #expect(try Self.post(#"{"view":"","filterByFormula":"","offset":""}"#) == Self.empty)
        #expect(try Self.post(#"{"view":null,"filterByFormula":null,"offset":null}"#) == Self.empty)
    }

    @Test func `Parameters sent empty count as absent`() throws {
        let names = [
            "fields", "filterByFormula", "maxRecords", "pageSize", "sort", "view", "cellFormat", "timeZone",
            "userLocale",
            "returnFieldsByFieldId", "recordMetadata", "offset", "limit", "method",
        ]
        #expect(try Self.get(names.map { ($0, "") }) == Self.empty)
    }

    @Test func `Unknown parameters are ignored`() throws {
        #expect(try Self.get([("method", "post"), ("x[]", "1"), ("", "y"), ("[]", "z"), ("][", "z")]) == Self.empty)
        #expect(try Self.post(#"{"method":"post","other":{"a":[1]}}"#) == Self.empty)
    }

    @Test func `Booleans are true, false, 1, 0 or nothing`() throws {
        for (text, flag) in [("true", true), ("1", true), ("false", false), ("0", false), ("", false)] {
            let request = try Self.get([("returnFieldsByFieldId", text)])
            #expect(request.presentation.returnFieldsByFieldID == flag, "\(text)")
        }
        for (json, flag) in [
            ("true", true), ("1", true), (#""true""#, true), (#""1""#, true), ("false", false), ("0", false),
            ("null", false), (#""false""#, false),
        ] {
            let request = try Self.post("{\"returnFieldsByFieldId\":\(json)}")
            #expect(request.presentation.returnFieldsByFieldID == flag, "\(json)")
        }
        #expect(
            try Self.post(#"{"returnFieldsByFieldId":false}"#, [("returnFieldsByFieldId", "1")])
                .presentation.returnFieldsByFieldID == false)
    }

    @Test func `commentCount is asked for with or without brackets`() throws {
        for key in ["recordMetadata", "recordMetadata[]", "recordMetadata[0]"] {
            #expect(try Self.get([(key, "commentCount")]).presentation.commentCount, "\(key)")
        }
        #expect(try Self.post(#"{"recordMetadata":["commentCount"]}"#).presentation.commentCount)
        #expect(try Self.post(#"{"recordMetadata":"commentCount"}"#).presentation.commentCount)
        #expect(try Self.post(#"{"recordMetadata":[]}"#).presentation.commentCount == false)
    }

    @Test func `Texts need both a time zone and a locale, from query or body`() throws {
        let text = CellFormat.string(timeZone: "Asia/Taipei", userLocale: "zh-tw")
        #expect(
            try Self.get([("cellFormat", "string"), ("timeZone", "Asia/Taipei"), ("userLocale", "zh-tw")])
                .presentation.cellFormat == text)
        #expect(
            try Self.get([("userLocale", "zh-tw"), ("timeZone", "Asia/Taipei"), ("cellFormat", "string")])
                .presentation.cellFormat == text)
        #expect(
            try Self.post(#"{"cellFormat":"string","timeZone":"Asia/Taipei","userLocale":"zh-tw"}"#)
                .presentation.cellFormat == text)
        #expect(
            try Self.post(#"{"cellFormat":"string"}"#, [("timeZone", "Asia/Taipei"), ("userLocale", "zh-tw")])
                .presentation.cellFormat == text)
        #expect(
            try Self.post(#"{"cellFormat":"string","timeZone":"Asia/Taipei"}"#, [("userLocale", "zh-tw")])
                .presentation.cellFormat == text)
        #expect(
            try Self.post(
                #"{"cellFormat":"string","timeZone":"Asia/Taipei","userLocale":"zh-tw"}"#,
                [("timeZone", "utc"), ("userLocale", "en")]
            ).presentation.cellFormat == text)
        for query: Query in [
            [("cellFormat", "json")], [("timeZone", "utc"), ("userLocale", "en")], [("timeZone", "utc")],
        ] {
            #expect(try Self.get(query).presentation.cellFormat == .json)
        }
    }

    @Test func `A parameter that makes no sense is refused`() {
        let queries: [Query] = [
            [("pageSize", "0")], [("pageSize", "101")], [("pageSize", "-1")], [("pageSize", "ten")],
            [("pageSize", "1.5")], [("pageSize", "99999999999999999999")], [("limit", "101")], [("maxRecords", "0")],
            [("maxRecords", "-5")], [("maxRecords", "x")], [("sort[0][field]", "A"), ("sort[0][direction]", "down")],
            [("sort[0][field]", "A"), ("sort[0][direction]", "DESC")], [("sort[0][direction]", "asc")],
            [("sort[x][field]", "A")], [("sort[-1][field]", "A")], [("sort[0]", "A")], [("sort", "A")],
            [("cellFormat", "text")], [("cellFormat", "string")], [("cellFormat", "string"), ("timeZone", "utc")],
            [("cellFormat", "string"), ("userLocale", "en")], [("returnFieldsByFieldId", "yes")],
            [("recordMetadata[]", "likes")],
        ]
        for query in queries {
            #expect(errorType { _ = try Self.get(query) } == "INVALID_REQUEST_UNKNOWN", "\(query)")
        }
        let bodies = [
            #"{"pageSize":0}"#, #"{"pageSize":101}"#, #"{"pageSize":1.5}"#, #"{"pageSize":true}"#,
            #"{"maxRecords":0}"#, #"{"maxRecords":1e300}"#, #"{"maxRecords":[]}"#, #"{"fields":5}"#,
            #"{"fields":[5]}"#, #"{"sort":"A"}"#, #"{"sort":["A"]}"#, #"{"sort":[{}]}"#, #"{"sort":[{"field":1}]}"#,
            #"{"sort":[{"field":"A","direction":"down"}]}"#, #"{"sort":[{"field":"A","direction":1}]}"#,
            #"{"view":5}"#, #"{"filterByFormula":5}"#, #"{"offset":{}}"#, #"{"cellFormat":5}"#,
            #"{"cellFormat":"string"}"#, #"{"returnFieldsByFieldId":"yes"}"#, #"{"returnFieldsByFieldId":2}"#,
            #"{"recordMetadata":["likes"]}"#, #"{"recordMetadata":5}"#,
        ]
        for body in bodies {
            #expect(errorType { _ = try Self.post(body) } == "INVALID_REQUEST_UNKNOWN", "\(body)")
        }
    }
}
