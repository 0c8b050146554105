"""Chromium, and pages that open files in every way a page has."""

import html
import http.server
import os
import shutil
import threading
import time

from playwright.sync_api import Error, sync_playwright

#: What a page may do with an address, as markup.
WAYS = {
    "img": '<img src="{url}">',
    "iframe": '<iframe src="{url}"></iframe>',
    "object": '<object data="{url}"></object>',
    "object with a type": '<object data="{url}" type="{type}"></object>',
    "embed": '<embed src="{url}">',
    "embed with a type": '<embed src="{url}" type="{type}">',
    "script": '<script src="{url}"></script>',
    "module": '<script type="module" src="{url}"></script>',
    "style": '<link rel="stylesheet" href="{url}">',
    "worker": "<script>try {{ new Worker('{url}') }} catch (refused) {{}}</script>",
    "window": "<script>open('{url}')</script>",
}


def script(name):
    """Says that it ran, in ways that no policy for contents stops; a page's own script or a worker's."""
    return (f"console.log('ran {name}');"
            f"try {{ top.postMessage('ran {name}', '*') }} catch (gone) {{}}"
            f"try {{ opener.postMessage('ran {name}', '*') }} catch (gone) {{}}")


class Plain:
    """A web server on the loopback that says of its files what it was told and nothing else."""

    def __init__(self):
        files = self.files = {}

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                kind, body = files.get(self.path, ("text/plain", b""))
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.http.server_address[1]}"

    def put(self, path, kind, body):
        """The address of a file that is there from now on."""
        self.files[path] = (kind, body)
        return self.url + path

    def close(self):
        self.http.shutdown()
        self.http.server_close()


class Browser:
    """Debian's Chromium with an empty profile; no page of one look is seen by another."""

    def __init__(self):
        program = shutil.which("chromium")
        assert program, "chromium is not there: make setup-tests installs it"
        self.playwright = sync_playwright().start()
        # As root it does not start with its own sandbox.
        self.browser = self.playwright.chromium.launch(
            executable_path=program, chromium_sandbox=os.geteuid() != 0)

    def close(self):
        self.browser.close()
        self.playwright.stop()

    def look(self, page, inside, until):
        """What ran, and what else was seen, when a page with this markup is opened at this address.

        It is looked at until something holds of the look and all is silent."""
        with Look(self.browser) as look:
            body = f"<!DOCTYPE html><script>onmessage = said => console.log(said.data)</script>{inside}"
            look.context.route(page, lambda route: route.fulfill(content_type="text/html", body=body))
            look.open(page)
            return look.settled(until)

    def visit(self, url, until, then=lambda look: None):
        """The same of somebody who opens this address; `then` looks closer."""
        with Look(self.browser) as look:
            look.open(url)
            look.settled(until)
            then(look)
            return look


class Look:
    """One look: pages without history, and what they said."""

    #: How long nothing must have been said, in seconds.
    SILENCE = 0.3
    PATIENCE = 10

    def __init__(self, browser):
        self.context = browser.new_context(accept_downloads=True)
        self.ran, self.asked, self.downloads = set(), set(), []
        self.seen_viewers = 0
        self.last = time.monotonic()
        self.context.on("console", lambda said: self.hear(said.text))
        self.context.on("request", lambda request: self.note(request))
        self.context.on("page", lambda page: self.watch(page))
        self.page = self.context.new_page()

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.context.close()

    def watch(self, page):
        page.on("download", lambda download: self.downloads.append(download))
        page.on("dialog", lambda dialog: self.dismiss(dialog))

    def dismiss(self, dialog):
        self.hear(dialog.message)
        dialog.dismiss()

    def note(self, request):
        self.last = time.monotonic()
        self.asked.add(request.url)

    def hear(self, said):
        self.last = time.monotonic()
        if said.startswith("ran "):
            self.ran.add(said[4:])

    def open(self, url):
        try:
            self.page.goto(url, wait_until="load")
        except Error as failure:
            # A file that is kept instead of shown leaves the page where it was.
            if "Download is starting" not in str(failure) and "ERR_ABORTED" not in str(failure):
                raise
        self.last = time.monotonic()

    @property
    def viewers(self):
        """How many viewers of PDF files are at work."""
        return sum(frame.url.startswith("chrome-extension:") for page in self.context.pages for frame in page.frames)

    def settled(self, until):
        deadline = time.monotonic() + self.PATIENCE
        while not until(self) and time.monotonic() < deadline:
            self.page.wait_for_timeout(20)
        while time.monotonic() - self.last < self.SILENCE:
            self.page.wait_for_timeout(50)
        self.seen_viewers = self.viewers
        return self


def markup(way, url, kind):
    return WAYS[way].format(url=html.escape(url), type=html.escape(kind))
