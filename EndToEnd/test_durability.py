"""The order of things, seen from outside: an answer to a write leaves after the disk has what it acknowledges."""

import re
import secrets
import time

import pytest

from harness.base import Base, number, text
from harness.load import together
from harness.server import command
from harness.trace import COMMAND, early_answers


def marker():
    return "mark-" + secrets.token_hex(12)


def wait_for_end(trace, leader):
    """strace may still be writing when the server is gone."""
    deadline = time.monotonic() + 20
    ending = re.compile(rf"^{leader}\s+\+\+\+ exited with".encode(), re.M)
    while not ending.search(trace.read_bytes()):
        assert time.monotonic() < deadline, "the trace does not show the end of the server"
        time.sleep(0.1)


def traced_run(own_server, tmp_path, *arguments):
    """Every kind of write by several clients under strace; returns the judged trace and how many were acknowledged."""
    trace = tmp_path / "trace"
    server = own_server(wrapper=[*COMMAND, str(trace)], arguments=list(arguments))
    token = server.token()
    base = Base.create(server.wire(token), [{"name": "T", "fields": [text("Name"), text("Notes"), number("N")]}])
    sent = []

    def client(n):
        wire = server.wire(token)
        path = base.path("T")

        def write(*arguments, **more):
            sent.append(wire.call(*arguments, **more).ok())
            return sent[-1]

        for round_ in range(6):
            one = write("POST", path, {"fields": {"Name": marker(), "N": round_}})
            ten = write("POST", path, {"records": [{"fields": {"Name": marker() if k == 0 else "x"}} for k in range(10)]})
            write("PATCH", base.path("T", one["id"]), {"fields": {"Notes": marker()}})
            write("PUT", base.path("T", one["id"]), {"fields": {"Name": marker()}})
            write("PATCH", path, {"records": [{"id": record["id"], "fields": {"Notes": marker()}}
                                              for record in ten["records"][:1]]})
            write("PATCH", path, {"performUpsert": {"fieldsToMergeOn": ["Name"]},
                                  "records": [{"fields": {"Name": marker()}}]})
            write("DELETE", base.path("T", one["id"]))
            write("DELETE", path, query=[("records[]", record["id"]) for record in ten["records"][:5]])
            wire.call("GET", path).ok()
        write("POST", f"/v0/meta/bases/{base.id}/tables", {"name": marker(), "fields": [text("Name")]})
        write("POST", f"/v0/meta/bases/{base.id}/tables/{base.tables['T']['id']}/fields", text(marker()))

    together(*(lambda n=n: client(n) for n in range(4)))
    leader = server.process.pid
    assert server.stop(timeout=40) == 0
    wait_for_end(trace, leader)
    # The base came before; it is a write as well.
    with open(trace, encoding="utf-8", errors="replace") as lines:
        writes, early = early_answers(lines, server.port)
    assert len(writes) == len(sent) + 1, "the trace does not show every write that was acknowledged"
    return writes, early


@pytest.mark.timeout(240)
def test_no_answer_to_a_write_leaves_before_its_sync(own_server, tmp_path):
    writes, early = traced_run(own_server, tmp_path)
    assert len(writes) > 150
    assert not early, f"{len(early)} of {len(writes)} answers left too early, the first: {early[0].request[:300]}"


@pytest.mark.timeout(240)
def test_the_same_check_fails_when_the_store_does_not_wait_for_the_disk(own_server, tmp_path):
    writes, early = traced_run(own_server, tmp_path, "--test", "--unsafe-synchronous-off")
    assert len(early) == len(writes) > 150


def test_a_store_that_does_not_wait_is_refused_for_a_real_folder(own_server, tmp_path):
    server = own_server()
    server.stop()
    refused = own_server(folder=server.folder, start=False, arguments=["--unsafe-synchronous-off"])
    with pytest.raises(AssertionError, match="did not become ready"):
        refused.start(timeout=10)
    assert 1 <= len(refused.tail().strip().splitlines()) <= 3
    fresh = command("serve", "--data", tmp_path / "fresh", "--listen", "127.0.0.1:0", "--unsafe-synchronous-off", timeout=10)
    assert fresh.returncode != 0
    # A folder with data does not become a test folder by asking.
    late = command("serve", "--data", server.folder, "--listen", "127.0.0.1:0", "--test", "--unsafe-synchronous-off",
                   timeout=10)
    assert late.returncode != 0


# The judge itself, on traces written by hand.

