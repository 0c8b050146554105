"""The table of wrong requests: (name, method, path, query, body, expected answers).

Placeholders are filled by test_bad_input.py: {BASE}, {OTHERBASE}, {THINGS} and {OTHERS} (table ids), {REC}, {REC2},
{OTHERREC}, {GRID} and {OTHERGRID} (view ids), {FIELD:name}. A body that is bytes or str goes out as it is.
"""

import json

from harness.expected import (
    ABSENT, BAD_FORMULA, CREATE_RECORDS, DELETE_RECORDS, ELEVEN_CREATED, INVALID, MISSING_FIELDS, NO_MODEL, NO_RECORD,
    NOT_FOUND, REFUSED, UPDATE_RECORDS, Expected, bad_json, bad_options, bad_value, computed, new_choice, unknown_field,
    unknown_names)
from harness.fieldtypes import choices

NOBODY = "recAAAAAAAAAAAAAA"
T = "/v0/{BASE}/Things"
R = T + "/{REC}"
META = "/v0/meta/bases/{BASE}/tables"
FIELDS = META + "/{THINGS}/fields"
CASES = []


def case(name, method, path, *expected, query="", body=None):
    CASES.append((name, method, path, query, body, expected))


def encoded(text):
    return "".join(f"%{byte:02X}" for byte in text.encode("utf-8"))


# --- Paths -----------------------------------------------------------------------------------------------------------

for path in ("/v0", "/v0/", "/v1/{BASE}/Things", "/V0/{BASE}/Things", "/v0/{BASE}", "/v0/{BASE}/", "/v0//Things",
             "/v0/{BASE}/Things/{REC}/nonsense", "/v0/{BASE}/Things/{REC}/comments/comAAAAAAAAAAAAAA/x", "/v0/meta",
             "/v0/meta/nonsense", "/v0/meta/bases/{BASE}/nonsense", "/v0/meta/whoami/x", "/nonsense", "/v0/bases",
             "/v0/{BASE}/Things/../Others", "/v0/{BASE}/Things/%2E%2E"):
    case(f"no such route {path}", "GET", path, NOT_FOUND)
case("no such method on whoami", "POST", "/v0/meta/whoami", NOT_FOUND, body={})
case("no such method on a table", "PURGE", T, NOT_FOUND)
case("POST to a record", "POST", R, NOT_FOUND, body={"fields": {}})
case("PUT to the list of bases", "PUT", "/v0/meta/bases", NOT_FOUND, body={})

for identifier in ("app1", "appAAAAAAAAAAAAA", "appAAAAAAAAAAAAAAA", "appAAAAAAAAAAAAA!", "appAAAAAAAAAAAAA%20",
                   "APPAAAAAAAAAAAAAA", "tblAAAAAAAAAAAAAA", "app%E8%8C%B6AAAAAAAAAAA", "app%00AAAAAAAAAAAAA"):
    case(f"base id of the wrong shape {identifier}", "GET", f"/v0/{identifier}/Things", NOT_FOUND)
    case(f"meta base id of the wrong shape {identifier}", "GET", f"/v0/meta/bases/{identifier}/tables", NOT_FOUND)
for identifier in ("rec1", "recAAAAAAAAAAAAA", "recAAAAAAAAAAAAAAA", "recAAAAAAAAAAAAA-", "RECAAAAAAAAAAAAAA",
                   "tblAAAAAAAAAAAAAA", "rec%F0%9F%98%80AAAAAAAAAA", "1", "%20", "rec%27--AAAAAAAAAAA"):
    for method, body in (("GET", None), ("PATCH", {"fields": {}}), ("PUT", {"fields": {}}), ("DELETE", None)):
        case(f"{method} record id of the wrong shape {identifier}", method, f"{T}/{identifier}", NOT_FOUND, body=body)
case("field id of the wrong shape", "PATCH", FIELDS + "/fld1", NOT_FOUND, body={"name": "x"})
for segment in ("%", "%4", "%zz", "Things%", "%u8336", "%ff%fe", "%C3%28", "%ED%A0%80", "%F0%9F%98"):
    case(f"percent-encoding that cannot be read {segment}", "GET", "/v0/{BASE}/" + segment, NOT_FOUND)

for identifier in ("appAAAAAAAAAAAAAA", "appzzzzzzzzzzzzzz", "app00000000000000"):
    case(f"unknown base {identifier}", "GET", f"/v0/{identifier}/Things", NO_MODEL)
    case(f"unknown base in meta {identifier}", "GET", f"/v0/meta/bases/{identifier}/tables", NO_MODEL)
for table in ("Nothing", "tblAAAAAAAAAAAAAA", "tbl1", "Thing", "Things%20", "%20Things", "Things%01",
              encoded("沒有"), encoded("'; DROP TABLE records; --"), encoded("a/b"), encoded("😀"), "Things%2FOthers",
              "{OTHERBASE}", "{FIELD:Name}"):
    case(f"unknown table {table}", "GET", "/v0/{BASE}/" + table, NO_MODEL)
    case(f"create in unknown table {table}", "POST", "/v0/{BASE}/" + table, NO_MODEL, body={"fields": {}})
case("a table of another base", "GET", "/v0/{OTHERBASE}/{THINGS}", NO_MODEL)
case("update an unknown table's schema", "PATCH", META + "/tblAAAAAAAAAAAAAA", NO_MODEL, body={"name": "x"})
case("create a field in an unknown table", "POST", META + "/tblAAAAAAAAAAAAAA/fields", NO_MODEL,
     body={"name": "x", "type": "singleLineText"})
