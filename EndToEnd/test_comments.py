"""Comments on records: who may write what, mentions, replies, pages, counts, and texts meant to hurt."""

import http.client
import random
import re
import sqlite3
import time
from datetime import datetime

import pytest

from harness.base import Base, text
from harness.database import check_integrity
from harness.expected import NO_MODEL, NO_RECORD, NOT_PERMITTED, REFUSED, Expected, check_error
from harness.load import together

NO_COMMENT = Expected(404, "MODEL_ID_NOT_FOUND", "Comment not found")
MILLISECONDS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@pytest.fixture
def record(base):
    return base.create_records("Things", [{"Name": "a"}])[0]["id"]


@pytest.fixture
def comments(base, record):
    return Comments(base, record)


class Comments:
    """The comments of one record, by one connection or another."""

    def __init__(self, base, record):
        self.base, self.record, self.path = base, record, base.path("Things", record) + "/comments"

    def add(self, text_, parent=None, wire=None, **more):
        body = {"text": text_, **({"parentCommentId": parent} if parent else {})}
        return (wire or self.base.wire).call("POST", self.path, body, **more).ok()

    def list(self, size=None, wire=None):
        """Every comment of every page, in order, and how many pages there were."""
        found, offset, pages = [], None, 0
        while True:
            query = ([("pageSize", size)] if size else []) + ([("offset", offset)] if offset else [])
            page = (wire or self.base.wire).call("GET", self.path, query=query).ok()
            assert set(page) == {"comments", "offset"}, "the offset of the last page is there, and null"
            found += page["comments"]
            pages += 1
            offset = page["offset"]
            if offset is None:
                return found, pages

    def all(self, **more):
        return self.list(**more)[0]

    def texts(self):
        return [comment["text"] for comment in self.all()]

    def count(self):
        query = [("recordMetadata[]", "commentCount")]
        counted = {one["id"]: one["commentCount"] for one in self.base.list("Things", query)}
        return counted.get(self.record)


def other_user(server, base, name="Other", **options):
    """A user of the test's own, and a connection with a token of theirs."""
    email = f"{name.lower()}-{base.id.lower()}@example.org"
    user = server.user(email, name)
    return {"id": user, "email": email, "name": name}, server.wire(server.token(user=user, **options))


def me(wire):
    return wire.call("GET", "/v0/meta/whoami").ok()


def settled(comment):
    """The comment as later answers show it: its creation in whole seconds."""
    return {**comment, "createdTime": comment["createdTime"][:-4] + "000Z"}


# Writing and reading


def test_a_comment_is_written_read_changed_and_deleted(wire, comments):
    assert wire.call("GET", comments.path).ok() == {"comments": [], "offset": None}
    before = datetime.now().timestamp()
    made = comments.add("hello")
    assert list(made) == ["id", "author", "text", "createdTime", "lastUpdatedTime"]
    assert re.fullmatch(r"com[A-Za-z0-9]{14}", made["id"])
    assert made["text"] == "hello" and made["lastUpdatedTime"] is None
    assert made["author"]["id"] == me(wire)["id"] and made["author"]["email"] == me(wire)["email"]
    assert MILLISECONDS.fullmatch(made["createdTime"])
    at = datetime.fromisoformat(made["createdTime"]).timestamp()
    assert before - 0.01 <= at <= datetime.now().timestamp() + 0.01
    assert comments.all() == [settled(made)]

    changed = wire.call("PATCH", f"{comments.path}/{made['id']}", {"text": "bye"}).ok()
    assert MILLISECONDS.fullmatch(changed["lastUpdatedTime"])
    assert datetime.fromisoformat(changed["lastUpdatedTime"]) >= datetime.fromisoformat(made["createdTime"])
    assert changed == {**settled(made), "text": "bye", "lastUpdatedTime": changed["lastUpdatedTime"]}
    assert comments.all() == [changed]
    assert wire.call("PATCH", f"{comments.path}/{made['id']}", {"text": "bye"}).ok() == changed, "nothing changed"

    assert wire.call("DELETE", f"{comments.path}/{made['id']}").ok() == {"id": made["id"], "deleted": True}
    assert comments.all() == []
    for method, body in (("DELETE", None), ("PATCH", {"text": "x"})):
        check_error(wire.call(method, f"{comments.path}/{made['id']}", body), NO_COMMENT)


