"""What is deleted comes back from the trash with its ids, cells and links; the history of a record."""

import base64

import pytest
import requests

from harness.base import Base, field, number, select, text


def trash(base):
    return base.wire.call("GET", f"/v0/meta/bases/{base.id}/trash").ok()["trash"]


def restore(base, what, wire=None, **more):
    return (wire or base.wire).call("POST", f"/v0/meta/bases/{base.id}/trash/{what}/restore", **more)


def tea_house(make_base):
    """Orders that link to customers, whose other side is the field `Orders`."""
    base = make_base([
        {"name": "Customers", "fields": [text("Name")]},
        {"name": "Orders", "fields": [text("Name"), number("Cups"), select("Size", "S", "L")]}])
    customers = base.tables["Customers"]["id"]
    base.wire.call(
        "POST", f"/v0/meta/bases/{base.id}/tables/{base.tables['Orders']['id']}/fields",
        field("Customer", "multipleRecordLinks", linkedTableId=customers)).ok()
    people = [record["id"] for record in base.create_records("Customers", [{"Name": name} for name in "ABC"])]
    orders = [
        record["id"] for record in base.create_records("Orders", [
            {"Name": f"order {n}", "Cups": n, "Size": "SL"[n % 2], "Customer": [people[n % 3], people[(n + 1) % 3]]}
            for n in range(6)])]
    base.tables = {table["name"]: table for table in base.schema()}
    return base, people, orders


def everything(base):
    """Schema and records as they are shown."""
    return base.schema(), {table["name"]: base.list(table["name"]) for table in base.schema()}


def test_records_come_back_one_by_one_and_together_with_their_links_in_order(make_base):
    base, people, orders = tea_house(make_base)
    before = everything(base)
    base.wire.call("DELETE", base.path("Orders"), query=[("records[]", one) for one in orders[1:4]]).ok()
    base.wire.call("DELETE", base.path("Customers", people[0])).ok()
    found = trash(base)
    assert [(one["kind"], one["id"], one["name"]) for one in found] == [
        ("record", people[0], "A"), ("record", orders[3], "order 3"), ("record", orders[2], "order 2"),
        ("record", orders[1], "order 1")]
    assert {one["deletion"] for one in found[1:]} == {found[1]["deletion"]} != {found[0]["deletion"]}
    assert found[1]["table"] == {"id": base.tables["Orders"]["id"], "name": "Orders"}
    assert found[0]["deletedBy"]["name"] == "Owner"
    days = (int(found[0]["expires"][8:10]), int(found[0]["deletedTime"][8:10]))
    assert found[0]["expires"] > found[0]["deletedTime"] and days[0] - days[1] in (0, -1, 30, -2)
    first = restore(base, orders[2]).ok()
    assert first["entries"] == [{"id": orders[2], "kind": "record", "name": "order 2"}]
    assert base.get("Orders", orders[2])["fields"] == {
        "Name": "order 2", "Cups": 2, "Size": "S", "Customer": [people[2]]}
    restore(base, people[0]).ok()
    assert base.get("Orders", orders[2])["fields"]["Customer"] == [people[2], people[0]]
    again = restore(base, found[1]["deletion"]).ok()
    assert [one["id"] for one in again["entries"]] == orders[1:4]
    assert everything(base) == before
    assert trash(base) == []
    # Restoring what is restored changes nothing.
    assert restore(base, found[1]["deletion"]).ok() == again
    assert restore(base, orders[2]).ok() == first
    assert everything(base) == before


def test_a_table_comes_back_with_its_links_on_both_sides(make_base):
    base, people, orders = tea_house(make_base)
    before = everything(base)
    path = f"/v0/meta/bases/{base.id}/tables/"
    base.wire.call("DELETE", path + base.tables["Orders"]["id"]).ok()
    assert [one["name"] for one in base.schema()[0]["fields"]] == ["Name"]
    table = restore(base, base.tables["Orders"]["id"]).ok()
    assert table["entries"] == [{"id": base.tables["Orders"]["id"], "kind": "table", "name": "Orders"}]
    assert everything(base) == before
    # Both tables go and come back, in either order.
    for order in (("Orders", "Customers"), ("Customers", "Orders")):
        for gone in ("Orders", "Customers"):
            base.wire.call("DELETE", path + base.tables[gone]["id"]).ok()
        for name in order:
            restore(base, base.tables[name]["id"]).ok()
        assert everything(base) == before, order


