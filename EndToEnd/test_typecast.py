"""typecast: a best effort to make a cell of what was written."""

import pytest

from harness.base import field, number, select, text
from harness.expected import bad_value, check_error, computed, new_choice


@pytest.fixture
def cells(make_base):
    return make_base([{"name": "T", "fields": [
        text("Text"), {"name": "Long", "type": "multilineText"}, number("Number", 2),
        field("Percent", "percent", precision=0), field("Price", "currency", precision=2, symbol="$"),
        field("Length", "duration", durationFormat="h:mm"),
        field("Stars", "rating", icon="star", max=5, color="yellowBright"),
        field("Done", "checkbox", icon="check", color="greenBright"), select("One", "A", "B, C"),
        select("Many", "A", "B", kind="multipleSelects"), field("Day", "date", dateFormat={"name": "us"}),
        {"name": "Person", "type": "singleCollaborator"}, {"name": "Auto", "type": "autoNumber"}]}])


CASES = [
    # (field, written, read; None = empty)
    ("Text", 12, "12"), ("Text", 1.5, "1.5"), ("Text", True, "true"), ("Text", "x", "x"), ("Long", -3, "-3"),
    ("Number", "12", 12), ("Number", "-1.5", -1.5), ("Number", " 7 ", 7), ("Number", "1,234.5", 1234.5),
    ("Number", "nonsense", None), ("Number", "", None), ("Number", 3, 3),
    ("Price", "$1,000", 1000), ("Price", "12.50", 12.5), ("Percent", "50%", 0.5), ("Percent", "nonsense", None),
    ("Length", "1:30", 5400), ("Length", "90", 90), ("Length", "nonsense", None), ("Stars", "3", 3),
    ("Done", "true", True), ("Done", "checked", True), ("Done", 1, True), ("Done", "false", None), ("Done", 0, None),
    ("Done", True, True), ("One", "A", "A"), ("One", "B, C", "B, C"), ("One", "New", "New"),
    ("Many", "A, B", ["A", "B"]), ("Many", "A,B", ["A", "B"]), ("Many", "New", ["New"]), ("Many", ["B", "New"], ["B", "New"]),
    ("Many", "", None), ("Day", "12/31/2023", "2023-12-31"), ("Day", "2023-12-31", "2023-12-31"), ("Day", "nonsense", None),
    ("Text", None, None), ("Number", None, None), ("Many", None, None), ("One", None, None),
]


@pytest.mark.parametrize("name, written, read", CASES, ids=lambda value: str(value)[:20])
def test_what_was_written_is_converted(wire, cells, name, written, read):
    expected = {} if read is None else {name: read}
    made = wire.call("POST", cells.path("T"), {"fields": {name: written}, "typecast": True}).ok()
    made["fields"].pop("Auto")
    assert made["fields"] == expected
    batch = wire.call("PATCH", cells.path("T"), {
        "records": [{"id": made["id"], "fields": {name: written}}], "typecast": True}).ok()["records"][0]
    batch["fields"].pop("Auto")
    assert batch["fields"] == expected


@pytest.mark.parametrize("switch", [{}, {"typecast": False}])
def test_without_it_nothing_is_converted(wire, cells, switch):
    for name, written in (("Text", 12), ("Number", "12"), ("Price", "$1"), ("Length", "1:30"), ("Done", "true"),
                          ("Many", "A"), ("Day", "12/31/2023")):
        check_error(wire.call("POST", cells.path("T"), {"fields": {name: written}, **switch}), bad_value(name))
    check_error(wire.call("POST", cells.path("T"), {"fields": {"One": "New"}, **switch}), new_choice("New"))


def test_a_new_choice_is_added_once_with_the_next_colour(wire, cells):
    rows = [{"fields": {"One": name}} for name in ("New", "New", "Newer")]
    wire.call("POST", cells.path("T"), {"records": rows, "typecast": True}).ok()
    wire.call("POST", cells.path("T"), {"fields": {"One": "New"}, "typecast": True}).ok()
    choices = next(one for one in cells.schema()[0]["fields"] if one["name"] == "One")["options"]["choices"]
    assert [(choice["name"], choice["color"]) for choice in choices] == [
        ("A", "blueLight2"), ("B, C", "cyanLight2"), ("New", "tealLight2"), ("Newer", "greenLight2")]
    assert len({choice["id"] for choice in choices}) == 4


def test_a_refused_request_adds_no_choice(wire, cells):
    before = cells.schema()
    body = {"records": [{"fields": {"One": "New"}}, {"fields": {"Auto": 5}}], "typecast": True}
    check_error(wire.call("POST", cells.path("T"), body), computed("Auto"))
    assert cells.schema() == before and cells.list("T") == []


def test_typecast_converts_before_an_upsert_looks_for_matches(wire, cells):
    made = wire.call("POST", cells.path("T"), {"fields": {"Number": 12}}).ok()
    answer = wire.call("PATCH", cells.path("T"), {
        "performUpsert": {"fieldsToMergeOn": ["Number"]}, "typecast": True,
        "records": [{"fields": {"Number": "12", "Text": "x"}}]}).ok()
    assert answer["updatedRecords"] == [made["id"]] and answer["createdRecords"] == []


def test_a_collaborator_is_found_by_address_or_name_as_text(server, wire, cells):
    email = f"{cells.id.lower()}@example.org"
    user = server.user(email, f"Ann {cells.id}")
    for written in (email, f"Ann {cells.id}"):
        made = wire.call("POST", cells.path("T"), {"fields": {"Person": written}, "typecast": True}).ok()
        assert made["fields"]["Person"]["id"] == user
