"""Many clients at once, and clients that vanish."""

import http.client
import json
import socket
import struct
import threading
import time

import pytest

from harness.base import Base, number, text
from harness.load import together


def test_two_clients_editing_different_fields_of_one_record_lose_nothing(server, make_base):
    base = make_base([{"name": "T", "fields": [text("Name"), number("A"), number("B")]}])
    record = base.create_records("T", [{"Name": "kept", "A": 0, "B": 0}])[0]["id"]
    rounds = 150

    def edit(mine, other):
        wire, last = server.wire(server.all_rights), 0
        for n in range(1, rounds + 1):
            if n % 2:
                answer = wire.call("PATCH", base.path("T", record), {"fields": {mine: n}}).ok()
            else:
                body = {"records": [{"id": record, "fields": {mine: n}}]}
                answer = wire.call("PATCH", base.path("T"), body).ok()["records"][0]
            assert answer["fields"][mine] == n and answer["fields"]["Name"] == "kept"
            assert answer["fields"][other] >= last, "the other client's edit was undone"
            last = answer["fields"][other]

    together(lambda: edit("A", "B"), lambda: edit("B", "A"))
    assert base.get("T", record)["fields"] == {"Name": "kept", "A": rounds, "B": rounds}


@pytest.mark.timeout(180)
def test_32_clients_upserting_one_key_50_times_each_make_one_record(server, make_base):
    base = make_base([{"name": "T", "fields": [text("Key"), number("Client"), number("Round")]}])
    created, updated = [], []

    def client(number_):
        wire = server.wire(server.all_rights)
        for round_ in range(50):
            body = {"performUpsert": {"fieldsToMergeOn": ["Key"]},
                    "records": [{"fields": {"Key": "the one", "Client": number_, "Round": round_}}]}
            answer = wire.call("PATCH", base.path("T"), body).ok()
            created.extend(answer["createdRecords"])
            updated.extend(answer["updatedRecords"])
            assert answer["records"][0]["fields"] == {"Key": "the one", "Client": number_, "Round": round_}

    together(*(lambda n=n: client(n) for n in range(32)))
    records = base.list("T")
    assert len(records) == 1
    assert created == [records[0]["id"]]
    assert updated == created * (32 * 50 - 1)
    assert records[0]["fields"]["Round"] == 49, "the last write is some client's last round"


def test_clients_upserting_by_two_fields_make_one_record_a_pair(server, make_base):
    base = make_base([{"name": "T", "fields": [text("Owner"), text("Day"), number("N")]}])

    def client(n):
        wire = server.wire(server.all_rights)
        for round_ in range(20):
            rows = [{"fields": {"Owner": f"o{(n + round_ + k) % 4}", "Day": f"d{k % 3}", "N": n}} for k in range(3)]
            wire.call("PUT", base.path("T"), {"performUpsert": {"fieldsToMergeOn": ["Owner", "Day"]}, "records": rows}).ok()

    together(*(lambda n=n: client(n) for n in range(8)))
    pairs = [(record["fields"]["Owner"], record["fields"]["Day"]) for record in base.list("T")]
    assert len(pairs) == len(set(pairs)) == 12


def test_a_reader_never_sees_part_of_a_batch(server, make_base):
    base = make_base([{"name": "T", "fields": [text("Batch"), number("Version")]}])
    first = base.create_records("T", [{"Batch": "steady", "Version": 0} for _ in range(10)])
    done = threading.Event()

    def writer():
        wire = server.wire(server.all_rights)
        try:
            for n in range(1, 60):
                rows = [{"id": record["id"], "fields": {"Version": n}} for record in first]
                wire.call("PATCH", base.path("T"), {"records": rows}).ok()
                made = wire.call("POST", base.path("T"), {"records": [{"fields": {"Batch": f"b{n}"}}] * 10}).ok()
                wire.call("DELETE", base.path("T"), query=[("records[]", one["id"]) for one in made["records"]]).ok()
        finally:
            done.set()

    def reader():
        wire = server.wire(server.all_rights)
        while not done.is_set():
            batches = {}
            for record in wire.call("GET", base.path("T"), query="pageSize=100").ok()["records"]:
                batches.setdefault(record["fields"]["Batch"], []).append(record["fields"].get("Version"))
            versions = batches.pop("steady")
            assert len(versions) == 10 and len(set(versions)) == 1, versions
            assert all(len(batch) == 10 for batch in batches.values()), batches

    together(writer, reader, reader, reader)


def test_records_created_by_many_clients_have_ids_of_their_own_that_sort_by_time(server, make_base):
    base = make_base([{"name": "T", "fields": [text("Name"), {"name": "Auto", "type": "autoNumber"}]}])
    lists = [[] for _ in range(8)]

    def client(mine):
        wire = server.wire(server.all_rights)
        for _ in range(15):
            made = wire.call("POST", base.path("T"), {"records": [{"fields": {"Name": "x"}}] * 10}).ok()["records"]
            mine.extend(made)

    together(*(lambda mine=mine: client(mine) for mine in lists))
    for mine in lists:
        assert [record["id"] for record in mine] == sorted(record["id"] for record in mine)
    listed = base.list("T")
    assert len(listed) == len({record["id"] for record in listed}) == 8 * 150
    assert sorted(record["fields"]["Auto"] for record in listed) == list(range(1, 1201))


