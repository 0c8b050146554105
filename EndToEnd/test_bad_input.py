"""Wrong requests and their exact answers (harness/bad_input.py); none of them changes anything."""

import json
import re

import pytest

from harness.bad_input import CASES
from harness.base import Base, field, number, select, text
from harness.expected import ABSENT, NO_TOKEN, NOT_FOUND, Expected, check_error
from harness.fieldtypes import WRITTEN_BY_THE_SERVER
from harness.wire import raw_exchange

THINGS = [
    text("Name"), {"name": "Notes", "type": "multilineText"}, {"name": "Rich", "type": "richText"},
    {"name": "Mail", "type": "email"}, {"name": "Link", "type": "url"}, {"name": "Phone", "type": "phoneNumber"},
    number("Number", 2), field("Percent", "percent", precision=0), field("Price", "currency", precision=2, symbol="$"),
    field("Length", "duration", durationFormat="h:mm"),
    field("Stars", "rating", icon="star", max=5, color="yellowBright"),
    field("Done", "checkbox", icon="check", color="greenBright"), field("Day", "date", dateFormat={"name": "iso"}),
    field("When", "dateTime", dateFormat={"name": "iso"}, timeFormat={"name": "24hour"}, timeZone="Asia/Taipei"),
    select("State", "Todo", "Doing", "Done"), select("Tags", "A", "B", kind="multipleSelects"),
    {"name": "Code", "type": "barcode"}, {"name": "Person", "type": "singleCollaborator"},
    {"name": "People", "type": "multipleCollaborators"},
    *({"name": name, "type": kind} for name, kind in (
        ("Auto", "autoNumber"), ("Made", "createdTime"), ("Changed", "lastModifiedTime"), ("Maker", "createdBy"),
        ("Changer", "lastModifiedBy"))),
]
assert {field["type"] for field in THINGS} >= set(WRITTEN_BY_THE_SERVER)


class Fixture:
    """A base with records that no wrong request may change."""

    def __init__(self, wire):
        self.base = Base.create(wire, [
            {"name": "Things", "fields": THINGS}, {"name": "Others", "fields": [text("Name"), text("Elsewhere")]}])
        self.other = Base.create(wire, [{"name": "Things", "fields": [text("Name")]}], name="Other")
        things = self.base.create_records("Things", [
            {"Name": "one", "Notes": "twin", "Number": 1, "State": "Todo", "Tags": ["B"], "Day": "2024-01-01"},
            {"Name": "two", "Notes": "twin", "Number": 2, "Done": True}, {"Name": "three"}])
        others = self.base.create_records("Others", [{"Name": "elsewhere"}])
        comments = self.base.path("Things", things[0]["id"]) + "/comments"
        comment = wire.call("POST", comments, {"text": "kept"}).ok()["id"]
        self.names = {
            "COMMENTS": comments, "COMMENT": f"{comments}/{comment}", "COMMENTID": comment,
            "BASE": self.base.id, "OTHERBASE": self.other.id, "THINGS": self.base.tables["Things"]["id"],
            "OTHERS": self.base.tables["Others"]["id"], "REC": things[0]["id"], "REC2": things[1]["id"],
            "OTHERREC": others[0]["id"], "GRID": self.base.grid_view("Things"),
            "OTHERGRID": self.base.grid_view("Others"), "FIELD:Elsewhere": self.base.field_id("Others", "Elsewhere"),
            **{f"FIELD:{one['name']}": one["id"] for one in self.base.tables["Things"]["fields"]}}
        self.before = self.state(wire)

    def fill(self, value):
        return re.sub(r"\{([A-Z0-9]+(:\w+)?)\}", lambda found: self.names.get(found[1], found[0]), value)

    def state(self, wire):
        paths = [f"/v0/{self.base.id}/Things", f"/v0/{self.base.id}/Others", f"/v0/{self.other.id}/Things",
                 f"/v0/meta/bases/{self.base.id}/tables", self.names["COMMENTS"]]
        bases = wire.call("GET", "/v0/meta/bases").ok()["bases"]
        return [wire.call("GET", path).ok() for path in paths], [one for one in bases if one["name"] == "New"]


@pytest.fixture(scope="module")
def fixture(_shared_server):
    wire = _shared_server.wire(_shared_server.all_rights)
    yield Fixture(wire)
    wire.close()


def identifier(one):
    return re.sub(r"[^\x20-\x7e]", "?", one[0])[:90]


