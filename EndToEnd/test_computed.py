"""Computed fields from outside: made by an independent client library, read by every call that gives records."""

import pytest
import requests
from pyairtable import Api
from pyairtable import formulas as F

from harness.base import WORKSPACE, field, number, text


@pytest.fixture
def api(server):
    return Api(server.all_rights, endpoint_url=server.url, retry_strategy=None, timeout=(5, 60))


@pytest.fixture
def shop(api):
    """A base with orders that link to goods."""
    tables = [
        {"name": "Orders", "fields": [text("Name"), number("Rebate", 2)]},
        {"name": "Goods", "fields": [
            text("Name"), field("Price", "currency", precision=2, symbol="€"),
            field("Made on", "date", dateFormat={"name": "iso"}),
            field("Kinds", "multipleSelects", choices=[{"name": "hot"}, {"name": "cold"}])]},
    ]
    base = api.create_base(WORKSPACE, "Shop", tables)
    orders, goods = base.table("Orders"), base.table("Goods")
    orders.create_field("Goods", "multipleRecordLinks", options={"linkedTableId": goods.id})
    return base


def ids(table):
    return {f.name: f.id for f in table.schema(force=True).fields}


def make(shop, name, kind, table="Orders", **options):
    """Makes a field that follows the link to goods, or a formula."""
    own, goods = ids(shop.table("Orders")), ids(shop.table("Goods"))
    if kind != "formula":
        options = {"recordLinkFieldId": own["Goods"], **options}
    if "of" in options:
        options["fieldIdInLinkedTable"] = goods[options.pop("of")]
    return shop.table(table).create_field(name, kind, options=options)


def options(wire, shop, table, name):
    """The options of a field as the schema call shows them."""
    answer = wire.call("GET", f"/v0/meta/bases/{shop.id}/tables").ok()["tables"]
    fields = next(t for t in answer if t["name"] == table)["fields"]
    return next(f for f in fields if f["name"] == name)["options"]


def refusal(call, *arguments, **named):
    with pytest.raises(requests.HTTPError) as caught:
        call(*arguments, **named)
    assert caught.value.response.status_code == 422, caught.value.response.text
    return caught.value.response.json()["error"]


@pytest.fixture
def filled(shop):
    """The base with every kind of computed field and two orders, one of them empty."""
    make(shop, "Total", "rollup", of="Price", formula="SUM(values)")
    make(shop, "What", "rollup", of="Name", formula='ARRAYJOIN(values, " & ")')
    make(shop, "Prices", "multipleLookupValues", of="Price")
    make(shop, "Days", "multipleLookupValues", of="Made on")
    make(shop, "Kinds", "multipleLookupValues", of="Kinds")
    make(shop, "Pieces", "count")
    make(shop, "To pay", "formula", formula="{Total} * (1 - {Rebate})")
    make(shop, "Label", "formula", formula='Name & ": " & {Pieces} & IF({Pieces}, " (" & {Goods} & ")")')
    goods = shop.table("Goods").batch_create([
        {"Name": "tea", "Price": 3.5, "Made on": "2024-02-29", "Kinds": ["hot"]},
        {"Name": "ice", "Price": 2, "Kinds": ["cold", "hot"]}, {"Name": "air"}])
    orders = shop.table("Orders")
    first = orders.create({"Name": "A", "Rebate": 0.5, "Goods": [g["id"] for g in goods]})
    orders.create({"Name": "B"})
    return shop, first, goods


def test_lookup_rollup_count_and_formula_in_every_answer(filled):
    shop, first, goods = filled
    orders = shop.table("Orders")
    assert first["fields"] == {
        "Name": "A", "Rebate": 0.5, "Goods": [g["id"] for g in goods], "Total": 5.5, "What": "tea & ice & air",
        "Prices": [3.5, 2], "Days": ["2024-02-29"], "Kinds": ["hot", "cold", "hot"], "Pieces": 3, "To pay": 2.75,
        "Label": "A: 3 (tea, ice, air)"}
    assert orders.get(first["id"]) == first
    empty = {"Name": "B", "Total": 0, "Pieces": 0, "To pay": 0, "Label": "B: 0"}
    assert [r["fields"] for r in orders.all()] == [first["fields"], empty]
    assert orders.all(fields=["To pay"])[0]["fields"] == {"To pay": 2.75}
    changed = orders.update(first["id"], {"Goods": [goods[1]["id"]]})
    assert changed["fields"]["Prices"] == [2] and changed["fields"]["Label"] == "A: 1 (ice)"
    shop.table("Goods").update(goods[1]["id"], {"Price": 10})
    assert orders.get(first["id"])["fields"]["To pay"] == 5
    shop.table("Goods").delete(goods[1]["id"])
    assert orders.get(first["id"])["fields"] == {
        "Name": "A", "Rebate": 0.5, "Total": 0, "Pieces": 0, "To pay": 0, "Label": "A: 0"}