SOCKET = "12<TCP:[127.0.0.1:4000->127.0.0.1:5000]>"
OTHER = "13<TCP:[127.0.0.1:4000->127.0.0.1:5001]>"
WAL = "7</data/rowhouse.db-wal>"
A, B = "mark-" + "a" * 24, "mark-" + "b" * 24


def request(mark, connection=SOCKET, verb="POST", thread=1):
    return f'{thread} recvfrom({connection}, "{verb} /v0/app/T HTTP/1.1\\r\\n\\r\\n{{\\"Name\\":\\"{mark}\\"}}", 8192, 0, NULL, NULL) = 90'


def answer(connection=SOCKET, status=200, thread=1):
    return (f'{thread} sendmsg({connection}, {{msg_name=NULL, msg_iov=[{{iov_base="HTTP/1.1 {status} OK\\r\\n", '
            f'iov_len=17}}], msg_iovlen=1}}, MSG_NOSIGNAL) = 17')


def store(mark, thread=2):
    return f'{thread} pwrite64({WAL}, "\\0\\0{mark}\\0", 4096, 32) = 4096'


def sync(thread=2, file=WAL):
    return f"{thread} fdatasync({file}) = 0"


GOOD = {
    "in order": [request(A), store(A), sync(), answer()],
    "a group of two": [request(A), request(B, OTHER), store(A), store(B), sync(), answer(OTHER), answer()],
    "split calls": [
        f'1 recvfrom({SOCKET}, <unfinished ...>',
        f'1 <... recvfrom resumed>"POST /v0/app/T HTTP/1.1\\r\\n\\r\\n{A}", 8192, 0, NULL, NULL) = 90',
        store(A), f"2 fdatasync({WAL} <unfinished ...>", "3 write(2</dev/null>, \"x\", 1) = 1",
        "2 <... fdatasync resumed>)           = 0", answer()],
    "body behind its head": [
        f'1 recvfrom({SOCKET}, "POST /v0/app/T HTTP/1.1\\r\\n\\r\\n", 8192, 0, NULL, NULL) = 30',
        f'1 recvfrom({SOCKET}, "{A}", 8192, 0, NULL, NULL) = 29', store(A), sync(), answer()],
    "a delete without its marker": [request("", verb="DELETE"), store("x"), sync(), answer()],
    "a refusal needs nothing": [request(A), answer(status=422)],
    "a read needs nothing": [request(A, verb="GET"), answer()],
    "with a time before each": [f"1 1700000000.000001 {line[2:]}" for line in (request(A), store(A), sync(), answer())],
    "one after the other": [request(A), store(A), sync(), answer(), request(B), store(B), sync(), answer()],
}
BAD = {
    "no sync": [request(A), store(A), answer()],
    "sync after the answer": [request(A), store(A), answer(), sync()],
    "sync before the write": [request(A), sync(), store(A), answer()],
    "sync begun before the write": [
        request(A), f"2 fdatasync({WAL} <unfinished ...>", store(A, 3), "2 <... fdatasync resumed>) = 0", answer()],
    "sync not ended at the answer": [
        request(A), store(A), f"2 fdatasync({WAL} <unfinished ...>", answer(), "2 <... fdatasync resumed>) = 0"],
    "sync of another file": [request(A), store(A), sync(file="8</data/rowhouse.db>"), answer()],
    "sync that failed": [request(A), store(A), f"2 fdatasync({WAL}) = -1 EIO (Input/output error)", answer()],
    "another's write": [request(A), request(B, OTHER), store(B), sync(), answer(), store(A), sync()],
    "nothing at all": [request(A), answer()],
    "the second of a connection": [request(A), store(A), sync(), answer(), request(B), answer()],
    "answer begun before the sync ended": [
        request(A), store(A),
        f'1 sendmsg({SOCKET}, {{msg_iov=[{{iov_base="HTTP/1.1 200 OK\\r\\n", iov_len=17}}]}}, 0 <unfinished ...>',
        sync(), "1 <... sendmsg resumed>) = 17"],
}


@pytest.mark.parametrize("name", GOOD)
def test_the_judge_accepts(name):
    lines = GOOD[name]
    writes, early = early_answers(lines, 4000)
    expected = sum(bool(re.search(r"(POST|DELETE) ", line)) for line in lines) if "refusal" not in name else 0
    assert len(writes) == expected and early == []


@pytest.mark.parametrize("name", BAD)
def test_the_judge_refuses(name):
    writes, early = early_answers(BAD[name], 4000)
    assert len(writes) >= 1 and len(early) == 1
