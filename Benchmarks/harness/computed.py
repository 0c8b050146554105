"""What formulas, links and lookups cost: times on one connection, in turns by request, as medians."""
import random
import sqlite3
import statistics
import time
from pathlib import Path
from urllib.parse import quote

from .http import request
from .rowhouse import BATCH
from .timing import PAGE

RARE = "zqxj"
LINES, GUESTS = 5_000, 500
FORMULA = "{total} * {cups} + LEN({note})"


def timed(connection, call):
    began = time.perf_counter()
    answer = connection.ask(call)
    return (time.perf_counter() - began) * 1000, answer


def in_turns(rounds, **contestants):
    """Median milliseconds of each function, called in turns."""
    times = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, function in contestants.items():
            times[name].append(function())
    return {name: statistics.median(some) for name, some in times.items()}


def row(name, ours, against, target):
    return name, f"{ours:.2f} ms", f"{against:.2f} ms", ours / against, target


def rows(ours, peer, rounds):
    with ours.connect() as connection:
        yield from scans(ours, peer, connection, max(5, rounds // 10))
        yield from links(ours, connection, max(5, rounds // 4))
        yield from orders_by_formula(ours, connection, max(5, rounds // 20))


def scans(ours, peer, connection, rounds):
    """A text that at most one record in 10,000 holds, looked for by a formula and by SQLite's LIKE in the peer's file."""
    draw = random.Random(16)
    count = max(1, len(ours.ids) // 20_000)
    places = draw.sample(range(len(ours.ids)), count)
    with peer.connect() as other:
        for place in places:
            for server, line in ((ours, connection), (peer, other)):
                line.ask(server.raw(server.update(server.ids[place], {"note": f"前面 {RARE} 後面"})))
    database = sqlite3.connect(f"file:{Path(peer.folder) / 'data.db'}?mode=ro", uri=True)

    def like():
        began = time.perf_counter()
        found = database.execute("SELECT * FROM orders WHERE note LIKE ?", (f"%{RARE}%",)).fetchall()
        assert len(found) == count
        return (time.perf_counter() - began) * 1000

    def formula(text):
        call = ours.raw(("GET", f"{ours.path()}?filterByFormula={quote(text, safe='')}", None))

        def ask():
            taken, answer = timed(connection, call)
            assert len(answer["records"]) == count
            return taken
        return ask

    found = in_turns(
        rounds, like=like, find=formula(f'FIND("{RARE}",{{note}})>0'),
        evaluated=formula(f'LEN(SUBSTITUTE({{note}},"{RARE}",""))<LEN({{note}})'))
    database.close()
    size = f"{len(ours.ids):,}"
    yield row(f"FIND in each of {size} records against SQLite's LIKE", found["find"], found["like"], 8)
    yield row(f"SUBSTITUTE and LEN of each of {size} records against SQLite's LIKE", found["evaluated"], found["like"], None)


def links(ours, connection, rounds):
    """Pages of 100 with two link fields and a lookup, and without."""
    def ask(method, path, body=None):
        return connection.ask(request(ours.port, method, path, ours.token, body))

    text = {"name": "name", "type": "singleLineText"}
    number = {"name": "count", "type": "number", "options": {"precision": 0}}
    tables = [{"name": "guests", "fields": [text, number]}, {"name": "lines", "fields": [text, number]}]
    made = ask("POST", "/v0/meta/bases", {"name": "Links", "workspaceId": "wspBenchmarks00000", "tables": tables})
    base, (guests, lines) = made["id"], [table["id"] for table in made["tables"]]
    fields = f"/v0/meta/bases/{base}/tables/{lines}/fields"
    link = None
    for name in ("guest", "helpers"):
        link = ask("POST", fields, {"name": name, "type": "multipleRecordLinks", "options": {"linkedTableId": guests}})
    looked_up = next(field["id"] for field in made["tables"][0]["fields"] if field["name"] == "count")
    ask("POST", fields, {"name": "counts", "type": "multipleLookupValues",
                         "options": {"recordLinkFieldId": link["id"], "fieldIdInLinkedTable": looked_up}})
    draw = random.Random(17)
    ids = []
    for start in range(0, GUESTS, BATCH):
        some = [{"fields": {"name": f"guest {start + i:05d}", "count": start + i}} for i in range(BATCH)]
        ids += [record["id"] for record in ask("POST", f"/v0/{base}/{guests}", {"records": some})["records"]]
    for start in range(0, LINES, BATCH):
        some = [{"fields": {"name": f"line {start + i:05d}", "count": i, "guest": [draw.choice(ids)],
                            "helpers": draw.sample(ids, 3)}} for i in range(BATCH)]
        ask("POST", f"/v0/{base}/{lines}", {"records": some})

    def page(names):
        asked = "&".join(f"fields[]={name}" for name in names)
        call = request(
            ours.port, "GET", f"/v0/{base}/{lines}?pageSize={PAGE}&sort[0][field]=name&{asked}", ours.token, None)

        def take():
            taken, answer = timed(connection, call)
            assert all(set(record["fields"]) == set(names) for record in answer["records"])
            return taken
        return take

    plain, linked = page(["name", "count"]), page(["name", "count", "guest", "helpers", "counts"])
    for _ in range(20):
        plain()
        linked()
    time.sleep(2)
    found = in_turns(rounds, plain=plain, linked=linked)
    yield row("page of 100 with two link fields and a lookup, against one without", found["linked"], found["plain"], 3)


def orders_by_formula(ours, connection, rounds):
    """Pages by a formula field against pages by a stored one that no index serves, and by one that has an index."""
    tables = connection.ask(ours.raw(("GET", f"/v0/meta/bases/{ours.base}/tables", None)))["tables"]
    fields = f"/v0/meta/bases/{ours.base}/tables/{tables[0]['id']}/fields"
    connection.ask(ours.raw(("POST", fields, {"name": "score", "type": "formula", "options": {"formula": FORMULA}})))
    draw = random.Random(18)

    def first(field):
        call = ours.raw(ours.list(field, "desc", PAGE, ["name", "total"]))

        def take():
            # A change of one record makes what was kept of the order out of date.
            connection.ask(ours.raw(ours.update(draw.choice(ours.ids), {"cups": draw.randint(1, 12)})))
            taken, answer = timed(connection, call)
            first.offset = answer["offset"]
            return taken
        return take

    def following(field):
        method, path, _ = ours.list(field, "desc", PAGE, ["name", "total"])
        answer = connection.ask(ours.raw((method, path, None)))

        def take():
            taken, page = timed(connection, ours.raw((method, f"{path}&offset={quote(answer['offset'], safe='')}", None)))
            answer["offset"] = page["offset"]
            return taken
        return take

    by_formula, by_total = first("score"), first("total")
    for _ in range(3):
        by_formula()
        by_total()
    size = f"{len(ours.ids):,}"
    # An order of two fields that was never asked for has no index at its first request.
    cold = [("paid", "size"), ("sugar", "paid"), ("cups", "sugar"), ("size", "sugar"), ("paid", "drink")]
    scans = []
    for one, two in cold:
        path = f"{ours.path()}?pageSize={PAGE}&fields[]=name&sort[0][field]={one}&sort[1][field]={two}"
        scans.append(timed(connection, ours.raw(("GET", path, None)))[0])
    found = in_turns(rounds, formula=by_formula, stored=by_total)
    yield row(f"first page by a formula field of {size}, against stored fields without an index",
              found["formula"], statistics.median(scans), 12)
    yield row(f"first page by a formula field of {size}, against a stored field with an index",
              found["formula"], found["stored"], None)
    found = in_turns(rounds * 3, formula=following("score"), stored=following("total"))
    yield row(f"following page by a formula field of {size}, against a stored field", found["formula"], found["stored"], 3)
