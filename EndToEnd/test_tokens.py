"""Who may do what: scopes, bases, users, and tokens that are taken back."""

import re

import pytest

from harness.base import Base, text
from harness.expected import NO_MODEL, NO_TOKEN, NOT_PERMITTED, check_error
from harness.server import command


@pytest.fixture
def record(base):
    return base.create_records("Things", [{"Name": "a"}])[0]["id"]


# scope: the requests it opens; every other request of the table is closed to it.
def requests(base, record):
    meta = f"/v0/meta/bases/{base.id}/tables"
    table = base.tables["Things"]["id"]
    field = base.field_id("Things", "Notes")
    return {
        "data.records:read": [
            ("GET", base.path("Things"), None), ("POST", base.path("Things") + "/listRecords", {}),
            ("GET", base.path("Things", record), None)],
        "data.records:write": [
            ("POST", base.path("Things"), {"fields": {}}), ("POST", base.path("Things"), {"records": [{"fields": {}}]}),
            ("PATCH", base.path("Things", record), {"fields": {}}), ("PUT", base.path("Things", record), {"fields": {}}),
            ("PATCH", base.path("Things"), {"records": [{"id": record, "fields": {}}]}),
            ("PUT", base.path("Things"), {"records": [{"id": record, "fields": {}}]}),
            ("DELETE", base.path("Things") + "?records[]={spare}", None), ("DELETE", base.path("Things", "{spare}"), None)],
        "schema.bases:read": [("GET", meta, None)],
        "schema.bases:write": [
            ("POST", meta, {"name": "New {n}", "fields": [text("Name")]}), ("PATCH", f"{meta}/{table}", {"description": "d"}),
            ("POST", f"{meta}/{table}/fields", text("New {n}")), ("PATCH", f"{meta}/{table}/fields/{field}", {"name": "N {n}"})],
    }


SCOPES = ["data.records:read", "data.records:write", "schema.bases:read", "schema.bases:write"]


def filled(value, **names):
    if isinstance(value, str):
        for name, text_ in names.items():
            value = value.replace("{" + name + "}", text_)
        return value
    if isinstance(value, dict):
        return {key: filled(one, **names) for key, one in value.items()}
    return value


@pytest.mark.parametrize("granted", [[one] for one in SCOPES] + [SCOPES[:2], SCOPES[1:], ["webhook:manage"]],
                         ids=lambda scopes: "+".join(scopes))
def test_a_scope_opens_its_own_requests_and_no_other(server, base, record, granted):
    limited = server.wire(server.token(scopes=",".join(granted)))
    for scope, list_ in requests(base, record).items():
        for n, (method, path, body) in enumerate(list_):
            spare = base.create_records("Things", [{"Name": "spare"}])[0]["id"]
            path, body = filled(path, spare=spare), filled(body, n=str(n))
            before = base.list("Things"), base.schema()
            answer = limited.call(method, path, body)
            if scope in granted:
                assert answer.status == 200, f"{method} {path} with {granted}: {answer}"
            else:
                check_error(answer, NOT_PERMITTED)
                assert (base.list("Things"), base.schema()) == before
    assert limited.call("GET", "/v0/meta/whoami").status == 200, "whoami needs no scope"
    listing = limited.call("GET", "/v0/meta/bases")
    if "schema.bases:read" in granted:
        assert base.id in [one["id"] for one in listing.ok()["bases"]]
    else:
        check_error(listing, NOT_PERMITTED)
    making = limited.call("POST", "/v0/meta/bases", {
        "name": "x", "workspaceId": "wspAAAAAAAAAAAAAA", "tables": [{"name": "T", "fields": [text("Name")]}]})
    if "schema.bases:write" in granted:
        assert making.ok()["id"].startswith("app")
    else:
        check_error(making, NOT_PERMITTED)


def test_the_scope_is_judged_before_the_body_and_after_the_base(server, base):
    reader = server.wire(server.token(scopes="data.records:read"))
    check_error(reader.call("POST", base.path("Things"), "not JSON"), NOT_PERMITTED)
    check_error(reader.call("POST", base.path("Things"), {"fields": {"Nope": 1}}), NOT_PERMITTED)
    check_error(reader.call("POST", base.path("Nothing"), {"fields": {}}), NO_MODEL)


def test_a_token_for_some_bases_sees_no_other(server, make_base):
    one, two, three = (make_base([{"name": "Things", "fields": [text("Name")]}], name=f"B{n}") for n in range(3))
    record = three.create_records("Things", [{"Name": "x"}])[0]["id"]
    limited = server.wire(server.token(bases=f"{one.id},{two.id}"))
    assert {base["id"] for base in limited.call("GET", "/v0/meta/bases").ok()["bases"]} == {one.id, two.id}
    for base in (one, two):
        assert limited.call("POST", base.path("Things"), {"fields": {"Name": "y"}}).ok()["fields"] == {"Name": "y"}
        assert limited.call("GET", f"/v0/meta/bases/{base.id}/tables").status == 200
    for method, path, body in (
            ("GET", three.path("Things"), None), ("GET", three.path("Things", record), None),
            ("POST", three.path("Things"), {"fields": {}}), ("DELETE", three.path("Things", record), None),
            ("GET", f"/v0/meta/bases/{three.id}/tables", None), ("DELETE", f"/v0/meta/bases/{three.id}", None),
            ("GET", f"/v0/meta/bases/{three.id}", None), ("POST", three.path("Things") + "/listRecords", {}),
            ("POST", f"/v0/meta/bases/{three.id}/tables", {"name": "N", "fields": [text("Name")]})):
        check_error(limited.call(method, path, body), NO_MODEL)
    # The record's own table counts, not the path by which it is asked for.
    assert limited.call("GET", one.path("Things", record)).status == 404
    assert three.list("Things")[0]["id"] == record


