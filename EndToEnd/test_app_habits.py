"""The other ways in which small apps and common clients write the same request."""

import pytest

from harness.base import number, text
from harness.wire import segment


@pytest.fixture
def orders(make_base):
    base = make_base([{"name": "Orders 訂單", "fields": [text("Name"), number("Cups"), text("時間")]}])
    base.create_records("Orders 訂單", [
        {"Name": "b", "Cups": 2, "時間": "09:00"}, {"Name": "a", "Cups": 10, "時間": "08:00"},
        {"Name": "c", "Cups": 1, "時間": "10:00"}])
    return base


def names(answer):
    return [record["fields"].get("Name") for record in answer.ok()["records"]]


TABLE = segment("Orders 訂單")


@pytest.mark.parametrize("query, expected", [
    ("sort[][field]=Cups&sort[][direction]=desc", "abc"),
    ("sort[][direction]=desc&sort[][field]=Cups", "abc"),
    ("sort[][field]=Cups", "cba"),
    ("sort%5B%5D%5Bfield%5D=Cups&sort%5B%5D%5Bdirection%5D=desc", "abc"),
    ("sort[0][field]=Cups&sort[0][direction]=asc", "cba"),
    ("sort%5b0%5d%5bfield%5d=Cups", "cba"),
    ("sort[1][field]=Name&sort[0][field]=Cups", "cba"),
    ("&sort[0][field]=Name", "abc"),
    ("sort[0][field]=Name&", "abc"),
    ("&&sort[0][field]=Name&&sort[0][direction]=desc", "cba"),
    ("sort[0][field]=%E6%99%82%E9%96%93", "abc"),
    ("sort[0][field]=Name&nonsense=1&cellFormat=json", "abc"),
    ("pageSize=&maxRecords=&offset=&view=&filterByFormula=&timeZone=&userLocale=&sort[0][field]=Name", "abc"),
    ("limit=2", "ba"),
    ("", "bac"),
])
def test_queries_are_read_in_every_way_clients_write_them(orders, query, expected):
    assert "".join(names(orders.wire.send("GET", f"/v0/{orders.id}/{TABLE}?{query}"))) == expected


@pytest.mark.parametrize("query, expected", [
    ("fields[]=Name", {"Name"}),
    ("fields%5B%5D=Name&fields%5B%5D=Cups", {"Name", "Cups"}),
    ("fields=Name&fields=Cups", {"Name", "Cups"}),
    ("fields[0]=Name&fields[1]=Cups", {"Name", "Cups"}),
    ("fields[]=%E6%99%82%E9%96%93", {"時間"}),
])
def test_fields_are_named_in_every_way_clients_write_them(orders, query, expected):
    records = orders.wire.send("GET", f"/v0/{orders.id}/{TABLE}?{query}").ok()["records"]
    assert [set(record["fields"]) for record in records] == [expected] * 3


@pytest.mark.parametrize("path", [
    "Orders%20%E8%A8%82%E5%96%AE", "Orders+%E8%A8%82%E5%96%AE", "orders%20%e8%a8%82%e5%96%ae", "ORDERS+%E8%A8%82%E5%96%AE",
    "Orders%20%E8%A8%82%E5%96%AE/", "Orders%20%E8%A8%82%E5%96%AE/?",
    "%4Frders%20%E8%A8%82%E5%96%AE"])
def test_a_table_is_found_by_its_name_however_encoded(orders, path):
    assert names(orders.wire.send("GET", f"/v0/{orders.id}/{path}")) == ["b", "a", "c"]


def test_a_table_is_found_by_its_id_and_with_a_slash_at_the_end(orders):
    identifier = orders.tables["Orders 訂單"]["id"]
    for path in (identifier, identifier + "/", identifier + "/?pageSize=100"):
        assert names(orders.wire.send("GET", f"/v0/{orders.id}/{path}")) == ["b", "a", "c"]


def test_a_name_that_matches_exactly_wins_over_one_that_differs_in_case(wire, base):
    # Names differing in case alone cannot be made; an exact name and a case-folded one must reach the same table.
    made = base.create_records("Things", [{"Name": "x"}])
    for path in ("Things", "things", "THINGS"):
        assert wire.send("GET", f"/v0/{base.id}/{path}").ok()["records"] == made


