"""Files sent over HTTP, beside Debian's nginx sending the same ones."""
import os
import random
import shutil

from . import report
from .http import Connection, request
from .servers import Server
from .workload import write

#: Name and bytes of each file: a rendering that every view shows, and a picture as it was taken.
SIZES = [("100 KB", 100_000), ("2 MB", 2_000_000)]
LEAST_RATIO = 0.5

SETTINGS = """
{user}
worker_processes 2;
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    sendfile on;
    tcp_nopush on;
    keepalive_requests 1000000000;
    default_type application/octet-stream;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{ listen 127.0.0.1:{port}; root {files}; }}
}}
"""


class Nginx(Server):
    """Serves a folder of files with two processes, as many as we have threads that move bytes."""

    name = "nginx"

    def __init__(self, folder, files):
        folder.mkdir()
        super().__init__(str(folder / "log"))
        self.settings = folder / "nginx.conf"
        self.settings.write_text(SETTINGS.format(
            # Processes of another user could not read the files.
            user="user root;" if os.geteuid() == 0 else "", folder=folder, port=self.port, files=files))

    def command(self):
        return ["nginx", "-c", self.settings, "-e", self.settings.with_name("error.log")]


def program():
    """Whether nginx is there; outside the path of ordinary users it lies in /usr/sbin."""
    return shutil.which("nginx", path="/usr/local/sbin:/usr/sbin:/sbin:/usr/bin")


def make_files(folder):
    """Files of bytes that nothing can compress, by name."""
    folder.mkdir()
    draw = random.Random(5)
    files = {}
    for name, size in SIZES:
        files[name] = folder / name.replace(" ", "-").lower()
        files[name].write_bytes(draw.randbytes(size))
    return files


def compare(bench, ours, target, nginx, file, name):
    """A row: `target` of our running server, and the same file from nginx, both checked before.

    A server of our own says in `ours.raw` what a request looks like."""
    expected = file.read_bytes()
    asked = {ours: ours.raw(("GET", target, None), None), nginx: request(nginx.port, "GET", f"/{file.name}")}
    for server, call in asked.items():
        with Connection(server.port) as connection:
            status, body = connection.send(call)
        if status != 200 or body != expected:
            raise RuntimeError(f"{server.name} answered {name} with {status} and {len(body)} bytes")
    label = name.replace(" ", "-")
    contestants = [
        (server, write(bench.folder / f"download-{label}-{place}", [call]), None)
        for place, (server, call) in enumerate(asked.items())]
    mine, theirs = bench.contest(f"download of {name}", contestants)
    ratio = report.median_rate(mine) / report.median_rate(theirs)
    bench.rows.append(report.Row(
        f"download of {name}, beside nginx", report.rate(mine), report.rate(theirs), ratio=ratio, target=LEAST_RATIO,
        ours_times=report.times(mine), peer_times=report.times(theirs), costs=report.costs(mine, theirs),
        invalid=any(outcome.bad for outcome in [*mine, *theirs])))