def test_computed_cells_take_no_values(filled):
    shop, first, _ = filled
    for name in ["Total", "What", "Prices", "Pieces", "Label"]:
        error = refusal(shop.table("Orders").update, first["id"], {name: first["fields"][name]})
        assert error == {
            "type": "INVALID_VALUE_FOR_COLUMN",
            "message": f'Field "{name}" cannot accept a value because the field is computed'}


def test_lists_are_filtered_and_sorted_by_computed_fields(filled):
    shop, first, _ = filled
    orders = shop.table("Orders")
    assert orders.all(formula=F.match({"Pieces": 3})) == [first]
    assert orders.all(formula="FIND('ice', {What})") == [first]
    assert orders.all(formula="FIND('ice', ARRAYJOIN({Goods}))") == [first]
    for key in ["To pay", "Goods", "Prices", "Label", "Pieces"]:
        both = [r["fields"]["Name"] for r in orders.all(sort=[key])]
        assert both == (["A", "B"] if key == "Label" else ["B", "A"]), key
        assert [r["fields"]["Name"] for r in orders.all(sort=[f"-{key}"])] == both[::-1], key


def test_names_by_field_id_and_cells_as_texts(filled):
    shop, first, _ = filled
    orders = shop.table("Orders")
    by_id = orders.get(first["id"], use_field_ids=True)["fields"]
    assert by_id == {ids(orders)[name]: value for name, value in first["fields"].items()}
    shown = orders.get(first["id"], cell_format="string", time_zone="utc", user_locale="en-gb")["fields"]
    assert shown["Goods"] == "tea, ice, air" and shown["Prices"] == "€3.50, €2.00" and shown["Pieces"] == "3"


def test_special_values(shop):
    make(shop, "Nothing", "formula", formula='IF(1 = 2, "x")')
    make(shop, "Error", "formula", formula="ERROR()")
    make(shop, "NaN", "formula", formula='{Rebate} + "FOO"')
    make(shop, "Infinity", "formula", formula="1 / 0")
    make(shop, "Yes", "formula", formula="{Rebate} = 0")
    make(shop, "No", "formula", formula="NOT({Rebate} = 0)")
    make(shop, "Broken", "formula", "Goods", formula='IF(Name, ERROR(), "")')
    make(shop, "Errors", "multipleLookupValues", of="Broken")
    good = shop.table("Goods").create({"Name": "x"})
    record = shop.table("Orders").create({"Rebate": 0, "Goods": [good["id"]]})
    error = {"error": "#ERROR!"}
    assert record["fields"] == {
        "Rebate": 0, "Goods": [good["id"]], "Error": error, "NaN": {"specialValue": "NaN"},
        "Infinity": {"specialValue": "Infinity"}, "Yes": 1, "No": 0, "Errors": [error]}
    assert shop.table("Orders").all() == [record]