NO_FIELD = (NO_MODEL, Expected(404, "MODEL_ID_NOT_FOUND"))
case("update an unknown field", "PATCH", FIELDS + "/fldAAAAAAAAAAAAAA", *NO_FIELD, body={"name": "x"})
case("delete an unknown table", "DELETE", META + "/tblAAAAAAAAAAAAAA", NO_MODEL)
case("delete an unknown field", "DELETE", FIELDS + "/fldAAAAAAAAAAAAAA", *NO_FIELD)
case("delete an unknown base", "DELETE", "/v0/meta/bases/appAAAAAAAAAAAAAA", NO_MODEL)

case("get an unknown record", "GET", f"{T}/{NOBODY}", NO_RECORD)
case("update an unknown record", "PATCH", f"{T}/{NOBODY}", NO_RECORD, body={"fields": {"Name": "x"}})
case("replace an unknown record", "PUT", f"{T}/{NOBODY}", NO_RECORD, body={"fields": {"Name": "x"}})
case("delete an unknown record", "DELETE", f"{T}/{NOBODY}", NO_RECORD)
case("update a record of another table", "PATCH", T + "/{OTHERREC}", NO_RECORD, body={"fields": {"Name": "x"}})
case("delete a record of another table", "DELETE", T + "/{OTHERREC}", NO_RECORD)
case("get a record through an unknown table", "GET", "/v0/{BASE}/Nothing/{REC}", NO_MODEL)
case("get a record of another base", "GET", "/v0/{OTHERBASE}/Things/{REC}", NO_RECORD)

# --- Comments --------------------------------------------------------------------------------------------------------

C = R + "/comments"
NOCOMMENT = "comAAAAAAAAAAAAAA"
NO_COMMENT = Expected(404, "MODEL_ID_NOT_FOUND", "Comment not found")
NO_TEXT = Expected(422, "INVALID_REQUEST_MISSING_FIELDS", 'Could not find field "text" in the request body')
BAD_TEXT = Expected(
    422, "INVALID_REQUEST_UNKNOWN", "Invalid request: parameter validation failed. Check your request data. "
    "A comment has 1 to 100000 characters, each mention counted as an id.")
COMMENT_WRITES = (("POST", C), ("PATCH", "{COMMENT}"))
for method, path, body in (("GET", "", None), ("POST", "", {"text": "x"}), ("PATCH", "/" + NOCOMMENT, {"text": "x"}),
                           ("DELETE", "/" + NOCOMMENT, None)):
    case(f"{method} comments of an unknown record", method, f"{T}/{NOBODY}/comments{path}", NO_RECORD, body=body)
    case(f"{method} comments of a record of another table", method, T + "/{OTHERREC}/comments" + path, NO_RECORD, body=body)
    case(f"{method} comments through another table", method, "/v0/{BASE}/Others/{REC}/comments" + path, NO_RECORD, body=body)
    case(f"{method} comments of a record of another base", method, "/v0/{OTHERBASE}/Things/{REC}/comments" + path,
         NO_RECORD, body=body)
    case(f"{method} comments in an unknown table", method, "/v0/{BASE}/Nothing/{REC}/comments" + path, NO_MODEL, body=body)
    case(f"{method} comments in an unknown base", method, "/v0/appAAAAAAAAAAAAAA/Things/{REC}/comments" + path, NO_MODEL,
         body=body)
    for identifier in ("rec1", "comAAAAAAAAAAAAAA", "%20"):
        case(f"{method} comments of a record id of the wrong shape {identifier}", method,
             f"{T}/{identifier}/comments{path}", NOT_FOUND, body=body)
for method, path in (("PUT", C), ("PATCH", C), ("DELETE", C), ("GET", "{COMMENT}"), ("POST", "{COMMENT}"), ("PUT", "{COMMENT}"),
                     ("DELETE", "{COMMENT}/reactions"), ("POST", C + "/{REC}"), ("GET", R + "/Comments"), ("GET", R + "/comment")):
    case(f"no such call on comments: {method} {path}", method, path, NOT_FOUND, body={"text": "x"})
for identifier in ("com1", "comAAAAAAAAAAAAA", "comAAAAAAAAAAAAAAA", "COMAAAAAAAAAAAAAA", "recAAAAAAAAAAAAAA", "com%27--AAAAAAAAAAA"):
    case(f"comment id of the wrong shape {identifier}", "DELETE", f"{C}/{identifier}", NOT_FOUND)
    case(f"update of a comment id of the wrong shape {identifier}", "PATCH", f"{C}/{identifier}", NOT_FOUND, body={"text": "x"})
case("update an unknown comment", "PATCH", f"{C}/{NOCOMMENT}", NO_COMMENT, body={"text": "x"})
case("delete an unknown comment", "DELETE", f"{C}/{NOCOMMENT}", NO_COMMENT)
case("update a comment of another record", "PATCH", T + "/{REC2}/comments/{COMMENTID}", NO_COMMENT, body={"text": "x"})
case("delete a comment of another record", "DELETE", T + "/{REC2}/comments/{COMMENTID}", NO_COMMENT)
for value in ("0", "101", "-1", "abc", "1.5", "1e2", "99999999999999999999", "%2B5", "true", "10%00", "%EF%BC%95"):
    case(f"comments, pageSize={value}", "GET", C, INVALID, query=f"pageSize={value}")
for value in ("abc", "1", "MA", "LTE", "MDE", "MTk=", "{REC}", "itrAAAAAAAAAAAAAA/recAAAAAAAAAAAAAA", "%01", "%E8%8C%B6",
              "'%20OR%201=1", "OTIyMzM3MjAzNjg1NDc3NTgwOA", "A" * 2000):
    case(f"comments, malformed offset {value[:40]}", "GET", C, Expected(422, "INVALID_OFFSET_VALUE"), query=f"offset={value}")
