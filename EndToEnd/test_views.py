"""Views: made and changed by calls, in lists, across restarts, and as clients see them in schemas."""

import random

import pytest
from pyairtable import Api

from harness.base import Base, number, segment, select, text
from harness.load import together


class Views:
    """The calls on the views of one table."""

    def __init__(self, base, table, wire=None):
        self.base, self.table, self.wire = base, table, wire or base.wire
        self.path = f"/v0/meta/bases/{base.id}/tables/{segment(table)}/views"

    def create(self, **body):
        return self.wire.call("POST", self.path, body)

    def change(self, view, **body):
        return self.wire.call("PATCH", f"{self.path}/{segment(view)}", body)

    def delete(self, view):
        return self.wire.call("DELETE", f"{self.path}/{segment(view)}")

    def move(self, view, records, before):
        return self.change(view, recordOrder={"move": records, "before": before})


@pytest.fixture
def things(make_base):
    return make_base([{"name": "T", "fields": [text("Name"), number("N"), select("State", "b", "a")]}])


def ids(records):
    return [record["id"] for record in records]


def test_a_view_is_made_changed_and_deleted(wire, things):
    views = Views(things, "T")
    name, n = things.field_id("T", "Name"), things.field_id("T", "N")
    made = views.create(name="Late / first", sort=[{"field": "N", "direction": "desc"}], visibleFieldIds=["N", name]).ok()
    assert made == {"id": made["id"], "name": "Late / first", "type": "grid", "visibleFieldIds": [n, name],
                    "sort": [{"field": n, "direction": "desc"}]}
    rows = things.create_records("T", [{"Name": "x", "N": 1}, {"Name": "y", "N": 3}, {"Name": "z", "N": 2}])
    by_view = things.list("T", [("view", "Late / first")])
    assert [record["fields"]["Name"] for record in by_view] == ["y", "z", "x"]
    # Hidden fields are answered all the same, and the schema says which are shown.
    assert by_view[0]["fields"] == rows[1]["fields"]
    shown = wire.call("GET", f"/v0/meta/bases/{things.id}/tables", query=[("include[]", "visibleFieldIds")]).ok()
    assert [one.get("visibleFieldIds") for one in shown["tables"][0]["views"]] == [
        [one["id"] for one in things.tables["T"]["fields"]], [n, name]]
    assert "visibleFieldIds" not in things.schema()[0]["views"][1]
    one = wire.call("GET", f"/v0/meta/bases/{things.id}/views/{made['id']}", query=[("include[]", "visibleFieldIds")]).ok()
    assert one == made
    assert views.change("Late / first", name="Late", sort=[], visibleFieldIds=None).ok()["name"] == "Late"
    assert things.list("T", [("view", made["id"])]) == rows
    answer = views.create(name="late")
    assert (answer.status, answer.json["error"]["type"]) == (422, "DUPLICATE_VIEW_NAME")
    assert views.delete("Late").ok() == {"id": made["id"], "deleted": True}
    answer = wire.call("GET", things.path("T"), query=[("view", "Late")])
    assert (answer.status, answer.json["error"]["type"]) == (422, "VIEW_NAME_NOT_FOUND")
    assert views.delete("Late").status == 404
    assert views.delete("Grid view").status == 422, "the last view must stay"


def test_a_view_of_another_table_is_not_this_table_s(wire, make_base):
    base = make_base([{"name": "A", "fields": [text("Name")]}, {"name": "B", "fields": [text("Name")]}])
    view = base.grid_view("B")
    assert Views(base, "A").change(view, name="X").status == 404
    assert wire.call("GET", base.path("A"), query=[("view", view)]).json["error"]["type"] == "FAILED_STATE_CHECK"
    assert wire.call("DELETE", f"/v0/meta/bases/{base.id}/views/{view}").status == 422
    Views(base, "B").create(name="Second").ok()
    assert wire.call("DELETE", f"/v0/meta/bases/{base.id}/views/{view}").ok() == {"id": view, "deleted": True}
    assert [view["name"] for view in base.schema()[1]["views"]] == ["Second"]


