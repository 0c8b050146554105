"""Attachments: uploads, files fetched by address, links, and what becomes of them."""

import base64
import json
import time

import pytest
import requests
from pyairtable import Api
from pyairtable.models.schema import TableSchema  # noqa: F401  (the library is whole)

from harness.base import WORKSPACE, Base, field, text
from harness.files import ContentHost, Elsewhere, download, png

FIELDS = [text("Name"), field("Files", "multipleAttachments"), field("More", "multipleAttachments")]


@pytest.fixture(scope="module")
def elsewhere():
    made = Elsewhere()
    yield made
    made.close()


@pytest.fixture(scope="module")
def house(tmp_path_factory, elsewhere):
    """A server that may fetch from the test's own web server."""
    from harness.server import Server

    folder = tmp_path_factory.mktemp("attachments")
    server = Server(folder / "data", folder / "server.log", arguments=[]).start()
    server.all_rights = server.token(name="tests")
    yield server
    server.kill()


@pytest.fixture
def base(house):
    with_token = house.wire(house.all_rights)
    yield Base.create(with_token, [{"name": "Things", "fields": FIELDS}])
    with_token.close()


@pytest.fixture
def api(house):
    api = Api(house.all_rights, endpoint_url=house.url, retry_strategy=None, timeout=(5, 30))
    api.session.mount("http://content.airtable.com", ContentHost(house))
    return api


@pytest.fixture
def things(api):
    return api.create_base(WORKSPACE, "Library", [{"name": "Things", "fields": FIELDS}]).table("Things")


def upload(base, record, name, content, kind="image/png", field="Files", **more):
    body = {"contentType": kind, "file": base64.b64encode(content).decode(), "filename": name}
    return base.wire.call("POST", f"/v0/{base.id}/{record}/{field}/uploadAttachment", body, **more)


def fetched(read, seconds=10):
    """The attachments once all of them have their bytes."""
    deadline = time.monotonic() + seconds
    while True:
        items = read()
        if items is not None and all("size" in item for item in items):
            return items
        assert time.monotonic() < deadline, items
        time.sleep(0.02)


def gone(read, seconds=10):
    deadline = time.monotonic() + seconds
    while read():
        assert time.monotonic() < deadline, read()
        time.sleep(0.02)


# Uploads


def test_an_upload_is_read_back_byte_for_byte(base):
    content = png(30, 20)
    record = base.create_records("Things", [{"Name": "a"}])[0]
    answer = upload(base, record["id"], "b.png", content).ok()
    assert list(answer) == ["id", "createdTime", "fields"]
    assert answer["id"] == record["id"] and answer["createdTime"] == record["createdTime"]
    files = base.field_id("Things", "Files")
    assert list(answer["fields"]) == [files]
    item = answer["fields"][files][0]
    assert item["filename"] == "b.png" and item["size"] == len(content) and item["type"] == "image/png"
    assert base.get("Things", record["id"])["fields"]["Files"] == [item]
    assert base.list("Things")[0]["fields"]["Files"] == [item]
    got = download(item["url"])
    assert got.status_code == 200 and got.content == content
    assert got.headers["Content-Type"] == "image/png"
    assert got.headers["X-Content-Type-Options"] == "nosniff"
    assert got.headers["Content-Security-Policy"] == "sandbox; default-src 'none'"
    assert got.headers["Content-Disposition"].startswith("inline;")
    assert "private" in got.headers["Cache-Control"]
    again = download(item["url"], If_None_Match="x", **{"If-None-Match": got.headers["ETag"]})
    assert again.status_code == 304 and not again.content
    part = download(item["url"], Range="bytes=1-3")
    assert part.status_code == 206 and part.content == b"PNG"
    head = requests.head(item["url"], timeout=30)
    assert head.status_code == 200 and int(head.headers["Content-Length"]) == len(content)


def test_uploads_append_and_lines_in_base64_are_taken(things):
    record = things.create({"Name": "a"})
    for number in range(3):
        content = bytes([number]) * 500
        answer = things.upload_attachment(record["id"], "Files", f"{number}.bin", content, "application/octet-stream")
    items = next(iter(answer["fields"].values()))
    assert [item["filename"] for item in items] == ["0.bin", "1.bin", "2.bin"]
    assert things.get(record["id"])["fields"]["Files"] == items
    assert [download(item["url"]).content for item in items] == [bytes([n]) * 500 for n in range(3)]