case("comments, a query that cannot be read", "GET", C, INVALID, query="pageSize=%zz")
for method, path in COMMENT_WRITES:
    case(f"{method} a comment without a body", method, path, NO_TEXT, body=b"")
    case(f"{method} a comment without a text", method, path, NO_TEXT, body={"Text": "x"})
    for wrong in (None, 5, 1.5, True, [], {}, ["x"], {"text": "x"}):
        case(f"{method} a comment whose text is {wrong!r}", method, path, INVALID, body={"text": wrong})
    for wrong in ("", "x" * 100_001, "🫖" * 100_001, "@[owner@localhost]" * 5_001):
        case(f"{method} a comment with a text of {len(wrong)} characters {wrong[:6]}", method, path, BAD_TEXT, body={"text": wrong})
    for wrong in ([], "x", 5, True):
        case(f"{method} a comment with {wrong!r} for a body", method, path, Expected(422, "INVALID_REQUEST_BODY"), body=json.dumps(wrong))
    for name, body, position in (("a missing value", b'{"text":}', 8), ("trailing junk", b'{"text":"x"} y', 13),
                                 ("a lone surrogate", b'{"text":"\\ud83d"}', 9), ("a cut sequence", b'{"text":"\xe8\x8c"}', 9),
                                 ("a NUL byte", b'{"text":"a\x00"}', 10)):
        case(f"{name} in a {method} of a comment", method, path, bad_json(*range(position, position + 7)), body=body)
for wrong in ("", "com1", "recAAAAAAAAAAAAAA", 5, True, [], {}):
    case(f"an answer to {wrong!r}", "POST", C, INVALID, body={"text": "x", "parentCommentId": wrong})
case("an answer to an unknown comment", "POST", C, NO_COMMENT, body={"text": "x", "parentCommentId": NOCOMMENT})
case("an answer to a comment of another record", "POST", T + "/{REC2}/comments", NO_COMMENT,
     body={"text": "x", "parentCommentId": "{COMMENTID}"})
for value in ("comments", "commentcount", "1", "commentCount,fields"):
    case(f"recordMetadata[]={value}", "GET", T, INVALID, query=f"recordMetadata[]={value}")
    case(f"one record, recordMetadata={value}", "GET", R, INVALID, query=f"recordMetadata={value}")

# --- Parameters of a list --------------------------------------------------------------------------------------------

for value in ("0", "101", "-1", "abc", "1.5", "1e2", "99999999999999999999", "-99999999999999999999", "%2B5", "5%205",
              "true", "null", "0x10", "10%00", "%EF%BC%95"):
    case(f"pageSize={value}", "GET", T, INVALID, query=f"pageSize={value}")
for value in ("0", "-1", "abc", "1.5", "-99999999999999999999"):
    case(f"maxRecords={value}", "GET", T, INVALID, query=f"maxRecords={value}")
for value in (0, 101, -1, "abc", 1.5, [], {}, True, 1e300, 10 ** 30):
    case(f"pageSize {value!r} in a body", "POST", T + "/listRecords", INVALID, body={"pageSize": value})
for value in (0, -1, "abc", 1.5, [], False):
    case(f"maxRecords {value!r} in a body", "POST", T + "/listRecords", INVALID, body={"maxRecords": value})
for value in ("abc", "itr", "/", "itrAAAAAAAAAAAAAA", "{REC}", "itr/rec", "%01", "0", "-1", "%E8%8C%B6", "'%20OR%201=1",
              "itrAAAAAAAAAAAAAA/recAAAAAAAAAAAAAA/x", "A" * 2000):
    case(f"malformed offset {value[:40]}", "GET", T, Expected(422, "INVALID_OFFSET_VALUE"), query=f"offset={value}")
case("malformed offset is named", "GET", T,
     Expected(422, "INVALID_OFFSET_VALUE", "The value of offset abc is invalid"), query="offset=abc")
case("offset that is no text", "POST", T + "/listRecords", REFUSED, body={"offset": 5})
case("well-formed offset that nobody gave", "GET", T,
     Expected(422, "INVALID_OFFSET_VALUE"), Expected(422, "LIST_RECORDS_ITERATOR_NOT_AVAILABLE", ABSENT),
     query="offset=itrAAAAAAAAAAAAAA/recAAAAAAAAAAAAAA")

for direction in ("up", "ASC", "Desc", "1", "asc%20"):
    case(f"sort direction {direction}", "GET", T, INVALID, query=f"sort[0][field]=Name&sort[0][direction]={direction}")
case("sort direction without a field", "GET", T, INVALID, query="sort[0][direction]=asc")
case("sort in a body that is no array", "POST", T + "/listRecords", INVALID, body={"sort": "Name"})
case("sort key in a body without a field", "POST", T + "/listRecords", INVALID, body={"sort": [{"direction": "asc"}]})
case("sort key in a body that is no object", "POST", T + "/listRecords", INVALID, body={"sort": ["Name"]})
case("fields in a body that is a number", "POST", T + "/listRecords", INVALID, body={"fields": 5})
case("fields in a body with a number", "POST", T + "/listRecords", INVALID, body={"fields": [5]})
for name in ("Nope", "name ", "a\"b", "a'b", "x;y", "x}y", "{x", "😀", "茶", "a\u0000b", "NAME", "%", "\\", "fldAAAAAAAAAAAAAA"):
    answers = (unknown_field(name), *((INVALID,) if "\0" in name else ()))
    case(f"fields[] unknown {name!r}", "GET", T, *answers, query=f"fields[]={encoded(name)}")
    case(f"sort by unknown {name!r}", "GET", T, *answers, query=f"sort[0][field]={encoded(name)}")
    case(f"one known and one unknown {name!r}", "GET", T, *answers, query=f"fields[]=Name&fields[]={encoded(name)}")
case("sort by a field of another table", "GET", T, unknown_field("{FIELD:Elsewhere}"),
     query="sort[0][field]={FIELD:Elsewhere}")

