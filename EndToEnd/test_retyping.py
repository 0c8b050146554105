"""Fields that change their type while clients write and servers are killed; choices that are renamed, moved, removed."""

import http.client
import os
import random
import threading
import time

import pytest

from harness.base import Base, number, select, text
from harness.database import check_integrity
from harness.load import together

ROUNDS = int(os.environ.get("ROWHOUSE_RETYPE_ROUNDS", "12"))
GONE = (OSError, http.client.HTTPException)


def change(base, table, name, body, wire=None, **more):
    field = next(
        field for one in base.schema() if one["name"] == table for field in one["fields"] if field["name"] == name)
    path = f"/v0/meta/bases/{base.id}/tables/{base.tables[table]['id']}/fields/{field['id']}"
    return (wire or base.wire).call("PATCH", path, body, **more)


def field_type(base, table, name, wire=None):
    schema = (wire or base.wire).call("GET", f"/v0/meta/bases/{base.id}/tables").ok()["tables"]
    return next(field["type"] for one in schema if one["name"] == table for field in one["fields"] if field["name"] == name)


TO_NUMBER = {"type": "number", "options": {"precision": 0}}
TO_TEXT = {"type": "singleLineText"}


def test_a_preview_tells_what_would_be_lost_and_changes_nothing(make_base):
    base = make_base([{"name": "T", "fields": [text("Name"), text("V")]}])
    made = base.create_records("T", [{"V": value} for value in ("1", "two", "3.5", "four")] + [{}])
    report = change(base, "T", "V", TO_NUMBER, query=[("preview", "true")]).ok()
    assert report == {"lost": 2, "shortened": 0, "kept": 2, "examples": [
        {"recordId": made[1]["id"], "before": "two"}, {"recordId": made[3]["id"], "before": "four"}]}
    assert base.list("T") == made and field_type(base, "T", "V") == "singleLineText"
    answer = change(base, "T", "V", TO_NUMBER).ok()
    assert answer["type"] == "number" and answer["options"] == {"precision": 0} and answer["name"] == "V"
    assert [record["fields"].get("V") for record in base.list("T")] == [1, None, 3.5, None, None]


def test_what_cannot_be_changed_is_refused_in_words(make_base):
    base = make_base([{"name": "T", "fields": [text("Name"), text("V"), {"name": "Made", "type": "createdTime"}]}])
    for name, body in (("V", {"type": "formula"}), ("V", {"type": "multipleRecordLinks"}), ("Made", TO_TEXT),
                       ("V", {"type": "multipleAttachments"}), ("V", {"type": "number"}), ("V", {"type": "nonsense"}),
                       ("Name", {"type": "singleSelect"})):
        for query in (None, [("preview", "true")]):
            answer = change(base, "T", name, body, query=query)
            assert answer.status == 422 and answer.json["error"].get("message"), (name, body, str(answer))
    assert [field["type"] for field in base.schema()[0]["fields"]] == ["singleLineText", "singleLineText", "createdTime"]


def test_texts_become_choices_and_come_back(make_base):
    base = make_base([{"name": "T", "fields": [text("Name"), text("V")]}])
    values = ["red", "green", None, "red", "blue, dark"]
    base.create_records("T", [{"V": value} if value else {} for value in values])
    answer = change(base, "T", "V", {"type": "multipleSelects"}).ok()
    assert [choice["name"] for choice in answer["options"]["choices"]] == ["red", "green", "blue", "dark"]
    assert [record["fields"].get("V") for record in base.list("T")] == [["red"], ["green"], None, ["red"], ["blue", "dark"]]
    change(base, "T", "V", TO_TEXT).ok()
    assert [record["fields"].get("V") for record in base.list("T")] == values