@pytest.mark.parametrize("name, method, path, query, body, expected", CASES, ids=map(identifier, CASES))
def test_a_wrong_request_is_refused_exactly_and_changes_nothing(wire, fixture, name, method, path, query, body, expected):
    target = fixture.fill(path) + ("?" + fixture.fill(query) if query else "")
    headers = {}
    if body is not None:
        headers["Content-Type"] = "application/json"
        if not isinstance(body, bytes):
            body = fixture.fill(body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)).encode()
    answer = wire.send(method, target.replace(" ", "%20"), headers=headers, body=body)
    check_error(answer, *(one.filled(fixture.fill) for one in expected))
    assert fixture.state(wire) == fixture.before


def test_cells_of_exactly_100_000_characters_are_kept(wire, base):
    for value in ("x" * 100_000, "茶" * 100_000, "\n" * 100_000):
        made = wire.call("POST", base.path("Things"), {"fields": {"Name": value, "Notes": value}}).ok()
        assert base.get("Things", made["id"])["fields"] == {"Name": value, "Notes": value}


@pytest.mark.parametrize("header", [
    None, "", "Bearer", "Bearer ", "Bearer nonsense", "Bearer patAAAAAAAAAAAAAA." + "0" * 64, "Basic dXNlcjpwYXNz",
    "bearer", "Token x", "Bearer é", "Bearer " + "x" * 4000])
def test_without_a_valid_token_every_answer_is_the_same(server, base, header):
    wire = server.wire()
    headers = {} if header is None else {"Authorization": header}
    for method, path, body in (
            ("GET", base.path("Things"), None), ("POST", base.path("Things"), {"fields": {}}),
            ("GET", "/v0/meta/whoami", None), ("GET", "/v0/meta/bases", None), ("GET", "/v0/appAAAAAAAAAAAAAA/X", None),
            ("DELETE", f"/v0/meta/bases/{base.id}", None), ("POST", base.path("Things"), "not JSON")):
        check_error(wire.call(method, path, body, headers=headers), NO_TOKEN)
    assert base.list("Things") == []


def test_a_token_that_differs_in_one_character_is_no_token(server, base):
    token = server.all_rights
    for wrong in (token[:-1], token + "0", token[:-1] + ("0" if token[-1] != "0" else "1"), token.upper(), token.split(".")[0]):
        if wrong != token:
            check_error(server.wire(wrong).call("GET", base.path("Things")), NO_TOKEN)


def test_the_shape_of_the_path_is_judged_before_the_token(server, base):
    wire = server.wire()
    for path in ("/v0/app1/Things", base.path("Things", "rec1"), "/v0/nonsense", "/v0"):
        check_error(wire.call("GET", path), NOT_FOUND)


def test_an_api_key_in_the_query_is_refused_unless_switched_on(server, base):
    wire = server.wire()
    check_error(wire.call("GET", base.path("Things"), query=[("api_key", server.all_rights)]), NO_TOKEN)


def test_an_api_key_in_the_query_is_taken_where_it_is_switched_on(own_server):
    server = own_server(arguments=["--legacy-api-key"])
    token = server.token()
    base = Base.create(server.wire(token), [{"name": "T", "fields": [text("Name")]}])
    assert server.wire().call("GET", base.path("T"), query=[("api_key", token)]).ok() == {"records": []}
    check_error(server.wire().call("GET", base.path("T"), query=[("api_key", "nonsense")]), NO_TOKEN)


def test_a_record_is_found_through_any_table_of_its_base(wire, fixture):
    base = fixture.base
    record = base.list("Things")[0]
    assert wire.call("GET", base.path("Others", record["id"])).ok() == record


def offset_of(wire, base, table, query=()):
    return wire.call("GET", base.path(table), query=[("pageSize", "1"), *query]).ok()["offset"]


FOREIGN = (Expected(422, "INVALID_OFFSET_VALUE"), Expected(422, "LIST_RECORDS_ITERATOR_NOT_AVAILABLE", ABSENT))