def test_a_field_comes_back_with_its_cells_and_the_other_side(make_base):
    base, people, orders = tea_house(make_base)
    before = everything(base)
    for name in ("Cups", "Customer", "Size"):
        path = f"/v0/meta/bases/{base.id}/tables/{base.tables['Orders']['id']}/fields/{base.field_id('Orders', name)}"
        base.wire.call("DELETE", path).ok()
        assert [one["name"] for one in trash(base)] == [name]
        restore(base, base.field_id("Orders", name)).ok()
        assert everything(base) == before


def test_a_base_comes_back(make_base):
    base, people, orders = tea_house(make_base)
    before = everything(base)
    base.wire.call("DELETE", f"/v0/meta/bases/{base.id}").ok()
    assert base.wire.call("GET", f"/v0/meta/bases/{base.id}/trash").status == 403
    found = base.wire.call("GET", "/v0/meta/trash").ok()["trash"]
    assert found[0]["id"] == base.id and found[0]["kind"] == "base"
    base.wire.call("POST", f"/v0/meta/trash/{base.id}/restore").ok()
    assert everything(base) == before
    base.wire.call("POST", f"/v0/meta/trash/{base.id}/restore").ok()
    assert base.wire.call("POST", "/v0/meta/trash/appAAAAAAAAAAAAAA/restore").status == 404


def test_the_history_of_a_record_tells_each_change_and_puts_a_cell_back(make_base):
    base, people, orders = tea_house(make_base)
    one = orders[1]
    base.wire.call("PATCH", base.path("Orders", one), {"fields": {"Cups": 7, "Size": None}}).ok()
    base.wire.call("PATCH", base.path("Orders", one), {"fields": {"Customer": [people[0]]}}).ok()
    base.wire.call("DELETE", base.path("Orders", one)).ok()
    restore(base, one).ok()
    path = base.path("Orders", one) + "/history"
    history = base.wire.call("GET", path).ok()["history"]
    assert [entry["kind"] for entry in history] == ["restore", "delete", "update", "update", "create"]
    assert all(entry["user"]["name"] == "Owner" for entry in history)

    def cells(entry):
        return {cell["fieldName"]: (cell["before"], cell["after"]) for cell in entry["cells"]}

    assert cells(history[3]) == {"Cups": (1, 7), "Size": ("L", None)}
    assert cells(history[2]) == {"Customer": ([people[1], people[2]], [people[0]])}
    assert cells(history[4]) == {
        "Name": (None, "order 1"), "Cups": (None, 1), "Size": (None, "L"), "Customer": (None, [people[1], people[2]])}
    pages, offset = [], None
    while True:
        page = base.wire.call("GET", path, query=[("pageSize", "2")] + ([("offset", offset)] if offset else [])).ok()
        pages.append(page["history"])
        offset = page.get("offset")
        if not offset:
            break
    assert [len(page) for page in pages] == [2, 2, 1] and sum(pages, []) == history
    back = base.wire.call(
        "POST", f"{path}/{history[3]['id']}/restore", {"fieldId": base.field_id("Orders", "Size")}).ok()
    assert back["fields"] == {"Name": "order 1", "Cups": 7, "Size": "L", "Customer": [people[0]]}
    base.wire.call("DELETE", base.path("Customers", people[2])).ok()
    back = base.wire.call("POST", f"{path}/{history[2]['id']}/restore", {"fieldId": "Customer"}).ok()
    assert back["fields"]["Customer"] == [people[1]]
    assert len(base.wire.call("GET", path).ok()["history"]) == 7
    assert base.wire.call("POST", f"{path}/chg00000000000000/restore", {"fieldId": "Customer"}).status == 404
    assert base.wire.call("POST", f"{path}/{history[2]['id']}/restore", {"fieldId": "Cups"}).status == 422
    assert base.wire.call("POST", f"{path}/{history[2]['id']}/restore", {}).status == 422
    assert base.wire.call("GET", base.path("Orders", "recAAAAAAAAAAAAAA") + "/history").status == 404


