"""Files in records: thumbnails beside PocketBase's, files beside nginx, and what the code for images costs a start."""
import threading
import time

from . import photos, report
from .http import Connection, form, request
from .pocketbase import PocketBase
from .rowhouse import Rowhouse
from .servers import family
from .wrk import Outcome

#: How many thumbnails are asked for at a time.
CONNECTIONS = 4
#: Sides as the answers must have them: `large` has a short side of 512, `small` is 36 high.
SIZES = {"12 MP": [(683, 512), (48, 36)], "1 MP": [(819, 512), (58, 36)]}
#: Words in the names of libraries that decode images.
LIBRARIES = ("vips", "heif", "jpeg", "webp", "libpng", "glib-2", "gobject", "Magick")


class Ours(Rowhouse):
    """A table of photos."""

    def prepare(self, records=()):
        self.start()
        self.sign_in()
        table = {"name": "photos", "fields": [
            {"name": "name", "type": "singleLineText"}, {"name": "file", "type": "multipleAttachments"}]}
        self.create_base(table)

    def put(self, connection, name, content, kind):
        """The paths to the file and to its two thumbnails, the larger first; such links need no token."""
        record = connection.ask(self.raw(("POST", f"/v0/{self.base}/photos", {"fields": {"name": name}})))["id"]
        path = f"/v0/{self.base}/{record}/file/uploadAttachment"
        [[item]] = connection.ask(form(self.port, path, self.token, "file", name, content, kind))["fields"].values()
        thumbnails = [item["thumbnails"][size]["url"] for size in ("large", "small")] if "thumbnails" in item else []
        return ["/f/" + url.split("/f/", 1)[1] for url in (item["url"], *thumbnails)]

    def raw(self, call, _=None):
        method, path, body = call
        # Links need no token.
        return request(self.port, method, path, None if path.startswith("/f/") else self.token, body)

    def libraries(self):
        """Those for images in the memory of the server itself."""
        with open(f"/proc/{self.process.pid}/maps") as maps:
            return {line.split()[5] for line in maps if any(word in line for word in LIBRARIES)}


class Theirs(PocketBase):
    """A collection of photos with the same sizes; its files, too, are open to who knows their address."""

    fields = [{"name": "name", "type": "text"}, {
        "name": "file", "type": "file", "maxSelect": 1, "maxSize": 20_000_000, "thumbs": ["0x512", "0x36"]}]

    def prepare(self, records=()):
        self.migrate(self.fields, indexes=[])
        self.start()
        self.sign_in()

    def put(self, connection, name, content, kind):
        record = connection.ask(form(self.port, self.records_path, self.token, "file", name, content, kind))
        path = f"/api/files/{record['collectionId']}/{record['id']}/{record['file']}"
        return [path, f"{path}?thumb=0x512", f"{path}?thumb=0x36"]


def thumbnails(bench, ours, theirs, pictures):
    """A row for each kind of photo. Each photo is new to the server and asked for in two sizes, none of which is made yet."""
    for name, photo in pictures.items():
        count = (4 if bench.chosen.quick else 12) * (1 if name == "12 MP" else 4)
        outcomes = {ours: [], theirs: []}
        for turn in range(bench.chosen.runs + 1):
            for server in (ours, theirs) if turn % 2 else (theirs, ours):
                outcome = _look(server, photo, SIZES[name], count)
                # The first turn is for getting warm.
                outcomes[server] += [outcome] if turn else []
        mine, other = outcomes[ours], outcomes[theirs]
        bench.rows.append(report.Row(
            f"thumbnails of {name}, two of each", report.rate(mine), report.rate(other),
            ratio=report.median_rate(mine) / report.median_rate(other), target=1, ours_times=report.times(mine),
            peer_times=report.times(other), costs=report.costs(mine, other)))


def _look(server, photo, sizes, count):
    with Connection(server.port) as connection:
        links = [server.put(connection, f"{n}.jpg", photos.another(photo, n), "image/jpeg")[1:] for n in range(count)]
    waiting = iter([(link, size) for two in links for link, size in zip(two, sizes)])
    lock, times, failures = threading.Lock(), [], []

    def work():
        try:
            with Connection(server.port) as connection:
                while True:
                    with lock:
                        link, size = next(waiting, (None, None))
                    if link is None or failures:
                        return
                    began = time.perf_counter()
                    status, body = connection.send(request(server.port, "GET", link))
                    times.append((time.perf_counter() - began) * 1000)
                    made = photos.size(body)
                    # Rounding is everybody's own.
                    if status != 200 or made is None or any(abs(a - b) > 1 for a, b in zip(made, size)):
                        raise RuntimeError(f"{server.name} answered {link} with {status} and {made} instead of {size}")
        except Exception as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work) for _ in range(CONNECTIONS)]
    used, began = server.processor_time(), time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    taken = time.perf_counter() - began
    if failures:
        raise failures[0]
    times.sort()
    return Outcome(
        rate=len(times) / taken, p50=report.median(times), p99=times[len(times) * 99 // 100], requests=len(times), bad=0,
        cost=(server.processor_time() - used) * 1e6 / len(times))


def libraries(bench, ours, photo):
    """A row that counts what decodes images in the server: at its start, after an upload, after a thumbnail."""
    found = [ours.libraries()]
    with Connection(ours.port) as connection:
        links = ours.put(connection, "first.jpg", photos.another(photo, 0), "image/jpeg")
        found.append(ours.libraries())
        if len(list(family(ours.process.pid))) != 1:
            raise RuntimeError("a process for images runs before there is anything to render")
        status, _ = connection.send(request(ours.port, "GET", links[1]))
    found.append(ours.libraries())
    workers = [pid for pid in family(ours.process.pid) if pid != ours.process.pid]
    if status != 200 or not any("vips" in open(f"/proc/{pid}/maps").read() for pid in workers):
        # Else nothing would be known of how libraries show themselves.
        raise RuntimeError("no process with a library for images after a thumbnail")
    bench.rows.append(report.Row(
        "libraries for images in the server: start, upload, thumbnail", ", ".join(str(len(one)) for one in found),
        ratio=float(sum(len(one) for one in found)), target=0, at_most=True))
