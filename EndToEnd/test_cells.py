"""Every stored field type over the wire: write, read, clear, write back what was read."""

import re

import pytest

from harness.base import text
from harness.fieldtypes import STORED, WRITTEN_BY_THE_SERVER, definition

MILLIS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
CASES = [(kind, value) for kind, (_, _, values) in STORED.items() for value in values]


@pytest.fixture
def one(make_base):
    """A table with one field of the type asked for."""

    def make(*kinds):
        return make_base([{"name": "T", "fields": [text("Name"), *(definition(kind) for kind in kinds)]}])

    return make


def test_every_stored_value_reads_as_it_was_written_and_can_be_written_back(wire, one):
    base = one(*STORED)
    for kind, value in CASES:
        made = wire.call("POST", base.path("T"), {"fields": {kind: value}}).ok()
        assert made["fields"] == {kind: value}, kind
        record = base.get("T", made["id"])
        assert record == made
        assert type(record["fields"][kind]) is type(value) or isinstance(value, (int, float))
        again = wire.call("PUT", base.path("T", made["id"]), {"fields": record["fields"]}).ok()
        assert again == record
        copy = wire.call("POST", base.path("T"), {"records": [{"fields": record["fields"]}]}).ok()["records"][0]
        assert copy["fields"] == record["fields"]
    listed = {record["id"]: record for record in base.list("T")}
    assert len(listed) == 2 * len(CASES)


def test_whole_numbers_are_written_without_a_fraction(wire, one):
    base = one("number", "duration")
    answer = wire.call("POST", base.path("T"), '{"fields":{"number":7.0,"duration":60}}')
    assert answer.ok()["fields"] == {"number": 7, "duration": 60}
    fields = answer.body[answer.body.index(b'"fields"'):]
    assert b"7.0" not in fields and b"60.0" not in fields


@pytest.mark.parametrize("kind, cleared", [
    *((kind, None) for kind in STORED), *((kind, "") for kind in (
        "singleLineText", "multilineText", "richText", "email", "url", "phoneNumber")),
    ("checkbox", False), ("multipleSelects", []), ("multipleCollaborators", [])])
def test_an_empty_value_clears_a_cell_and_is_not_read(wire, one, server, kind, cleared):
    base = one(kind)
    whoami = wire.call("GET", "/v0/meta/whoami").ok()["id"]
    value = {"singleCollaborator": {"id": whoami}, "multipleCollaborators": [{"id": whoami}]}.get(kind) \
        or STORED[kind][2][-1]
    record = wire.call("POST", base.path("T"), {"fields": {"Name": "x", kind: value}}).ok()
    assert kind in record["fields"]
    after = wire.call("PATCH", base.path("T", record["id"]), {"fields": {kind: cleared}}).ok()
    assert after == {**record, "fields": {"Name": "x"}}
    assert base.get("T", record["id"]) == after
    born_empty = wire.call("POST", base.path("T"), {"fields": {kind: cleared}}).ok()
    assert born_empty["fields"] == {}


@pytest.mark.parametrize("kind, written, read", [
    ("date", "2024-05-01T23:30:00.000Z", "2024-05-01"),
    ("dateTime", "2024-05-01T10:00:00Z", "2024-05-01T10:00:00.000Z"),
    ("dateTime", "2024-05-01T10:00:00+08:00", "2024-05-01T02:00:00.000Z"),
    ("dateTime", "2024-05-01T10:00:00.5-01:30", "2024-05-01T11:30:00.500Z"),
    # Without a zone it is read in the field's zone, here Asia/Taipei; a day alone is its midnight there.
    ("dateTime", "2024-05-01T10:00:00", "2024-05-01T02:00:00.000Z"),
    ("dateTime", "2024-05-01", "2024-04-30T16:00:00.000Z"),
    ("dateTime", "2024-05-01T12:34:56.789Z", "2024-05-01T12:34:56.789Z"),
])
def test_dates_are_read_in_one_form_whatever_form_they_were_written_in(wire, one, kind, written, read):
    base = one(kind)
    assert wire.call("POST", base.path("T"), {"fields": {kind: written}}).ok()["fields"] == {kind: read}