def test_the_schema_of_computed_fields(filled, wire):
    shop = filled[0]
    orders, goods = ids(shop.table("Orders")), ids(shop.table("Goods"))
    euro = {"type": "currency", "options": {"precision": 2, "symbol": "€"}}
    plain = {"type": "singleLineText"}
    link = {"isValid": True, "recordLinkFieldId": orders["Goods"]}
    assert options(wire, shop, "Orders", "To pay") == {
        "isValid": True, "formula": "{%s} * (1 - {%s})" % (orders["Total"], orders["Rebate"]),
        "referencedFieldIds": [orders["Total"], orders["Rebate"]],
        "result": {"type": "number", "options": {"precision": 1}}}
    assert list(options(wire, shop, "Orders", "To pay")) == ["isValid", "formula", "referencedFieldIds", "result"]
    assert options(wire, shop, "Orders", "Total") == {
        **link, "fieldIdInLinkedTable": goods["Price"], "referencedFieldIds": [goods["Price"]], "result": euro}
    assert options(wire, shop, "Orders", "What")["result"] == plain
    assert options(wire, shop, "Orders", "Prices") == {**link, "fieldIdInLinkedTable": goods["Price"], "result": euro}
    assert options(wire, shop, "Orders", "Pieces") == link
    days = options(wire, shop, "Orders", "Days")["result"]
    assert days == {"type": "date", "options": {"dateFormat": {"name": "iso", "format": "YYYY-MM-DD"}}}
    # What a read of the schema shows can be sent again.
    made = shop.table("Orders").create_field("Again", "formula", options=options(wire, shop, "Orders", "To pay"))
    assert made.options.is_valid and made.options.result.type == "number"


def test_a_broken_formula_is_refused_with_its_place(shop):
    error = refusal(make, shop, "Bad", "formula", formula="{Rebate} + {Nowhere}")
    assert error["type"] == "INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE"
    head, line, caret = error["message"].split("\n")
    assert head.startswith("Invalid options for Orders.Bad: Line 1, column 12") and "Nowhere" in head
    assert line == "{Rebate} + {Nowhere}" and caret == " " * 11 + "^"
    assert "Bad" not in ids(shop.table("Orders"))


def test_a_circle_is_refused_and_rename_and_removal_are_followed(shop, wire):
    make(shop, "One", "formula", formula="{Rebate} + 1")
    make(shop, "Two", "formula", formula="{One} + 1")
    orders, one = shop.table("Orders"), ids(shop.table("Orders"))
    path = f"/v0/meta/bases/{shop.id}/tables/{orders.id}/fields/"
    circle = wire.call("PATCH", path + one["One"], {"options": {"formula": "{Two}"}})
    assert circle.status == 422 and "refer to itself" in circle.json["error"]["message"]
    before = options(wire, shop, "Orders", "One")
    wire.call("PATCH", path + one["Rebate"], {"name": "Discount {new}"}).ok()
    assert options(wire, shop, "Orders", "One") == before
    record = orders.create({"Discount {new}": 4})
    assert record["fields"]["Two"] == 6
    wire.call("DELETE", path + one["Rebate"]).ok()
    assert options(wire, shop, "Orders", "One") == {
        **before, "isValid": False, "referencedFieldIds": None, "result": None}
    assert options(wire, shop, "Orders", "Two")["isValid"] is True
    error = {"error": "#ERROR!"}
    assert orders.get(record["id"])["fields"] == {"One": error, "Two": error}


def test_lookups_of_lookups(filled, api):
    shop, first, _ = filled
    days = shop.create_table("Days", [text("Name")])
    days.create_field("Orders", "multipleRecordLinks", options={"linkedTableId": shop.table("Orders").id})
    link, orders = ids(days)["Orders"], ids(shop.table("Orders"))
    days.create_field("Prices", "multipleLookupValues",
                      options={"recordLinkFieldId": link, "fieldIdInLinkedTable": orders["Prices"]})
    days.create_field("Most", "rollup", options={
        "recordLinkFieldId": link, "fieldIdInLinkedTable": orders["Prices"], "formula": "MAX(values)"})
    day = days.create({"Name": "Monday", "Orders": [first["id"]]})
    assert day["fields"]["Prices"] == [3.5, 2] and day["fields"]["Most"] == 3.5
    assert days.all() == [day]


def test_a_record_linked_by_many_is_read_whole(filled):
    shop, first, goods = filled
    made = []
    for _ in range(40):
        made += shop.table("Goods").batch_create([{"Name": "x", "Price": 1, "Orders": [first["id"]]}] * 25)
    record = shop.table("Orders").get(first["id"])["fields"]
    assert record["Total"] == 5.5 + 1000 and record["Pieces"] == 1003 and len(record["Prices"]) == 1002
    assert record["Goods"] == [g["id"] for g in goods + made]
