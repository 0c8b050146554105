"""Order, pages, and offsets that survive inserts, deletes and a restart between pages."""

import random

import pytest

from harness.base import Base, field, number, select, text

# Ascending: case folded, runs of digits by their value, then code points; no two of these are equal.
TEXT_ORDER = [
    " x", "!", "-1", "1", "1a", "2", "10", "10a", "100", "a", "A1", "a2", "A02b", "a10", "a10b2", "A10b10", "ab", "B", "b1",
    "x 2", "x 10", "Z", "z2", "Z11", "_", "ß", "É", "ж", "一", "茶", "ﬀ", "😀"]


def pages(base, wire, query, size):
    """Yields one page of records after the other; the caller may change the table between them."""
    offset = None
    while True:
        pairs = [("pageSize", str(size)), *query] + ([("offset", offset)] if offset else [])
        page = wire.call("GET", base.path("T"), query=pairs).ok()
        yield page["records"]
        offset = page.get("offset")
        if not offset:
            return


def sort(*keys):
    query = []
    for n, key in enumerate(keys):
        query += [(f"sort[{n}][field]", key.lstrip("-")), (f"sort[{n}][direction]", "desc" if key[0] == "-" else "asc")]
    return query


def test_text_is_ordered_by_folded_case_digits_by_value_and_code_point(make_base):
    base = make_base([{"name": "T", "fields": [text("Text"), {"name": "Long", "type": "multilineText"}]}])
    rows = [{"Text": value, "Long": value} for value in TEXT_ORDER]
    random.Random(1).shuffle(rows)
    base.create_records("T", rows)
    # The underscore lies between upper and lower case letters, so its place shows to which case text is folded.
    order = [value for value in TEXT_ORDER if value != "_"]
    for name in ("Text", "Long"):
        rising = [record["fields"][name] for record in base.list("T", sort(name))]
        assert [value for value in rising if value != "_"] == order
        assert [record["fields"][name] for record in base.list("T", sort("-" + name))] == rising[::-1]
        assert [record["fields"][name] for record in base.list("T", [*sort(name), ("pageSize", "1")])] == rising


ORDERS = [
    (number("K", 2), [None, -1e300, -10, -2.5, 0, 1e-9, 1, 2, 10, 9007199254740991, 1e300]),
    (field("K", "percent", precision=0), [None, -1, 0, 0.5, 1]),
    (field("K", "currency", precision=2, symbol="$"), [None, -5, 0, 3.25, 30]),
    (field("K", "duration", durationFormat="h:mm"), [None, 0, 59, 60.5, 3600]),
    (field("K", "rating", icon="star", max=10, color="redBright"), [None, 1, 2, 10]),
    (field("K", "date", dateFormat={"name": "local"}), [None, "0999-12-31", "1969-12-31", "2023-09-30", "2023-10-01"]),
    (field("K", "dateTime", dateFormat={"name": "local"}, timeFormat={"name": "12hour"}, timeZone="Asia/Taipei"),
     [None, "1969-12-31T23:59:59.999Z", "2023-10-01T00:00:00.000Z", "2023-10-01T00:00:00.001Z"]),
    (select("K", "Zebra", "apple", "Mango"), [None, "Zebra", "apple", "Mango"]),
    (field("K", "checkbox", icon="check", color="greenBright"), [None, True]),
    ({"name": "K", "type": "email"}, [None, "A2@x.org", "a10@x.org", "b@x.org"]),
    ({"name": "K", "type": "url"}, [None, "http://a", "HTTP://B"]),
    ({"name": "K", "type": "phoneNumber"}, [None, "2", "10"]),
    ({"name": "K", "type": "richText"}, [None, "a", "B"]),
    ({"name": "K", "type": "barcode"}, [None, {"text": "a2"}, {"text": "A10"}]),
]


@pytest.mark.parametrize("kind, values", ORDERS, ids=[kind["type"] for kind, _ in ORDERS])
def test_each_type_has_its_order_empty_first_and_ties_by_id_in_the_direction_of_the_sort(make_base, kind, values):
    base = make_base([{"name": "T", "fields": [text("Name"), kind]}])
    places = list(range(len(values))) * 3
    random.Random(7).shuffle(places)
    made = base.create_records("T", [{} if values[n] is None else {"K": values[n]} for n in places])
    expected = [record["id"] for _, record in sorted(zip(places, made), key=lambda pair: (pair[0], pair[1]["id"]))]
    assert [record["id"] for record in base.list("T", sort("K"))] == expected
    assert [record["id"] for record in base.list("T", sort("-K"))] == expected[::-1]
    for size in ("1", "2", "4"):
        assert [record["id"] for record in base.list("T", [*sort("K"), ("pageSize", size)])] == expected
        assert [record["id"] for record in base.list("T", [*sort("-K"), ("pageSize", size)])] == expected[::-1]