def test_get_and_delete_may_carry_a_json_content_type_without_a_body(wire, base):
    record = base.create_records("Things", [{"Name": "x"}])[0]
    headers = {"Content-Type": "application/json"}
    assert wire.send("GET", base.path("Things"), headers=headers).ok()["records"] == [record]
    assert wire.send("GET", base.path("Things", record["id"]), headers=headers).ok() == record
    deleted = wire.send("DELETE", base.path("Things", record["id"]), headers=headers).ok()
    assert deleted == {"deleted": True, "id": record["id"]}


def test_json_with_escaped_slashes_escaped_text_and_spare_white_space_is_the_same_json(wire, base):
    body = ' \r\n{ "fields" :\t{"Notes":"https:\\/\\/example.org\\/\\u8336\\ud83d\\ude00","Name":"a\\tb\\u000a"} }\n'
    made = wire.call("POST", base.path("Things"), body).ok()
    assert made["fields"] == {"Name": "a\tb\n", "Notes": "https://example.org/茶😀"}


def test_of_a_key_given_twice_the_last_counts(wire, base):
    made = wire.call("POST", base.path("Things"), '{"fields":{"Name":"first","Name":"last"}}').ok()
    assert made["fields"] == {"Name": "last"}


def test_unknown_keys_in_bodies_and_queries_are_ignored(wire, base):
    made = wire.call("POST", base.path("Things"), {"fields": {"Name": "x"}, "method": "post", "zzz": [1]},
                     query="nonsense=1").ok()
    listed = wire.call("POST", base.path("Things") + "/listRecords", {"method": "post", "pageSize": 10, "x": {}}).ok()
    assert listed == {"records": [made]}


@pytest.mark.parametrize("body", [None, b"", "{}"])
def test_list_records_by_post_with_nothing_in_it_lists_everything(wire, base, body):
    made = base.create_records("Things", [{"Name": "x"}, {"Name": "y"}])
    answer = wire.send("POST", base.path("Things") + "/listRecords", headers={"Content-Type": "application/json"},
                       body=body or b"")
    assert answer.ok() == {"records": made}


def test_list_records_takes_time_zone_and_locale_from_the_query_or_the_body(wire, make_base):
    base = make_base([{"name": "Things", "fields": [text("Name"), number("Price", 2)]}])
    base.create_records("Things", [{"Name": "x", "Price": 2.5}])
    places = {"timeZone": "utc", "userLocale": "en-gb"}
    path = base.path("Things") + "/listRecords"
    in_body = wire.call("POST", path, {"cellFormat": "string", **places}).ok()
    in_query = wire.call("POST", path, {"cellFormat": "string"}, query=list(places.items())).ok()
    assert in_body == in_query
    assert in_body["records"][0]["fields"] == {"Name": "x", "Price": "2.50"}


def test_batch_delete_takes_brackets_encoded_or_not_and_repeated_names(wire, base):
    made = [record["id"] for record in base.create_records("Things", [{"Name": str(n)} for n in range(6)])]
    for pair, query in ((made[:2], "records[]={}&records[]={}"), (made[2:4], "records%5B%5D={}&records%5B%5D={}"),
                        (made[4:], "records={}&records={}")):
        answer = wire.send("DELETE", base.path("Things") + "?" + query.format(*pair)).ok()
        assert answer == {"records": [{"deleted": True, "id": record} for record in pair]}
    assert base.list("Things") == []


def test_text_survives_exactly(wire, base):
    value = "尾巴, \n 😀👩‍👩‍👧 ‘full–width，。！’ \t\r\n \"quoted\" back\\slash </script> \u200b\ufeff end "
    made = wire.call("POST", base.path("Things"), {"fields": {"Name": value, "Notes": value}}).ok()
    assert made["fields"] == {"Name": value, "Notes": value}
    assert base.list("Things")[0] == made


def test_record_keys_come_in_the_order_that_clients_have_always_seen(wire, base):
    wire.call("POST", base.path("Things"), {"fields": {"Name": "x"}}).ok()
    record = base.list("Things")[0]
    assert list(record) == ["id", "createdTime", "fields"]
    counted = wire.call("GET", base.path("Things"), query="recordMetadata[]=commentCount").ok()["records"][0]
    assert list(counted) == ["id", "createdTime", "commentCount", "fields"] and counted["commentCount"] == 0
