"""Attached files in a real browser: nothing of them runs, however they are opened, and from wherever."""

from io import BytesIO
from xml.sax.saxutils import escape

import pytest
import requests

from harness.base import Base, field, text
from harness.browser import WAYS, Browser, Plain, markup, script
from harness.images import photo

SVG = "http://www.w3.org/2000/svg"
PAGE = "http://www.w3.org/1999/xhtml"
FRAMES = {"visit", "iframe", "object", "embed", "window", "object with a type", "embed with a type"}
SCRIPTS = {"script", "module", "worker"}


def svg(name):
    return f'<svg xmlns="{SVG}" width="40" height="30"><script>{escape(script(name))}</script></svg>'


def page(name):
    return f"<!DOCTYPE html><title>x</title><script>{script(name)}</script>"


def photo_and_page(name):
    """A photo that is shown as one, and a page where it is taken for text."""
    data = BytesIO()
    photo(60, 40).save(data, "JPEG", comment=f"<html>{page(name)}<!--".encode())
    return data.getvalue() + b"-->"


def pdf(name):
    """What it could run would run in the browser's viewer, which is looked for."""
    return (f"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/Lang({name})>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
            "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n")


class Case:
    """A file: its name and what is said of it when it is attached; as what it runs elsewhere, and in which ways there."""

    def __init__(self, filename, said, make, kind, ways):
        self.filename, self.said, self.make, self.kind, self.ways = filename, said, make, kind, set(ways)

    def content(self, name):
        made = self.make(name)
        return made.encode() if isinstance(made, str) else made


CASES = {
    "svg": Case("a.svg", "image/svg+xml", svg, "image/svg+xml", FRAMES),
    "svg-as-png": Case("a.png", "image/png", svg, "image/svg+xml", FRAMES),
    "svg-as-jpeg": Case("a.jpg", "image/jpeg", lambda name: "\ufeff \n<!-- x -->" + svg(name), "image/svg+xml", FRAMES),
    "svg-as-anything": Case("a", "image/anything", svg, "image/svg+xml", FRAMES),
    "svg-in-utf-16": Case(
        "a.png", "image/png", lambda name: ("\ufeff" + svg(name)).encode("utf-16-le"), "image/svg+xml", FRAMES),
    "svg-onload": Case(
        "a.svg", "image/svg+xml", lambda name: f'<svg xmlns="{SVG}" onload="{escape(script(name))}"/>',
        "image/svg+xml", FRAMES),
    "svg-with-a-page": Case(
        "a.svg", "image/svg+xml", lambda name: f'<svg xmlns="{SVG}"><foreignObject width="9" height="9"><body xmlns="{PAGE}">'
        f'<img src="data:," onerror="{escape(script(name))}"/></body></foreignObject></svg>', "image/svg+xml", FRAMES),
    "html": Case("a.html", "text/html", page, "text/html", FRAMES),
    "html-as-png": Case("a.png", "image/png", page, "text/html", FRAMES),
    "html-as-text": Case("a.txt", "text/plain", page, "text/html", FRAMES),
    "html-late": Case("a.webp", "image/webp", lambda name: " " * 5000 + page(name), "text/html", FRAMES),
    "html-as-video": Case("a.mp4", "video/mp4", page, "text/html", FRAMES),
    "xhtml": Case(
        "a.xhtml", "application/xhtml+xml",
        lambda name: f'<html xmlns="{PAGE}"><script>{escape(script(name))}</script></html>', "application/xhtml+xml", FRAMES),
    "xml": Case(
        "a.xml", "text/xml", lambda name: f'<?xml version="1.0"?><a><x:script xmlns:x="{PAGE}">{escape(script(name))}'
        "</x:script></a>", "text/xml", FRAMES),
    "photo-and-page": Case("a.jpg", "image/jpeg", photo_and_page, "text/html", FRAMES),
    "photo-named-page": Case("a.html", "text/html", photo_and_page, "text/html", FRAMES),
    "pdf": Case("a.pdf", "application/pdf", pdf, "application/pdf", FRAMES),
    "pdf-as-png": Case("a.png", "image/png", pdf, "application/pdf", FRAMES),
    "script": Case("a.js", "text/javascript", script, "text/javascript", SCRIPTS),
    "old-script": Case("a", "application/x-ecmascript", script, "application/x-ecmascript", SCRIPTS),
    "script-as-text": Case("a.txt", "text/plain", script, "text/plain", {"script", "worker"}),
    "gif-and-script": Case(
        "a.gif", "image/gif", lambda name: f"GIF89a/*{chr(0) * 20}*/=1;{script(name)}", "text/javascript",
        {"script", "worker"}),
}