case("unknown view", "GET", T, Expected(422, "VIEW_NAME_NOT_FOUND", "View Nope not found"), query="view=Nope")
case("unknown view with a quote", "GET", T, Expected(422, "VIEW_NAME_NOT_FOUND", "View a'\"b not found"),
     query="view=a%27%22b")
case("unknown view in Chinese", "GET", T, Expected(422, "VIEW_NAME_NOT_FOUND", "View 檢視 not found"),
     query="view=" + encoded("檢視"))
case("unknown view id", "GET", T, Expected(422, "VIEW_ID_NOT_FOUND", "View viwAAAAAAAAAAAAAA not found"),
     query="view=viwAAAAAAAAAAAAAA")
case("view of another table", "GET", T, Expected(422, "FAILED_STATE_CHECK", ABSENT), query="view={OTHERGRID}")
case("unknown view in a body", "POST", T + "/listRecords", Expected(422, "VIEW_NAME_NOT_FOUND", "View Nope not found"),
     body={"view": "Nope"})

for query in ("cellFormat=string", "cellFormat=string&timeZone=utc", "cellFormat=string&userLocale=en-gb",
              "cellFormat=string&timeZone=&userLocale=en-gb", "cellFormat=xml", "cellFormat=JSON",
              "cellFormat=string&timeZone=Mars/Phobos&userLocale=en-gb",
              "cellFormat=string&timeZone=../../etc/passwd&userLocale=en-gb", "returnFieldsByFieldId=maybe",
              "returnFieldsByFieldId=2"):
    case(query, "GET", T, INVALID, query=query)
    case("one record, " + query, "GET", R, INVALID, query=query)
case("cellFormat string in a body alone", "POST", T + "/listRecords", INVALID, body={"cellFormat": "string"})
case("returnFieldsByFieldId in a body that is text", "POST", T + "/listRecords", INVALID,
     body={"returnFieldsByFieldId": "maybe"})
case("fields[] when one record is asked for", "GET", R, INVALID, query="fields[]=Name")
for query in ("%zz=1", "fields[]=%", "fields[]=%4", "view=%ff", "fields[]=%ED%A0%80", "%=1", "pageSize=%zz"):
    case(f"percent-encoding in a query that cannot be read {query}", "GET", T, INVALID, query=query)
for formula in ("nonsense(", "NONSENSE()", "{Name}='x", "1 +", "LEFT()", "1 == 1", "“x”", "AND(1,)", "{Name", ")", "{Name} +"):
    case(f"a formula that is none: {formula}", "GET", T, BAD_FORMULA, query="filterByFormula=" + encoded(formula))
    case(f"a formula in a body that is none: {formula}", "POST", T + "/listRecords", BAD_FORMULA,
         body={"filterByFormula": formula})
for formula, names in (("{Nope}", "nope"), ("{Nope} +", "nope"), ("NOT 1", "not"), ("AND(First, {Last Name}, First, Name)", "first, last name")):
    case(f"a formula with unknown names: {formula}", "GET", T, unknown_names(names),
         query="filterByFormula=" + encoded(formula))
    case(f"a formula in a body with unknown names: {formula}", "POST", T + "/listRecords", unknown_names(names),
         body={"filterByFormula": formula})

# --- JSON ------------------------------------------------------------------------------------------------------------

WRITES = (("create", "POST", T), ("update", "PATCH", R), ("batch update", "PATCH", T), ("replace", "PUT", R))
# Body and the offset of the byte at which it stops being JSON; two where the fault has a beginning and an end.
for name, body, positions in (
        ("a missing value", b'{"fields":}', (10,)),
        ("a missing brace", b'{"fields":{"Name":"x"}', (22,)),
        ("a trailing comma", b'{"fields":{"Name":"x",}}', (22,)),
        ("trailing junk", b'{"fields":{}} x', (14,)),
        ("two values", b'{"fields":{}}{}', (13,)),
        ("a bare word", b'nonsense', (0, 1)),
        ("single quotes", b"{'fields':{}}", (1,)),
        ("a comment", b'{/* x */"fields":{}}', (1,)),
        ("a byte order mark", b'\xef\xbb\xbf{"fields":{}}', (0,)),
        ("a NUL byte before it", b'\x00{"fields":{}}', (0,)),
        ("a NUL byte after it", b'{"fields":{}}\x00', (13,)),
        ("a NUL byte in a string", b'{"fields":{"Name":"a\x00b"}}', (20,)),
        ("a line feed in a string", b'{"fields":{"Name":"a\nb"}}', (20,)),
        ("an unknown escape", b'{"fields":{"Name":"a\\xb"}}', (20, 21)),
        ("a broken unicode escape", b'{"fields":{"Name":"a\\u12g4"}}', (20, 21, 22, 24)),
        ("a lone high surrogate", b'{"fields":{"Name":"a\\ud83d"}}', (20, 21, 22, 25, 26)),
        ("a lone low surrogate", b'{"fields":{"Name":"a\\ude00b"}}', (20, 21, 22, 25, 26)),
        ("two high surrogates", b'{"fields":{"Name":"\\ud83d\\ud83d"}}', (19, 20, 21, 24, 25, 26, 27, 30, 31)),
        ("a stray continuation byte", b'{"fields":{"Name":"a\x80b"}}', (20,)),
        ("a cut sequence", b'{"fields":{"Name":"a\xe8\x8cb"}}', (20, 21, 22)),
        ("an overlong slash", b'{"fields":{"Name":"a\xc0\xafb"}}', (20, 21)),
        ("an encoded surrogate", b'{"fields":{"Name":"a\xed\xa0\x80b"}}', (20, 21)),
        ("a byte above Unicode", b'{"fields":{"Name":"a\xf4\x90\x80\x80b"}}', (20, 21)),
        ("latin 1", '{"fields":{"Name":"é"}}'.encode("latin-1"), (19, 20)),
        ("utf-16", '{"fields":{}}'.encode("utf-16-le"), (1,)),
        ("a leading zero", b'{"fields":{"Number":01}}', (20, 21)),
        ("a leading plus", b'{"fields":{"Number":+1}}', (20,)),
        ("a number without digits", b'{"fields":{"Number":-}}', (20, 21)),
        ("a number ending in a point", b'{"fields":{"Number":1.}}', (20, 21, 22)),
        ("an exponent without digits", b'{"fields":{"Number":1e}}', (20, 21, 22)),
        ("NaN", b'{"fields":{"Number":NaN}}', (20,)),
        ("Infinity", b'{"fields":{"Number":Infinity}}', (20,)),
        ("hexadecimal", b'{"fields":{"Number":0x10}}', (21,)),
        ("a key that is no string", b'{1:2}', (1,)),
        ("an unclosed string", b'{"fields":{"Name":"x', (20, 18, 19)),
        ("only white space", b'   ', (0, 3)),
        ("a form as browsers send it", b'fields%5BName%5D=x', (0, 1))):
    case(f"{name} in a create", "POST", T, bad_json(*positions), body=body)
    case(f"{name} in an update", "PATCH", R, bad_json(*positions), body=body)
    case(f"{name} in listRecords", "POST", T + "/listRecords", bad_json(*positions), body=body)
    case(f"{name} in a create table", "POST", META, bad_json(*positions), body=body)
