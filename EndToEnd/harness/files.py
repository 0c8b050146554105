"""Files elsewhere, and files to attach."""

import http.server
import struct
import threading
import zlib

import requests
from requests.adapters import HTTPAdapter


def png(width, height, value=128):
    """A grey PNG."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress((b"\0" + bytes([value]) * width) * height)
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


class Elsewhere:
    """A web server on the loopback: paths to (status, headers, bytes), or to a function that answers."""

    def __init__(self):
        outer = self
        self.files, self.asked = {}, []
        self.gate = threading.Event()
        self.gate.set()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                outer.asked.append(self.path)
                outer.gate.wait(30)
                status, headers, body = outer.files.get(self.path.split("?")[0], (404, {}, b"nothing"))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                try:
                    self.wfile.write(body)
                except OSError:
                    pass

            def log_message(self, *arguments):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    @property
    def host(self):
        return f"127.0.0.1:{self.http.server_address[1]}"

    def put(self, path, body, status=200, **headers):
        """The address of a file that is there from now on."""
        self.files[path] = (status, {name.replace("_", "-"): value for name, value in headers.items()}, body)
        return f"http://{self.host}{path}"

    def close(self):
        self.gate.set()
        self.http.shutdown()
        self.http.server_close()


class ContentHost(HTTPAdapter):
    """Sends what a library wants to send to Airtable's host for contents to the program under test."""

    def __init__(self, server):
        super().__init__()
        self.server = server

    def send(self, request, **more):
        request.url = request.url.replace("http://content.airtable.com", self.server.url, 1)
        return super().send(request, **more)


def download(url, **headers):
    """What is behind a link, without any token."""
    return requests.get(url, headers=headers, timeout=30)
