"""Attachments: uploads, files fetched by address, links, and what becomes of them."""

import base64
import json
import re
import socket
import threading
import time

import pytest
import requests
from pyairtable import Api
from pyairtable.models.schema import TableSchema  # noqa: F401  (the library is whole)

from harness.base import WORKSPACE, Base, field, text
from harness.files import ContentHost, Elsewhere, download, png
from harness.images import wait_until

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
    server = Server(folder / "data", folder / "server.log", arguments=["--fetch-allow", elsewhere.host]).start()
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
    assert again.status_code == 304 and not again.content and int(again.headers["Content-Length"]) == len(content)
    assert download(item["url"], **{"If-None-Match": "x*"}).status_code == 200
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


def test_a_library_sends_files_of_the_disk_and_texts(things, tmp_path):
    record = things.create({"Name": "a"})
    path = tmp_path / "on disk.png"
    path.write_bytes(png(7, 5))
    things.upload_attachment(record["id"], "Files", path)
    answer = things.upload_attachment(record["id"], "Files", "text.txt", "héllo")
    items = next(iter(answer["fields"].values()))
    assert [(item["filename"], item["type"]) for item in items] == [("on disk.png", "image/png"), ("text.txt", "text/plain")]
    assert [download(item["url"]).content for item in items] == [png(7, 5), "héllo".encode()]


@pytest.mark.parametrize("change, status, kind", [
    ({"file": "!!!"}, 422, "INVALID_REQUEST_UNKNOWN"),
    ({"file": None}, 422, "INVALID_REQUEST_MISSING_FIELDS"),
    ({"filename": None}, 422, "INVALID_REQUEST_MISSING_FIELDS"),
    ({"contentType": None}, 422, "INVALID_REQUEST_MISSING_FIELDS"),
    ({"file": 5}, 422, "INVALID_REQUEST_UNKNOWN"), ({"filename": {}}, 422, "INVALID_REQUEST_UNKNOWN"),
    ({"contentType": 5}, 422, "INVALID_REQUEST_UNKNOWN"),
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
    ("x" * 300 + ".png", "x" * 251 + ".png"), ("訂" * 100 + ".pdf", "訂" * 83 + ".pdf"), ("😀" * 75, "😀" * 63),
    ("a/" * 150 + "b", "b"), ("/etc/passwd", "passwd"), ("../" * 90 + "..", "Unnamed attachment"), ("....//", "Unnamed attachment"),
    ("..%2f..%2fpasswd", "..%2f..%2fpasswd"), ("%2e%2e%5cx", "%2e%2e%5cx"), ("..\\..\\x", "x"), ("~/.ssh/id", "id"),
    ("\u061ccod.txt", "cod.txt"), ("\u200b", "Unnamed attachment"), ("a\u00adb\u2060.txt", "ab.txt"),
    ("👩\u200d👧.png", "👩\u200d👧.png"), ("\u3164\u3000", "Unnamed attachment"),
    ("x" * 255, "x" * 255), ("x" * 256, "x" * 255), ("files/tmp/x", "x"), (".", "Unnamed attachment"), ("...", "..."), ("\"; filename=evil.html", "\"; filename=evil.html"),
])
def test_names_of_files_are_made_harmless(base, given, kept):
    record = base.create_records("Things", [{}])[0]["id"]
    item = upload(base, record, given, b"text").ok()["fields"][base.field_id("Things", "Files")][0]
    assert item["filename"] == kept
    got = download(item["url"])
    assert got.status_code == 200 and got.content == b"text"
    assert "\n" not in got.headers["Content-Disposition"] and "/" not in got.headers["Content-Disposition"]


HASHED = re.compile(r"files/([0-9a-f]{2})/\1[0-9a-f]{62}")


def test_no_name_or_link_of_a_file_is_a_place_of_the_disk(own_server, elsewhere):
    server = own_server(arguments=["--fetch-allow", elsewhere.host])
    base = Base.create(server.wire(server.token(name="t")), [{"name": "Things", "fields": FIELDS}])

    def files():
        return {str(path.relative_to(server.folder.parent)) for path in server.folder.parent.rglob("*") if path.is_file()}

    before = files()
    names = ["../../x", "..\\..\\x", "/tmp/x", "x" * 300, "files/aa/x", "..", "a\u0000b", "rowhouse.db"]
    told = [*names, *(name.replace("/", "%2f") for name in names)]
    record = base.create_records("Things", [{}])[0]["id"]
    for number, name in enumerate(told):
        upload(base, record, name, f"{number}".encode()).ok()
    for number, name in enumerate(told):
        path = f"/{number}/" + ("x" if name == ".." else requests.utils.quote(name, safe=""))
        told_name = name.replace("\u0000", "").replace("\\", "\\\\")
        elsewhere.files[path] = (200, {"Content-Disposition": f'attachment; filename="{told_name}"'}, f"f{number}".encode())
        item = {"url": f"http://{elsewhere.host}{path}", **({} if number % 2 else {"filename": name})}
        made = base.create_records("Things", [{"Files": [item]}])[0]["id"]
        [item] = fetched(lambda: base.get("Things", made)["fields"]["Files"])
        assert "/" not in item["filename"] and "\\" not in item["filename"] and len(item["filename"].encode()) <= 255
        assert download(item["url"]).content == f"f{number}".encode()
    new = {name.removeprefix(server.folder.name + "/") for name in files() - before}
    new = {name for name in new if not name.startswith(("rowhouse.db", "database"))}
    assert len(new) == 2 * len(told) and all(HASHED.fullmatch(name) for name in new), new
    # And no link leads to one.
    start, key, name = item["url"].split("/f/")[1].split("/")
    wire = server.wire()
    for path in (
        "/f/../rowhouse.db", "/f/..%2f..%2frowhouse.db", f"/f/{start}/{key}/../../../rowhouse.db",
        f"/f/{start}/{key}/..%2f..%2f..%2frowhouse.db", f"/f/{start}/{key}/small/..%2f{name}", f"/f/{start}/../{key}/x",
        f"/f/..%2f{start}/{key}/x", f"/f/{start}%00/{key}/x", "/f//etc/passwd", "/f/%2fetc%2fpasswd",
    ):
        answer = wire.call("GET", path)
        assert answer.status == 404 or answer.body == f"f{number}".encode(), path


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