def test_createdTime_has_milliseconds_only_in_the_answer_to_its_creation(comments):
    made = [comments.add(str(n)) for n in range(8) if not time.sleep(0.013)]
    assert any(not one["createdTime"].endswith(".000Z") for one in made)
    assert comments.all() == [settled(one) for one in reversed(made)]


def test_the_newest_comes_first_and_pages_go_on_where_they_left_off(wire, comments):
    made = [comments.add(f"comment {n}") for n in range(23)]
    expected = [settled(one) for one in reversed(made)]
    for size, pages in ((None, 1), (100, 1), (23, 1), (22, 2), (10, 3), (1, 23)):
        assert comments.list(size=size) == (expected, pages), f"pageSize {size}"
    first = wire.call("GET", comments.path, query=[("pageSize", "10")]).ok()
    assert re.fullmatch(r"[A-Za-z0-9_-]+=*", first["offset"])
    # What is written meanwhile is newer than any page to come; what is deleted is missed.
    comments.add("newer")
    wire.call("DELETE", f"{comments.path}/{first['comments'][9]['id']}").ok()
    wire.call("DELETE", f"{comments.path}/{expected[12]['id']}").ok()
    second = wire.call("GET", comments.path, query=[("pageSize", "10"), ("offset", first["offset"])]).ok()
    assert second["comments"] == expected[10:12] + expected[13:21]


def test_two_records_have_their_own_comments(wire, base, comments):
    other = Comments(base, base.create_records("Things", [{"Name": "b"}])[0]["id"])
    mine, theirs = comments.add("mine"), other.add("theirs")
    assert (comments.texts(), other.texts()) == (["mine"], ["theirs"])
    for method, body in (("PATCH", {"text": "x"}), ("DELETE", None)):
        check_error(wire.call(method, f"{comments.path}/{theirs['id']}", body), NO_COMMENT)
    check_error(wire.call("POST", comments.path, {"text": "x", "parentCommentId": theirs["id"]}), NO_COMMENT)
    assert comments.all() == [settled(mine)] and other.all() == [settled(theirs)]
    # An offset says where, the path says of what.
    comments.add("second")
    offset = wire.call("GET", comments.path, query=[("pageSize", "1")]).ok()["offset"]
    for comment in wire.call("GET", other.path, query=[("offset", offset)]).ok()["comments"]:
        assert comment["text"] == "theirs"


def test_a_table_may_be_named_or_given_by_id_and_paths_may_end_in_a_slash(wire, base, comments):
    made = comments.add("x")
    by_id = f"/v0/{base.id}/{base.tables['Things']['id']}/{comments.record}/comments"
    for path in (by_id, by_id + "/", comments.path + "/", comments.path + "/?", comments.path + "?unknown=1&offset="):
        assert wire.call("GET", path).ok()["comments"] == [settled(made)]
    assert wire.call("PATCH", f"{by_id}/{made['id']}/", {"text": "y", "unknown": [1]}).ok()["text"] == "y"


# Mentions and replies


def test_mentions_by_id_and_by_address_are_kept_as_ids(server, base, comments):
    ann, _ = other_user(server, base, "Ann")
    ben, _ = other_user(server, base, "Ben")
    cases = [
        (f"hi @[{ann['id']}]!", f"hi @[{ann['id']}]!", [ann]),
        (f"hi @[{ann['email']}]!", f"hi @[{ann['id']}]!", [ann]),
        (f"@[{ben['email'].upper()}]@[{ann['id']}]@[{ben['id']}]", f"@[{ben['id']}]@[{ann['id']}]@[{ben['id']}]", [ben, ann]),
        (f"@[@[{ann['email']}]]", f"@[@[{ann['id']}]]", [ann]),
        (f"茶@[{ann['email']}]🫖", f"茶@[{ann['id']}]🫖", [ann]),
        (f"@ [{ann['email']}] @[ {ann['email']}] @{ann['id']} {ann['email']}", None, []),
        ("@[nobody@example.org] @[usrAAAAAAAAAAAAAA] @[] @[", None, []),
        (f"@[{ann['email']}", None, []), (f"@[{ann['email']}\\]", None, []),
    ]
    for written, kept, people in cases:
        made = comments.add(written)
        assert made["text"] == (written if kept is None else kept), written
        mentioned = {one["id"]: {"type": "user", "id": one["id"], "displayName": one["name"], "email": one["email"]}
                     for one in people}
        assert made.get("mentioned") == (mentioned or None), written
        assert list(made.get("mentioned", {})) == list(mentioned), "in the order of the text"
        assert comments.all()[0] == settled(made)
        again = comments.add(made["text"])
        assert (again["text"], again.get("mentioned")) == (made["text"], made.get("mentioned")), "a round trip"
    changed = base.wire.call("PATCH", f"{comments.path}/{made['id']}", {"text": f"@[{ben['email']}]"}).ok()
    assert changed["text"] == f"@[{ben['id']}]" and list(changed["mentioned"]) == [ben["id"]]


