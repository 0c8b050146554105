"""Idempotency-Key: the same key and body again give the same answer and do nothing twice."""

import threading

import pytest

from harness.base import Base, text
from harness.expected import REFUSED, check_error


def send(wire, method, path, body, key, query=None):
    return wire.call(method, path, body, query=query, headers={"Idempotency-Key": key})


def test_a_create_sent_again_gives_the_same_answer_and_one_record(wire, base):
    first = send(wire, "POST", base.path("Things"), {"fields": {"Name": "a"}}, "k1")
    again = send(wire, "POST", base.path("Things"), {"fields": {"Name": "a"}}, "k1")
    assert first.ok() == again.ok() and first.body == again.body
    assert base.list("Things") == [first.json]
    other = send(wire, "POST", base.path("Things"), {"fields": {"Name": "a"}}, "k2").ok()
    assert other["id"] != first.json["id"] and len(base.list("Things")) == 2


def test_every_kind_of_write_is_done_once(wire, base):
    path = base.path("Things")
    one, two = base.create_records("Things", [{"Name": "a"}, {"Name": "b"}])
    meta = f"/v0/meta/bases/{base.id}/tables"
    table = base.tables["Things"]["id"]
    writes = [
        ("POST", path, {"records": [{"fields": {"Name": "c"}}] * 3}, None),
        ("PATCH", path, {"records": [{"id": one["id"], "fields": {"Notes": "n"}}]}, None),
        ("PUT", path, {"records": [{"id": one["id"], "fields": {"Name": "d"}}]}, None),
        ("PATCH", base.path("Things", one["id"]), {"fields": {"Notes": "m"}}, None),
        ("PUT", base.path("Things", one["id"]), {"fields": {"Name": "e"}}, None),
        ("PATCH", path, {"performUpsert": {"fieldsToMergeOn": ["Name"]}, "records": [{"fields": {"Name": "u"}}]}, None),
        ("DELETE", path, None, [("records[]", one["id"])]),
        ("DELETE", base.path("Things", two["id"]), None, None),
        ("POST", meta, {"name": "New", "fields": [text("Name")]}, None),
        ("POST", f"{meta}/{table}/fields", text("New"), None)]
    for n, (method, target, body, query) in enumerate(writes):
        first = send(wire, method, target, body, f"w{n}", query)
        assert first.status == 200, f"{method} {target}: {first}"
        state = base.list("Things"), base.schema()
        again = send(wire, method, target, body, f"w{n}", query)
        assert (again.status, again.body) == (200, first.body), f"{method} {target}"
        assert (base.list("Things"), base.schema()) == state, f"{method} {target}"


def test_a_write_that_ends_what_its_path_names_is_answered_again(wire):
    base = Base.create(wire, [{"name": name, "fields": [text("Name")]} for name in ("One", "Two", "Three")])
    meta = f"/v0/meta/bases/{base.id}"
    writes = [
        ("POST", base.path("One"), {"fields": {"Name": "a"}}),
        ("PATCH", f"{meta}/tables/One", {"name": "Other"}),
        ("DELETE", f"{meta}/tables/Two", None),
        ("DELETE", f"{meta}/tables/{base.tables['Three']['id']}", None),
        ("DELETE", meta, None)]
    answers = [send(wire, method, path, body, f"{base.id} {n}") for n, (method, path, body) in enumerate(writes)]
    assert [answer.status for answer in answers] == [200] * len(writes)
    for n, (method, path, body) in enumerate(writes):
        again = send(wire, method, path, body, f"{base.id} {n}")
        assert (again.status, again.body) == (200, answers[n].body), f"{method} {path}"
        # Another body or no key: what there is not cannot be written to.
        assert send(wire, method, path, {"fields": {}, "name": "x"}, f"{base.id} {n}").status == 403
        assert wire.call(method, path, body).status == 403


def test_another_token_gets_no_answer_that_it_was_not_given(server, wire, base):
    limited = server.wire(server.token(scopes="data.records:read", bases=base.id))
    wire.call("DELETE", f"/v0/meta/bases/{base.id}").ok()
    path = f"/v0/meta/trash/{base.id}/restore"
    send(wire, "POST", path, None, f"r {base.id}").ok()
    assert send(limited, "POST", path, None, f"r {base.id}").status == 403


def test_the_same_key_with_another_request_is_refused(wire, base):
    path = base.path("Things")
    made = send(wire, "POST", path, {"fields": {"Name": "a"}}, "k").ok()
    check_error(send(wire, "POST", path, {"fields": {"Name": "b"}}, "k"), REFUSED)
    assert base.list("Things") == [made]


@pytest.mark.parametrize("key", ["x" * 255, "k/ü", "a b \"c\" {d};", "0"])
def test_any_key_of_up_to_255_characters_is_taken(wire, base, key):
    first = send(wire, "POST", base.path("Things"), {"fields": {"Name": "a"}}, key).ok()
    assert send(wire, "POST", base.path("Things"), {"fields": {"Name": "a"}}, key).ok() == first
    assert len(base.list("Things")) == 1


def test_a_longer_key_is_refused(wire, base):
    check_error(send(wire, "POST", base.path("Things"), {"fields": {"Name": "a"}}, "x" * 256), REFUSED)
    assert base.list("Things") == []


def test_a_refused_request_leaves_its_key_free(wire, base):
    check_error(send(wire, "POST", base.path("Things"), {"fields": {"Nope": "a"}}, "k"), REFUSED)
    check_error(send(wire, "POST", base.path("Things"), {"fields": {"Nope": "a"}}, "k"), REFUSED)
    assert base.list("Things") == []


def test_the_answer_is_kept_through_a_crash(own_server):
    server = own_server()
    token = server.token()
    base = Base.create(server.wire(token), [{"name": "T", "fields": [text("Name")]}])
    first = send(server.wire(token), "POST", base.path("T"), {"fields": {"Name": "a"}}, "k")
    first.ok()
    server.restart()
    again = send(server.wire(token), "POST", base.path("T"), {"fields": {"Name": "a"}}, "k")
    assert (again.status, again.body) == (200, first.body)
    assert server.wire(token).call("GET", base.path("T")).ok() == {"records": [first.json]}


def test_many_at_once_with_one_key_make_one_record(server, base):
    answers, start = [], threading.Barrier(16)

    def run():
        wire = server.wire(server.all_rights)
        wire.connect()
        start.wait(10)
        answers.append(send(wire, "POST", base.path("Things"), {"fields": {"Name": "a"}}, f"many {base.id}"))

    threads = [threading.Thread(target=run) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 16
    assert {answer.status for answer in answers} == {200} and len({answer.body for answer in answers}) == 1
    assert len(base.list("Things")) == 1


def test_a_key_of_another_user_is_another_key(server, wire, base):
    other = server.wire(server.token(user=server.user(f"{base.id.lower()}@example.org", "Other")))
    first = send(wire, "POST", base.path("Things"), {"fields": {"Name": "a"}}, f"two {base.id}").ok()
    second = send(other, "POST", base.path("Things"), {"fields": {"Name": "b"}}, f"two {base.id}").ok()
    assert [first, second] == base.list("Things")