# By address


def test_files_are_fetched_by_address_with_names_and_order(things, elsewhere):
    one, two = png(40, 30, 1), png(1200, 700, 2)
    first = elsewhere.put("/pictures/logo%20a.png", one)
    second = elsewhere.put("/second", two, Content_Type="image/png")
    made = things.create({"Name": "a", "Files": [{"url": first}, {"url": second + "?x=1", "filename": "b.png"}]})
    items = made["fields"]["Files"]
    assert [list(item) for item in items] == [["id", "url", "filename"]] * 2
    assert [item["url"] for item in items] == [first, second + "?x=1"]
    assert [item["filename"] for item in items] == ["logo a.png", "b.png"]
    later = fetched(lambda: things.get(made["id"])["fields"].get("Files"))
    assert [item["id"] for item in later] == [item["id"] for item in items]
    assert [item["filename"] for item in later] == ["logo a.png", "b.png"]
    assert [item["size"] for item in later] == [len(one), len(two)]
    assert [item["type"] for item in later] == ["image/png"] * 2
    assert [download(item["url"]).content for item in later] == [one, two]
    assert list(later[0]) == ["id", "width", "height", "url", "filename", "size", "type", "thumbnails"]
    assert [(item["width"], item["height"]) for item in later] == [(40, 30), (1200, 700)]
    assert list(later[1]["thumbnails"]) == ["small", "large", "full"]
    assert [(size["width"], size["height"]) for size in later[1]["thumbnails"].values()] == [
        (62, 36), (878, 512), (1200, 700)]
    assert [(size["width"], size["height"]) for size in later[0]["thumbnails"].values()] == [(40, 30)] * 3
    assert all(list(size) == ["url", "width", "height"] for size in later[1]["thumbnails"].values())


def test_an_upload_right_after_an_address_shows_both_whole(things, elsewhere):
    content = png(9, 9)
    made = things.create({"Files": [{"url": elsewhere.put("/a.png", content), "filename": "a.png"}]})
    answer = things.upload_attachment(made["id"], "Files", "b.png", content)
    assert answer["id"] == made["id"]
    items = next(iter(answer["fields"].values()))
    assert [(item["filename"], item["type"], item["size"]) for item in items] == [
        ("a.png", "image/png", len(content)), ("b.png", "image/png", len(content))]


@pytest.mark.parametrize("path, given, headers, kept", [
    ("/x/y%2Fz.txt", None, {}, "z.txt"), ("/", None, {}, "a.txt"), ("/", None, {"Content-Type": "text/csv"}, "a.csv"),
    ("/", None, {"Content-Type": "image/png"}, "a.txt"),
    ("/", None, {"Content-Disposition": 'attachment; filename="told.txt"'}, "told.txt"),
    ("/n.txt", None, {"Content-Disposition": 'attachment; filename="told.txt"'}, "n.txt"),
    ("/n.txt", "../mine.txt", {}, "mine.txt"), ("/%E8%A8%82.txt", None, {}, "訂.txt"),
])
def test_names_of_fetched_files(base, elsewhere, path, given, headers, kept):
    elsewhere.files[path] = (200, headers, b"text")
    item = {"url": f"http://{elsewhere.host}{path}", **({"filename": given} if given else {})}
    record = base.create_records("Things", [{"Files": [item]}])[0]["id"]
    items = fetched(lambda: base.get("Things", record)["fields"].get("Files"))
    assert [item["filename"] for item in items] == [kept]


def test_what_cannot_be_fetched_leaves_the_cell(base, elsewhere):
    good = elsewhere.put("/good", b"good")
    bad = [f"http://{elsewhere.host}/missing", elsewhere.put("/500", b"", 500), "http://localhost:1/x"]
    record = base.create_records("Things", [{"Files": [{"url": url} for url in [bad[0], good, *bad[1:]]]}])[0]
    assert len(record["fields"]["Files"]) == 4
    gone(lambda: len(base.get("Things", record["id"])["fields"]["Files"]) > 1)
    items = fetched(lambda: base.get("Things", record["id"])["fields"]["Files"])
    assert [item["filename"] for item in items] == ["good"] and download(items[0]["url"]).content == b"good"