def test_scopes_and_bases_limit_together(server, make_base):
    one, two = (make_base([{"name": "Things", "fields": [text("Name")]}]) for _ in range(2))
    limited = server.wire(server.token(bases=one.id, scopes="data.records:read"))
    assert limited.call("GET", one.path("Things")).ok() == {"records": []}
    check_error(limited.call("POST", one.path("Things"), {"fields": {}}), NOT_PERMITTED)
    check_error(limited.call("GET", two.path("Things")), NO_MODEL)


def test_a_revoked_token_is_refused_on_the_very_next_request(server, base):
    token = server.token(name="short-lived")
    wire = server.wire(token)
    assert wire.call("GET", base.path("Things")).status == 200
    done = command("token", "revoke", "--data", server.folder, token.split(".")[0])
    assert done.returncode == 0, done.stderr
    check_error(wire.call("GET", base.path("Things"), once=True), NO_TOKEN)
    check_error(server.wire(token).call("POST", base.path("Things"), {"fields": {}}), NO_TOKEN)
    assert server.wire(server.all_rights).call("GET", base.path("Things")).status == 200


def test_a_token_has_the_form_that_clients_know_and_no_two_are_equal(server):
    tokens = {server.token() for _ in range(3)}
    assert len(tokens) == 3
    for token in tokens:
        assert re.fullmatch(r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}", token)


def test_the_folder_holds_no_token(server):
    token = server.token().split(".")[1].encode()
    for file in server.folder.rglob("*"):
        if file.is_file():
            data = file.read_bytes()
            assert token not in data and bytes.fromhex(token.decode()) not in data, file


def test_whoami_tells_the_user_of_the_token_and_a_personal_token_tells_no_scopes(server):
    user = server.user("who@example.org", "Who")
    everything = server.wire(server.token(user=user)).call("GET", "/v0/meta/whoami").ok()
    assert everything["id"] == user and everything.get("email", "who@example.org") == "who@example.org"
    assert "scopes" not in everything
    no_mail = server.wire(server.token(user=user, scopes="data.records:read")).call("GET", "/v0/meta/whoami").ok()
    assert no_mail == {"id": user}
    with_mail = server.wire(server.token(user=user, scopes="user.email:read")).call("GET", "/v0/meta/whoami").ok()
    assert with_mail == {"id": user, "email": "who@example.org"}


def test_tokens_and_users_are_made_while_the_server_runs_and_while_it_does_not(own_server):
    server = own_server()
    running = server.token()
    user = server.user("a@example.org", "A")
    assert server.stop() == 0
    stopped = server.token(user=user)
    second = server.user("b@example.org", "B")
    server.start()
    also = server.token(user=second)
    for token in (running, stopped, also):
        assert server.wire(token).call("GET", "/v0/meta/whoami").status == 200
    assert server.wire(stopped).call("GET", "/v0/meta/whoami").ok()["id"] == user
    assert command("token", "revoke", "--data", server.folder, running.split(".")[0]).returncode == 0
    assert server.wire(running).call("GET", "/v0/meta/whoami").status == 401


def test_a_token_revoked_while_the_server_is_down_stays_revoked(own_server):
    server = own_server()
    token = server.token()
    server.stop()
    assert command("token", "revoke", "--data", server.folder, token.split(".")[0]).returncode == 0
    server.start()
    check_error(server.wire(token).call("GET", "/v0/meta/whoami"), NO_TOKEN)


@pytest.mark.parametrize("arguments", [
    ["token", "create", "--user", "usrAAAAAAAAAAAAAA"], ["token", "create", "--scopes", "nonsense"],
    ["token", "create", "--bases", "appAAAAAAAAAAAAAA"], ["token", "revoke", "patAAAAAAAAAAAAAA"],
    ["user", "create", "--name", "x"], ["token", "nonsense"], ["nonsense"], ["token", "create", "--nonsense", "x"]])
def test_a_wrong_command_says_so_in_one_line_and_fails(server, arguments):
    done = command(*arguments, "--data", server.folder)
    assert done.returncode != 0 and done.stdout == ""
    assert 1 <= len(done.stderr.strip().splitlines()) <= 3 and len(done.stderr.strip().splitlines()[0]) > 5


def test_two_servers_on_one_folder_are_refused(own_server):
    first = own_server()
    second = own_server(folder=first.folder, start=False)
    with pytest.raises(AssertionError, match="did not become ready"):
        second.start(timeout=10)
    assert first.alive and first.wire(first.token()).call("GET", "/v0/meta/whoami").status == 200


def test_the_folder_and_what_is_in_it_belong_to_its_owner_alone(server):
    assert server.folder.stat().st_mode & 0o777 == 0o700
    for file in server.folder.rglob("*"):
        assert file.is_dir() or file.stat().st_mode & 0o077 == 0 or not file.is_socket()


def test_a_base_made_while_running_is_seen_at_once_by_a_token_for_all(server):
    wire = server.wire(server.token())
    base = Base.create(server.wire(server.all_rights), [{"name": "T", "fields": [text("Name")]}])
    assert wire.call("GET", base.path("T")).ok() == {"records": []}