def test_several_keys_are_applied_in_turn_each_in_its_direction(make_base):
    base = make_base([{"name": "T", "fields": [text("A"), number("B"), text("C")]}])
    source = random.Random(11)
    rows = [{"A": source.choice("xyz"), "B": source.randrange(3), "C": source.choice("pq")} for _ in range(60)]
    made = base.create_records("T", rows)
    for keys in (("A", "-B"), ("-A", "B", "-C"), ("B", "A"), ("-B", "-A", "-C"), ("A", "B", "C")):
        expected = sorted(made, key=lambda record: record["id"], reverse=keys[-1][0] == "-")
        for key in reversed(keys):
            expected.sort(key=lambda record: record["fields"].get(key.lstrip("-"), ""), reverse=False)
            if key[0] == "-":
                # A stable descending order: equal ones keep the order they had.
                groups = {}
                for record in expected:
                    groups.setdefault(record["fields"][key[1:]], []).append(record)
                expected = [record for value in sorted(groups, reverse=True) for record in groups[value]]
        for size in (7, 60):
            seen = [record for page in pages(base, base.wire, sort(*keys), size) for record in page]
            assert [record["id"] for record in seen] == [record["id"] for record in expected], keys


@pytest.mark.parametrize("count, size, limit, expected", [
    (9, 3, None, [3, 3, 3]), (10, 3, None, [3, 3, 3, 1]), (25, 10, 25, [10, 10, 5]), (30, 10, 25, [10, 10, 5]),
    (20, 10, 20, [10, 10]), (20, 10, 30, [10, 10]), (5, 100, None, [5]), (0, 10, None, [0]), (3, 1, 2, [1, 1]),
    (12, 100, 1, [1]), (12, 5, 12, [5, 5, 2])])
@pytest.mark.parametrize("order", [(), ("N",), ("-N",)], ids=["by id", "rising", "falling"])
def test_pages_have_their_size_and_there_is_no_empty_one_at_the_end(make_base, count, size, limit, expected, order):
    base = make_base([{"name": "T", "fields": [text("Name"), number("N")]}])
    base.create_records("T", [{"N": n % 3} for n in range(count)])
    query = sort(*order) + ([("maxRecords", str(limit))] if limit else [])
    assert [len(page) for page in pages(base, base.wire, query, size)] == expected


def test_get_and_post_give_the_same_pages(wire, make_base):
    base = make_base([{"name": "T", "fields": [text("Name"), number("N")]}])
    base.create_records("T", [{"Name": str(n), "N": n % 4} for n in range(23)])
    body = {"pageSize": 5, "maxRecords": 18, "fields": ["Name"], "sort": [{"field": "N", "direction": "desc"}, {"field": "Name"}],
            "view": "Grid view", "returnFieldsByFieldId": True, "recordMetadata": ["commentCount"]}
    query = [("pageSize", "5"), ("maxRecords", "18"), ("fields[]", "Name"), *sort("-N", "Name"), ("view", "Grid view"),
             ("returnFieldsByFieldId", "1"), ("recordMetadata[]", "commentCount")]
    offset, by_post = None, []
    while True:
        page = wire.call("POST", base.path("T") + "/listRecords", {**body, **({"offset": offset} if offset else {})}).ok()
        by_post.append(page["records"])
        offset = page.get("offset")
        if not offset:
            break
    # An offset given by one is taken by the other.
    first = wire.call("GET", base.path("T"), query=query).ok()
    second = wire.call("POST", base.path("T") + "/listRecords", {**body, "offset": first["offset"]}).ok()
    assert by_post[:2] == [first["records"], second["records"]]
    assert by_post == list(pages(base, wire, query[1:], 5))
    assert [len(page) for page in by_post] == [5, 5, 5, 3]


class Churn:
    """A table that changes between pages, and what a faithful iteration over it must show."""

    FIELDS = [
        text("Text"), number("Number", 1), field("Done", "checkbox", icon="check", color="greenBright"),
        select("State", "c", "a", "b"), field("Day", "date", dateFormat={"name": "iso"})]

    def __init__(self, wire, seed):
        self.source = random.Random(seed)
        self.base = Base.create(wire, [{"name": "T", "fields": self.FIELDS}])
        self.made = self.base.create_records("T", [self.row() for _ in range(60)])
        self.gone, self.added = set(), set()

    def row(self):
        pick = self.source.choice
        row = {"Text": pick(["", "a", "A", "a2", "a10", "茶", "b"]), "Number": pick([None, 0, 1, 1, 2.5, -3]),
               "Done": pick([True, False]), "State": pick([None, "a", "b", "c"]),
               "Day": pick([None, "2024-01-01", "2024-01-02"])}
        return {name: value for name, value in row.items() if value not in (None, "", False)}

    def change(self, wire, page):
        """Deletes the page's last record and some others, seen or not; adds five."""
        alive = [record["id"] for record in self.made if record["id"] not in self.gone]
        others = min(1 if len(page) == 1 else 3, len(alive))
        doomed = {page[-1]["id"], *self.source.sample(alive, others)} - self.gone
        if doomed:
            wire.call("DELETE", self.base.path("T"), query=[("records[]", one) for one in sorted(doomed)]).ok()
        self.gone |= doomed
        body = {"records": [{"fields": self.row()} for _ in range(5)]}
        self.added |= {record["id"] for record in wire.call("POST", self.base.path("T"), body).ok()["records"]}