def test_moved_records_stand_where_they_were_put_and_pages_agree(things):
    views = Views(things, "T")
    views.create(name="By hand").ok()
    source = random.Random(3)
    order = ids(things.create_records("T", [{"Name": str(n), "N": n % 3} for n in range(30)]))
    plain = list(order)
    for _ in range(25):
        moved = source.sample(order, source.randint(1, 4))
        rest = [one for one in order if one not in moved]
        place = source.randint(0, len(rest))
        views.move("By hand", moved, rest[place] if place < len(rest) else None).ok()
        order = rest[:place] + moved + rest[place:]
    for size in ("1", "7", "100"):
        assert ids(things.list("T", [("view", "By hand"), ("pageSize", size)])) == order
    assert ids(things.list("T", [("view", "Grid view")])) == plain == ids(things.list("T"))
    sorted_ = things.list("T", [("view", "By hand"), ("sort[0][field]", "N")])
    assert [record["fields"]["N"] for record in sorted_] == [0] * 10 + [1] * 10 + [2] * 10
    assert ids(things.list("T", [("view", "By hand"), ("maxRecords", "12"), ("pageSize", "5")])) == order[:12]


@pytest.mark.timeout(120)
@pytest.mark.parametrize("kind", ["by hand", "sorted"])
def test_pages_of_a_view_go_on_across_changes_and_kills(own_server, kind):
    server = own_server()
    token = server.token()
    base = Base.create(server.wire(token), [{"name": "T", "fields": [text("Name"), number("N")]}])
    source = random.Random(kind)
    made = ids(base.create_records("T", [{"Name": str(n), "N": source.randrange(9)} for n in range(60)]))
    views = Views(base, "T")
    if kind == "by hand":
        views.create(name="V").ok()
        for _ in range(10):
            views.move("V", source.sample(made, 5), source.choice(made[:10])) if source.random() < 0.7 else None
        views.move("V", made[50:55], made[3]).ok()
    else:
        views.create(name="V", sort=[{"field": "N", "direction": "desc"}, {"field": "Name"}]).ok()
    query = [("view", "V"), ("pageSize", "7")]
    full, seen, gone, offset = ids(base.list("T", query)), [], set(), None
    while True:
        wire = server.wire(token)
        page = wire.call("GET", base.path("T"), query=query + ([("offset", offset)] if offset else [])).ok()
        seen += ids(page["records"])
        offset = page.get("offset")
        if not offset:
            break
        # The last of the page goes, and one that is still to come; new ones come.
        later = [one for one in full if one not in seen and one not in gone]
        doomed = {seen[-1], *later[-1:]}
        gone |= doomed
        wire.call("DELETE", base.path("T"), query=[("records[]", one) for one in doomed]).ok()
        wire.call("POST", base.path("T"), {"fields": {"Name": "new", "N": 4}}).ok()
        server.restart()
    assert len(seen) == len(set(seen)), "a record came twice"
    assert [one for one in seen if one in full and one not in gone] == [one for one in full if one not in gone]


