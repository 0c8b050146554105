"""What comes with an answer besides its body, and what the log must not hold."""

import gzip
import re
import time

import pytest

from harness.base import text
from harness.wire import raw_exchange, segment

METHODS = {"GET", "PUT", "POST", "PATCH", "DELETE", "OPTIONS"}
HEADERS = {"content-type", "authorization", "content-length", "x-requested-with", "x-api-version",
           "x-airtable-application-id", "x-airtable-user-agent", "user-agent"}


def listed(header):
    return {one.strip() for one in header.split(",")}


@pytest.mark.parametrize("path", [
    "/v0/{base}/Things", "/v0/{base}/Things/recAAAAAAAAAAAAAA", "/v0/meta/bases", "/v0/meta/bases/{base}/tables",
    "/v0/{base}/Things/listRecords", "/v0/appAAAAAAAAAAAAAA/Nothing"])
def test_a_preflight_succeeds_without_a_token(server, base, path):
    answer = server.wire().send("OPTIONS", path.format(base=base.id), headers={
        "Origin": "https://app.example.org", "Access-Control-Request-Method": "PATCH",
        "Access-Control-Request-Headers": "authorization,content-type,x-airtable-user-agent"})
    assert answer.status in (200, 204)
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert listed(answer.headers["Access-Control-Allow-Methods"]) >= METHODS
    allowed = {one.lower() for one in listed(answer.headers["Access-Control-Allow-Headers"])}
    assert allowed >= HEADERS - {"user-agent"} and "idempotency-key" in allowed


@pytest.mark.parametrize("method, path, token, status", [
    ("GET", "/v0/{base}/Things", True, 200), ("GET", "/v0/{base}/Things", False, 401), ("GET", "/v0/nonsense", True, 404),
    ("GET", "/v0/{base}/Nothing", True, 403), ("GET", "/v0/{base}/Things?pageSize=0", True, 422),
    ("POST", "/v0/{base}/Things", True, 422), ("DELETE", "/v0/{base}/Things/recAAAAAAAAAAAAAA", True, 404)])
def test_every_answer_may_be_read_from_any_origin_and_is_json(server, base, method, path, token, status):
    wire = server.wire(server.all_rights if token else None)
    answer = wire.send(method, path.format(base=base.id), headers={"Origin": "https://app.example.org"})
    assert answer.status == status
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert answer.headers["Content-Type"] == "application/json; charset=utf-8"
    assert "Access-Control-Allow-Credentials" not in answer.headers
    assert len(answer.headers.get_all("Access-Control-Allow-Origin")) == len(answer.headers.get_all("Content-Type")) == 1


def test_a_read_has_a_weak_etag_and_is_304_until_something_changes(wire, base):
    record = base.create_records("Things", [{"Name": "a"}])[0]
    for path in (base.path("Things"), base.path("Things", record["id"]), f"/v0/meta/bases/{base.id}/tables"):
        first = wire.call("GET", path)
        tag = first.headers["ETag"]
        assert re.fullmatch(r'W/"[^"]+"', tag) and first.headers["Vary"].lower().find("accept-encoding") >= 0
        again = wire.call("GET", path, headers={"If-None-Match": tag})
        assert (again.status, again.raw) == (304, b"")
        assert again.headers["ETag"] == tag and again.headers["Access-Control-Allow-Origin"] == "*"
        assert again.headers["Content-Length"] == first.headers["Content-Length"]
        assert wire.call("GET", path, headers={"If-None-Match": f'"x", {tag}'}).status == 304
        for other in ('W/"other"', "x*", f"x {tag}"):
            assert wire.call("GET", path, headers={"If-None-Match": other}).status == 200, other
    tag = wire.call("GET", base.path("Things")).headers["ETag"]
    wire.call("PATCH", base.path("Things", record["id"]), {"fields": {"Name": "b"}}).ok()
    changed = wire.call("GET", base.path("Things"), headers={"If-None-Match": tag})
    assert changed.status == 200 and changed.headers["ETag"] != tag


def test_an_etag_opens_nothing_without_a_token(server, wire, base):
    tag = wire.call("GET", base.path("Things")).headers["ETag"]
    assert server.wire().call("GET", base.path("Things"), headers={"If-None-Match": tag}).status == 401


def test_a_large_answer_is_compressed_where_that_is_asked_for(wire, base):
    base.create_records("Things", [{"Name": f"n{n}", "Notes": "same " * 50} for n in range(100)])
    plain = wire.call("GET", base.path("Things"))
    assert "Content-Encoding" not in plain.headers
    for accepted in ("gzip", "deflate, gzip, br, zstd", "br;q=1.0, gzip;q=0.5", "GZIP"):
        packed = wire.call("GET", base.path("Things"), headers={"Accept-Encoding": accepted})
        assert packed.headers["Content-Encoding"] == "gzip", accepted
        assert gzip.decompress(packed.raw) == plain.raw and len(packed.raw) < len(plain.raw) / 3
        again = wire.call("GET", base.path("Things"), headers={"Accept-Encoding": accepted, "If-None-Match": "*"})
        assert again.status == 304 and int(again.headers["Content-Length"]) == len(packed.raw)
    for refused in ("identity", "br", "gzip;q=0", "deflate"):
        assert "Content-Encoding" not in wire.call("GET", base.path("Things"), headers={"Accept-Encoding": refused}).headers