def test_comments_wait_with_their_record(make_base):
    base, people, orders = tea_house(make_base)
    path = base.path("Orders", orders[0])
    base.wire.call("POST", path + "/comments", {"text": "first"}).ok()
    base.wire.call("DELETE", path).ok()
    assert base.wire.call("GET", path + "/comments").status == 404
    restore(base, orders[0]).ok()
    assert [one["text"] for one in base.wire.call("GET", path + "/comments").ok()["comments"]] == ["first"]
    assert [entry["kind"] for entry in base.wire.call("GET", path + "/history").ok()["history"]] == [
        "restore", "delete", "create"]


def test_a_trash_is_told_in_pages(make_base):
    base, people, orders = tea_house(make_base)
    for one in orders:
        base.wire.call("DELETE", base.path("Orders", one)).ok()
    path, found, offset = f"/v0/meta/bases/{base.id}/trash", [], None
    for size in (2, 3, 2):
        query = [("pageSize", str(size))] + ([("offset", offset)] if offset else [])
        page = base.wire.call("GET", path, query=query).ok()
        found += [entry["id"] for entry in page["trash"]]
        offset = page.get("offset")
        if size == 2 and len(found) == 2:
            # What is deleted or restored on the way moves nothing.
            restore(base, found[0]).ok()
    assert offset is None and found == orders[::-1]
    for query in ([("pageSize", "0")], [("pageSize", "101")], [("offset", "x")]):
        assert base.wire.call("GET", path, query=query).status == 422
    assert restore(base, "viwAAAAAAAAAAAAAA").status == 404
    assert base.wire.call("POST", path + "/recAAAAAAAAAAAAAA/restore").status == 404


def test_an_attachment_comes_back_with_whatever_held_it(make_base):
    base = make_base([{"name": "Things", "fields": [text("Name"), field("Files", "multipleAttachments")]}])
    record = base.create_records("Things", [{"Name": "one"}])[0]["id"]
    body = {"contentType": "text/plain", "file": base64.b64encode(b"some tea").decode(), "filename": "tea.txt"}
    base.wire.call("POST", f"/v0/{base.id}/{record}/Files/uploadAttachment", body).ok()
    before = base.get("Things", record)["fields"]["Files"][0]
    meta = f"/v0/meta/bases/{base.id}/tables/{base.tables['Things']['id']}"
    base.create_records("Things", [{}])
    base.wire.call("POST", f"/v0/meta/bases/{base.id}/tables", {"name": "Other", "fields": [text("Name")]}).ok()

    def read():
        return requests.get(before["url"], timeout=10)

    assert read().content == b"some tea"
    for path, what in (
            (base.path("Things", record), record), (f"{meta}/fields/{base.field_id('Things', 'Files')}",
            base.field_id("Things", "Files")), (meta, base.tables["Things"]["id"])):
        base.wire.call("DELETE", path).ok()
        assert read().status_code == 404
        restore(base, what).ok()
        assert read().content == b"some tea"
        after = base.get("Things", record)["fields"]["Files"][0]
        assert (after["id"], after["size"], after["type"]) == (before["id"], before["size"], before["type"])
    # Taken out of its cell by a write, it comes back from the history.
    base.wire.call("PATCH", base.path("Things", record), {"fields": {"Files": []}}).ok()
    assert read().status_code == 404
    path = base.path("Things", record) + "/history"
    entry = base.wire.call("GET", path).ok()["history"][0]
    assert entry["cells"][0]["before"][0]["id"] == before["id"] and entry["cells"][0]["after"] is None
    base.wire.call("POST", f"{path}/{entry['id']}/restore", {"fieldId": "Files"}).ok()
    assert read().content == b"some tea"
