"""performUpsert: match, then update or create, in one step."""

import pytest

from harness.base import field, number, select, text
from harness.expected import REFUSED, check_error


@pytest.fixture
def table(make_base):
    return make_base([{"name": "T", "fields": [
        text("Key"), text("Second"), number("Number", 2), {"name": "Mail", "type": "email"},
        select("One", "A", "B"), field("Day", "date", dateFormat={"name": "iso"})]}])


def upsert(base, keys, *rows, method="PATCH", **more):
    body = {"performUpsert": {"fieldsToMergeOn": keys}, "records": [{"fields": row} for row in rows], **more}
    return base.wire.call(method, base.path("T"), body)


@pytest.mark.parametrize("method", ["PATCH", "PUT"])
def test_it_tells_what_it_made_and_what_it_changed(table, method):
    old = table.create_records("T", [{"Key": "a", "Second": "kept"}])[0]
    answer = upsert(table, ["Key"], {"Key": "b"}, {"Key": "a", "Number": 1}, method=method).ok()
    assert set(answer) == {"records", "updatedRecords", "createdRecords"}
    assert [record["fields"]["Key"] for record in answer["records"]] == ["b", "a"]
    assert answer["updatedRecords"] == [old["id"]]
    assert answer["createdRecords"] == [answer["records"][0]["id"]]
    kept = {"Second": "kept"} if method == "PATCH" else {}
    assert answer["records"][1]["fields"] == {"Key": "a", "Number": 1, **kept}


def test_without_it_a_batch_has_neither_list(table):
    old = table.create_records("T", [{"Key": "a"}])[0]
    answer = table.wire.call("PATCH", table.path("T"), {"records": [{"id": old["id"], "fields": {"Key": "b"}}]}).ok()
    assert set(answer) == {"records"}


def test_both_lists_are_there_when_empty(table):
    first = upsert(table, ["Key"], {"Key": "a"}).ok()
    assert (first["updatedRecords"], len(first["createdRecords"])) == ([], 1)
    second = upsert(table, ["Key"], {"Key": "a"}).ok()
    assert (len(second["updatedRecords"]), second["createdRecords"]) == (1, [])


def test_keys_may_be_named_by_id_and_up_to_three(table):
    made = table.create_records("T", [{"Key": "a", "Second": "b", "Number": 1}])[0]
    keys = [table.field_id("T", "Key"), "Second", table.field_id("T", "Number")]
    same = upsert(table, keys, {"Key": "a", "Second": "b", table.field_id("T", "Number"): 1, "One": "A"}).ok()
    assert same["updatedRecords"] == [made["id"]]
    other = upsert(table, keys, {"Key": "a", "Second": "b", "Number": 2}).ok()
    assert len(other["createdRecords"]) == 1


def test_the_same_new_key_twice_in_one_request_makes_no_second_record(table):
    answer = upsert(table, ["Key"], {"Key": "a", "Number": 1}, {"Key": "a", "Number": 2})
    listed = table.list("T")
    if answer.status == 200:
        assert len(listed) == 1 and listed[0]["fields"]["Number"] == 2
    else:
        check_error(answer, REFUSED)
        assert listed == []


@pytest.mark.parametrize("row", [{"Key": None, "Number": 1}, {"Key": "", "Number": 1}])
def test_an_empty_key_is_allowed_and_matches_nothing(table, row):
    table.create_records("T", [{"Number": 1}, {"Number": 1}])
    answer = upsert(table, ["Key"], row).ok()
    assert len(answer["createdRecords"]) == 1 and len(table.list("T")) == 3


def test_several_matches_refuse_the_whole_request(table):
    before = table.create_records("T", [{"Key": "a"}, {"Key": "a"}, {"Key": "b"}])
    check_error(upsert(table, ["Key"], {"Key": "b", "Number": 1}, {"Key": "a", "Number": 1}), REFUSED)
    assert table.list("T") == before


@pytest.mark.parametrize("key, stored, sought", [
    ("Key", "a", "A"), ("Key", "a", "a "), ("Key", "é", "e\u0301"), ("Key", "1", "01"), ("Number", 1, 1.01),
    ("Day", "2024-01-01", "2024-01-02"), ("One", "A", "B")])
def test_values_that_differ_do_not_match(table, key, stored, sought):
    table.create_records("T", [{key: stored}])
    assert len(upsert(table, [key], {key: sought}).ok()["createdRecords"]) == 1


@pytest.mark.parametrize("key, stored, sought", [
    ("Key", "茶 😀'\";}", "茶 😀'\";}"), ("Number", 1, 1.0), ("Number", 0.1, 0.1), ("Number", 0, 0),
    ("Day", "2024-01-01", "2024-01-01T12:00:00.000Z")])
def test_values_that_are_equal_match(table, key, stored, sought):
    made = table.create_records("T", [{key: stored}])[0]
    assert upsert(table, [key], {key: sought}).ok()["updatedRecords"] == [made["id"]]


def test_records_with_an_id_are_updated_whatever_their_key(table):
    one, two = table.create_records("T", [{"Key": "a"}, {"Key": "b"}])
    body = {"performUpsert": {"fieldsToMergeOn": ["Key"]}, "records": [
        {"id": one["id"], "fields": {"Number": 5}}, {"fields": {"Key": "b", "Number": 6}}]}
    answer = table.wire.call("PATCH", table.path("T"), body).ok()
    assert answer["updatedRecords"] == [one["id"], two["id"]]
    assert [record["fields"] for record in answer["records"]] == [{"Key": "a", "Number": 5}, {"Key": "b", "Number": 6}]
