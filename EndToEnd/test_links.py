"""Linked records: fields with two sides that are always in step."""

import random

import pytest
from pyairtable import Api
from pyairtable.orm import Model, fields as orm

from harness.base import WORKSPACE, Base, field, text
from harness.expected import Expected, check_error
from harness.load import together

LINK = "multipleRecordLinks"


def link(name, table, **options):
    return field(name, LINK, linkedTableId=table, **options)


@pytest.fixture
def shop(make_base):
    """Orders and Customers; an order's Customer shows in the customer's Orders."""
    return make_base([
        {"name": "Customers", "fields": [text("Name")]},
        {"name": "Orders", "fields": [text("Name"), link("Customer", "Customers"), link("Follows", "Orders")]}])


def names(base, table, count, wire=None):
    rows = [{"Name": f"{table} {n}"} for n in range(count)]
    return [record["id"] for record in base.create_records(table, rows, wire)]


def cell(base, table, record, name, wire=None):
    return base.get(table, record, wire)["fields"].get(name, [])


def in_step(base):
    """Both sides of the pair, as sets of (order, customer)."""
    left = {(one["id"], other) for one in base.list("Orders") for other in one["fields"].get("Customer", [])}
    right = {(other, one["id"]) for one in base.list("Customers") for other in one["fields"].get("Orders", [])}
    assert left == right
    return left


# Fields


def test_a_link_field_is_made_with_its_other_side(shop):
    customers, orders = shop.schema()
    there, here = customers["fields"][1], orders["fields"][1]
    assert here == {"id": here["id"], "name": "Customer", "type": LINK, "options": {
        "linkedTableId": customers["id"], "isReversed": False, "prefersSingleRecordLink": False,
        "inverseLinkFieldId": there["id"]}}
    assert there == {"id": there["id"], "name": "Orders", "type": LINK, "options": {
        "linkedTableId": orders["id"], "isReversed": False, "prefersSingleRecordLink": False,
        "inverseLinkFieldId": here["id"]}}
    assert orders["fields"][2]["options"] == {
        "linkedTableId": orders["id"], "isReversed": False, "prefersSingleRecordLink": False}
    made = shop.wire.call(
        "POST", f"/v0/meta/bases/{shop.id}/tables/{customers['id']}/fields",
        {**{key: there[key] for key in ("name", "type", "options")}, "name": "Again"}).ok()
    assert made["options"]["inverseLinkFieldId"] not in (here["id"], there["id"])
    assert [one["name"] for one in shop.schema()[1]["fields"]] == ["Name", "Customer", "Follows", "Customers"]


def test_a_table_made_later_links_by_id_and_its_other_side_is_numbered(shop):
    customers = shop.tables["Customers"]["id"]
    made = shop.wire.call("POST", f"/v0/meta/bases/{shop.id}/tables", {
        "name": "Notes", "fields": [text("Name"), link("One", customers), link("Two", customers)]}).ok()
    there = shop.schema()[0]["fields"]
    assert [one["name"] for one in there] == ["Name", "Orders", "Notes", "Notes 2"]
    assert [one["options"]["inverseLinkFieldId"] for one in made["fields"][1:]] == [one["id"] for one in there[2:]]


@pytest.mark.parametrize("options", [
    None, {}, {"linkedTableId": None}, {"linkedTableId": 5}, {"linkedTableId": "tblAAAAAAAAAAAAAA"}, {"linkedTableId": ""}])
def test_a_link_field_needs_a_table_of_its_base(shop, options):
    before = shop.schema()
    table = shop.tables["Orders"]["id"]
    body = {"name": "L", "type": LINK, **({"options": options} if options is not None else {})}
    answer = shop.wire.call("POST", f"/v0/meta/bases/{shop.id}/tables/{table}/fields", body)
    check_error(answer, Expected(422, ("INVALID_REQUEST_UNKNOWN", "INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE")))
    assert shop.schema() == before


def test_a_table_of_another_base_is_no_table_to_link_to(shop, make_base):
    other = make_base([{"name": "T", "fields": [text("Name")]}]).tables["T"]["id"]
    answer = shop.wire.call(
        "POST", f"/v0/meta/bases/{shop.id}/tables/{shop.tables['Orders']['id']}/fields", link("L", other))
    check_error(answer, Expected(422, "INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE"))