for depth in (10_000, 100_000):
    case(f"{depth} arrays in each other", "POST", T, Expected(422, "INVALID_REQUEST_BODY"),
         body=b'{"fields":{"Name":' + b"[" * depth + b"]" * depth + b"}}")
    case(f"{depth} objects in each other", "POST", T, Expected(422, "INVALID_REQUEST_BODY"),
         body=b'{"a":' * depth + b"1" + b"}" * depth)
for name, method, path in WRITES:
    case(f"{name} without a body", method, path, MISSING_FIELDS, Expected(422, "INVALID_REQUEST_BODY"), body=b"")
    case(f"{name} without fields", method, path, MISSING_FIELDS, *((UPDATE_RECORDS,) if path == T else ()), body={})
    for wrong in ([], "x", 5, None, True):
        case(f"{name} with {wrong!r} for a body", method, path, MISSING_FIELDS, REFUSED, body=json.dumps(wrong))
for wrong in (None, [], "x", 5, True):
    case(f"create with fields {wrong!r}", "POST", T, REFUSED, body={"fields": wrong})
    case(f"update with fields {wrong!r}", "PATCH", R, REFUSED, body={"fields": wrong})
    case(f"batch create with fields {wrong!r}", "POST", T, CREATE_RECORDS, body={"records": [{"fields": wrong}]})
case("typecast that is text", "POST", T, REFUSED, body={"fields": {}, "typecast": "maybe"})

# --- Batches ---------------------------------------------------------------------------------------------------------

ROW, CHANGE = {"fields": {"Name": "new"}}, {"id": "{REC}", "fields": {"Name": "changed"}}
case("create no record", "POST", T, CREATE_RECORDS, body={"records": []})
case("create eleven records", "POST", T, ELEVEN_CREATED, body={"records": [ROW] * 11})
case("create a thousand records", "POST", T, Expected(422, "INVALID_RECORDS"), body={"records": [ROW] * 1000})
case("create a record without fields", "POST", T, CREATE_RECORDS, body={"records": [ROW, {}]})
for wrong in ("x", 5, {}, None, {"fields": {}}):
    absent = (MISSING_FIELDS,) if wrong is None else ()
    case(f"create with records {wrong!r}", "POST", T, CREATE_RECORDS, *absent, body={"records": wrong})
    case(f"update with records {wrong!r}", "PATCH", T, UPDATE_RECORDS, *absent, body={"records": wrong})
for wrong in ("x", 5, None, []):
    case(f"create with {wrong!r} among the records", "POST", T, CREATE_RECORDS, body={"records": [ROW, wrong]})
    case(f"update with {wrong!r} among the records", "PATCH", T, UPDATE_RECORDS, body={"records": [CHANGE, wrong]})
for method in ("PATCH", "PUT"):
    case(f"{method} no record", method, T, UPDATE_RECORDS, body={"records": []})
    case(f"{method} eleven records", method, T, UPDATE_RECORDS, body={"records": [CHANGE] * 11})
    case(f"{method} a record without id", method, T, UPDATE_RECORDS, body={"records": [CHANGE, ROW]})
    case(f"{method} a record without fields", method, T, UPDATE_RECORDS, body={"records": [{"id": "{REC}"}]})
    case(f"{method} a record whose id is a number", method, T, UPDATE_RECORDS, body={"records": [{**CHANGE, "id": 5}]})
    case(f"{method} a record whose id is null", method, T, UPDATE_RECORDS, body={"records": [{**CHANGE, "id": None}]})
    case(f"{method} with an id of the wrong shape", method, T, Expected(422, ("ROW_DOES_NOT_EXIST", "INVALID_RECORDS")),
         body={"records": [CHANGE, {"id": "nope", "fields": {}}]})
    case(f"{method} with an unknown id", method, T,
         Expected(422, "ROW_DOES_NOT_EXIST", f"Record ID {NOBODY} does not exist in this table"),
         body={"records": [CHANGE, {"id": NOBODY, "fields": {}}]})
    case(f"{method} with an id of another table", method, T,
         Expected(422, "ROW_DOES_NOT_EXIST", "Record ID {OTHERREC} does not exist in this table"),
         body={"records": [CHANGE, {"id": "{OTHERREC}", "fields": {}}]})
    case(f"{method} with an id twice", method, T, REFUSED, body={"records": [CHANGE, CHANGE]})
    case(f"{method} with an unknown field in the second", method, T, unknown_field("Nope"),
         body={"records": [CHANGE, {"id": "{REC2}", "fields": {"Nope": 1}}]})
    case(f"{method} with a wrong value in the second", method, T, bad_value("Number"),
         body={"records": [CHANGE, {"id": "{REC2}", "fields": {"Number": "x"}}]})
