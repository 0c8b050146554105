"""Images from the upload to the thumbnail, and what happens when rendering goes wrong."""

import base64
import os
import signal
import time
from io import BytesIO

import pytest
from PIL import Image

from harness.base import Base, field, text
from harness.files import download
from harness.images import difference, exif, opened, photo, turned, wait_until
from test_image_worker import png

FIELDS = [text("Name"), field("Files", "multipleAttachments")]


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

    def memory():
        [line] = [line for line in open(f"/proc/{server.process.pid}/status") if line.startswith("VmRSS")]
        return int(line.split()[1])

    before = memory()
    assert download(item["thumbnails"]["large"]["url"]).status_code == 200
    assert len(workers(server)) == 1
    # One decoded picture alone would be 13 MB.
    assert memory() - before < 8000


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
    assert [name for name in os.listdir(server.folder / "files/derived") if name.endswith(".part")]
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