def test_options_are_changed_and_a_deleted_side_takes_the_other_with_it(shop):
    customers, orders = shop.schema()
    path = f"/v0/meta/bases/{shop.id}/tables/{orders['id']}/fields/{orders['fields'][1]['id']}"
    view = customers["views"][0]["id"]
    changed = shop.wire.call("PATCH", path, {
        "options": {"prefersSingleRecordLink": True, "viewIdForRecordSelection": view}}).ok()
    assert changed["options"] == {
        **orders["fields"][1]["options"], "prefersSingleRecordLink": True, "viewIdForRecordSelection": view}
    # It is a hint for people: a cell takes several links all the same.
    ids = names(shop, "Customers", 2)
    assert shop.create_records("Orders", [{"Customer": ids}])[0]["fields"]["Customer"] == ids
    shop.wire.call("DELETE", path).ok()
    assert [[one["name"] for one in table["fields"]] for table in shop.schema()] == [["Name"], ["Name", "Follows"]]
    assert all(set(record["fields"]) <= {"Name", "Follows"} for record in shop.list("Orders") + shop.list("Customers"))


def test_a_deleted_table_takes_the_fields_that_lead_to_it_with_it(shop):
    shop.wire.call("DELETE", f"/v0/meta/bases/{shop.id}/tables/Customers").ok()
    assert [[one["name"] for one in table["fields"]] for table in shop.schema()] == [["Name", "Follows"]]


# Cells


def test_both_sides_are_in_step_and_keep_their_order(shop):
    customers = names(shop, "Customers", 4)
    first, second = shop.create_records("Orders", [
        {"Customer": [customers[2], customers[0], customers[2]]}, {"Customer": [customers[0]]}])
    assert first["fields"]["Customer"] == [customers[2], customers[0]]
    assert cell(shop, "Customers", customers[0], "Orders") == [first["id"], second["id"]]
    shop.wire.call("PATCH", shop.path("Customers", customers[3]), {
        "fields": {"Orders": [second["id"], first["id"]]}}).ok()
    assert cell(shop, "Orders", first["id"], "Customer") == [customers[2], customers[0], customers[3]]
    assert cell(shop, "Customers", customers[3], "Orders") == [second["id"], first["id"]]
    for written in ([customers[3], customers[2], customers[1]], [customers[1]], list(customers), []):
        answer = shop.wire.call("PATCH", shop.path("Orders", first["id"]), {"fields": {"Customer": written}}).ok()
        assert answer["fields"].get("Customer", []) == written == cell(shop, "Orders", first["id"], "Customer")
        in_step(shop)
    assert cell(shop, "Customers", customers[3], "Orders") == [second["id"]]


def test_a_deleted_record_is_gone_from_every_cell(shop):
    customers = names(shop, "Customers", 2)
    first = shop.create_records("Orders", [{"Customer": customers}])[0]
    second = shop.create_records("Orders", [{"Customer": customers, "Follows": [first["id"]]}])[0]
    shop.wire.call("DELETE", shop.path("Customers", customers[0])).ok()
    assert cell(shop, "Orders", first["id"], "Customer") == [customers[1]]
    shop.wire.call("DELETE", shop.path("Orders"), query=[("records[]", first["id"])]).ok()
    assert "Follows" not in shop.get("Orders", second["id"])["fields"]
    assert cell(shop, "Customers", customers[1], "Orders") == [second["id"]]
    in_step(shop)


def test_null_clears_replace_clears_and_objects_with_ids_are_taken(shop):
    customers = names(shop, "Customers", 2)
    order = shop.create_records("Orders", [{"Customer": [{"id": customers[0], "name": "x"}, {"id": customers[1]}]}])[0]
    assert order["fields"]["Customer"] == customers
    path = shop.path("Orders", order["id"])
    assert "Customer" not in shop.wire.call("PATCH", path, {"fields": {"Customer": None}}).ok()["fields"]
    shop.wire.call("PATCH", path, {"fields": {"Customer": customers}}).ok()
    assert shop.wire.call("PUT", path, {"fields": {"Name": "n"}}).ok()["fields"] == {"Name": "n"}
    assert in_step(shop) == set()


