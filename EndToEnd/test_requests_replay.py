"""The requests of small published apps, byte for byte as they go out, in file order (data/requests.json)."""

import json
import re
import uuid
from pathlib import Path

import pytest

from harness.base import Base
from harness.wire import segment

DATA = json.loads((Path(__file__).parent / "data/requests.json").read_text("utf-8"))
MILLIS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
TYPES = {
    "string": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "true": lambda value: value is True,
    "recordID": lambda value: isinstance(value, str) and re.fullmatch(r"rec[A-Za-z0-9]{14}", value),
    "tableID": lambda value: isinstance(value, str) and re.fullmatch(r"tbl[A-Za-z0-9]{14}", value),
    "isoMillisZ": lambda value: isinstance(value, str) and MILLIS.fullmatch(value),
}
# Records beyond the file's own, so that an order has something to order and a tie to break.
FIXTURES = {
    "Drink": [
        {"name": f"茶 {n}", "description": "上等\n好茶", "medium": n, "large": n + 5, "category": "單品茶", "number": n,
         "price": 30 + n, "mikeCapPrice": 45 + n, "iceOnly": "false", "imageUrl": "https://example.org/茶.jpg"}
        for n in [17, 3, 40, 1, 29, 8, 36, 22, 5, 12, 33, 9, 26, 14, 2, 38, 19, 7, 31, 24, 11, 35, 4, 28, 16, 39, 6, 21,
                  13, 34, 10, 27, 18, 37, 23, 10]],
    "Menu": [
        {"name": "Da Hong Pao Milk Tea", "price": 5.3, "category": ["Milk", "Tea"]},
        {"name": "Jasmine", "price": 4, "category": ["Tea"]},
        {"name": "Oolong Latte", "price": 5.5, "category": ["Milk"]}],
    "Diary": [
        {"date": "2023-09-18", "mood": "普通"}, {"date": "2023-09-20", "mood": "累"}, {"date": "2023-09-18", "eat": "飯"}],
    "Order": [
        {"name": "Jasmine", "time": "2023-Jul-04 09:00:00", "quantity": 1},
        {"name": "Jasmine", "time": "2023-Jul-05 09:00:00", "quantity": 1},
        {"name": "Oolong Latte", "time": "2023-Jul-04 09:00:00", "quantity": 3}],
}
ORDERS = {
    "ascending by Date": ("Date", False),
    "ascending by number (one sort key)": ("number", False),
    "descending by date": ("date", True),
    "ascending by date, exactly the reverse of D4 (ties by id)": ("date", False),
    "descending by time (one sort key)": ("time", True),
}


def values_at(value, path):
    """Every value a path such as `records[*].fields.Date` names; a missing key is an error."""
    found = [value]
    for name, index in re.findall(r"([^.\[\]]+)|\[([^\]]+)\]", path):
        if name:
            assert all(name in value for value in found), f"{path}: no key {name}"
            found = [value[name] for value in found]
        elif index == "*":
            found = [item for value in found for item in value]
        else:
            assert all(len(value) > int(index) for value in found), f"{path}: too short"
            found = [value[int(index)] for value in found]
    return found


def read_back(sent):
    """The cells that a read gives for the cells of a write: empty ones vanish, times come in full."""
    cells = {}
    for name, value in sent.items():
        if value in ("", [], None, False):
            continue
        if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", value):
            value = value[:-1] + ".000Z"
        cells[name] = value
    return cells


