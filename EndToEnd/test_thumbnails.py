"""Images from the upload to the thumbnail, and what happens when rendering goes wrong."""

import base64
import http.client
import os
import random
import signal
import struct
import threading
import time
import zlib
from io import BytesIO
from itertools import combinations

import pytest
import requests
from PIL import Image

from harness.base import Base, field, text
from harness.database import check_integrity
from harness.files import download
from harness.images import difference, exif, of_libheif, opened, photo, ten_thousand_frames, turned, wait_until
from test_full_disk import fill, small_disk  # noqa: F401  (a fixture)
from test_image_worker import HOSTILE, chunk, png

FIELDS = [text("Name"), field("Files", "multipleAttachments"), text("V")]
ROUNDS = int(os.environ.get("ROWHOUSE_THUMBNAIL_ROUNDS", "10"))
GONE = (OSError, http.client.HTTPException, requests.RequestException)


class Shelf:
    """One record with files."""

    def __init__(self, server, token):
        self.server = server
        self.base = Base.create(server.wire(token), [{"name": "Things", "fields": FIELDS}])
        self.record = self.base.create_records("Things", [{}])[0]["id"]

    def put(self, name, content, kind="application/octet-stream"):
        """The attachment as it is told after the upload."""
        body = {"contentType": kind, "file": base64.b64encode(content).decode(), "filename": name}
        path = f"/v0/{self.base.id}/{self.record}/Files/uploadAttachment"
        answer = self.base.wire.call("POST", path, body).ok()
        return answer["fields"][self.base.field_id("Things", "Files")][-1]


@pytest.fixture
def shelf(server):
    return Shelf(server, server.all_rights)


@pytest.fixture
def own_shelf(own_server):
    server = own_server()
    return Shelf(server, server.token(name="tests"))


def encoded(image, kind, **options):
    data = BytesIO()
    image.save(data, format=kind, **options)
    return data.getvalue()


