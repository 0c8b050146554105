"""SIGKILL while records, fields and tables go and come back, and while the trash is emptied: nothing is half."""

import http.client
import os
import random
import subprocess
import threading
import time

import pytest

from harness.base import Base, field, number, text
from harness.database import check_integrity
from harness.server import program

ROUNDS = int(os.environ.get("ROWHOUSE_TRASH_ROUNDS", "25"))
GONE = (OSError, http.client.HTTPException)


def make(wire, orders=60, people=7):
    base = Base.create(wire, [
        {"name": "Customers", "fields": [text("Name")]}, {"name": "Orders", "fields": [text("Name"), number("Cups")]}])
    base.wire.call(
        "POST", f"/v0/meta/bases/{base.id}/tables/{base.tables['Orders']['id']}/fields",
        field("Customer", "multipleRecordLinks", linkedTableId=base.tables["Customers"]["id"])).ok()
    customers = [one["id"] for one in base.create_records("Customers", [{"Name": f"c{n}"} for n in range(people)])]
    base.create_records("Orders", [
        {"Name": f"o{n}", "Cups": n, "Customer": [customers[n % people], customers[(n * 3 + 1) % people]]}
        if n % people != (n * 3 + 1) % people else {"Name": f"o{n}", "Cups": n, "Customer": [customers[n % people]]}
        for n in range(orders)])
    base.tables = {table["name"]: table for table in base.schema()}
    return base


def everything(base, wire):
    tables = wire.call("GET", f"/v0/meta/bases/{base.id}/tables").ok()["tables"]
    return tables, {table["name"]: base.list(table["name"], wire=wire) for table in tables}


def trash(base, wire):
    found, offset = [], None
    while True:
        query = [("offset", offset)] if offset else []
        page = wire.call("GET", f"/v0/meta/bases/{base.id}/trash", query=query).ok()
        found += page["trash"]
        offset = page.get("offset")
        if not offset:
            return found


def restore(base, wire, what, **more):
    return wire.call("POST", f"/v0/meta/bases/{base.id}/trash/{what}/restore", **more)


class Worker:
    """Deletes and restores at random until the server is gone."""

    def __init__(self, base, wire, source, orders, customers):
        self.base, self.wire, self.source = base, wire, source
        self.orders, self.customers = orders, customers
        self.calls, self.fault = 0, None

    def run(self):
        try:
            while True:
                self.step()
        except GONE:
            pass
        except BaseException as fault:
            self.fault = fault

    def step(self):
        base, meta = self.base, f"/v0/meta/bases/{self.base.id}/tables/"
        turn = self.source.random()
        if turn < 0.5:
            some = self.source.sample(self.orders, 5)
            self.call("DELETE", base.path(base.tables["Orders"]["id"]), query=[("records[]", one) for one in some])
        elif turn < 0.6:
            self.call("DELETE", base.path(base.tables["Customers"]["id"], self.source.choice(self.customers)))
        elif turn < 0.65:
            name = self.source.choice(("Cups", "Customer"))
            self.call("DELETE", f"{meta}{base.tables['Orders']['id']}/fields/{base.field_id('Orders', name)}")
        elif turn < 0.7:
            self.call("DELETE", meta + base.tables[self.source.choice(("Orders", "Customers"))]["id"])
        else:
            page = self.wire.call("GET", f"/v0/meta/bases/{base.id}/trash", once=True).json["trash"]
            if page:
                entry = self.source.choice(page)
                what = entry[self.source.choice(("id", "deletion"))]
                self.call("POST", f"/v0/meta/bases/{base.id}/trash/{what}/restore")

    def call(self, *arguments, **more):
        answer = self.wire.call(*arguments, once=True, **more)
        # Another may have been there first, or the table is gone.
        assert answer.status in (200, 403, 404, 422), str(answer)
        self.calls += 1