def test_a_view_keeps_records_by_its_filter_in_the_order_by_hand(wire, things):
    views = Views(things, "T")
    made = views.create(name="Open", filterByFormula="AND({N} > 3, State != 'b')").ok()
    n, state = things.field_id("T", "N"), things.field_id("T", "State")
    assert made["filterByFormula"] == f"AND({{{n}}} > 3, {{{state}}} != 'b')"
    rows = things.create_records("T", [{"Name": f"r{i}", "N": i, "State": "ab"[i % 2 == 0]} for i in range(40)])
    order = ids(rows)
    for record, before in ((order[39], order[0]), (order[5], order[20]), (order[7], None)):
        views.move("Open", [record], before).ok()
        order.remove(record)
        order.insert(order.index(before) if before else len(order), record)
    cells = {record["id"]: record["fields"] for record in rows}
    kept = [one for one in order if cells[one]["N"] > 3 and cells[one]["State"] == "a"]
    for size in ("4", "100"):
        assert ids(things.list("T", [("view", "Open"), ("pageSize", size)])) == kept
        query = [("view", "Open"), ("filterByFormula", "FIND('3', {Name})"), ("pageSize", size)]
        assert ids(things.list("T", query)) == [one for one in kept if "3" in cells[one]["Name"]]
    body = {"view": "Open", "filterByFormula": "{N} < 20", "sort": [{"field": "N", "direction": "desc"}]}
    answer = wire.call("POST", things.path("T") + "/listRecords", body).ok()
    assert [record["fields"]["N"] for record in answer["records"]] == [19, 17, 15, 13, 11, 9, 7, 5]
    things.tables["T"]["fields"][1]["name"] = "Count"
    wire.call("PATCH", f"/v0/meta/bases/{things.id}/tables/T/fields/{n}", {"name": "Count"}).ok()
    assert ids(things.list("T", [("view", "Open")])) == kept
    wire.call("DELETE", f"/v0/meta/bases/{things.id}/tables/T/fields/{n}").ok()
    answer = wire.call("GET", things.path("T"), query=[("view", "Open")])
    assert answer.json["error"]["type"] == "INVALID_FILTER_BY_FORMULA" and 'View "Open"' in answer.json["error"]["message"]
    answer = views.create(name="Bad", filterByFormula="{Nope} = 1")
    assert answer.json["error"]["type"] == "INVALID_FILTER_BY_FORMULA"


def test_two_clients_move_records_of_one_view(server, things):
    Views(things, "T").create(name="V").ok()
    made = ids(things.create_records("T", [{"N": n} for n in range(20)]))

    def client(mine):
        views = Views(things, "T", server.wire(server.all_rights))
        for n in range(40):
            views.move("V", [mine[n % len(mine)]], made[-1 - n % 4]).ok()

    together(lambda: client(made[:8]), lambda: client(made[8:16]))
    order = ids(things.list("T", [("view", "V"), ("pageSize", "6")]))
    assert sorted(order) == sorted(made)
    assert [one for one in order if one in made[16:]] == made[16:], "nobody moved these"


def test_an_idempotency_key_makes_one_view(wire, things):
    path = Views(things, "T").path
    first = wire.call("POST", path, {"name": "V"}, headers={"Idempotency-Key": "v1"}).ok()
    assert wire.call("POST", path, {"name": "V"}, headers={"Idempotency-Key": "v1"}).ok() == first
    assert wire.call("POST", path, {"name": "W"}, headers={"Idempotency-Key": "v1"}).status == 422
    assert [view["name"] for view in things.schema()[0]["views"]] == ["Grid view", "V"]


def test_views_need_the_scope_for_schemas(server, things):
    limited = Views(things, "T", server.wire(server.token(name="reader", scopes="schema.bases:read,data.records:write")))
    assert limited.create(name="V").json["error"]["type"] == "INVALID_PERMISSIONS"
    assert limited.change("Grid view", name="V").status == 403 and limited.delete("Grid view").status == 403


def test_pyairtable_reads_views_that_say_more(server, things):
    n = things.field_id("T", "N")
    Views(things, "T").create(name="V", type="gallery", sort=[{"field": "N"}], visibleFieldIds=["N"]).ok()
    table = Api(server.all_rights, endpoint_url=server.url).base(things.id).table("T")
    things.create_records("T", [{"Name": "x", "N": 2}, {"Name": "y", "N": 1}])
    assert [view.name for view in table.schema().views] == ["Grid view", "V"]
    assert table.schema().view("V").type == "gallery"
    assert [record["fields"]["Name"] for record in table.all(view="V")] == ["y", "x"]
    assert [record["fields"]["Name"] for record in table.all(view="V", sort=["Name"])] == ["x", "y"]
    assert table.schema().field(n).name == "N"