def test_head_answers_as_get_does_without_a_body(wire, base):
    base.create_records("Things", [{"Name": "a"}])
    got, head = wire.call("GET", base.path("Things")), wire.call("HEAD", base.path("Things"))
    assert (head.status, head.raw) == (200, b"")
    for name in ("Content-Type", "Content-Length", "ETag", "Access-Control-Allow-Origin"):
        assert head.headers[name] == got.headers[name], name


def test_health_and_front_page_need_no_token(server):
    wire = server.wire()
    assert wire.call("GET", "/healthz").status == 200
    front = wire.call("GET", "/")
    assert front.status == 200 and b"Rowhouse" in front.body and front.headers["Content-Type"].startswith("text/")


def test_the_host_header_decides_nothing(server, base):
    wire = server.wire(server.all_rights)
    for host in ("evil.example.org", "localhost:1", "x" * 200):
        answer = wire.send("GET", base.path("Things"), headers={"Host": host})
        assert answer.ok() == {"records": []}
        assert "Location" not in answer.headers and host.encode() not in answer.raw
    assert b"evil" not in wire.send("GET", "/", headers={"Host": "evil.example.org"}).raw


def test_the_log_shows_requests_but_never_a_secret(server, base):
    token = server.token(name="to be looked for")
    secret = token.split(".")[1]
    wire = server.wire(token)
    wire.call("GET", base.path("Things")).ok()
    assert wire.call("POST", base.path("Things"), {"fields": {"Name": "cell-content-4711"}}).status == 200
    wire.call("POST", base.path("Things"), "{broken " + token, headers={"Idempotency-Key": token})
    wire.call("GET", base.path("Things"), query=[("api_key", token)])
    server.wire().call("GET", base.path("Things"), query=[("api_key", token), ("pageSize", "5")])
    server.wire().call("GET", base.path("Things"), query=[("a%70i_key", token)])
    for header in (f"Basic {token}", f"Bearer  {token}", f"bearer {token}", token):
        server.wire().call("GET", base.path("Things"), headers={"Authorization": header})
    server.wire().call("GET", "/v0/nonsense", headers={"Authorization": f"Bearer {token}"})
    raw_exchange(server.host, server.port, b"BROKEN\r\nAuthorization: Bearer " + token.encode() + b"\r\n\r\n", timeout=2,
                 half_close=True)
    deadline = time.monotonic() + 5
    while base.id not in server.tail(10_000, server.log_start) and time.monotonic() < deadline:
        time.sleep(0.1)
    log = server.log.read_bytes()
    assert base.id.encode() in log, "there is no access log to judge"
    assert secret.encode() not in log and b"cell-content-4711" not in log



def test_a_line_of_the_access_log_tells_what_the_client_saw(server, wire, base):
    answers = [wire.call("GET", base.path("Things"), query=[("pageSize", "5")]), wire.call("GET", "/v0/nonsense")]
    for answer in answers:
        name = answer.headers["X-Request-Id"]
        deadline = time.monotonic() + 5
        while name not in server.tail(10_000, server.log_start) and time.monotonic() < deadline:
            time.sleep(0.1)
        line = next(line for line in server.tail(10_000, server.log_start).splitlines() if line.endswith(" " + name))
        address, method, target, status, size, milliseconds, _ = line.split(" ")
        assert (method, int(status), int(size)) == ("GET", answer.status, len(answer.raw))
        assert target.startswith("/v0/") and re.fullmatch(r"\d+\.\dms", milliseconds) and address == "127.0.0.1"


def test_an_error_tells_nothing_of_the_inside(server, wire, base):
    for name in ("x' OR '1'='1", "sqlite_master", "../../etc/passwd", "{0}", "%s%n"):
        for answer in (wire.call("GET", f"/v0/{base.id}/{segment(name)}"),
                       wire.call("GET", base.path("Things"), query=[("sort[0][field]", name)]),
                       wire.call("POST", base.path("Things"), {"fields": {name: 1}})):
            assert answer.status in (403, 422)
            assert not re.search(rb"(?i)sqlite error|select |no such|\.swift|/tmp/|syntax error", answer.body), str(answer)


def test_every_request_has_an_id_of_its_own(wire, base):
    seen = {wire.call("GET", base.path("Things")).headers["X-Request-Id"] for _ in range(5)}
    assert len(seen) == 5 and None not in seen


def test_each_table_made_has_a_name_that_can_be_asked_for_in_full(wire, make_base):
    for name in ("?", "&", "#", "%", "+", "/", "a=b", "%41", "\"", "茶", "a b"):
        base = make_base([{"name": name, "fields": [text("Name")]}])
        made = base.create_records(name, [{"Name": name}])
        assert wire.call("GET", base.path(name)).ok()["records"] == made