def test_schema_may_change_while_records_are_written(server, make_base):
    base = make_base([{"name": "T", "fields": [text("Name")]}])
    table = base.tables["T"]["id"]

    def builder():
        wire = server.wire(server.all_rights)
        for n in range(15):
            made = wire.call("POST", f"/v0/meta/bases/{base.id}/tables/{table}/fields", number(f"N{n}")).ok()
            wire.call("PATCH", f"/v0/meta/bases/{base.id}/tables/{table}/fields/{made['id']}", {"name": f"M{n}"}).ok()

    def writer(tag):
        wire = server.wire(server.all_rights)
        for n in range(60):
            made = wire.call("POST", base.path("T"), {"fields": {"Name": f"{tag}{n}"}}).ok()
            assert wire.call("GET", base.path("T", made["id"])).ok() == made

    together(builder, lambda: writer("a"), lambda: writer("b"))
    assert len(base.list("T")) == 120
    assert [one["name"] for one in base.schema()[0]["fields"]] == ["Name", *(f"M{n}" for n in range(15))]


def head(server, base, length):
    return (f"POST {base.path('Things')} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {server.all_rights}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n").encode()


@pytest.mark.parametrize("reset", [False, True], ids=["closing", "resetting"])
def test_a_client_that_vanishes_in_the_middle_of_its_body_writes_nothing(server, base, reset):
    body = json.dumps({"records": [{"fields": {"Name": "never"}}] * 10}).encode()
    for sent in [0, 1, len(body) // 2, len(body) - 1] * 15:
        sock = socket.create_connection((server.host, server.port), timeout=5)
        if reset:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        sock.sendall(head(server, base, len(body)) + body[:sent])
        sock.close()
    made = base.create_records("Things", [{"Name": "after"}])
    assert base.list("Things") == made


def test_a_client_that_leaves_before_its_answer_leaves_all_or_nothing(server, base):
    body = json.dumps({"records": [{"fields": {"Name": "x"}}] * 10}).encode()
    for _ in range(40):
        sock = socket.create_connection((server.host, server.port), timeout=5)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        sock.sendall(head(server, base, len(body)) + body)
        sock.close()
    deadline = time.monotonic() + 10
    while (count := len(base.list("Things"))) < 400 and time.monotonic() < deadline:
        time.sleep(0.3)
        if len(base.list("Things")) == count:
            break
    assert len(base.list("Things")) % 10 == 0


def test_a_body_sent_in_pieces_is_read_to_its_end(server, base):
    body = json.dumps({"fields": {"Name": "茶😀" * 10}}, ensure_ascii=False).encode()
    with socket.create_connection((server.host, server.port), timeout=10) as sock:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for n in range(0, len(data := head(server, base, len(body)) + body), 7):
            sock.sendall(data[n:n + 7])
        answer = sock.recv(65536)
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert base.list("Things")[0]["fields"] == {"Name": "茶😀" * 10}


def test_requests_sent_without_waiting_are_answered_in_turn(server, base):
    made = base.create_records("Things", [{"Name": str(n)} for n in range(5)])
    request = "GET {} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + server.all_rights + "\r\n\r\n"
    data = "".join(request.format(base.path("Things", record["id"])) for record in made)
    data += request.format("/v0/nonsense").replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")
    with socket.create_connection((server.host, server.port), timeout=10) as sock:
        sock.sendall(data.encode())
        received = b""
        while chunk := sock.recv(65536):
            received += chunk
    places = [received.index(record["id"].encode()) for record in made]
    assert places == sorted(places) and received.count(b"HTTP/1.1 200 ") == 5 and received.count(b"HTTP/1.1 404 ") == 1


def test_a_server_asked_to_end_finishes_what_it_has_begun(own_server):
    server = own_server()
    token = server.token()
    base = Base.create(server.wire(token), [{"name": "T", "fields": [text("Name")]}])
    acknowledged, refused = [], []

    def writer():
        wire = server.wire(token)
        while True:
            try:
                made = wire.call("POST", base.path("T"), {"records": [{"fields": {"Name": "x"}}] * 10}, once=True)
            except (OSError, http.client.HTTPException):
                return
            if made.status == 200:
                acknowledged.extend(record["id"] for record in made.json["records"])
            else:
                refused.append(made)

    threads = [threading.Thread(target=writer, daemon=True) for _ in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(0.5)
    assert server.stop() == 0
    for thread in threads:
        thread.join(10)
    assert {answer.status for answer in refused} <= {503}, str(refused[0])
    server.start()
    wire = server.wire(token)
    kept = {record["id"] for record in base.list("T", wire=wire)}
    assert set(acknowledged) <= kept and len(acknowledged) > 20 and len(kept) % 10 == 0