def test_replies_are_one_level_deep(wire, comments):
    first = comments.add("first")
    answer = comments.add("answer", parent=first["id"])
    assert answer["parentCommentId"] == first["id"] and "parentCommentId" not in first
    deeper = comments.add("answer to the answer", parent=answer["id"])
    assert deeper["parentCommentId"] == first["id"]
    assert comments.all() == [settled(deeper), settled(answer), settled(first)] and comments.count() == 3
    changed = wire.call("PATCH", f"{comments.path}/{answer['id']}", {"text": "x", "parentCommentId": deeper["id"]}).ok()
    assert changed["parentCommentId"] == first["id"], "a comment stays in its thread"
    wire.call("DELETE", f"{comments.path}/{first['id']}").ok()
    assert [one["parentCommentId"] for one in comments.all()] == [first["id"]] * 2, "the answers of others stay"
    check_error(wire.call("POST", comments.path, {"text": "x", "parentCommentId": first["id"]}), NO_COMMENT)
    assert comments.add("on", parent=deeper["id"])["parentCommentId"] == first["id"]
    assert comments.add("none", parent=None).get("parentCommentId") is None
    assert "parentCommentId" not in wire.call("POST", comments.path, {"text": "x", "parentCommentId": None}).ok()


# Rights


def test_only_the_author_changes_a_comment(server, wire, base, comments):
    ann, theirs = other_user(server, base, "Ann")
    mine = comments.add("mine")
    hers = comments.add("hers", wire=theirs)
    assert hers["author"] == ann
    for connection, comment in ((theirs, mine), (wire, hers)):
        for method, body in (("PATCH", {"text": "x"}), ("DELETE", None)):
            check_error(connection.call(method, f"{comments.path}/{comment['id']}", body), NOT_PERMITTED)
    assert comments.all() == [settled(hers), settled(mine)] and comments.count() == 2
    assert comments.add("an answer", parent=mine["id"], wire=theirs)["parentCommentId"] == mine["id"]
    assert theirs.call("PATCH", f"{comments.path}/{hers['id']}", {"text": "x"}).ok()["text"] == "x"
    # Another token of the same person is the same person.
    again = server.wire(server.token(user=ann["id"], scopes="data.recordComments:write"))
    assert again.call("DELETE", f"{comments.path}/{hers['id']}").ok()["deleted"] is True


def test_reading_and_writing_have_their_own_scopes(server, comments):
    calls = {"read": [("GET", "", None)],
             "write": [("POST", "", {"text": "y"}), ("PATCH", "/{own}", {"text": "z"}), ("DELETE", "/{own}", None)]}
    for scopes, granted in (
            ("data.recordComments:read", ["read"]), ("data.recordComments:write", ["write"]),
            ("data.records:read,data.records:write,schema.bases:write", []),
            ("data.recordComments:read,data.recordComments:write", ["read", "write"])):
        limited = server.wire(server.token(scopes=scopes))
        for kind, requests in calls.items():
            own = comments.add("x")["id"]
            for method, ending, body in requests:
                path = comments.path + ending.format(own=own)
                if kind in granted:
                    assert limited.call(method, path, body).status == 200, f"{method} {path} with {scopes}"
                else:
                    check_error(limited.call(method, path, body), NOT_PERMITTED)
                    check_error(limited.call(method, path, "not JSON"), NOT_PERMITTED)