case("create with a wrong value in the last", "POST", T, bad_value("Number"),
     body={"records": [ROW] * 9 + [{"fields": {"Number": "x"}}]})
case("delete without ids", "DELETE", T, DELETE_RECORDS)
case("delete eleven", "DELETE", T, DELETE_RECORDS, query="&".join(["records[]={REC}"] * 11))
case("delete with an empty id", "DELETE", T, DELETE_RECORDS, Expected(422), NOT_FOUND, query="records[]=")
for name, identifier in (("unknown", NOBODY), ("of another table", "{OTHERREC}"), ("of the wrong shape", "rec1")):
    case(f"delete with an id {name}", "DELETE", T, NO_RECORD, REFUSED, query="records[]={REC}&records[]=" + identifier)

# --- Cells -----------------------------------------------------------------------------------------------------------

for name in ("Nope", "name ", "a\"b", "a'b", "x;y", "x}y", "{x}", "😀", "茶", "", "NAME", "fldAAAAAAAAAAAAAA", "id",
             "createdTime", "__proto__", "Name; DROP TABLE x", "{FIELD:Elsewhere}"):
    case(f"create with unknown field {name!r}", "POST", T, unknown_field(name), body={"fields": {"Name": "x", name: 1}})
    case(f"update with unknown field {name!r}", "PATCH", R, unknown_field(name), body={"fields": {name: None}})
case("field name with a NUL", "POST", T, unknown_field("a\0b"), Expected(422, "INVALID_REQUEST_BODY"),
     body=b'{"fields":{"a\\u0000b":1}}')
case("field name with a NUL after a known name", "POST", T, unknown_field("Name\0"),
     Expected(422, "INVALID_REQUEST_BODY"), body=b'{"fields":{"Name\\u0000":"x"}}')

TEXTS = ("Name", "Notes", "Rich", "Mail", "Link", "Phone")
NUMBERS = ("Number", "Percent", "Price", "Length")
WRONG = {
    **{name: [5, 1.5, True, False, [], ["x"], {}, {"text": "x"}] for name in TEXTS},
    **{name: ["5", "", True, False, [], [1], {}] for name in NUMBERS},
    "Stars": ["5", "", True, [], 0, 6, -1, 1.5, 1e300],
    "Done": ["true", "", 1, 0, [], {}],
    "Day": [5, True, [], {}, "nonsense", "2024-02-30", "2023-02-29", "2024-13-01", "2024-00-01", "01/02/2024", "2024-1-1",
            "tomorrow", "20240101", "2024-01-01x"],
    "When": [5, True, [], {}, "nonsense", "2024-02-30T00:00:00Z", "2024-01-01T25:00:00Z", "2024-01-01T00:60:00Z",
             "2024-01-01T00:00:00+25:00", "now", "12:00"],
    "State": [5, True, [], ["Todo"], {}, {"id": "selAAAAAAAAAAAAAA"}, {"name": "Todo"}],
    "Tags": [5, True, "A", {}, [5], [None], [["A"]], [{"name": "A"}], ["A", 5]],
    "Code": [5, True, "x", [], {"text": 5}],
    "Person": [5, True, "x", [], {}, {"id": 5}, {"name": "x"}, {"id": "usrAAAAAAAAAAAAAA"}, {"email": "no@example.org"},
               {"id": "nonsense"}],
    "People": [5, True, {}, [5], [{}], [{"id": "usrAAAAAAAAAAAAAA"}], ["usrAAAAAAAAAAAAAA"]],
}
for field, values in WRONG.items():
    # Of people no more than the status is established.
    answers = (REFUSED,) if field in ("Person", "People") else (bad_value(field),)
    for value in values:
        case(f"{field} cannot be {json.dumps(value)[:40]}", "PATCH", R, *answers, body={"fields": {field: value}})
    case(f"{field} of a new record cannot be {json.dumps(values[0])[:40]}", "POST", T, *answers,
         body={"fields": {"Name": "x", field: values[0]}})
for field in NUMBERS:
    for written in ("1e400", "-1e400"):
        case(f"{field} cannot be {written}", "PATCH", R, bad_value(field), Expected(422, "INVALID_REQUEST_BODY"),
             body='{"fields":{"%s":%s}}' % (field, written))
for name in ("Nope", "todo", "Todo ", " Todo", "a\"b", "茶", "TODO"):
    case(f"unknown choice {name!r}", "PATCH", R, new_choice(name), body={"fields": {"State": name}})
    case(f"unknown choice among {name!r}", "PATCH", R, new_choice(name), body={"fields": {"Tags": ["A", name]}})
case("the empty text is an unknown choice", "PATCH", R, new_choice(""), body={"fields": {"State": ""}})
case("the empty text is an unknown choice among others", "PATCH", R, new_choice(""), body={"fields": {"Tags": [""]}})
for field in ("Auto", "Made", "Changed", "Maker", "Changer"):
    for value in (1, None, "x"):
        case(f"{field} is computed, {value!r}", "PATCH", R, computed(field), body={"fields": {field: value}})
    case(f"{field} is computed, create", "POST", T, computed(field), body={"fields": {"Name": "x", field: 1}})
    case(f"{field} is computed, replace", "PUT", R, computed(field), body={"fields": {"{FIELD:%s}" % field: 1}})
    case(f"{field} is computed, whatever typecast says", "PATCH", R, computed(field),
         body={"fields": {field: "1"}, "typecast": True})