def test_addresses_that_nobody_fetches_from_are_told_at_once(base, elsewhere):
    good = elsewhere.put("/good", b"good")
    row = {"Name": "a", "Files": [{"url": "ftp://example.org/a"}, {"url": good}, {"url": "nothing"}]}
    details = {"message": "partialSuccess", "reasons": ["attachmentsFailedUploading"]}
    one = base.wire.call("POST", base.path("Things"), {"fields": row}).ok()
    assert one["details"] == details and len(one["fields"]["Files"]) == 1
    many = base.wire.call("POST", base.path("Things"), {"records": [{"fields": row}, {"fields": {}}]}).ok()
    assert many["details"] == details and len(many["records"]) == 2
    changed = base.wire.call("PATCH", base.path("Things", one["id"]), {"fields": {"Files": [{"url": "x"}]}}).ok()
    assert changed["details"] == details and changed["fields"] == {"Name": "a"}
    # What is private by its number, or no address that is read.
    for url in ("http://127.0.0.1:1/x", "http://10.0.0.1/", "http://[::1]/", "http://u:p@h/", "https://[", "http://a b/",
                "http://h:99999/", "http://h/" + "a" * 8190):
        changed = base.wire.call("PATCH", base.path("Things", one["id"]), {"fields": {"Files": [{"url": url}]}}).ok()
        assert changed["details"] == details and changed["fields"] == {"Name": "a"}, url
    fine = base.wire.call("PATCH", base.path("Things", one["id"]), {"fields": {"Files": []}}).ok()
    assert "details" not in fine


class Listener:
    """A socket on the loopback that counts who connects."""

    def __init__(self, family, address, port=0):
        self.socket = socket.create_server((address, port), family=family, backlog=64)
        self.port = self.socket.getsockname()[1]
        self.connections = 0
        threading.Thread(target=self.count, daemon=True).start()

    def count(self):
        try:
            while True:
                one, _ = self.socket.accept()
                self.connections += 1
                one.close()
        except OSError:
            pass

    def close(self):
        # Shut down first, since closing alone would leave the other thread waiting.
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


CLOSED = [
    "127.0.0.1", "127.1", "127.0.0.1.", "0x7f.1", "0x7f000001", "2130706433", "017700000001", "0177.0.0.1", "0", "0.0.0.0",
    "[::1]", "[0:0:0:0:0:0:0:1]", "[::]", "[::ffff:7f00:1]", "[::ffff:127.0.0.1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]", "localhost", "LOCALHOST.", "user:secret@127.0.0.1", "example.org@127.0.0.1", "127.0.0.1%00.example.org",
    "①②⑦.0.0.1", "[::1%25lo]",
]


def test_loopback_that_is_not_allowed_hears_nothing(base, elsewhere):
    """However it is written, and also where an allowed place leads there."""
    four = Listener(socket.AF_INET, "127.0.0.1")
    six = Listener(socket.AF_INET6, "::1", four.port)
    try:
        port = four.port
        urls = [f"{scheme}://{host}:{port}/a" for host in CLOSED for scheme in ("http", "https")]
        urls += [f"{scheme}://127.0.0.1:{port}/a" for scheme in ("ftp", "gopher", "dict", "file", "ldap", "ws", "data")]
        for number, target in enumerate(list(urls)):
            status = (301, 302, 303, 307, 308)[number % 5]
            location = {"Location": target.encode("ascii", "ignore").decode()}
            urls.append(elsewhere.put(f"/to/{number}", b"moved", status, **location))
        urls.append(elsewhere.put("/far/0", b"", 302, Location="/far/1"))
        elsewhere.put("/far/1", b"", 302, Location="/far/2")
        elsewhere.put("/far/2", b"", 302, Location=f"//127.0.0.1:{port}/")
        for start in range(0, len(urls), 10):
            record = base.create_records("Things", [{"Files": [{"url": url} for url in urls[start:start + 10]]}])[0]["id"]
            gone(lambda: base.get("Things", record)["fields"].get("Files"), 20)
        assert "/far/2" in elsewhere.asked and sum(path.startswith("/to/") for path in elsewhere.asked) == len(urls) // 2
        assert (four.connections, six.connections) == (0, 0)
        # A listener hears whoever does come.
        for one, address in ((four, "127.0.0.1"), (six, "::1")):
            socket.create_connection((address, port), 5).close()
            deadline = time.monotonic() + 5
            while one.connections == 0:
                assert time.monotonic() < deadline
    finally:
        four.close()
        six.close()