@pytest.mark.parametrize("value, kind", [
    ("recAAAAAAAAAAAAAA", "INVALID_VALUE_FOR_COLUMN"), (5, "INVALID_VALUE_FOR_COLUMN"), ({}, "INVALID_VALUE_FOR_COLUMN"),
    ([5], "INVALID_VALUE_FOR_COLUMN"), ([None], "INVALID_VALUE_FOR_COLUMN"), (True, "INVALID_VALUE_FOR_COLUMN"),
    (["A"], "INVALID_RECORD_ID"), (["recAAAAAAAAAAAAA"], "INVALID_RECORD_ID"),
    (["recAAAAAAAAAAAAAA"], "ROW_DOES_NOT_EXIST"), (["ORDER"], "ROW_TABLE_DOES_NOT_MATCH_LINKED_TABLE")])
def test_what_is_no_record_of_the_linked_table_is_refused_whole(shop, value, kind):
    customer = names(shop, "Customers", 1)[0]
    order = shop.create_records("Orders", [{"Name": "kept"}])[0]
    if value == ["ORDER"]:
        value = [customer, order["id"]]
    good = {"fields": {"Customer": [customer]}}
    check_error(shop.wire.call("POST", shop.path("Orders"), {"records": [good, {"fields": {"Customer": value}}]}),
                Expected(422, kind))
    check_error(shop.wire.call("PATCH", shop.path("Orders"), {"records": [
        {"id": order["id"], "fields": {"Name": "x", "Customer": value}}]}), Expected(422, kind))
    assert shop.list("Orders") == [order] and in_step(shop) == set()


def test_lists_give_links_by_page_by_field_and_by_field_id(shop):
    customers = names(shop, "Customers", 3)
    rows = [{"Name": str(n), "Customer": [customers[n % 3], customers[(n + 1) % 3]]} for n in range(130)]
    made = shop.create_records("Orders", rows)
    assert shop.list("Orders") == made
    assert [one["fields"] for one in shop.list("Orders", [("fields[]", "Customer")])] == [
        {"Customer": row["Customer"]} for row in rows]
    assert all("Customer" not in one["fields"] for one in shop.list("Orders", [("fields[]", "Name")]))
    by_id = shop.list("Orders", [("returnFieldsByFieldId", "true")])
    assert by_id[5]["fields"][shop.field_id("Orders", "Customer")] == rows[5]["Customer"]
    backwards = shop.list("Orders", [("sort[0][field]", "Name"), ("sort[0][direction]", "desc")])
    assert {one["id"]: one for one in backwards} == {one["id"]: one for one in made}
    assert cell(shop, "Customers", customers[0], "Orders") == [
        one["id"] for one in made if customers[0] in one["fields"]["Customer"]]


def test_typecast_finds_by_name_and_makes_what_is_missing(shop):
    known = names(shop, "Customers", 2)
    order = shop.wire.call("POST", shop.path("Orders"), {
        "fields": {"Customer": 'Customers 1, New, "Smith, John", New'}, "typecast": True}).ok()
    made = {record["fields"]["Name"]: record for record in shop.list("Customers")}
    assert list(made) == ["Customers 0", "Customers 1", "New", "Smith, John"]
    assert order["fields"]["Customer"] == [known[1], made["New"]["id"], made["Smith, John"]["id"]]
    again = shop.wire.call("PATCH", shop.path("Orders"), {"typecast": True, "records": [
        {"id": order["id"], "fields": {"Customer": ["Smith, John", known[0], "customers 0"]}}]}).ok()["records"][0]
    assert again["fields"]["Customer"][:2] == [made["Smith, John"]["id"], known[0]]
    assert shop.get("Customers", again["fields"]["Customer"][2])["fields"]["Name"] == "customers 0"
    check_error(shop.wire.call("POST", shop.path("Orders"), {"typecast": True, "records": [
        {"fields": {"Customer": "Nobody"}}, {"fields": {"Customer": {"name": "x"}}}]}), Expected(422))
    assert all(record["fields"]["Name"] != "Nobody" for record in shop.list("Customers"))


def test_two_clients_writing_both_sides_at_once_leave_them_in_step(server, shop):
    customers, orders = names(shop, "Customers", 5), names(shop, "Orders", 5)
    seed = random.randrange(1 << 32)
    print("seed", seed)

    def client(number_):
        chance, wire = random.Random(seed + number_), server.wire(server.all_rights)
        for _ in range(60):
            if chance.random() < 0.5:
                table, name, own, others = "Orders", "Customer", orders, customers
            else:
                table, name, own, others = "Customers", "Orders", customers, orders
            record, wanted = chance.choice(own), chance.sample(others, chance.randrange(5))
            answer = wire.call("PATCH", shop.path(table, record), {"fields": {name: wanted}}).ok()
            assert answer["fields"].get(name, []) == wanted

    together(*(lambda n=n: client(n) for n in range(4)))
    in_step(shop)


