"""A full file system: writes are refused with 507, reads go on, nothing is corrupt, writes resume."""

import errno
import os
import subprocess
import time

import pytest

from harness.base import Base, number, text
from harness.database import check_integrity
from harness.expected import Expected, check_error

FULL = Expected(507)


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 24 MB that is gone after the test."""
    place = tmp_path / "disk"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m,mode=700", "rowhouse-test", place], check=True)
    yield place
    for _ in range(50):
        if subprocess.run(["umount", place], capture_output=True).returncode == 0:
            return
        time.sleep(0.1)
    subprocess.run(["umount", "-l", place], check=True)


def fill(place, leave=0):
    """Takes all the space there is but `leave` bytes."""
    with open(place / "filler", "wb") as filler:
        try:
            while True:
                os.write(filler.fileno(), b"\0" * 65536)
        except OSError as fault:
            assert fault.errno == errno.ENOSPC
        try:
            while True:
                os.write(filler.fileno(), b"\0" * 512)
        except OSError as fault:
            assert fault.errno == errno.ENOSPC
        if leave:
            filler.truncate(filler.tell() - leave)


def state(base, wire):
    return {record["id"]: record for record in base.list("T", wire=wire)}


@pytest.mark.timeout(180)
def test_writes_are_refused_reads_go_on_and_writes_resume(own_server, small_disk):
    folder = small_disk / "data"
    server = own_server(folder=folder)
    token = server.token()
    wire = server.wire(token)
    base = Base.create(wire, [{"name": "T", "fields": [text("Name"), {"name": "Notes", "type": "multilineText"}, number("N")]}])
    known = {record["id"]: record for record in base.create_records("T", [
        {"Name": f"n{n}", "Notes": "x" * 500, "N": n} for n in range(50)], wire=wire)}
    meta = f"/v0/meta/bases/{base.id}/tables"

    for round_ in range(2):
        fill(small_disk)
        # What the log has room for may still go in; then nothing does.
        refused = None
        for n in range(400):
            rows = [{"fields": {"Name": f"late{n}", "Notes": "y" * 20_000}} for _ in range(10)]
            answer = wire.call("POST", base.path("T"), {"records": rows})
            if answer.status != 200:
                refused = answer
                break
            known |= {record["id"]: record for record in answer.json["records"]}
        assert refused is not None, "8 MB a hundred times over fitted on a full disk"
        check_error(refused, FULL)
        assert state(base, wire) == known
        target = next(iter(known))
        big = {"Notes": "z" * 90_000}
        for method, path, body in (
                ("POST", base.path("T"), {"fields": big}),
                ("POST", base.path("T"), {"records": [{"fields": big}] * 10}),
                ("PATCH", base.path("T", target), {"fields": big}), ("PUT", base.path("T", target), {"fields": big}),
                ("PATCH", base.path("T"), {"records": [{"id": target, "fields": big}]}),
                ("PATCH", base.path("T"), {"performUpsert": {"fieldsToMergeOn": ["Name"]},
                                           "records": [{"fields": {"Name": "n1", **big}}]}),
                ("POST", meta, {"name": f"New {round_}", "description": "d" * 20_000, "fields": [
                    {**text(f"F{n}"), "description": "d" * 20_000} for n in range(40)]})):
            for _ in range(2):
                check_error(wire.call(method, path, body), FULL)
        # Reads of every kind, sorted ones too.
        assert state(base, wire) == known
        assert wire.call("GET", base.path("T", target)).ok() == known[target]
        for order in ("N", "Name", "Notes"):
            page = wire.call("GET", base.path("T"), query=[("sort[0][field]", order), ("pageSize", "20")]).ok()
            assert len(page["records"]) == 20
        assert len(wire.call("GET", meta).ok()["tables"]) == 1
        assert wire.call("GET", "/v0/meta/whoami").status == 200
        # A small write is either done or refused, never half done.
        for n in range(5):
            answer = wire.call("PATCH", base.path("T", target), {"fields": {"N": 1000 + n}})
            if answer.status == 200:
                known[target] = answer.json
            else:
                check_error(answer, FULL)
            assert wire.call("GET", base.path("T", target)).ok() == known[target]

        os.unlink(small_disk / "filler")
        for record in base.create_records("T", [{"Name": "resumed", "Notes": "w" * 5000}] * 10, wire=wire):
            known[record["id"]] = record
        changed = wire.call("PATCH", base.path("T", target), {"fields": {"N": round_}}).ok()
        known[target] = changed
        assert state(base, wire) == known
        spare = [one for one in known if one != target][-40:]
        for start in range(0, len(spare), 10):
            wire.call("DELETE", base.path("T"), query=[("records[]", one) for one in spare[start:start + 10]]).ok()
        for one in spare:
            del known[one]
        assert state(base, wire) == known

    server.kill()
    check_integrity(folder)
    server.start()
    wire = server.wire(token)
    assert state(base, wire) == known
    assert wire.call("POST", base.path("T"), {"fields": {"Name": "after"}}).status == 200


@pytest.mark.timeout(120)
def test_a_server_killed_on_a_full_disk_has_everything_that_it_acknowledged(own_server, small_disk):
    folder = small_disk / "data"
    server = own_server(folder=folder)
    token = server.token()
    wire = server.wire(token)
    base = Base.create(wire, [{"name": "T", "fields": [text("Name"), {"name": "Notes", "type": "multilineText"}]}])
    known = {}
    fill(small_disk, leave=2_000_000)
    for n in range(200):
        answer = wire.call("POST", base.path("T"), {"records": [{"fields": {"Name": str(n), "Notes": "x" * 20_000}}] * 10})
        if answer.status != 200:
            check_error(answer, FULL)
            break
        known |= {record["id"]: record for record in answer.json["records"]}
    else:
        pytest.fail("the disk was never full")
    assert known
    server.kill()
    check_integrity(folder)
    os.unlink(small_disk / "filler")
    server.start()
    assert state(base, server.wire(token)) == known