class Endless:
    """A web server on the loopback whose answer never ends: so many bytes at a time, with pauses."""

    def __init__(self, piece, pause):
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.piece, self.pause, self.open, self.over = piece, pause, 0, 0
        threading.Thread(target=self.accept, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.socket.getsockname()[1]}/x"

    def accept(self):
        try:
            while True:
                one, _ = self.socket.accept()
                threading.Thread(target=self.answer, args=(one,), daemon=True).start()
        except OSError:
            pass

    def answer(self, connection):
        self.open += 1
        try:
            connection.recv(4096)
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            while True:
                connection.sendall(self.piece)
                time.sleep(self.pause)
        except OSError:
            self.over += 1
            connection.close()

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


@pytest.mark.timeout(120)
def test_bodies_without_end_are_given_up_and_leave_nothing(own_server, elsewhere):
    """Fast ones for their size, slow ones for their slowness; meanwhile others work, and a stop waits for neither."""
    fast, slow = Endless(bytes(1 << 20), 0), Endless(b"x", 0.05)
    server = own_server(arguments=[
        part for one in (elsewhere.host, *(each.url.split("/")[2] for each in (fast, slow))) for part in ("--fetch-allow", one)])
    wire = server.wire(server.token(name="t"))
    base, other = (Base.create(wire, [{"name": "Things", "fields": FIELDS}]) for _ in range(2))
    try:
        record = base.create_records("Things", [{"Files": [{"url": slow.url}, {"url": fast.url}, {"url": slow.url}]}])[0]["id"]
        good = other.create_records("Things", [{"Files": [{"url": elsewhere.put("/good.txt", b"good")}]}])[0]["id"]
        assert fetched(lambda: other.get("Things", good)["fields"]["Files"])[0]["size"] == 4
        gone(lambda: base.get("Things", record)["fields"].get("Files"), 60)
        gone(lambda: (fast.over, slow.over) != (1, 2))
        assert list((server.folder / "files" / "tmp").iterdir()) == []
        base.create_records("Things", [{"Files": [{"url": slow.url}]}])
        while slow.open < 3:
            time.sleep(0.01)
        began = time.monotonic()
        assert server.stop() == 0 and time.monotonic() - began < 5
    finally:
        fast.close()
        slow.close()


def test_typecast_takes_addresses_as_texts(base, elsewhere):
    url = elsewhere.put("/cast.txt", b"cast")
    body = {"fields": {"Files": url, "More": [url, {"url": url}]}, "typecast": True}
    made = base.wire.call("POST", base.path("Things"), body).ok()
    assert [item["url"] for item in made["fields"]["Files"] + made["fields"]["More"]] == [url] * 3
    body["typecast"] = False
    assert base.wire.call("POST", base.path("Things"), body).json["error"]["type"] == "INVALID_VALUE_FOR_COLUMN"


# What is written


def two_files(base):
    record = base.create_records("Things", [{"Name": "a"}])[0]["id"]
    for name in "ab":
        items = upload(base, record, f"{name}.txt", name.encode(), "text/plain").ok()["fields"]
    return record, items[base.field_id("Things", "Files")]


def patch(base, record, **fields):
    return base.wire.call("PATCH", base.path("Things", record), {"fields": fields})


def test_ids_keep_whole_objects_keep_and_order_is_kept(base, elsewhere):
    record, (a, b) = two_files(base)
    new = {"url": elsewhere.put("/c.txt", b"c")}
    items = patch(base, record, Files=[{"id": b["id"]}, new, {**a, "url": "http://x/", "filename": "other"}]).ok()[
        "fields"]["Files"]
    assert items[0] == b and items[2] == a and items[1]["url"] == new["url"]
    items = fetched(lambda: base.get("Things", record)["fields"]["Files"])
    assert [item["filename"] for item in items] == ["b.txt", "c.txt", "a.txt"]
    again = patch(base, record, Files=items).ok()["fields"]["Files"]
    assert again == items
    assert patch(base, record, Files=[items[1]]).ok()["fields"]["Files"] == [items[1]]
    assert download(a["url"]).status_code == 404
    assert patch(base, record, Files=None).ok()["fields"] == {"Name": "a"}
    assert patch(base, record, Files=[a]).ok()["fields"]["Files"] == [a]
    assert download(a["url"]).content == b"a"


def test_an_id_of_another_cell_makes_a_new_attachment_of_the_same_file(base):
    record, (a, _) = two_files(base)
    copy = patch(base, record, More=[{"id": a["id"]}]).ok()["fields"]["More"][0]
    assert copy["id"] != a["id"] and copy["filename"] == a["filename"] and copy["size"] == 1
    other = base.create_records("Things", [{"Files": [a]}])[0]
    assert other["fields"]["Files"][0]["id"] not in (a["id"], copy["id"])
    patch(base, record, Files=[]).ok()
    assert download(a["url"]).status_code == 404
    assert download(copy["url"]).content == b"a" == download(other["fields"]["Files"][0]["url"]).content
    # What no cell holds any more cannot be had by its id.
    refused = patch(base, other["id"], More=[{"id": a["id"]}])
    assert (refused.status, refused.json["error"]["type"]) == (422, "INVALID_ATTACHMENT_OBJECT")