CHURN_ORDERS = [(), ("Number",), ("-Number",), ("Text",), ("-Text",), ("Done", "-Day"), ("State",), ("-State", "Text"),
                ("-Day", "Number", "-Text")]


def iterate_while_changing(connect, order, limit, size, restart=None):
    wire = connect()
    churn = Churn(wire, seed=f"{order} {limit} {size}")
    query = sort(*order)
    full = [record["id"] for record in churn.base.list("T", query)]
    if limit:
        query.append(("maxRecords", str(limit)))
    seen, offset = [], None
    for _ in range(40):
        pairs = [("pageSize", str(size)), *query] + ([("offset", offset)] if offset else [])
        page = wire.call("GET", churn.base.path("T"), query=pairs).ok()
        seen += [record["id"] for record in page["records"]]
        offset = page.get("offset")
        if not offset:
            break
        churn.change(wire, page["records"])
        if restart:
            restart()
            wire = connect()
    else:
        pytest.fail("the iteration has no end")
    assert len(seen) == len(set(seen)), "a record came twice"
    staying = [one for one in full if one not in churn.gone]
    stayed = [one for one in seen if one in set(staying)]
    # Records that were there all the time come once, in order, none skipped.
    assert stayed == staying[: len(stayed)]
    if limit:
        assert len(seen) == limit
    else:
        assert stayed == staying
    assert set(seen) <= set(full) | churn.added


@pytest.mark.parametrize("limit", [None, 25], ids=["all", "maxRecords"])
@pytest.mark.parametrize("order", CHURN_ORDERS, ids=lambda order: ",".join(order) or "by id")
def test_no_record_comes_twice_and_none_is_skipped_while_others_come_and_go(server, order, limit):
    def connect():
        return server.wire(server.all_rights)
    for size in (1, 7):
        iterate_while_changing(connect, order, limit if size > 1 else 20, size)


@pytest.mark.timeout(120)
@pytest.mark.parametrize("limit", [None, 25], ids=["all", "maxRecords"])
def test_an_iteration_goes_on_after_the_server_was_killed_between_pages(own_server, limit):
    server = own_server()
    token = server.token()
    for order in ((), ("Number",), ("-Text", "Number"), ("-State",)):
        iterate_while_changing(lambda: server.wire(token), order, limit, 9, restart=server.restart)


def test_a_view_gives_all_records_in_order_of_creation_and_hidden_fields_too(wire, base):
    made = base.create_records("Things", [{"Name": name} for name in "cab"])
    view = base.grid_view("Things")
    assert base.list("Things", [("view", view)]) == base.list("Things", [("view", "Grid view")]) == made


def test_deleted_schema_is_gone_at_once(wire, make_base):
    base = make_base([{"name": "A", "fields": [text("Name"), text("Extra")]}, {"name": "B", "fields": [text("Name")]}])
    base.create_records("A", [{"Name": "x", "Extra": "y"}])
    meta = f"/v0/meta/bases/{base.id}"
    extra, table = base.field_id("A", "Extra"), base.tables["A"]["id"]
    wire.call("DELETE", f"{meta}/tables/{table}/fields/{extra}").ok()
    assert [record["fields"] for record in base.list("A")] == [{"Name": "x"}]
    assert wire.call("POST", base.path("A"), {"fields": {"Extra": "z"}}).status == 422
    again = wire.call("POST", f"{meta}/tables/{table}/fields", text("Extra")).ok()
    assert again["id"] != extra and [record["fields"] for record in base.list("A")] == [{"Name": "x"}]
    wire.call("DELETE", f"{meta}/tables/{table}").ok()
    assert [one["name"] for one in base.schema()] == ["B"] and wire.call("GET", base.path("A")).status == 403
    answer = wire.call("DELETE", meta).ok()
    assert answer == {"id": base.id, "deleted": True}
    assert wire.call("GET", base.path("B")).status == 403
    assert base.id not in [one["id"] for one in wire.call("GET", "/v0/meta/bases").ok()["bases"]]