def test_clients_adding_links_to_one_record_from_the_other_side_lose_none(server, shop):
    customer = names(shop, "Customers", 1)[0]

    def client():
        wire = server.wire(server.all_rights)
        for _ in range(20):
            shop.create_records("Orders", [{"Customer": [customer]} for _ in range(5)], wire)

    together(*(client for _ in range(4)))
    assert sorted(cell(shop, "Customers", customer, "Orders")) == [one["id"] for one in shop.list("Orders")]
    assert len(in_step(shop)) == 400


def test_links_survive_a_kill(own_server):
    server = own_server()
    wire = server.wire(server.token(name="t"))
    base = Base.create(wire, [{"name": "Customers", "fields": [text("Name")]},
                              {"name": "Orders", "fields": [text("Name"), link("Customer", "Customers")]}])
    customers = names(base, "Customers", 3)
    base.create_records("Orders", [{"Customer": [customers[n % 3], customers[0]]} for n in range(20)])
    before = base.list("Customers"), base.list("Orders"), base.schema()
    server.restart()
    base.wire = server.wire(wire.token)
    assert (base.list("Customers"), base.list("Orders"), base.schema()) == before
    assert len(in_step(base)) == 7 + 2 * 13


# Through a client library


@pytest.fixture
def api(server):
    return Api(server.all_rights, endpoint_url=server.url, retry_strategy=None, timeout=(5, 30))


def test_pyairtable_makes_link_fields_and_links_both_ways(api):
    base = api.create_base(WORKSPACE, "Library", [{"name": "Authors", "fields": [text("Name")]}])
    authors = base.table("Authors")
    books = base.create_table("Books", [text("Title"), link("Author", authors.id)])
    schema = books.schema().field("Author")
    assert schema.options.linked_table_id == authors.id
    inverse = authors.schema(force=True).field(schema.options.inverse_link_field_id)
    assert inverse.name == "Books" and inverse.options.inverse_link_field_id == schema.id
    ann, bob = (one["id"] for one in authors.batch_create([{"Name": "Ann"}, {"Name": "Bob"}]))
    first = books.create({"Title": "A", "Author": [bob, ann]})
    assert first["fields"]["Author"] == [bob, ann] and books.get(first["id"]) == first
    authors.update(ann, {"Books": []})
    assert books.get(first["id"])["fields"]["Author"] == [bob]
    second = books.create({"Title": "B", "Author": ["Ann", "Cy"]}, typecast=True)
    assert [authors.get(one)["fields"]["Name"] for one in second["fields"]["Author"]] == ["Ann", "Cy"]
    field_ = authors.create_field("Friends", LINK, options={"linkedTableId": authors.id})
    assert field_.options.inverse_link_field_id is None
    books.delete(second["id"])
    assert "Books" not in authors.get(ann)["fields"]



def test_the_orm_of_pyairtable_follows_links(api):
    base = api.create_base(WORKSPACE, "Library", [{"name": "Authors", "fields": [text("Name")]}])
    base.create_table("Books", [text("Title"), link("Author", base.table("Authors").id)])

    def meta(table):
        return {"api_key": "unused", "base_id": base.id, "table_name": table}

    class Author(Model):
        Meta = meta("Authors")
        name = orm.TextField("Name")

    class Book(Model):
        Meta = meta("Books")
        title = orm.TextField("Title")
        authors = orm.LinkField("Author", Author, lazy=True)
        lead = orm.SingleLinkField("Author", Author, lazy=True)

    # The library's own way to an endpoint of one's own for models is to hand them the client.
    Author.meta.api = Book.meta.api = api
    ann, bob = Author(name="Ann"), Author(name="Bob")
    ann.save(), bob.save()
    book = Book(title="A", authors=[bob, ann])
    book.save()
    read = Book.from_id(book.id)
    assert [author.id for author in read.authors] == [bob.id, ann.id] and read.lead.id == bob.id
    read.lead.fetch()
    assert read.lead.name == "Bob"
    read.authors = [ann]
    read.save()
    assert [author.id for author in Book.from_id(book.id).authors] == [ann.id]
    assert "Books" not in base.table("Authors").get(bob.id)["fields"]