def test_counts_need_only_the_right_to_read_records(server, base, comments):
    comments.add("x")
    reader = server.wire(server.token(scopes="data.records:read"))
    answer = reader.call("GET", base.path("Things"), query="recordMetadata=commentCount").ok()
    assert answer["records"][0]["commentCount"] == 1


def test_a_token_for_another_base_sees_no_comment(server, make_base, comments):
    comments.add("x")
    elsewhere = make_base([{"name": "Things", "fields": [text("Name")]}])
    limited = server.wire(server.token(bases=elsewhere.id))
    check_error(limited.call("GET", comments.path), NO_MODEL)
    check_error(limited.call("POST", comments.path, {"text": "x"}), NO_MODEL)
    own = elsewhere.path("Things", comments.record) + "/comments"
    check_error(limited.call("GET", own), NO_RECORD)
    assert comments.texts() == ["x"]


# Counts


def test_lists_and_single_records_tell_how_many_comments_there_are(wire, base):
    base.wire.call("POST", f"/v0/meta/bases/{base.id}/tables/Things/fields", {
        "name": "Twice", "type": "formula", "options": {"formula": "{Name} & {Name}"}}).ok()
    rows = base.create_records("Things", [{"Name": str(n)} for n in range(12)])
    for n, row in enumerate(rows[:5]):
        for _ in range(n):
            Comments(base, row["id"]).add("x")
    expected = {row["id"]: n if n < 5 else 0 for n, row in enumerate(rows)}
    plain = base.list("Things")
    for query in ((), (("pageSize", "5"),), (("sort[0][field]", "Name"),), (("sort[0][field]", "Twice"),),
                  (("filterByFormula", "{Name} < 'z'"),), (("filterByFormula", "LEN({Twice}) > 1"),),
                  (("fields[]", "Name"),), (("view", "Grid view"),), (("cellFormat", "string"), ("timeZone", "utc"), ("userLocale", "en"))):
        for key in ("recordMetadata", "recordMetadata[]"):
            found = base.list("Things", [*query, (key, "commentCount")])
            assert {one["id"]: one["commentCount"] for one in found} == expected, query
            assert all(list(one) == ["id", "createdTime", "commentCount", "fields"] for one in found)
    body = {"recordMetadata": ["commentCount"]}
    posted = wire.call("POST", base.path("Things") + "/listRecords", body).ok()["records"]
    assert posted == [{**one, "commentCount": expected[one["id"]]} for one in plain]
    for row in rows:
        one = wire.call("GET", base.path("Things", row["id"]), query="recordMetadata[]=commentCount").ok()
        assert one["commentCount"] == expected[row["id"]]
    changed = wire.call("PATCH", base.path("Things", rows[3]["id"]) + "?recordMetadata[]=commentCount", {"fields": {}}).ok()
    assert changed["commentCount"] == 3
    assert base.list("Things") == plain, "only where it is asked for"


def test_counts_follow_every_write(wire, comments):
    made = [comments.add("x")["id"] for _ in range(5)]
    assert comments.count() == 5
    for left, one in zip((4, 3, 2, 1, 0), made):
        wire.call("DELETE", f"{comments.path}/{one}").ok()
        assert comments.count() == left == len(comments.all())
    check_error(wire.call("DELETE", f"{comments.path}/{made[0]}"), NO_COMMENT)
    check_error(wire.call("POST", comments.path, {"text": ""}), REFUSED)
    assert comments.count() == 0


def test_with_its_record_a_comment_goes_out_of_sight(wire, base, comments):
    made = comments.add("x")
    wire.call("DELETE", base.path("Things", comments.record)).ok()
    for method, path, body in (("GET", comments.path, None), ("POST", comments.path, {"text": "y"}),
                               ("PATCH", f"{comments.path}/{made['id']}", {"text": "y"}),
                               ("DELETE", f"{comments.path}/{made['id']}", None)):
        check_error(wire.call(method, path, body), NO_RECORD)
    assert comments.count() is None


# What is sent twice, at once, or meant to hurt