@pytest.mark.timeout(60 + 20 * ROUNDS)
def test_a_kill_leaves_each_thing_in_its_place_or_whole_in_the_trash(own_server):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    source = random.Random(seed)
    server = own_server()
    token = server.token()
    base = make(server.wire(token))
    before = everything(base, server.wire(token))
    orders = [record["id"] for record in before[1]["Orders"]]
    customers = [record["id"] for record in before[1]["Customers"]]
    calls = 0
    for round_ in range(ROUNDS):
        workers = [
            Worker(base, server.wire(token), random.Random(source.random()), orders, customers) for _ in range(3)]
        threads = [threading.Thread(target=worker.run, daemon=True) for worker in workers]
        for thread in threads:
            thread.start()
        time.sleep(source.uniform(0.05, 0.5))
        server.kill()
        for thread in threads:
            thread.join(30)
        for worker in workers:
            calls += worker.calls
            if worker.fault:
                raise worker.fault
        check_integrity(server.folder)
        server.start()
        wire = server.wire(token)
        # Tables first, then fields, then records: all of it comes back, whatever was cut off.
        for kind in ("table", "field", "record"):
            for entry in reversed(trash(base, wire)):
                if entry["kind"] == kind:
                    restore(base, wire, entry["id"]).ok()
        assert trash(base, wire) == []
        after = everything(base, wire)
        assert order(after) == order(before), f"round {round_}"
    assert calls > 5 * ROUNDS, "there was hardly any load"


def order(everything):
    """The same with fields in the order of ids: one that came back while another was gone may stand elsewhere."""
    tables, records = everything
    return [{**table, "fields": sorted(table["fields"], key=lambda one: one["id"])} for table in tables], records


@pytest.mark.timeout(300)
def test_a_kill_while_the_trash_is_emptied_leaves_nothing_half(own_server):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    source = random.Random(seed)
    server = own_server(arguments=["--quiet"])
    token = server.token()
    base = make(server.wire(token), orders=200)
    wire = server.wire(token)
    whole = {}
    for n in range(8):
        made = make_pair(base, wire, n)
        whole.update(made)
    for first in range(0, 150, 10):
        some = [one["id"] for one in base.list("Orders", wire=wire)[:10]]
        wire.call("DELETE", base.path("Orders"), query=[("records[]", one) for one in some]).ok()
    for table in list(whole):
        wire.call("DELETE", f"/v0/meta/bases/{base.id}/tables/{table}").ok()
    names = base.tables["Orders"]["id"]
    wire.call("DELETE", f"/v0/meta/bases/{base.id}/tables/{names}/fields/{base.field_id('Orders', 'Customer')}").ok()
    left = len(trash(base, wire))
    assert left == 150 + 8 + 1
    rounds = restored = 0
    while left:
        rounds += 1
        assert rounds < 200
        server.kill()
        # Ever longer, since how soon a machine has emptied it is not known: the first kills come before, or at once.
        line = [program(), "serve", "--data", str(server.folder), "--listen", "127.0.0.1:0", "--trash-days", "0"]
        emptying = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(source.uniform(0.5, 1) * 0.02 * 1.3**rounds)
        emptying.kill()
        emptying.wait()
        check_integrity(server.folder)
        server.start()
        wire = server.wire(token)
        found = trash(base, wire)
        assert len(found) <= left
        tables = [entry["id"] for entry in found if entry["kind"] == "table"]
        for table in set(whole) - set(tables):
            assert restore(base, wire, table).status == 404
        if tables and rounds % 3 == 0:
            # What is told is there whole.
            table = source.choice(tables)
            name = restore(base, wire, table).ok()["entries"][0]["name"]
            assert [record["fields"] for record in base.list(name, wire=wire)] == whole.pop(table)
            restored += 1
        for entry in found:
            if entry["kind"] == "record" and source.random() < 0.01:
                restore(base, wire, entry["id"]).ok()
                assert base.get("Orders", entry["id"], wire=wire)["fields"]["Name"] == entry["name"]
        left = len(trash(base, wire))
    print(rounds, "rounds,", restored, "tables restored on the way")
    assert rounds > 3
    assert server.stop() == 0
    check_integrity(server.folder)


def make_pair(base, wire, n):
    """A table of many records that link to customers; what its records show, by its id."""
    made = wire.call("POST", f"/v0/meta/bases/{base.id}/tables", {
        "name": f"T{n}", "fields": [text("Name"), field(
            "Customer", "multipleRecordLinks", linkedTableId=base.tables["Customers"]["id"])]}).ok()
    customers = [one["id"] for one in base.list("Customers", wire=wire)]
    rows = [{"Name": f"{n} {m}", "Customer": [customers[m % 7], customers[(m + 2) % 7]]} for m in range(600)]
    base.create_records(f"T{n}", rows, wire=wire)
    return {made["id"]: rows}