def test_an_offset_of_another_table_base_or_order_is_refused(wire, fixture, make_base):
    base = fixture.base
    plain = offset_of(wire, base, "Things")
    sorted_by_name = offset_of(wire, base, "Things", [("sort[0][field]", "Name")])
    other = make_base([{"name": "Things", "fields": [text("Name")]}])
    check_error(wire.call("GET", base.path("Others"), query=[("offset", plain)]), *FOREIGN)
    check_error(wire.call("GET", other.path("Things"), query=[("offset", plain)]), *FOREIGN)
    check_error(wire.call("GET", base.path("Things"), query=[("offset", sorted_by_name)]), *FOREIGN)
    check_error(wire.call("GET", base.path("Things"), query=[("offset", plain), ("sort[0][field]", "Name")]), *FOREIGN)
    check_error(wire.call("GET", base.path("Things"), query=[
        ("offset", sorted_by_name), ("sort[0][field]", "Name"), ("sort[0][direction]", "desc")]), *FOREIGN)


def test_a_forged_offset_never_ends_the_server_nor_shows_more_than_the_table(wire, fixture):
    base = fixture.base
    known = {record["id"] for record in base.list("Things")}
    for query in ((), (("sort[0][field]", "Name"),), (("sort[0][field]", "Number"), ("maxRecords", "2"))):
        good = offset_of(wire, base, "Things", query)
        forged = [good[:-1], good + "A", good[::-1], good.upper(), good.lower(), good[: len(good) // 2], good * 2]
        forged += [good[:n] + ("A" if good[n] != "A" else "B") + good[n + 1:] for n in range(len(good))]
        for offset in forged:
            if offset == good:
                continue
            answer = wire.call("GET", base.path("Things"), query=[*query, ("offset", offset)])
            if answer.status == 200:
                assert {record["id"] for record in answer.json["records"]} <= known
                assert len(answer.json["records"]) <= 2 or not dict(query).get("maxRecords")
            else:
                check_error(answer, *FOREIGN)


@pytest.mark.parametrize("data", [
    b"GET /v0/%00 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    b"GET /v0/x\x00y HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    b"GET /v0/\xff\xfe HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    b"nonsense\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET\r\n\r\n", b"\r\n\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n", b"POST /v0/x HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    b"POST /v0/x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    b"POST /v0/x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"POST /v0/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
], ids=range(12))
def test_bytes_that_are_no_request_are_refused_and_the_server_goes_on(server, wire, base, data):
    answer = raw_exchange(server.host, server.port, data, timeout=3, half_close=True)
    assert not answer or answer.startswith((b"HTTP/1.1 4", b"HTTP/1.1 505 ")), answer[:200]
    assert base.list("Things") == []


def test_two_lengths_or_a_length_with_chunks_are_refused_with_400_and_closed(server, base):
    for head in (b"Content-Length: 2\r\nContent-Length: 40\r\n", b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
                 b"Host: other\r\nContent-Length: 2\r\n"):
        data = (b"POST " + base.path("Things").encode() + b" HTTP/1.1\r\nHost: x\r\n" + head + b"Authorization: Bearer "
                + server.all_rights.encode() + b"\r\nContent-Type: application/json\r\n\r\n{}")
        answer = raw_exchange(server.host, server.port, data + b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", timeout=3)
        assert answer.startswith(b"HTTP/1.1 400 "), answer[:200]
        assert answer.count(b"HTTP/1.1 ") == 1, "nothing behind it is read as a request"
    assert base.list("Things") == []


def test_a_body_beyond_ten_mebibytes_is_413_and_an_address_beyond_24_000_is_414(server, base):
    wire = server.wire(server.all_rights)
    body = b'{"fields":{"Name":"' + b"x" * (10 * 1024 * 1024) + b'"}}'
    head = f"POST {base.path('Things')} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {server.all_rights}\r\n" \
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    answer = raw_exchange(server.host, server.port, head.encode() + body, timeout=5)
    assert answer.startswith(b"HTTP/1.1 413 "), answer[:200]
    assert set(json.loads(answer.partition(b"\r\n\r\n")[2])) == {"error"}
    allowed = wire.call("GET", base.path("Things"), query="x=" + "y" * 23_000)
    assert allowed.ok() == {"records": []}
    check_error(server.wire(server.all_rights).call("GET", base.path("Things"), query="x=" + "y" * 24_100), Expected(414))
    assert wire.call("GET", base.path("Things")).ok() == {"records": []}


def test_thousands_of_parameters_are_answered_at_once(server, base):
    wire = server.wire(server.all_rights, timeout=5)
    answer = wire.call("GET", base.path("Things"), query="&".join(["a=1"] * 4000))
    assert answer.status in (200, 414, 422), str(answer)