for field in TEXTS:
    case(f"{field} of 100,001 characters", "PATCH", R, bad_value(field), body={"fields": {field: "x" * 100_001}})
case("100,001 characters of Chinese", "POST", T, bad_value("Name"), body={"fields": {"Name": "茶" * 100_001}})
case("100,001 characters by typecast", "POST", T, bad_value("Name"),
     body={"fields": {"Name": "x" * 100_001}, "typecast": True})

# --- Upsert ----------------------------------------------------------------------------------------------------------


def upsert(fields, *rows, **more):
    return {"performUpsert": {"fieldsToMergeOn": fields}, "records": list(rows), **more}


for wrong in ([], ["Name", "Number", "Day", "Notes"], "Name", None, 5, [5], ["Name", None]):
    case(f"upsert by {wrong!r}", "PATCH", T, REFUSED, body=upsert(wrong, ROW))
case("upsert without fieldsToMergeOn", "PATCH", T, REFUSED, body={"performUpsert": {}, "records": [ROW]})
for wrong in ([], "x", 5, True):
    case(f"performUpsert {wrong!r}", "PATCH", T, REFUSED, body={"performUpsert": wrong, "records": [ROW]})
case("upsert by an unknown field", "PATCH", T, unknown_field("Nope"), body=upsert(["Nope"], ROW))
for field in ("Auto", "Made", "Done", "Stars", "Code", "Person", "When"):
    case(f"upsert by {field}, whose type may not be a key", "PUT", T, REFUSED,
         body=upsert([field], {"fields": {"Name": "x"}}))
case("upsert with several matches", "PATCH", T, REFUSED, body=upsert(["Notes"], {"fields": {"Notes": "twin", "Name": "n"}}))
case("upsert with several matches after a good one", "PATCH", T, REFUSED,
     body=upsert(["Notes"], {"fields": {"Notes": "nobody"}}, {"fields": {"Notes": "twin", "Name": "n"}}))
case("upsert of a record without the key", "PATCH", T, REFUSED, body=upsert(["Notes"], {"fields": {"Name": "x"}}))
case("upsert of a record without one of two keys", "PATCH", T, REFUSED,
     body=upsert(["Name", "Notes"], {"fields": {"Name": "x"}}))
case("upsert with an unknown id", "PATCH", T,
     Expected(422, "ROW_DOES_NOT_EXIST", f"Record ID {NOBODY} does not exist in this table"),
     body=upsert(["Name"], {"id": NOBODY, "fields": {"Name": "x"}}))
case("upsert of eleven", "PATCH", T, Expected(422, "INVALID_RECORDS"), body=upsert(["Name"], *[ROW] * 11))
case("upsert with a wrong value", "PATCH", T, bad_value("Number"),
     body=upsert(["Name"], {"fields": {"Name": "fresh"}}, {"fields": {"Name": "x", "Number": "y"}}))
case("upsert with an unknown choice", "PATCH", T, new_choice("Nope"), body=upsert(["State"], {"fields": {"State": "Nope"}}))

# --- Schema ----------------------------------------------------------------------------------------------------------

NAME = {"name": "Name", "type": "singleLineText"}
DUPLICATE_FIELD = Expected(422, "DUPLICATE_OR_EMPTY_FIELD_NAME")
DUPLICATE_TABLE = Expected(422, "DUPLICATE_TABLE_NAME")
case("create a table of a name that is taken", "POST", META, DUPLICATE_TABLE, body={"name": "Things", "fields": [NAME]})
case("create a table of a name that is taken but for case", "POST", META, DUPLICATE_TABLE,
     body={"name": "tHINGS", "fields": [NAME]})
case("rename a table to a name that is taken", "PATCH", META + "/{THINGS}", DUPLICATE_TABLE, body={"name": "Others"})
for name, body in (
        ("without a name", {"fields": [NAME]}), ("with an empty name", {"name": "", "fields": [NAME]}),
        ("with a name that is no text", {"name": 5, "fields": [NAME]}), ("without fields", {"name": "New"}),
        ("with no field", {"name": "New", "fields": []}), ("with fields that are no array", {"name": "New", "fields": {}}),
        ("with a field that is no object", {"name": "New", "fields": ["Name"]}),
        ("with an empty description", {"name": "New", "fields": [NAME], "description": ""}),
        ("with a description too long", {"name": "New", "fields": [NAME], "description": "x" * 20_001}),
        ("with a field without a type", {"name": "New", "fields": [{"name": "Name"}]}),
        ("with a field of an unknown type", {"name": "New", "fields": [{"name": "Name", "type": "nonsense"}]})):
    case(f"create a table {name}", "POST", META, REFUSED, body=body)
    case(f"create a base with a table {name}", "POST", "/v0/meta/bases", REFUSED,
         body={"name": "New", "workspaceId": "wspAAAAAAAAAAAAAA", "tables": [body]})
for kind, options in (("checkbox", {"icon": "check", "color": "greenBright"}), ("multipleSelects", choices("A")),
                      ("singleSelect", choices("A")), ("rating", {"icon": "star", "max": 5, "color": "redBright"}),
                      ("multipleAttachments", None), ("createdTime", None), ("singleCollaborator", None)):
    primary = {"name": "Key", "type": kind, **({"options": options} if options else {})}
    case(f"a primary field cannot be a {kind}", "POST", META, REFUSED, body={"name": "New", "fields": [primary, NAME]})
case("a table with a field name twice", "POST", META, DUPLICATE_FIELD, body={"name": "New", "fields": [NAME, NAME]})
case("a table with a field name twice but for case", "POST", META, DUPLICATE_FIELD,
     body={"name": "New", "fields": [NAME, {**NAME, "name": "nAmE"}]})
case("a table with a field without a name", "POST", META, DUPLICATE_FIELD,
     body={"name": "New", "fields": [{**NAME, "name": ""}]})