def test_a_collaborator_is_written_by_id_by_address_or_as_it_was_read(wire, one, server):
    base = one("singleCollaborator", "multipleCollaborators")
    email = f"{base.id.lower()}@example.org"
    user = server.user(email, "小明 O'Neil")
    shown = {"id": user, "email": email, "name": "小明 O'Neil"}
    path = base.path("T")
    for written in ({"id": user}, {"email": email}, shown, {"id": user, "email": "other@example.org"}):
        made = wire.call("POST", path, {"fields": {"singleCollaborator": written, "multipleCollaborators": [written]}})
        fields = made.ok()["fields"]
        cell = fields["singleCollaborator"]
        assert {key: cell[key] for key in shown} == shown
        assert set(cell) <= {"id", "email", "name", "profilePicUrl"}
        assert fields["multipleCollaborators"] == [cell]
    by_id = wire.call("POST", path, {"fields": {"multipleCollaborators": [user]}}).ok()
    assert by_id["fields"]["multipleCollaborators"] == [cell]


def test_the_fields_that_the_server_writes_tell_who_and_when(server, wire, one):
    base = one(*WRITTEN_BY_THE_SERVER)
    email = f"writer-{base.id.lower()}@example.org"
    other = server.wire(server.token(user=server.user(email, "Second Writer")))
    owner = wire.call("GET", "/v0/meta/whoami").ok()["id"]
    first, second = base.create_records("T", [{"Name": "a"}, {"Name": "b"}])
    assert [record["fields"]["autoNumber"] for record in (first, second)] == [1, 2]
    cells = first["fields"]
    assert MILLIS.fullmatch(first["createdTime"]) and first["createdTime"].endswith(".000Z")
    assert cells["createdTime"] == first["createdTime"]
    assert MILLIS.fullmatch(cells["lastModifiedTime"])
    assert cells["createdBy"] == cells["lastModifiedBy"]
    assert set(cells["createdBy"]) == {"id", "email", "name"} and cells["createdBy"]["id"] == owner
    changed = other.call("PATCH", base.path("T", first["id"]), {"fields": {"Name": "c"}}).ok()
    assert changed["fields"]["createdBy"]["id"] == owner
    assert changed["fields"]["lastModifiedBy"]["email"] == email
    assert changed["fields"]["lastModifiedBy"]["name"] == "Second Writer"
    assert changed["fields"]["lastModifiedTime"] >= cells["lastModifiedTime"]
    assert changed["fields"]["autoNumber"] == 1 and changed["createdTime"] == first["createdTime"]
    wire.call("DELETE", base.path("T", second["id"])).ok()
    third = base.create_records("T", [{"Name": "d"}])[0]
    assert third["fields"]["autoNumber"] == 3, "a number is never given twice"


def test_put_leaves_the_fields_that_the_server_writes(wire, one):
    base = one("autoNumber", "number")
    made = wire.call("POST", base.path("T"), {"fields": {"Name": "a", "number": 1}}).ok()
    after = wire.call("PUT", base.path("T", made["id"]), {"fields": {"number": 2}}).ok()
    assert after["fields"] == {"autoNumber": 1, "number": 2}


def test_a_field_added_later_is_empty_in_older_records_and_numbers_count_on(wire, base):
    made = base.create_records("Things", [{"Name": "a"}, {"Name": "b"}])
    table = base.tables["Things"]["id"]
    wire.call("POST", f"/v0/meta/bases/{base.id}/tables/{table}/fields",
              {"name": "N", "type": "number", "options": {"precision": 0}}).ok()
    assert base.list("Things") == made
    after = wire.call("PATCH", base.path("Things", made[0]["id"]), {"fields": {"N": 5}}).ok()
    assert after["fields"] == {"Name": "a", "N": 5}


def test_renaming_a_field_or_a_table_never_touches_a_cell(wire, base):
    made = base.create_records("Things", [{"Name": "a", "Notes": "b"}])[0]
    table, notes = base.tables["Things"]["id"], base.field_id("Things", "Notes")
    meta = f"/v0/meta/bases/{base.id}/tables/{table}"
    wire.call("PATCH", f"{meta}/fields/{notes}", {"name": "備註 \"x\""}).ok()
    wire.call("PATCH", meta, {"name": "Renamed/改"}).ok()
    renamed = base.list("Renamed/改")
    assert renamed == [{**made, "fields": {"Name": "a", "備註 \"x\"": "b"}}]
    by_id = wire.call("GET", base.path("Renamed/改", made["id"]), query="returnFieldsByFieldId=true").ok()
    assert by_id["fields"] == {base.field_id("Things", "Name"): "a", notes: "b"}
    assert wire.call("GET", base.path("Things")).status == 403
