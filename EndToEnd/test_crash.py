"""SIGKILL under concurrent batches: every acknowledged write is there, none doubled, no batch in part."""

import http.client
import os
import random
import threading
import time

import pytest

from harness.base import Base, number, text
from harness.database import check_integrity

ROUNDS = int(os.environ.get("ROWHOUSE_CRASH_ROUNDS", "50"))
FIELDS = [text("Batch"), number("Place"), number("Version")]
GONE = (OSError, http.client.HTTPException)


class Batch:
    """Ten records that were created together, and what may be true of them after a crash."""

    def __init__(self, label):
        self.label = label
        self.ids = None          # given by the answer to the create; None while it is unanswered
        self.versions = {0}      # of a change that was not answered both the old and the new are right
        self.deleted = {False}


class Writer:
    """Creates batches, changes and deletes some of them, and writes down what was acknowledged."""

    def __init__(self, wire, base, table, tag, limit=60):
        self.wire, self.base, self.table, self.tag, self.limit = wire, base, table, tag, limit
        self.batches, self.acknowledged, self.fault = [], 0, None

    def run(self):
        try:
            while True:
                self.step()
        except GONE:
            pass
        except BaseException as fault:
            self.fault = fault

    def call(self, *arguments, **more):
        answer = self.wire.call(*arguments, once=True, **more)
        assert answer.status == 200, str(answer)
        self.acknowledged += 1
        return answer.json

    def step(self):
        path = self.base.path(self.table)
        batch = None
        if len(self.batches) < self.limit:
            batch = Batch(f"{self.tag}-{len(self.batches)}")
            self.batches.append(batch)
            rows = [{"fields": {"Batch": batch.label, "Place": place, "Version": 0}} for place in range(10)]
            batch.ids = [record["id"] for record in self.call("POST", path, {"records": rows})["records"]]
        n = self.acknowledged
        alive = [one for one in self.batches if one.deleted == {False}]
        if len(alive) < self.limit // 2:
            self.limit = len(self.batches) + 1  # a fast server has deleted many: go on making new ones
        if not alive:
            return
        target = alive[n % len(alive)]
        if n % 3 == 1:
            target.deleted = {False, True}
            self.call("DELETE", path, query=[("records[]", one) for one in target.ids])
            target.deleted = {True}
        else:
            version = max(target.versions) + 1
            target.versions |= {version}
            rows = [{"id": one, "fields": {"Version": version}} for one in target.ids]
            self.call("PATCH", path, {"records": rows})
            target.versions = {version}


def check(writers, records):
    """The table holds what was acknowledged, whole batches only, and nothing else."""
    found = {}
    for record in records:
        found.setdefault(record["fields"]["Batch"], []).append(record)
    for writer in writers:
        for batch in writer.batches:
            have = found.pop(batch.label, [])
            assert len(have) in (0, 10), f"{batch.label}: {len(have)} records of a batch of 10"
            if not have:
                assert batch.ids is None or True in batch.deleted, f"{batch.label}: an acknowledged batch is lost"
                continue
            assert False in batch.deleted, f"{batch.label}: a deleted batch is back"
            assert sorted(record["fields"]["Place"] for record in have) == list(range(10)), f"{batch.label}: doubled"
            if batch.ids is not None:
                assert {record["id"] for record in have} == set(batch.ids), batch.label
            seen = {record["fields"]["Version"] for record in have}
            assert len(seen) == 1, f"{batch.label}: changed in part, {seen}"
            assert seen <= batch.versions, f"{batch.label}: version {seen}, not {batch.versions}"
    assert not found, f"records that nobody wrote: {list(found)[:3]}"


@pytest.mark.timeout(60 + 10 * ROUNDS)
def test_every_acknowledged_write_survives_a_kill_under_load(own_server):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    source = random.Random(seed)
    server = own_server()
    token = server.token()
    base = Base.create(server.wire(token), [{"name": "Round 0", "fields": FIELDS}])
    history = []
    for round_ in range(1, ROUNDS + 1):
        table = f"Round {round_}"
        wire = server.wire(token)
        wire.call("POST", f"/v0/meta/bases/{base.id}/tables", {"name": table, "fields": FIELDS}).ok()
        writers = [Writer(server.wire(token), base, table, f"r{round_}w{n}") for n in range(4)]
        threads = [threading.Thread(target=writer.run, daemon=True) for writer in writers]
        for thread in threads:
            thread.start()
        time.sleep(source.uniform(0.05, 0.4))
        server.kill()
        for thread in threads:
            thread.join(30)
            assert not thread.is_alive()
        for writer in writers:
            if writer.fault:
                raise writer.fault
        check_integrity(server.folder)
        server.start()
        check(writers, base.list(table, wire=server.wire(token)))
        history.append((table, writers))
    acknowledged = sum(writer.acknowledged for _, writers in history for writer in writers)
    print(ROUNDS, "rounds,", acknowledged, "acknowledged requests")
    assert acknowledged >= 4 * ROUNDS, "there was hardly any load"
    wire = server.wire(token)
    for table, writers in history:
        check(writers, base.list(table, wire=wire))
    assert server.stop() == 0
    check_integrity(server.folder)


def test_the_checker_sees_each_kind_of_loss():
    """A checker that cannot fail proves nothing."""
    def state():
        writer = Writer(None, None, None, "w")
        kept, gone, open_ = Batch("kept"), Batch("gone"), Batch("open")
        kept.ids = [f"rec{n}" for n in range(10)]
        kept.versions = {3}
        gone.ids, gone.deleted = [f"rox{n}" for n in range(10)], {True}
        writer.batches = [kept, gone, open_]
        return [writer]

    def rows(label, ids, version):
        return [{"id": one, "fields": {"Batch": label, "Place": n, "Version": version}} for n, one in enumerate(ids)]

    kept, opened = rows("kept", [f"rec{n}" for n in range(10)], 3), rows("open", [f"new{n}" for n in range(10)], 0)
    check(state(), kept)
    check(state(), kept + opened)
    for wrong in (
            [], kept[:9], kept + kept, kept + opened[:5], kept + rows("gone", [f"rox{n}" for n in range(10)], 0),
            rows("kept", [f"rec{n}" for n in range(10)], 2), kept[:5] + rows("kept", [f"rec{n}" for n in range(10)], 2)[5:],
            rows("kept", [f"rey{n}" for n in range(10)], 3), kept + rows("stray", ["a"] * 10, 0)):
        with pytest.raises(AssertionError):
            check(state(), wrong)