def workers(server):
    """The processes that the server has started and that live."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = open(f"/proc/{name}/stat").read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(words[1]) == server.process.pid and words[0] != "Z":
            found.append(int(name))
    return found


def processor_time(process):
    words = open(f"/proc/{process}/stat").read().rsplit(")", 1)[1].split()
    return int(words[11]) + int(words[12])


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "WEBP", "HEIF", "AVIF"])
def test_thumbnails_are_as_large_as_the_record_says(shelf, kind):
    image = photo(1500, 900)
    told = {"HEIF": "image/heic"}.get(kind, f"image/{kind.lower()}")
    item = shelf.put("photo.bin", encoded(image.quantize(64) if kind == "GIF" else image, kind))
    assert (item["width"], item["height"], item["type"]) == (1500, 900, told)
    sizes = {name: (one["width"], one["height"]) for name, one in item["thumbnails"].items()}
    assert sizes == {"small": (60, 36), "large": (853, 512), "full": (1500, 900)}
    for name, one in item["thumbnails"].items():
        got = download(one["url"])
        assert got.status_code == 200 and got.headers["Content-Type"] == "image/jpeg"
        made = opened(got.content)
        assert made.size == sizes[name]
        assert difference(made, image.resize(made.size, Image.Resampling.LANCZOS)) < (12 if kind == "GIF" else 6)


@pytest.mark.parametrize("width, height", [(20_000, 400), (300, 17_000), (30_000, 1), (1, 30_000), (9000, 600)])
@pytest.mark.parametrize("kind", ["opaque", "seen through"])
def test_long_images_have_all_three_thumbnails(shelf, width, height, kind):
    image = photo(width, height)
    if kind == "seen through":
        image = image.convert("RGBA")
        image.putalpha(120)
    for order in (("small", "large", "full"), ("full", "large", "small")):
        image.putpixel((0, 0), tuple(order[0].encode()[: len(image.getbands())]))
        item = shelf.put("long.png", encoded(image, "PNG"))
        last = (width, height)
        for size in ("full", "large", "small"):
            one = item["thumbnails"][size]
            assert max(one["width"], one["height"]) <= 3000
            assert one["width"] <= last[0] and one["height"] <= last[1]
            last = one["width"], one["height"]
        for size in order:
            one = item["thumbnails"][size]
            made = opened(download(one["url"]).content)
            assert made.size == (one["width"], one["height"])


def packed_texts(number, seed):
    """A small PNG with texts of 8 MB each in few bytes."""
    text = chunk(b"zTXt", b"x\0\0" + zlib.compress(b"a" * 7_900_000, 9))
    rows = zlib.compress(b"\0" * 10_099 + bytes([seed]))
    return png(100, 100)[:33] + text * number + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def test_packed_texts_in_a_png_are_left_packed_and_keep_nobody_out(shelf):
    slow = [shelf.put("texts.png", packed_texts(60, seed)) for seed in range(4)]
    threads = [threading.Thread(target=download, args=(item["thumbnails"]["small"]["url"],)) for item in slow]
    for thread in threads:
        thread.start()
    began = time.monotonic()
    item = shelf.put("other.png", encoded(photo(400, 300), "PNG"))
    assert download(item["thumbnails"]["small"]["url"]).status_code == 200
    assert time.monotonic() - began < 10
    for thread in threads:
        thread.join()
    assert time.monotonic() - began < 20
    for item in slow:
        assert opened(download(item["thumbnails"]["small"]["url"]).content).size == (36, 36)


def test_a_full_disk_is_not_the_fault_of_a_picture(own_server, small_disk):  # noqa: F811
    server = own_server(folder=small_disk / "data")
    shelf = Shelf(server, server.token(name="tests"))
    # The folder for renderings is there, or not yet.
    for number, leave in enumerate([0, 4096, 20_000, 100_000]):
        noise = Image.frombytes("RGB", (700, 600), random.Random(number).randbytes(700 * 600 * 3))
        item = shelf.put("noise.jpg", encoded(noise, "JPEG", quality=85))
        fill(small_disk, leave)
        for size in ("small", "large", "full"):
            got = download(item["thumbnails"][size]["url"])
            assert got.status_code in ((200, 507) if leave else (507,)), got.text
            if got.status_code == 507:
                assert got.json()["error"]["type"] == "INSUFFICIENT_STORAGE"
        (small_disk / "filler").unlink()
        for one in item["thumbnails"].values():
            assert opened(download(one["url"]).content).size == (one["width"], one["height"])
    assert not [name for name in os.listdir(small_disk / "data/files/derived") if name.endswith(".part")]


def test_a_photo_of_a_phone_is_upright_and_tells_no_place(shelf):
    content = encoded(turned(photo(800, 600), 6), "JPEG", exif=exif(6, place=True), quality=92)
    item = shelf.put("IMG_0001.JPG", content)
    assert (item["width"], item["height"]) == (800, 600)
    assert download(item["url"]).content == content
    for one in item["thumbnails"].values():
        data = download(one["url"]).content
        made = opened(data)
        assert made.size == (one["width"], one["height"])
        assert difference(made, photo(800, 600).resize(made.size, Image.Resampling.LANCZOS)) < 6
        assert not made.getexif() and b"Exif" not in data and b"Kamera" not in data


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "AVIF"])
def test_all_orientations_are_told_and_rendered_alike(shelf, kind):
    upright = photo(640, 400)
    items = [
        shelf.put(f"{turn}", encoded(turned(upright, turn), kind, exif=exif(turn), quality=95)) for turn in range(1, 9)]
    assert {(item["width"], item["height"]) for item in items} == {(640, 400)}
    for size in ("small", "large", "full"):
        made = [opened(download(item["thumbnails"][size]["url"]).content) for item in items]
        assert difference(made[0], upright.resize(made[0].size, Image.Resampling.LANCZOS)) < 6
        for one, other in combinations(made, 2):
            assert difference(one, other) < 3, size


@pytest.mark.parametrize("ending, kind, more", [("heic", "image/heic", []), ("avif", "image/avif", ["-A"])])
def test_a_file_of_the_encoder_of_libheif_has_thumbnails(shelf, tmp_path, ending, kind, more):
    image = photo(1000, 750)
    item = shelf.put("a", of_libheif(tmp_path / f"a.{ending}", image, *more))
    assert (item["type"], item["width"], item["height"]) == (kind, 1000, 750)
    for one in item["thumbnails"].values():
        made = opened(download(one["url"]).content)
        assert made.size == (one["width"], one["height"])
        assert difference(made, image.resize(made.size, Image.Resampling.LANCZOS)) < 6


def test_the_first_of_ten_thousand_frames_is_shown(shelf):
    content = ten_thousand_frames()
    item = shelf.put("a.gif", content)
    began = time.monotonic()
    made = opened(download(item["thumbnails"]["full"]["url"]).content)
    assert time.monotonic() - began < 5
    assert made.size == (40, 30) and difference(made, Image.new("RGB", (40, 30), (0, 255, 7))) < 6
    assert download(item["url"]).content == content


KINDS = {"JPEG": "jpeg", "PNG": "png", "GIF": "gif", "WEBP": "webp", "HEIF": "heic", "AVIF": "avif"}


@pytest.mark.parametrize("kind", KINDS)
def test_an_image_is_what_it_is_whatever_it_is_called(shelf, kind):
    content = encoded(photo(300, 200), kind)
    for name, said in [
        *((f"a.{ending}", f"image/{ending}") for ending in KINDS.values()), ("a.html", "text/html"), ("a.txt", "text/plain"),
        ("a.svg", "image/svg+xml"), ("a.pdf", "application/pdf"), ("a", "application/octet-stream"),
    ]:
        item = shelf.put(name, content, said)
        assert (item["filename"], item["type"]) == (name, f"image/{KINDS[kind]}")
        assert (item["width"], item["height"]) == (300, 200)
        got = download(item["thumbnails"]["small"]["url"])
        assert got.status_code == 200 and opened(got.content).size == (54, 36)


def test_what_is_no_image_has_no_thumbnails_whatever_its_name(shelf):
    for name, content in (
        ("page.jpg", b"<html><script>alert(1)</script></html>"), ("half.png", png(9, 9)[:20]), ("empty.gif", b"GIF89a"),
        ("drawing.png", b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ):
        item = shelf.put(name, content, "image/png")
        assert "thumbnails" not in item and "width" not in item
        assert "inline" not in download(item["url"]).headers["Content-Disposition"] or name != "page.jpg"
    assert shelf.put("really.jpg", png(90, 60, b"\0" * 800, 1, 0))["type"] == "image/png"


def test_the_largest_png_is_kept_and_not_looked_at(shelf):
    content = png(65_535, 65_535, (b"\0" * (65_535 // 8 + 2)) * 65_535)
    began = time.monotonic()
    item = shelf.put("bomb.png", content)
    assert time.monotonic() - began < 3
    assert item["size"] == len(content) and "width" not in item and "thumbnails" not in item
    assert download(item["url"]).content == content


def test_a_broken_image_is_refused_and_the_next_is_not(shelf):
    content = encoded(photo(600, 400), "WEBP")
    item = shelf.put("broken.webp", content[:200])
    for _ in range(2):
        got = download(item["thumbnails"]["large"]["url"])
        assert got.status_code == 422 and got.json()["error"]["type"] == "IMAGE_NOT_RENDERABLE"
    whole = shelf.put("whole.webp", content)
    assert download(whole["thumbnails"]["large"]["url"]).status_code == 200


@pytest.mark.timeout(180)
def test_no_process_is_started_before_the_first_thumbnail_and_the_server_does_not_grow(own_shelf):
    server = own_shelf.server
    item = own_shelf.put("a.heic", encoded(photo(2400, 1800), "HEIF", quality=50))
    assert workers(server) == []

    before = memory(server.process.pid)
    assert download(item["thumbnails"]["large"]["url"]).status_code == 200
    assert len(workers(server)) == 1
    # One decoded picture alone would be 13 MB.
    assert memory(server.process.pid) - before < 8000


def replaced(content, old, new, count=1):
    assert content.count(old) >= 1
    return content.replace(old, new, count)


def box(name, content):
    return struct.pack(">I", len(content) + 8) + name + content


def riff(*chunks):
    body = b"WEBP" + b"".join(name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2) for name, data in chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def sides(width, height):
    return struct.pack(">HH", height, width)


def jpeg_frame(width, height):
    """A segment that says how large a grey picture is."""
    return b"\xff\xc0\0\x0b\x08" + sides(width, height) + b"\x01\x01\x11\0"


def lies():
    """Heads that say something else than what comes after them, by what they do."""
    small = photo(60, 40)
    jpeg, gif, webp = encoded(small, "JPEG"), encoded(small.quantize(16), "GIF"), encoded(small, "WEBP", lossless=True)
    scans = encoded(Image.new("RGB", (8000, 7000)), "JPEG", progressive=True)
    last = scans.rindex(b"\xff\xda")
    yield "jpeg says more", replaced(jpeg, sides(60, 40), sides(8000, 9000))
    yield "jpeg says the most", replaced(jpeg, sides(60, 40), sides(30_000, 4000))
    yield "jpeg says less", replaced(encoded(photo(3000, 2000), "JPEG"), sides(3000, 2000), sides(16, 16))
    yield "jpeg with two frames", jpeg[:2] + jpeg_frame(16, 16) + jpeg[2:]
    yield "jpeg with a huge second frame", replaced(jpeg, b"\xff\xda", jpeg_frame(65_500, 65_500) + b"\xff\xda")
    yield "jpeg of a thousand scans", scans[:-2] + scans[last:-2] * 1000 + scans[-2:]
    yield "gif says more", replaced(gif, struct.pack("<HH", 60, 40), struct.pack("<HH", 30_000, 4000))
    yield "gif with a huge frame", replaced(
        gif[:6] + b"\x09\0\x09\0" + gif[10:], b"\x2c\0\0\0\0" + struct.pack("<HH", 60, 40),
        b"\x2c\0\0\0\0" + struct.pack("<HH", 65_535, 65_535))
    yield "gif with a frame far away", replaced(
        gif, b"\x2c\0\0\0\0", b"\x2c\xff\xff\xff\xff")
    yield "webp with a small canvas", riff(
        (b"VP8X", b"\0" * 4 + b"\x09\0\0\x09\0\0"), (b"VP8L", encoded(photo(3000, 2000), "WEBP", lossless=True)[20:]))
    yield "webp with a large canvas", riff(
        (b"VP8X", b"\0" * 4 + struct.pack("<I", 9999)[:3] * 2), (b"VP8L", webp[20:]))
    yield "webp says the most", replaced(webp, webp[21:25], struct.pack("<I", 16_382 | 7000 << 14))
    yield "png with two heads", png(50, 40)[:33] + png(30_000, 30_000, b"\0" * 4000)[8:]
    yield "png with much text", png(50, 40)[:33] + chunk(
        b"zTXt", b"a\0\0" + compressed(b"x" * 200_000_000)) + png(50, 40, b"\0" * 320)[33:]
    yield "png with a huge profile", png(50, 40)[:33] + chunk(
        b"iCCP", b"a\0\0" + compressed(b"\xff" * 200_000_000)) + png(50, 40, b"\0" * 320)[33:]
    for kind in ("HEIF", "AVIF"):
        whole = encoded(photo(640, 480), kind)
        extent = box(b"ispe", b"\0" * 4 + struct.pack(">II", 640, 480))
        for name, width, height in (("less", 16, 16), ("more", 9000, 8000), ("the most", 30_000, 4000)):
            yield f"{kind} says {name}", replaced(whole, extent, box(b"ispe", b"\0" * 4 + struct.pack(">II", width, height)))


def compressed(data):
    return zlib.compress(data, 9)


def memory(process, word="VmRSS"):
    [line] = [line for line in open(f"/proc/{process}/status") if line.startswith(word + ":")]
    return int(line.split()[1])


@pytest.mark.timeout(300)
def test_heads_that_lie_cost_no_more_than_their_own_thumbnails(own_shelf):
    for name, content in [*lies(), *HOSTILE.items()]:
        look_at(own_shelf, name, content)


def look_at(shelf, name, content):
    server = shelf.server
    before = memory(server.process.pid)
    item = shelf.put("a.jpg", content, "image/jpeg")
    assert download(item["url"]).content == content, name
    for one in item.get("thumbnails", {}).values():
        began = time.monotonic()
        got = download(one["url"])
        assert time.monotonic() - began < 35, name
        assert got.status_code in (200, 422), name
        if got.status_code == 200:
            assert opened(got.content).size == (one["width"], one["height"]), name
            print(name, one["width"], one["height"], "was rendered")
    good = shelf.put("good.png", encoded(photo(90, 60), "PNG") + name.encode())
    assert download(good["thumbnails"]["small"]["url"]).status_code == 200, name
    assert server.alive and memory(server.process.pid) - before < 16_000, name
    for worker in workers(server):
        assert memory(worker, "VmHWM") < 2 << 20, name


def slow():
    """Little to send and seconds to decode."""
    return png(29_000, 4100, (b"\0" + b"\xa5" * (29_000 // 8)) * 4100)


def get_in_background(url):
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(1).submit(download, url)


def test_a_worker_killed_in_the_middle_costs_one_file_a_422(own_shelf):
    server = own_shelf.server
    good = own_shelf.put("good.png", encoded(photo(90, 60), "PNG"))
    long = own_shelf.put("long.png", slow())
    assert download(good["thumbnails"]["small"]["url"]).status_code == 200
    [worker] = workers(server)
    before = processor_time(worker)
    answer = get_in_background(long["thumbnails"]["large"]["url"])
    wait_until(lambda: processor_time(worker) > before + 10)
    os.kill(worker, signal.SIGKILL)
    assert answer.result().status_code == 422
    assert server.alive
    other = own_shelf.put("other.png", encoded(photo(120, 60), "PNG"))
    assert download(other["thumbnails"]["large"]["url"]).status_code == 200
    assert worker not in workers(server)
    derived = os.listdir(server.folder / "files/derived")
    assert len(derived) == 4 and not [name for name in derived if name.endswith(".part")]


def test_a_server_killed_in_the_middle_leaves_no_process_and_renders_when_it_is_back(own_shelf):
    server = own_shelf.server
    good = own_shelf.put("good.png", encoded(photo(90, 60), "PNG"))
    long = own_shelf.put("long.png", slow())
    assert download(good["thumbnails"]["small"]["url"]).status_code == 200
    [worker] = workers(server)
    before = processor_time(worker)
    answer = get_in_background(long["thumbnails"]["large"]["url"])
    wait_until(lambda: processor_time(worker) > before + 10)
    server.kill()
    assert answer.exception() is not None
    wait_until(lambda: not os.path.exists(f"/proc/{worker}"), 5)
    half = server.folder / "files/derived" / f"{'0' * 64}-large.part"
    half.write_bytes(b"half")
    server.restart()
    shelf = Shelf(server, server.token(name="again"))
    again = shelf.put("long.png", slow())
    assert download(again["thumbnails"]["large"]["url"]).status_code == 200
    assert not [name for name in os.listdir(server.folder / "files/derived") if name.endswith(".part")]


def test_a_server_that_is_told_to_end_takes_its_worker_with_it(own_shelf):
    server = own_shelf.server
    item = own_shelf.put("good.png", encoded(photo(90, 60), "PNG"))
    assert download(item["thumbnails"]["small"]["url"]).status_code == 200
    [worker] = workers(server)
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(timeout=20) == 0
    wait_until(lambda: not os.path.exists(f"/proc/{worker}"), 5)


@pytest.mark.timeout(120)
def test_a_worker_that_hangs_is_ended_after_half_a_minute(own_shelf):
    server = own_shelf.server
    good = own_shelf.put("good.png", encoded(photo(90, 60), "PNG"))
    assert download(good["thumbnails"]["small"]["url"]).status_code == 200
    [worker] = workers(server)
    os.kill(worker, signal.SIGSTOP)
    other = own_shelf.put("other.png", encoded(photo(120, 60), "PNG"))
    assert requests.get(other["thumbnails"]["small"]["url"], timeout=60).status_code == 422
    assert not os.path.exists(f"/proc/{worker}")
    third = own_shelf.put("third.png", encoded(photo(130, 60), "PNG"))
    assert download(third["thumbnails"]["small"]["url"]).status_code == 200


class Album:
    """Puts pictures in and looks at their thumbnails until the server is gone; writes down what was told."""

    def __init__(self, base, wire, record, source):
        self.base, self.wire, self.record, self.source = base, wire, record, source
        self.told, self.seen, self.fault, self.looks = {}, 0, None, False

    def run(self):
        try:
            while True:
                self.step()
        except GONE:
            pass
        except BaseException as fault:
            self.fault = fault

    def step(self):
        number, kind = self.source.randrange(1 << 32), self.source.choice(list(KINDS))
        image = photo(600 + number % 40, 420)
        content = encoded(image, kind) + b"\0" * 8 + struct.pack(">I", number)
        body = {"contentType": "a/b", "file": base64.b64encode(content).decode(), "filename": f"{number}"}
        path = f"/v0/{self.base.id}/{self.record}/Files/uploadAttachment"
        answer = self.wire.call("POST", path, body, once=True).ok()
        [item] = [one for one in answer["fields"][self.base.field_id("Things", "Files")] if one["filename"] == f"{number}"]
        self.told[item["id"]] = (content, image)
        self.looks = True
        for one in item["thumbnails"].values():
            got = download(one["url"])
            assert got.status_code == 200 and opened(got.content).size == (one["width"], one["height"])
            self.seen += 1
        self.looks = False


@pytest.mark.timeout(90 + 20 * ROUNDS)
def test_kills_while_pictures_come_thumbnails_are_made_and_a_field_changes_its_type(own_server):
    """What was told is there whole, no thumbnail is half, and the changed field is of one type."""
    seed = random.randrange(1 << 32)
    print("seed", seed)
    source = random.Random(seed)
    server = own_server()
    token = server.token(name="tests")
    base = Base.create(server.wire(token), [{"name": "Things", "fields": FIELDS}])
    base.create_records("Things", [{"V": f"{n}"} for n in range(500)])
    table, changed = base.tables["Things"]["id"], base.field_id("Things", "V")
    types = [{"type": "number", "options": {"precision": 0}}, {"type": "singleLineText"}]
    told, seen, cut, retyped = {}, 0, 0, 0
    for round_ in range(ROUNDS):
        wire = server.wire(token)
        records = [one["id"] for one in base.create_records("Things", [{}] * 3, wire)]
        albums = [Album(base, server.wire(token), record, random.Random(source.random())) for record in records]

        def retype():
            nonlocal retyped
            try:
                while True:
                    path = f"/v0/meta/bases/{base.id}/tables/{table}/fields/{changed}"
                    wire.call("PATCH", path, types[retyped % 2], once=True)
                    retyped += 1
            except GONE:
                pass

        threads = [threading.Thread(target=run, daemon=True) for run in [retype, *(album.run for album in albums)]]
        for thread in threads:
            thread.start()
        # By what is done, not by time: most kills find a rendering, on fast machines and slow ones.
        enough = source.randrange(1, 9)
        wait_until(lambda: sum(album.seen for album in albums) >= enough or any(album.fault for album in albums), 30)
        time.sleep(source.uniform(0, 0.05))
        processes = workers(server)
        cut += any(album.looks for album in albums)
        server.kill()
        for thread in threads:
            thread.join(30)
        for album in albums:
            if album.fault:
                raise album.fault
            told.update(album.told)
            seen += album.seen
        wait_until(lambda: not any(os.path.exists(f"/proc/{one}") for one in processes), 5)
        derived = server.folder / "files/derived"
        check_integrity(server.folder)
        server.start()
        wire = server.wire(token)
        fields = wire.call("GET", f"/v0/meta/bases/{base.id}/tables").ok()["tables"][0]["fields"]
        kind = {"number": int, "singleLineText": str}[next(one["type"] for one in fields if one["id"] == changed)]
        found = {}
        rows = base.list("Things", wire=wire)
        assert [one["fields"]["V"] for one in rows[:500]] == [kind(n) for n in range(500)]
        for row in rows[500:]:
            for item in row["fields"].get("Files", []):
                found[item["id"]] = item
        assert set(told) <= set(found), "what was told is lost"
        for number in source.sample(list(told), min(8, len(told))):
            (content, image), item = told[number], found[number]
            assert download(item["url"]).content == content
            for one in item["thumbnails"].values():
                made = opened(download(one["url"]).content)
                assert made.size == (one["width"], one["height"])
                assert difference(made, image.resize(made.size, Image.Resampling.LANCZOS)) < 20
        # What was left half goes with the next that is made.
        fresh = Shelf(server, token).put("fresh.png", encoded(photo(90 + round_, 60), "PNG"))
        assert download(fresh["thumbnails"]["small"]["url"]).status_code == 200
        assert not [name for name in os.listdir(derived) if name.endswith(".part")]
        assert os.listdir(server.folder / "files/tmp") == []
    print(ROUNDS, "rounds,", len(told), "pictures told,", seen, "thumbnails seen,", cut, "kills in the middle,", retyped)
    assert seen > ROUNDS and cut, "there was hardly any load"
    assert server.stop() == 0
    check_integrity(server.folder)