def test_ids_of_other_bases_are_unknown(base, house):
    record, (a, _) = two_files(base)
    other = Base.create(base.wire, [{"name": "Things", "fields": FIELDS}])
    answer = other.wire.call("POST", other.path("Things"), {"fields": {"Files": [{"id": a["id"]}]}})
    assert (answer.status, answer.json["error"]["type"]) == (422, "INVALID_ATTACHMENT_OBJECT")


@pytest.mark.parametrize("item", [
    {}, {"id": "att" + "A" * 14}, {"id": "attachment"}, {"id": 1}, {"filename": "a"}, {"url": ""}, {"url": 1},
    {"url": "http://example.org/a", "filename": 1}, "http://example.org/a", 1, None, [],
])
def test_items_that_name_nothing_are_refused_with_what_was_sent(base, item):
    answer = base.wire.call("POST", base.path("Things"), {"fields": {"Files": [item]}})
    assert answer.status == 422
    shown = json.dumps(item, indent=2)
    assert answer.json["error"] == {
        "type": "INVALID_ATTACHMENT_OBJECT", "message": f"Invalid attachment object for field Files: {shown}"}
    assert base.list("Things") == []


def test_put_upsert_and_duplicates(base, elsewhere):
    record, (a, b) = two_files(base)
    assert patch(base, record, Files=[a, a, b]).ok()["fields"]["Files"] == [a, b]
    upsert = {"records": [{"fields": {"Name": "a", "Files": [b]}}, {"fields": {"Name": "new", "Files": [a]}}],
              "performUpsert": {"fieldsToMergeOn": ["Name"]}}
    # What the first record lets go of, the second takes.
    done = base.wire.call("PATCH", base.path("Things"), upsert).ok()
    assert done["records"][0]["fields"]["Files"] == [b] and done["updatedRecords"] == [record]
    assert download(done["records"][1]["fields"]["Files"][0]["url"]).content == b"a"
    wiped = base.wire.call("PUT", base.path("Things", record), {"fields": {"Name": "z"}}).ok()
    assert wiped["fields"] == {"Name": "z"}


def test_a_cell_holds_a_thousand(base):
    item = {"url": "nothing"}
    assert patch(base, base.create_records("Things", [{}])[0]["id"], Files=[item] * 1000).status == 200
    answer = base.wire.call("POST", base.path("Things"), {"fields": {"Files": [item] * 1001}})
    assert (answer.status, answer.json["error"]["type"]) == (422, "INVALID_VALUE_FOR_COLUMN")


@pytest.mark.timeout(180)
def test_pages_of_full_cells_are_shorter_and_hold_up_nobody(base, house):
    first = base.create_records("Things", [{}])[0]["id"]
    item = upload(base, first, "😀" * 60 + ".png", png(30, 20)).ok()["fields"][base.field_id("Things", "Files")][0]
    full = {"Name": "full", "Files": [{"url": item["url"], "filename": item["filename"]}] * 1000}
    made = [base.create_records("Things", [full])[0]["id"] for _ in range(6)]
    wait_until(lambda: len(base.get("Things", made[-1])["fields"]["Files"][-1].get("thumbnails", [])) == 3)
    waits, isOver = [], threading.Event()

    def ask():
        wire = house.wire(house.all_rights)
        while not isOver.is_set():
            began = time.monotonic()
            wire.call("GET", "/v0/meta/whoami").ok()
            waits.append(time.monotonic() - began)
            time.sleep(0.01)

    for sort in ("", "&sort[0][field]=Name", "&filterByFormula=LEN({Name})=4"):
        seen, pages, offset = [], 0, ""
        thread = threading.Thread(target=ask, daemon=True)
        isOver.clear()
        thread.start()
        while offset is not None:
            answer = base.wire.call("GET", f"{base.path('Things')}?pageSize=100{sort}{offset}")
            page = answer.ok()
            assert len(page["records"]) == 1 or len(answer.raw) < 17 << 20
            assert all(len(record["fields"].get("Files", [])) in (1, 1000) for record in page["records"])
            seen += [record["id"] for record in page["records"]]
            offset = f"&offset={page['offset']}" if "offset" in page else None
            pages += 1
        isOver.set()
        thread.join()
        assert seen == ([first] if "filter" not in sort else []) + made and pages >= 2
    # One such page takes seconds to write in a debug build.
    assert max(waits) < 1


# Links


def test_links_are_unguessable_and_need_every_part(base):
    _, (a, b) = two_files(base)
    start, key, name = a["url"].rsplit("/", 2)
    other = b["url"].rsplit("/", 2)[1]
    assert len(key) == 22 and key != other
    for wrong in [other, "A" * 22, key[:-1], key + "A", key.swapcase(), ""]:
        assert download(f"{start}/{wrong}/{name}").status_code == 404, wrong
    assert download(f"{start}/{key}/any%20name").content == b"a"
    assert download(f"{start}/{key}").status_code == 404
    assert download(f"{start}/{key}/9999999999999/{name}").status_code == 404
    assert requests.post(a["url"], timeout=30).status_code == 404