def test_the_same_key_again_does_nothing_twice(wire, comments):
    def send(method, path, body, key):
        return wire.call(method, path, body, headers={"Idempotency-Key": f"{key} {comments.record}"})

    first = send("POST", comments.path, {"text": "x"}, "a")
    again = send("POST", comments.path, {"text": "x"}, "a")
    assert first.ok() == again.ok() and first.body == again.body, "with its milliseconds"
    assert comments.all() == [settled(first.json)]
    check_error(send("POST", comments.path, {"text": "y"}, "a"), REFUSED)
    own = f"{comments.path}/{first.json['id']}"
    changed = send("PATCH", own, {"text": "z"}, "b")
    assert changed.ok() == send("PATCH", own, {"text": "z"}, "b").ok()
    gone = send("DELETE", own, None, "c")
    assert gone.ok() == send("DELETE", own, None, "c").ok() == {"id": first.json["id"], "deleted": True}
    assert send("PATCH", own, {"text": "z"}, "b").ok() == changed.json, "the answer that was given then"
    assert comments.all() == [] and comments.count() == 0


@pytest.mark.timeout(120)
def test_many_clients_at_once_lose_nothing_and_the_count_is_right(server, base, comments):
    rounds, kept = 40, {}

    def client(n):
        wire, mine = server.wire(server.all_rights), []
        for round_ in range(rounds):
            mine.append(comments.add(f"{n} {round_}", wire=wire)["id"])
            if round_ % 3 == 2:
                wire.call("DELETE", f"{comments.path}/{mine.pop(0)}").ok()
            if round_ % 5 == 4:
                changed = wire.call("PATCH", f"{comments.path}/{mine[-1]}", {"text": f"{n} {round_} changed"}).ok()
                assert changed["text"] == f"{n} {round_} changed"
        kept[n] = mine

    def reader():
        wire = server.wire(server.all_rights)
        for _ in range(30):
            page, pages = comments.list(size=7, wire=wire)
            ids = [one["id"] for one in page]
            assert len(set(ids)) == len(ids), "no comment comes twice"

    together(*(lambda n=n: client(n) for n in range(6)), reader)
    left = comments.all()
    assert sorted(one["id"] for one in left) == sorted(sum(kept.values(), []))
    assert comments.count() == len(left)
    for n, mine in kept.items():
        assert [one["id"] for one in left if one["text"].startswith(f"{n} ")] == mine[::-1], "each client's in its order"


def test_two_clients_deleting_one_comment_do_it_once(server, comments):
    for _ in range(20):
        made, answers = comments.add("x"), []

        def delete():
            wire = server.wire(server.all_rights)
            answers.append(wire.call("DELETE", f"{comments.path}/{made['id']}").status)

        together(delete, delete, delete)
        assert sorted(answers) == [200, 404, 404]
    assert comments.count() == 0


@pytest.mark.parametrize("value", [
    "x" * 100_000, "茶" * 100_000, "\n" * 100_000, "🫖" * 100_000, "é́" * 1000, " ", "\t", "\x01\x02\x1f\x7f\x85", "a\0b",
    "\u202e\u2066\ufeff\u200b\ufffe\uffff", "😀👩‍👩‍👧🏳️‍🌈", "'; DROP TABLE comments; --", "<script>alert(1)</script>",
    "\"\\/\b\f\n\r\t", "{\"a\":[1,null]}", "null", "]" * 5000, "@[" * 50_000, "@" * 100_000, "@[" + "x" * 99_998, "]@[" * 33_333],
    ids=lambda value: repr(value[:12]).encode("ascii", "replace").decode() + str(len(value)))
def test_any_text_of_up_to_100_000_characters_is_kept_as_it_is(wire, comments, value):
    made = comments.add(value)
    assert made["text"] == value and comments.all() == [settled(made)]
    assert "mentioned" not in made


def test_10_000_mentions_cost_no_more_than_their_text(server, wire, base, comments):
    tag = base.id[3:].lower()
    people = [server.user(f"{n}@{tag}", f"Person {n}") for n in range(3)]
    # A short address grows to an id of 20 characters: what is kept must be within the limit too.
    check_error(wire.call("POST", comments.path, {"text": f"@[0@{tag}]" * 10_000}), REFUSED)
    fitting = "".join(f"@[{n % 3}@{tag}]" for n in range(4_999))
    began = time.monotonic()
    made = comments.add(fitting)
    assert made["text"] == "".join(f"@[{people[n % 3]}]" for n in range(4_999)) and list(made["mentioned"]) == people
    unknown = "".join(f"@[{n}@x]" for n in range(10_000))
    assert comments.add(unknown)["text"] == unknown
    assert len(comments.all()) == 2
    assert time.monotonic() - began < 10
    assert comments.add(made["text"])["text"] == made["text"], "what is read can be written"