@pytest.fixture(scope="module")
def browser():
    made = Browser()
    yield made
    made.close()


@pytest.fixture
def elsewhere():
    made = Plain()
    yield made
    made.close()


@pytest.fixture
def attached(server):
    """Every file as it is told after its upload, and its bytes."""
    base = Base.create(server.wire(server.all_rights), [
        {"name": "Things", "fields": [text("Name"), field("Files", "multipleAttachments")]}])
    record = base.create_records("Things", [{}])[0]["id"]
    files = {}
    for name, case in CASES.items():
        content = case.content(name)
        answer = requests.post(
            f"{server.url}/v0/{base.id}/{record}/Files/uploadAttachment", timeout=30,
            headers={"Authorization": f"Bearer {server.all_rights}"},
            files={"file": (case.filename, content, case.said)})
        assert answer.status_code == 200, answer.text
        files[name] = answer.json()["fields"][base.field_id("Things", "Files")][-1], content
    return files


def all_ways(way, urls):
    return "".join(markup(way, url, CASES[name].kind) for name, url in urls.items())


@pytest.mark.timeout(180)
def test_elsewhere_the_same_files_do_run(browser, elsewhere):
    """What is looked for below would be seen."""
    urls = {name: elsewhere.put(f"/{name}", case.kind, case.content(name)) for name, case in CASES.items()}
    for way in WAYS:
        expected = {name for name, case in CASES.items() if way in case.ways}
        run = {name for name in expected if not name.startswith("pdf")}
        seen = browser.look(
            elsewhere.url + "/page", all_ways(way, urls),
            lambda look: run <= look.ran and (look.viewers > 0 or "pdf" not in expected))
        assert seen.ran == run and (seen.seen_viewers > 0) == ("pdf" in expected), way
    # One of each kind.
    for name in {case.kind: name for name, case in CASES.items() if "visit" in case.ways}.values():
        seen = browser.visit(urls[name], lambda look: look.viewers or look.ran)
        assert seen.seen_viewers if name.startswith("pdf") else seen.ran == {name}, name


@pytest.mark.timeout(180)
@pytest.mark.parametrize("origin", ["the same", "another"])
def test_nothing_runs_in_a_page(browser, server, elsewhere, attached, origin):
    page = (server.url if origin == "the same" else elsewhere.url) + "/page"
    urls = {name: item["url"] for name, (item, _) in attached.items()}
    for way in WAYS:
        # Workers from elsewhere are not even asked for.
        asked = set() if way == "worker" and origin == "another" else set(urls.values())
        seen = browser.look(page, all_ways(way, urls), lambda look: asked <= look.asked)
        assert seen.ran == set() and seen.seen_viewers == 0, way
        assert asked <= seen.asked, f"{way}: not all was asked for"


@pytest.mark.timeout(180)
def test_nothing_runs_where_a_link_is_opened(browser, attached):
    shown = []

    def look_closer(look):
        if look.downloads:
            [download] = look.downloads
            assert open(download.path(), "rb").read() == content and download.suggested_filename == item["filename"]
        else:
            shown.append((name, look.page.evaluate("document.images[0].naturalWidth")))

    for name, (item, content) in attached.items():
        seen = browser.visit(item["url"], lambda look: item["url"] in look.asked, look_closer)
        assert seen.ran == set() and seen.seen_viewers == 0, name
    # The last begins as a picture and is none.
    assert shown == [("photo-and-page", 60), ("photo-named-page", 60), ("gif-and-script", 0)]
    for size in attached["photo-and-page"][0]["thumbnails"].values():
        assert browser.visit(size["url"], lambda look: look.asked).ran == set()