for name, body in (("name", {"workspaceId": "wspAAAAAAAAAAAAAA", "tables": [{"name": "T", "fields": [NAME]}]}),
                   ("tables", {"name": "New", "workspaceId": "wspAAAAAAAAAAAAAA"}),
                   ("a table", {"name": "New", "workspaceId": "wspAAAAAAAAAAAAAA", "tables": []})):
    case(f"create a base without {name}", "POST", "/v0/meta/bases", REFUSED, body=body)
case("create a base with a table name twice", "POST", "/v0/meta/bases", DUPLICATE_TABLE,
     body={"name": "New", "workspaceId": "wspAAAAAAAAAAAAAA", "tables": [{"name": "T", "fields": [NAME]}] * 2})

for name in ("Name", "NAME", "name", "Notes", ""):
    case(f"create a field named {name!r}", "POST", FIELDS, DUPLICATE_FIELD, body={"name": name, "type": "singleLineText"})
    case(f"rename a field to {name!r}", "PATCH", FIELDS + "/{FIELD:Number}", DUPLICATE_FIELD, body={"name": name})
for name, body in (("a name", {"type": "singleLineText"}), ("a type", {"name": "New"}), ("anything", {})):
    case(f"create a field without {name}", "POST", FIELDS, REFUSED, body=body)
for wrong in ("nonsense", "", 5, None, "SingleLineText", "text"):
    case(f"create a field of type {wrong!r}", "POST", FIELDS, REFUSED, body={"name": "New", "type": wrong})
for kind in ("number", "percent", "currency", "duration", "rating", "checkbox", "date", "dateTime", "singleSelect",
             "multipleSelects"):
    case(f"create a {kind} without options", "POST", FIELDS, INVALID, body={"name": "New", "type": kind})
    case(f"create a {kind} with no option", "POST", FIELDS, bad_options(), body={"name": "New", "type": kind, "options": {}})
    case(f"create a {kind} with null for options", "POST", FIELDS, bad_options(),
         body={"name": "New", "type": kind, "options": None})
DAY, HOUR = {"name": "iso"}, {"name": "24hour"}
for kind, wrong in (
        *(("number", {"precision": n}) for n in (-1, 9, 1.5, "2", None, 10 ** 30)),
        *(("percent", {"precision": n}) for n in (-1, 9)),
        *(("currency", o) for o in ({"precision": 8, "symbol": "$"}, {"precision": 2}, {"symbol": "$"},
                                    {"precision": 2, "symbol": 5})),
        *(("duration", {"durationFormat": f}) for f in ("h", "", "HH:mm", 5)),
        *(("rating", {"icon": i, "max": m, "color": c}) for i, m, c in (
            ("star", 0, "redBright"), ("star", 11, "redBright"), ("star", 1.5, "redBright"), ("moon", 5, "redBright"),
            ("star", 5, "redLight1"), ("star", 5, "red"))),
        *(("checkbox", o) for o in ({"icon": "moon", "color": "redBright"}, {"icon": "check", "color": "redLight2"},
                                    {"icon": "check"}, {"color": "redBright"})),
        *(("date", {"dateFormat": f}) for f in (
            {}, "iso", {"name": "nonsense"}, {"name": "iso", "format": "l"}, {"format": "YYYY-MM-DD"})),
        *(("dateTime", o) for o in (
            {"dateFormat": DAY, "timeFormat": HOUR}, {"dateFormat": DAY, "timeZone": "utc"},
            {"timeFormat": HOUR, "timeZone": "utc"}, {"dateFormat": DAY, "timeFormat": HOUR, "timeZone": "UTC"},
            {"dateFormat": DAY, "timeFormat": HOUR, "timeZone": "Mars/Phobos"},
            {"dateFormat": DAY, "timeFormat": HOUR, "timeZone": "../../etc/passwd"},
            {"dateFormat": DAY, "timeFormat": {"name": "24hour", "format": "h:mma"}, "timeZone": "utc"},
            {"dateFormat": DAY, "timeFormat": {"name": "13hour"}, "timeZone": "utc"})),
        *((kind, o) for kind in ("singleSelect", "multipleSelects") for o in (
            {"choices": "A"}, {"choices": ["A"]}, {"choices": [{}]}, {"choices": [{"name": 5}]},
            {"choices": [{"name": ""}]}, {"choices": [{"name": "A"}, {"name": "A"}]},
            {"choices": [{"name": "A", "color": "mauve"}]}))):
    case(f"create a {kind} with {json.dumps(wrong)}", "POST", FIELDS, bad_options(),
         body={"name": "New", "type": kind, "options": wrong})
case("a field with an empty description", "POST", FIELDS, REFUSED, body={**NAME, "name": "New", "description": ""})
case("a field with a description too long", "POST", FIELDS, REFUSED,
     body={**NAME, "name": "New", "description": "x" * 20_001})
case("change nothing of a table", "PATCH", META + "/{THINGS}", REFUSED, body={})
case("change nothing of a field", "PATCH", FIELDS + "/{FIELD:Name}", REFUSED, body={})
case("an empty table name", "PATCH", META + "/{THINGS}", REFUSED, body={"name": ""})
case("wrong options for a field", "PATCH", FIELDS + "/{FIELD:Number}", REFUSED, body={"options": {"precision": 99}})
case("the primary field cannot be deleted", "DELETE", FIELDS + "/{FIELD:Name}", REFUSED)
for kind in ("formula", "rollup", "count", "multipleLookupValues", "button", "aiText", "externalSyncSource", "manualSort"):
    case(f"a {kind} cannot be made yet, and says so", "POST", FIELDS,
         Expected(422, ("UNSUPPORTED_FIELD_TYPE_FOR_CREATE", "INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE",
                        "INVALID_REQUEST_UNKNOWN")), body={"name": "New", "type": kind})