@pytest.mark.parametrize("end", ["record", "item", "field", "table", "base"])
def test_a_link_is_dead_as_soon_as_what_holds_it_is_gone(base, house, end):
    record, (a, b) = two_files(base)
    table = base.tables["Things"]["id"]
    assert download(a["url"]).status_code == download(b["url"]).status_code == 200
    wire = base.wire
    if end == "record":
        wire.call("DELETE", base.path("Things", record)).ok()
    elif end == "item":
        patch(base, record, Files=[b]).ok()
    elif end == "field":
        wire.call("DELETE", f"/v0/meta/bases/{base.id}/tables/{table}/fields/{base.field_id('Things', 'Files')}").ok()
    elif end == "table":
        wire.call("POST", f"/v0/meta/bases/{base.id}/tables", {"name": "Other", "fields": [text("Name")]}).ok()
        wire.call("DELETE", f"/v0/meta/bases/{base.id}/tables/{table}").ok()
    else:
        wire.call("DELETE", f"/v0/meta/bases/{base.id}").ok()
    assert download(a["url"]).status_code == 404
    assert download(b["url"]).status_code == (200 if end == "item" else 404)
    tag = {"If-None-Match": "*"}
    assert download(a["url"], **tag).status_code == 404


def test_links_are_not_in_the_log(base, house):
    _, (a, _) = two_files(base)
    key = a["url"].rsplit("/", 2)[1]
    assert download(a["url"]).status_code == 200
    time.sleep(0.5)
    log = house.log.read_text()
    assert f"GET /f/{a['id']}/" in log and key not in log


def test_links_end_where_they_are_told_to(own_server):
    server = own_server(arguments=["--attachment-links-expire"])
    base = Base.create(server.wire(server.token(name="t")), [{"name": "Things", "fields": FIELDS}])
    _, (a, _) = two_files(base)
    parts = a["url"].split("/")
    end = int(parts[-2])
    ahead = end / 1000 - time.time()
    assert 2 * 3600 <= ahead <= 3 * 3600 + 1
    assert download(a["url"]).content == b"a"
    later = "/".join(parts[:-2] + [str(end + 3600_000), parts[-1]])
    assert download(later).status_code == 404
    assert download("/".join(parts[:-2] + [parts[-1]])).status_code == 404


def test_the_public_address_is_in_the_links(own_server):
    server = own_server(arguments=["--public-url", "https://example.org/house/"])
    base = Base.create(server.wire(server.token(name="t")), [{"name": "Things", "fields": FIELDS}])
    _, (a, _) = two_files(base)
    assert a["url"].startswith(f"https://example.org/house/f/{a['id']}/")
    assert download(a["url"].replace("https://example.org/house", server.url)).content == b"a"


def test_thumbnails_are_served(base):
    record = base.create_records("Things", [{}])[0]["id"]
    item = upload(base, record, "p.png", png(1000, 800)).ok()["fields"][base.field_id("Things", "Files")][0]
    for name, size in item["thumbnails"].items():
        got = download(size["url"])
        assert got.status_code == 200 and got.headers["Content-Type"].startswith("image/"), name
        assert got.headers["X-Content-Type-Options"] == "nosniff"
    patch(base, record, Files=[]).ok()
    assert download(item["thumbnails"]["small"]["url"]).status_code == 404


# Beside other fields


def test_formulas_filters_sorts_lookups_and_texts(base):
    wire = base.wire
    table = base.tables["Things"]["id"]

    def add(table, **definition):
        return wire.call("POST", f"/v0/meta/bases/{base.id}/tables/{table}/fields", definition).ok()

    add(table, name="Text", type="formula", options={"formula": "{Files} & ''"})
    add(table, name="Has", type="formula", options={"formula": "IF({Files}, 'yes', 'no')"})
    add(table, name="Count", type="formula", options={"formula": "COUNTA({Files})"})
    record, (a, b) = two_files(base)
    empty = base.create_records("Things", [{"Name": "empty"}])[0]["id"]
    single = base.create_records("Things", [{"Name": "one", "Files": [b]}])[0]["id"]
    shown = base.get("Things", record)["fields"]
    joined = f"a.txt ({a['url']}), b.txt ({b['url']})"
    assert shown["Text"] == joined and shown["Has"] == "yes" and shown["Count"] == 2
    assert base.get("Things", empty)["fields"] == {"Name": "empty", "Has": "no", "Count": 0}

    def ids(*query):
        return [one["id"] for one in base.list("Things", query)]

    assert ids(("filterByFormula", "{Files}")) == [record, single]
    assert ids(("filterByFormula", "{Files} = ''")) == [empty]
    assert ids(("filterByFormula", "NOT({Files})")) == [empty]
    assert ids(("filterByFormula", "FIND('a.txt', {Files} & '')")) == [record]
    assert ids(("sort[0][field]", "Files")) == [empty, single, record]
    assert ids(("sort[0][field]", "Files"), ("sort[0][direction]", "desc")) == [record, single, empty]
    patch(base, empty, Files=[a]).ok()
    assert ids(("sort[0][field]", "Files")) == [empty, single, record]
    texts = wire.call("GET", base.path("Things", record), query=[
        ("cellFormat", "string"), ("timeZone", "utc"), ("userLocale", "en-us")]).ok()["fields"]
    assert texts["Files"] == joined
    other = wire.call("POST", f"/v0/meta/bases/{base.id}/tables", {"name": "Other", "fields": [
        text("Name"), field("Link", "multipleRecordLinks", linkedTableId=table)]}).ok()
    link = next(one["id"] for one in other["fields"] if one["name"] == "Link")
    add(other["id"], name="Seen", type="multipleLookupValues",
        options={"recordLinkFieldId": link, "fieldIdInLinkedTable": base.field_id("Things", "Files")})
    far = wire.call("POST", f"/v0/{base.id}/Other", {"fields": {"Link": [single, record]}}).ok()
    assert far["fields"]["Seen"] == base.get("Things", single)["fields"]["Files"] + [a, b]


