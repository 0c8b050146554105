#!/usr/bin/env python3
"""Stands in for the program while the harness is tested: just enough of its commands and requests, kept in memory."""
import itertools
import json
import operator
import re
import signal
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

TOKEN = "pat.fake"
records, choices = {}, {}
numbers = itertools.count(time.time_ns() % 1_000_000_000)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # One packet an answer.

    def log_message(self, *_):
        pass

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def handle_any(self):
        url = urlsplit(self.path)
        length = int(self.headers.get("Content-Length", 0))
        body = json.loads(self.rfile.read(length)) if length else None
        if url.path == "/healthz":
            return self.answer(200, {})
        if self.headers.get("Authorization") != "Bearer " + TOKEN:
            return self.answer(401, {"error": {"type": "AUTHENTICATION_REQUIRED", "message": "no"}})
        if url.path == "/v0/meta/bases":
            for field in body["tables"][0]["fields"]:
                choices[field["name"]] = [choice["name"] for choice in field.get("options", {}).get("choices", [])]
            return self.answer(200, {"id": "appFake0000000000", "tables": []})
        record_id = re.fullmatch(r"/v0/appFake0000000000/orders(?:/(\w+))?", url.path).group(1)
        if record_id:
            return self.one(record_id, body)
        if self.command == "POST":
            made = [create(one["fields"]) for one in body.get("records", [body])]
            return self.answer(200, {"records": made} if "records" in body else made[0])
        self.answer(200, {"records": page(parse_qsl(url.query))})

    do_GET = do_POST = do_PATCH = do_DELETE = handle_any

    def one(self, record_id, body):
        if record_id not in records:
            return self.answer(404, {"error": "NOT_FOUND"})
        if self.command == "DELETE":
            del records[record_id]
            return self.answer(200, {"deleted": True, "id": record_id})
        if self.command == "PATCH":
            records[record_id]["fields"] = kept({**records[record_id]["fields"], **body["fields"]})
        self.answer(200, records[record_id])


def kept(cells):
    return {name: value for name, value in cells.items() if value not in (None, "", [], False)}


def create(cells):
    record = {"id": f"recFake{next(numbers):010d}", "createdTime": "2025-01-01T00:00:00.000Z", "fields": kept(cells)}
    records[record["id"]] = record
    return record


SIGNS = {"=": operator.eq, ">=": operator.ge, "<": operator.lt, ">": operator.gt}


def page(query):
    single = dict(query)
    field = single["sort[0][field]"]
    fields = [value for key, value in query if key == "fields[]"]

    def rank(record):
        value = record["fields"].get(field)
        if choices[field] and isinstance(value, str):
            value = choices[field].index(value)
        return value is not None, str(value) if isinstance(value, list) else value

    tests = re.findall(r"\{(\w+)\}(=|>=|<|>)('[^']*'|\d+)", single.get("filterByFormula", ""))

    def passes(record):
        return all(SIGNS[sign](record["fields"].get(name, 0), text[1:-1] if text[0] == "'" else int(text))
                   for name, sign, text in tests)

    found = sorted(filter(passes, records.values()), key=rank, reverse=single["sort[0][direction]"] == "desc")
    return [{**record, "fields": {name: value for name, value in record["fields"].items() if not fields or name in fields}}
            for record in found[:int(single["pageSize"])]]


def main():
    options = dict(zip(sys.argv[1::1], sys.argv[2::1]))
    if sys.argv[1:3] == ["token", "create"]:
        return print(TOKEN)
    kept_file = Path(options["--data"]) / "records.json"
    kept_file.parent.mkdir(exist_ok=True)
    if kept_file.exists():
        some, known = json.loads(kept_file.read_text())
        records.update(some)
        choices.update(known)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        ThreadingHTTPServer(("127.0.0.1", int(options["--listen"].rpartition(":")[2])), Handler).serve_forever()
    finally:
        kept_file.write_text(json.dumps([records, choices]))


main()