@pytest.mark.timeout(180)
def test_two_clients_edit_while_a_field_changes_to_and_fro(server, make_base):
    base = make_base([{"name": "T", "fields": [text("Name"), text("V"), number("Edits")]}])
    made = [record["id"] for record in base.create_records("T", [{"V": str(n)} for n in range(600)])]
    over, last = threading.Event(), [{}, {}]

    def client(which):
        wire, n = server.wire(server.all_rights), 0
        mine = made[which::3]  # every third record is nobody's
        while not over.is_set():
            n += 1
            record, value = mine[n * 7 % len(mine)], 1_000_000 * (which + 1) + n
            for cell in (str(value), value):
                answer = wire.call("PATCH", base.path("T", record), {"fields": {"V": cell, "Edits": n}})
                if answer.status == 200:
                    assert answer.json["fields"]["V"] == cell
                    last[which][record] = (value, n)
                    break
                assert answer.json["error"]["type"] == "INVALID_VALUE_FOR_COLUMN", str(answer)
            # Pages show the field under one type or the other, never a cell of the wrong one.
            page = wire.call("GET", base.path("T"), query=[("pageSize", "50")]).ok()["records"]
            assert len({type(record["fields"]["V"]) for record in page}) == 1

    def admin():
        try:
            wire = server.wire(server.all_rights)
            for n in range(100):
                change(base, "T", "V", TO_NUMBER, wire).ok()
                change(base, "T", "V", TO_TEXT, wire).ok()
                if n > 4 and min(len(one) for one in last) > 10:
                    break
            change(base, "T", "V", TO_NUMBER, wire).ok()
        finally:
            over.set()

    together(admin, lambda: client(0), lambda: client(1))
    assert min(len(one) for one in last) > 10, "there was hardly any editing"
    for n, record in enumerate(base.list("T")):
        edits = last[n % 3].get(record["id"]) if n % 3 < 2 else None
        assert record["fields"]["V"] == (edits[0] if edits else n)
        assert record["fields"].get("Edits") == (edits[1] if edits else None)


@pytest.mark.timeout(60 + 20 * ROUNDS)
def test_a_kill_leaves_the_old_type_or_the_new_one_and_nothing_between(own_server):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    source = random.Random(seed)
    server = own_server()
    token = server.token()
    base = Base.create(server.wire(token), [{"name": "T", "fields": [text("Name"), text("V")]}])
    base.create_records("T", [{"V": str(n)} for n in range(3_000)])
    begun = time.monotonic()
    change(base, "T", "V", TO_NUMBER).ok()
    duration = time.monotonic() - begun
    kind, interrupted = "number", 0
    for _ in range(ROUNDS):
        body = TO_TEXT if kind == "number" else TO_NUMBER
        answers = []

        def retype():
            try:
                answers.append(change(base, "T", "V", body, server.wire(token), once=True))
            except GONE:
                pass

        base.wire = server.wire(token)
        thread = threading.Thread(target=retype, daemon=True)
        thread.start()
        time.sleep(source.choice((1, 4)) * source.uniform(0, duration))
        server.kill()
        thread.join(30)
        check_integrity(server.folder)
        server.start()
        base.wire = server.wire(token)
        now = field_type(base, "T", "V")
        if answers and answers[0].status == 200:
            assert now == body["type"], "an acknowledged change is lost"
        interrupted += now == kind
        assert now in (kind, body["type"])
        kind = now
        expected = [n if kind == "number" else str(n) for n in range(3_000)]
        assert [record["fields"].get("V") for record in base.list("T")] == expected
    print(ROUNDS, "rounds,", interrupted, "cut off")
    assert interrupted, "no change of type was cut off"
    # What was cut off is in the way of nothing.
    change(base, "T", "V", TO_TEXT if kind == "number" else TO_NUMBER).ok()
    assert server.stop() == 0
    check_integrity(server.folder)


def test_choices_keep_cells_when_renamed_and_clear_them_when_removed(make_base):
    base = make_base([{"name": "T", "fields": [text("Name"), select("One", "a", "b", "c"), select("Many", "x", "y", kind="multipleSelects")]}])
    base.create_records("T", [{"One": "a", "Many": ["x", "y"]}, {"One": "b", "Many": ["y"]}, {"One": "c"}])
    one = base.tables["T"]["fields"][1]["options"]["choices"]

    def names(field):
        return [record["fields"].get(field) for record in base.list("T")]

    kept = [{"id": one[2]["id"]}, {"id": one[0]["id"], "name": "A"}, {"id": one[1]["id"]}]
    change(base, "T", "One", {"options": {"choices": kept}}).ok()
    assert names("One") == ["A", "b", "c"]
    assert [record["fields"]["One"] for record in base.list("T", [("sort[0][field]", "One")])] == ["c", "A", "b"]
    report = change(base, "T", "One", {"options": {"choices": kept[:2]}}, query=[("preview", "true")]).ok()
    assert (report["lost"], report["kept"]) == (1, 2) and names("One") == ["A", "b", "c"]
    change(base, "T", "One", {"options": {"choices": kept[:2]}}).ok()
    change(base, "T", "Many", {"options": {"choices": [{"name": "x"}]}}).ok()
    assert names("One") == ["A", None, "c"] and names("Many") == [["x"], None, None]
    # A choice of the old name is a new choice.
    change(base, "T", "One", {"options": {"choices": [*kept[:2], {"name": "b"}]}}).ok()
    assert names("One") == ["A", None, "c"]