class Replay:
    def __init__(self, wire, method_case):
        self.wire, self.method_case = wire, method_case
        self.base = Base.create(wire, DATA["tables"], name="Replay")
        self.uuid = str(uuid.uuid4()).upper()
        self.latest, self.answers = {}, {}
        for table, rows in FIXTURES.items():
            self.base.create_records(table, rows)

    def table_of(self, request):
        return request["path"].split("/")[3].replace("{UUID-UPPERCASE}", self.uuid)

    def fill(self, text, request):
        text = text.replace("{BASE}", self.base.id).replace("{TOKEN}", self.wire.token)
        if "{REC}" in text:
            text = text.replace("{REC}", self.latest[self.table_of(request)])
        return text.replace("{UUID-UPPERCASE}", self.uuid)

    def run(self, request):
        path = self.fill(request["path"], request)
        target = path + ("?" + request["query"] if request["query"] else "")
        headers = list(DATA["common_headers"].items())
        headers += [(name, self.fill(value, request)) for name, value in request["headers"].items()]
        body = None if request["body"] is None else self.fill(request["body"], request)
        creates_records = request["method"] == "POST" and "/meta/" not in path
        before = self.listed(request) if "then" in request["check"] else None

        answer = self.wire.send(self.method_case(request["method"]), target, headers=headers, body=body)

        check = request["check"]
        assert answer.status == check["status"], str(answer)
        assert answer.headers["Content-Type"] == "application/json; charset=utf-8"
        got = self.answers[request["id"]] = answer.json
        if creates_records:
            self.latest[self.table_of(request)] = (got.get("records") or [got])[0]["id"]
        for place, kind in check["paths"].items():
            for value in values_at(got, place):
                assert TYPES[kind](value), f"{place} is {value!r}, not {kind}"
        if "order" in check:
            self.check_order(check["order"], got["records"])
        if "then" in check:
            self.check_then(check["then"], request, json.loads(body) if body else None, got, before)
        self.check_by_id(request["id"], got)

    def listed(self, request):
        return {record["id"]: record for record in self.base.list(self.table_of(request))}

    def check_order(self, order, records):
        name, descending = ORDERS[order]
        assert len(records) > 1, "too few records to show an order"
        keys = [(record["fields"][name], record["id"]) for record in records]
        assert keys == sorted(keys, reverse=descending)
        if "reverse of D4" in order:
            assert records == self.answers["D4"]["records"][::-1]

    def check_then(self, then, request, body, got, before):
        after = self.listed(request)
        if then == "a list shows the same record with every text unchanged":
            assert after[got["records"][0]["id"]]["fields"] == read_back(body["records"][0]["fields"])
            assert after[got["records"][0]["id"]] == got["records"][0]
        elif then == "fields not named are unchanged":
            sent = body["records"][0]
            expected = dict(before[sent["id"]]["fields"])
            for name in sent["fields"]:
                expected.pop(name, None)
            expected |= read_back(sent["fields"])
            assert after[sent["id"]]["fields"] == expected
        elif then == "PUT: fields not named are cleared":
            sent = body["records"][0]
            assert after[sent["id"]]["fields"] == read_back(sent["fields"])
        elif then == "the record is gone from the list":
            gone = set(before) - set(after)
            assert gone == {self.latest[self.table_of(request)]} == {got["id"]}
        elif then.startswith("a single record, no records wrapper"):
            assert "records" not in got
            assert got["fields"]["toppings"] == "Golden Pearl, Aloe Vera, "
            assert "note" not in got["fields"]
            assert got["fields"] == read_back(body["fields"])
            assert after[got["id"]] == got
        else:
            raise AssertionError(f"nothing checks {then!r}")

    def check_by_id(self, name, got):
        if name == "A1":
            assert len(got["records"]) == len(FIXTURES["Drink"]) >= 32
        elif name == "A6":
            assert len(got["records"]) == 3 and "offset" not in got
        elif name == "G1":
            assert got["name"] == self.uuid
            assert [(field["name"], field["type"]) for field in got["fields"]] == [
                ("Date", "dateTime"), ("ImageURL", "url"), ("Notes", "multilineText")]
            assert got["fields"][0]["options"] == {
                "timeFormat": {"name": "24hour", "format": "HH:mm"},
                "dateFormat": {"name": "iso", "format": "YYYY-MM-DD"}, "timeZone": "Asia/Taipei"}
        elif name == "G3":
            # Two more days, so that G4 has an order to show.
            self.base.create_records(self.uuid, [
                {"Date": "2023-10-24T00:00:00Z", "Notes": "後"}, {"Date": "2023-10-22T23:59:59.999Z", "Notes": "前"}])


def replay(wire, method_case=lambda method: method):
    assert len(DATA["requests"]) == 27
    run = Replay(wire, method_case)
    faults = []
    for request in DATA["requests"]:
        try:
            run.run(request)
        except (AssertionError, KeyError, IndexError, TypeError) as fault:
            faults.append(f"{request['id']} {request['method']} {request['path']}: {type(fault).__name__} {fault}")
    assert not faults, "\n\n".join(faults)


def test_every_app_request_is_answered_over_http(wire):
    replay(wire)


def test_every_app_request_is_answered_over_https(https_server):
    assert https_server.url.startswith("https://")
    replay(https_server.wire(https_server.all_rights))


@pytest.mark.parametrize("change", [str.capitalize, str.lower], ids=["Patch", "patch"])
def test_every_app_request_is_answered_whatever_the_case_of_its_method(wire, change):
    replay(wire, change)


def test_the_table_made_by_a_request_is_found_by_its_encoded_name(wire):
    run = Replay(wire, lambda method: method)
    run.run(DATA["requests"][0])
    assert wire.call("GET", f"/v0/{run.base.id}/{segment(run.uuid)}").ok() == {"records": []}