def test_attachment_fields_stay_what_they_are(base):
    table = base.tables["Things"]["id"]
    answer = base.wire.call(
        "PATCH", f"/v0/meta/bases/{base.id}/tables/{table}/fields/{base.field_id('Things', 'Files')}",
        {"type": "singleLineText"})
    assert answer.status == 422 and "multipleAttachments" in answer.json["error"]["message"]


def test_the_arrival_of_a_file_is_no_modification(base, elsewhere):
    table = base.tables["Things"]["id"]
    base.wire.call("POST", f"/v0/meta/bases/{base.id}/tables/{table}/fields",
                   {"name": "Changed", "type": "lastModifiedTime", "options": {}}).ok()
    elsewhere.gate.clear()
    url = elsewhere.put("/slow", b"slow")
    made = base.create_records("Things", [{"Files": [{"url": url}]}])[0]
    time.sleep(0.05)
    elsewhere.gate.set()
    fetched(lambda: base.get("Things", made["id"])["fields"]["Files"])
    assert base.get("Things", made["id"])["fields"]["Changed"] == made["fields"]["Changed"]


# Crashes


def test_what_was_not_fetched_before_a_crash_is_fetched_after_it(own_server, elsewhere):
    server = own_server(arguments=["--fetch-allow", elsewhere.host])
    base = Base.create(server.wire(server.token(name="t")), [{"name": "Things", "fields": FIELDS}])
    elsewhere.gate.clear()
    urls = [elsewhere.put(f"/crash/{n}.txt", f"{n}".encode()) for n in range(20)]
    made = base.create_records("Things", [{"Files": [{"url": url}]} for url in urls])
    server.kill()
    elsewhere.gate.set()
    server.start()
    base.wire = server.wire(base.wire.token)

    def items():
        return [one["fields"]["Files"][0] for one in base.list("Things")]

    done = fetched(items, 30)
    assert [item["filename"] for item in done] == [f"{n}.txt" for n in range(20)]
    assert [item["id"] for item in done] == [one["fields"]["Files"][0]["id"] for one in made]
    assert [download(item["url"]).content for item in done] == [f"{n}".encode() for n in range(20)]


def test_slow_files_of_one_base_keep_no_other_out(own_server, elsewhere):
    slow = Elsewhere()
    try:
        slow.gate.clear()
        server = own_server(arguments=["--fetch-allow", elsewhere.host, "--fetch-allow", slow.host])
        wire = server.wire(server.token(name="t"))
        one, other = (Base.create(wire, [{"name": "Things", "fields": FIELDS}], name) for name in ("One", "Other"))
        waiting = one.create_records("Things", [{"Files": [{"url": slow.put(f"/{n}", b"late")} for n in range(8)]}])[0]["id"]
        started = time.monotonic()
        record = other.create_records("Things", [{"Files": [{"url": elsewhere.put("/quick", b"quick")}]}])[0]["id"]
        fetched(lambda: other.get("Things", record)["fields"]["Files"])
        assert time.monotonic() - started < 8 and len(slow.asked) <= 2
        slow.gate.set()
        fetched(lambda: one.get("Things", waiting)["fields"]["Files"], 30)
    finally:
        slow.close()


def test_what_waits_in_the_trash_holds_nobody_up_and_comes_when_it_is_restored(base, elsewhere):
    elsewhere.gate.clear()
    try:
        blocked = base.create_records("Things", [{"Files": [{"url": elsewhere.put(f"/blocked{n}", b"x")} for n in range(2)]}])[0]
        url = elsewhere.put("/late.txt", b"late")
        record = base.create_records("Things", [{"Files": [{"url": url}] * 500}])[0]["id"]
        base.wire.call("DELETE", base.path("Things", record)).ok()
    finally:
        elsewhere.gate.set()
    fetched(lambda: base.get("Things", blocked["id"])["fields"]["Files"])
    after = base.create_records("Things", [{"Files": [{"url": elsewhere.put("/after.txt", b"after")}]}])[0]["id"]
    fetched(lambda: base.get("Things", after)["fields"]["Files"])
    assert "/late.txt" not in elsewhere.asked
    base.wire.call("POST", f"/v0/meta/bases/{base.id}/trash/{record}/restore").ok()
    items = fetched(lambda: base.get("Things", record)["fields"]["Files"], 30)
    assert len(items) == 500 and download(items[-1]["url"]).content == b"late"