@pytest.mark.parametrize("change, status, kind", [
    ({"file": "!!!"}, 422, "INVALID_REQUEST_UNKNOWN"),
    ({"file": None}, 422, "INVALID_REQUEST_MISSING_FIELDS"),
    ({"filename": None}, 422, "INVALID_REQUEST_MISSING_FIELDS"),
    ({"contentType": None}, 422, "INVALID_REQUEST_MISSING_FIELDS"),
    ({"file": base64.b64encode(bytes(5 * 1024 * 1024 + 1)).decode()}, 413, "REQUEST_TOO_LARGE"),
])
def test_bad_uploads_are_refused(base, change, status, kind):
    record = base.create_records("Things", [{}])[0]
    body = {"contentType": "a/b", "file": "AAAA", "filename": "a", **change}
    answer = base.wire.call("POST", f"/v0/{base.id}/{record['id']}/Files/uploadAttachment", body)
    assert (answer.status, answer.json["error"]["type"]) == (status, kind)
    assert base.get("Things", record["id"])["fields"] == {}


def test_five_megabytes_are_taken(base):
    record = base.create_records("Things", [{}])[0]
    content = bytes(range(256)) * (5 * 4096)
    item = upload(base, record["id"], "a.bin", content, "application/x-thing").ok()["fields"][
        base.field_id("Things", "Files")][0]
    assert item["size"] == len(content) == 5 * 1024 * 1024 and item["type"] == "application/x-thing"
    assert download(item["url"]).content == content


def test_uploads_need_the_right_and_the_record_and_the_field(house, base):
    record = base.create_records("Things", [{}])[0]["id"]

    def told(record, field, token=house.all_rights):
        wire = house.wire(token)
        body = {"contentType": "a/b", "file": "AAAA", "filename": "a"}
        answer = wire.call("POST", f"/v0/{base.id}/{record}/{field}/uploadAttachment", body)
        wire.close()
        error = answer.json["error"]
        return answer.status, error if isinstance(error, str) else error["type"]

    assert told(record, "Files", None) == (401, "AUTHENTICATION_REQUIRED")
    assert told(record, "Files", house.token(scopes="data.records:read")) == (403, "INVALID_PERMISSIONS")
    assert told(record, "None") == (422, "UNKNOWN_FIELD_NAME")
    assert told(record, "Name") == (422, "INVALID_VALUE_FOR_COLUMN")
    assert told("rec" + "A" * 14, "Files") == (404, "MODEL_ID_NOT_FOUND")
    assert told("recA", "Files") == (404, "NOT_FOUND")


def test_an_upload_with_a_key_is_done_once(base):
    record = base.create_records("Things", [{}])[0]["id"]
    first = upload(base, record, "a.png", png(2, 2), headers=[("Idempotency-Key", "once")])
    again = upload(base, record, "a.png", png(2, 2), headers=[("Idempotency-Key", "once")])
    assert first.status == again.status == 200 and first.body == again.body
    assert len(base.get("Things", record)["fields"]["Files"]) == 1


@pytest.mark.parametrize("given, kept", [
    ("../../etc/passwd", "passwd"), ("C:\\x\\y.txt", "y.txt"), ("..", "Unnamed attachment"), ("", "Unnamed attachment"),
    ("a\u0000b\n.png", "ab.png"), ("ab\u202Egnp.exe", "abgnp.exe"), ("訂單 😀.pdf", "訂單 😀.pdf"),
    ("x" * 300 + ".png", "x" * 251 + ".png"), ("\"; filename=evil.html", "\"; filename=evil.html"),
])
def test_names_of_files_are_made_harmless(base, given, kept):
    record = base.create_records("Things", [{}])[0]["id"]
    item = upload(base, record, given, b"text").ok()["fields"][base.field_id("Things", "Files")][0]
    assert item["filename"] == kept
    got = download(item["url"])
    assert got.status_code == 200 and got.content == b"text"
    assert "\n" not in got.headers["Content-Disposition"]


@pytest.mark.parametrize("name, content, kind, told", [
    ("a.svg", b"<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>", "image/png", "image/svg+xml"),
    ("a.png", b"<!DOCTYPE html><script>1</script>", "image/png", "text/html"),
    ("a.html", b"hello", "text/html", "text/html"), ("a.js", b"alert(1)", "text/javascript", "text/javascript"),
    ("a.pdf", b"%PDF-1.7 x", "image/png", "application/pdf"), ("a.xml", b"<?xml version='1.0'?><a/>", "a/b", "text/xml"),
    ("a", b"\x00\x01", "application/octet-stream", "application/octet-stream"),
    ("a", b"hello", "application/octet-stream", "text/plain"), ("a", b"x", "bad\r\nX-Evil: 1", "text/plain"),
])
def test_what_could_run_is_never_shown_in_place(base, name, content, kind, told):
    record = base.create_records("Things", [{}])[0]["id"]
    item = upload(base, record, name, content, kind).ok()["fields"][base.field_id("Things", "Files")][0]
    assert item["type"] == told
    got = download(item["url"])
    assert got.headers["Content-Disposition"].startswith("attachment;")
    assert got.headers["Content-Security-Policy"] == "sandbox; default-src 'none'"
    assert got.headers["X-Content-Type-Options"] == "nosniff"
    assert "X-Evil" not in got.headers and got.content == content