def test_random_texts_are_kept_as_they_are(wire, comments):
    seed = random.randrange(1 << 32)
    source = random.Random(seed)
    pieces = ["@", "[", "]", "@[", "usr", "owner@localhost", "usrAAAAAAAAAAAAAA", " ", "茶", "🫖", "\0", "\\", "\""]
    owner = me(wire)
    for _ in range(200):
        value = "".join(source.choices(pieces, k=source.randrange(1, 30)))
        expected = value.replace(f"@[{owner['email']}]", f"@[{owner['id']}]")
        made = comments.add(value)
        assert made["text"] == expected, f"seed {seed}"
        assert ("mentioned" in made) == (f"@[{owner['id']}]" in expected), f"seed {seed}"


# Restarts and the log


def test_comments_counts_and_the_change_log_survive_a_crash(own_server):
    server = own_server()
    wire = server.wire(server.token())
    base = Base.create(wire, [{"name": "Things", "fields": [text("Name")]}])
    comments = Comments(base, base.create_records("Things", [{"Name": "a"}])[0]["id"])
    first, second = comments.add("first"), comments.add("second")
    answer = comments.add("answer", parent=first["id"])
    changed = wire.call("PATCH", f"{comments.path}/{second['id']}", {"text": "changed"}).ok()
    wire.call("DELETE", f"{comments.path}/{answer['id']}").ok()
    offset = wire.call("GET", comments.path, query=[("pageSize", "1")]).ok()["offset"]
    server.restart()
    base.wire = wire = server.wire(wire.token)
    assert comments.all() == [changed, settled(first)] and comments.count() == 2
    rest = wire.call("GET", comments.path, query=[("offset", offset)]).ok()
    assert rest == {"comments": [settled(first)], "offset": None}
    assert server.stop() == 0
    check_integrity(server.folder)
    log = sqlite3.connect(server.folder / "rowhouse.db").execute(
        "SELECT kind, json_extract(payload, '$.comment[0].text'), json_extract(payload, '$.comment[1].text'), "
        "json_extract(payload, '$.comment[1].parent'), json_extract(payload, '$.records[0].id') FROM changes "
        "WHERE kind LIKE '%Comment' ORDER BY seq").fetchall()
    record = comments.record
    assert log == [
        ("createComment", None, "first", None, record), ("createComment", None, "second", None, record),
        ("createComment", None, "answer", first["id"], record), ("updateComment", "second", "changed", None, record),
        ("deleteComment", "answer", None, None, record)]


@pytest.mark.timeout(120)
def test_comments_and_counts_stay_in_step_when_the_server_is_killed_under_load(own_server):
    server = own_server()
    token = server.token()
    base = Base.create(server.wire(token), [{"name": "Things", "fields": [text("Name")]}])
    records = [Comments(base, one["id"]) for one in base.create_records("Things", [{"Name": "a"}, {"Name": "b"}])]
    kept, gone = {one.record: set() for one in records}, set()
    for round_ in range(5):
        stop = time.monotonic() + 0.3 + 0.1 * round_

        def client(comments):
            wire, mine = server.wire(token), []
            try:
                while True:
                    mine.append(comments.add("x", wire=wire)["id"])
                    kept[comments.record].add(mine[-1])
                    if len(mine) > 3:
                        oldest = mine.pop(0)
                        kept[comments.record].discard(oldest)
                        wire.call("DELETE", f"{comments.path}/{oldest}", once=True).ok()
                        gone.add(oldest)
            except (OSError, http.client.HTTPException):
                assert time.monotonic() >= stop - 0.05

        def killer():
            time.sleep(max(0, stop - time.monotonic()))
            server.process.kill()

        together(killer, *(lambda one=one: client(one) for one in records * 2))
        server.restart()
        base.wire = server.wire(token)
        for comments in records:
            found = {one["id"] for one in comments.all()}
            assert kept[comments.record] <= found, "an acknowledged comment is lost"
            assert not found & gone, "a deleted comment is back"
            assert comments.count() == len(found)