# Forms


def send_form(house, base, record, files, data=None, field="Files", **headers):
    return requests.post(
        f"{house.url}/v0/{base.id}/{record}/{field}/uploadAttachment", files=files, data=data, timeout=60,
        headers={"Authorization": f"Bearer {house.all_rights}", **headers})


def test_a_form_brings_a_large_file(base, house):
    record = base.create_records("Things", [{}])[0]["id"]
    content = bytes(range(256)) * (4 * 40_000)
    answer = send_form(house, base, record, {"file": ("große 檔.bin", content, "application/x-thing")})
    assert answer.status_code == 200, answer.text
    item = answer.json()["fields"][base.field_id("Things", "Files")][0]
    assert (item["filename"], item["size"], item["type"]) == ("große 檔.bin", len(content), "application/x-thing")
    assert download(item["url"]).content == content


def test_parts_of_a_form_may_name_the_file_and_its_type(base, house):
    record = base.create_records("Things", [{}])[0]["id"]
    for number in range(2):
        data = {"filename": "b.csv", "contentType": "text/csv", "other": "x" * 100_000}
        answer = send_form(house, base, record, {"file": ("a.txt", b"1,2", "text/plain")}, data)
    items = answer.json()["fields"][base.field_id("Things", "Files")]
    assert [(item["filename"], item["type"]) for item in items] == [("b.csv", "text/csv")] * 2


def test_forms_are_refused_as_uploads_are(base, house):
    record = base.create_records("Things", [{}])[0]["id"]
    file = {"file": ("a.txt", b"a", "text/plain")}

    def told(answer):
        error = answer.json()["error"]
        return answer.status_code, error if isinstance(error, str) else error["type"]

    assert told(send_form(house, base, record, file, field="None")) == (422, "UNKNOWN_FIELD_NAME")
    assert told(send_form(house, base, record, file, field="Name")) == (422, "INVALID_VALUE_FOR_COLUMN")
    assert told(send_form(house, base, "rec" + "A" * 14, file)) == (404, "MODEL_ID_NOT_FOUND")
    assert told(send_form(house, base, record, file, Authorization="Bearer x")) == (401, "AUTHENTICATION_REQUIRED")
    read = "Bearer " + house.token(scopes="data.records:read")
    assert told(send_form(house, base, record, file, Authorization=read)) == (403, "INVALID_PERMISSIONS")
    two = [("file", ("a", b"a")), ("file", ("b", b"b"))]
    assert told(send_form(house, base, record, two)) == (422, "INVALID_REQUEST_UNKNOWN")
    assert told(send_form(house, base, record, {"x": (None, b"a")})) == (422, "INVALID_REQUEST_MISSING_FIELDS")
    unchosen = base.wire.send(
        "POST", f"/v0/{base.id}/{record}/Files/uploadAttachment",
        headers={"Content-Type": "multipart/form-data; boundary=b", "Authorization": f"Bearer {base.wire.token}"},
        body='--b\r\nContent-Disposition: form-data; name="file"; filename=""\r\n'
        "Content-Type: application/octet-stream\r\n\r\n\r\n--b--\r\n")
    assert (unchosen.status, unchosen.json["error"]["type"]) == (422, "INVALID_REQUEST_UNKNOWN")
    assert "No file was chosen" in unchosen.json["error"]["message"]
    large = {"file": ("a", bytes(50 * 1024 * 1024 + 1))}
    assert told(send_form(house, base, record, large)) == (413, "REQUEST_TOO_LARGE")
    cut = base.wire.send(
        "POST", f"/v0/{base.id}/{record}/Files/uploadAttachment",
        headers={"Content-Type": "multipart/form-data; boundary=b"}, body="--b\r\nContent-Disposition: form-data; "
        'name="file"; filename="a"\r\n\r\nabc')
    assert (cut.status, cut.json["error"]["type"]) == (422, "INVALID_REQUEST_UNKNOWN")
    assert base.get("Things", record)["fields"] == {}
    assert list((house.folder / "files" / "tmp").iterdir()) == []


def test_a_form_with_a_key_is_done_once(base, house):
    record = base.create_records("Things", [{}])[0]["id"]
    answers = [send_form(house, base, record, {"file": ("a", content)}, **{"Idempotency-Key": "form"})
               for content in (b"a", b"a", b"b")]
    assert [answer.status_code for answer in answers] == [200, 200, 422]
    assert answers[0].content == answers[1].content
    assert len(base.get("Things", record)["fields"]["Files"]) == 1
    # Also when there is nothing left that it could be done to.
    base.wire.call("DELETE", f"/v0/meta/bases/{base.id}").ok()
    again = [send_form(house, base, record, {"file": ("a", content)}, **{"Idempotency-Key": key})
             for content, key in ((b"a", "form"), (b"b", "form"), (b"a", "other"))]
    assert [answer.status_code for answer in again] == [200, 403, 403]
    assert again[0].content == answers[0].content
    assert list((house.folder / "files" / "tmp").iterdir()) == []
