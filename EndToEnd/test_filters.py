"""filterByFormula: as an independent client writes formulas, and as raw requests; mistakes, limits, hostile ones."""

import random
import threading
import time
from datetime import date, datetime, timedelta, timezone

import pytest
from pyairtable import Api
from pyairtable.formulas import (
    AND, EQ, FIND, GT, GTE, IF, LEN, LOWER, LT, NE, NOT, OR, RECORD_ID, XOR, Field, Formula, match)

from harness.base import WORKSPACE, Base, field, number, select, text

CHECKBOX = field("Done", "checkbox", icon="check", color="greenBright")
MOMENT = field("When", "dateTime", dateFormat={"name": "iso"}, timeFormat={"name": "24hour"}, timeZone="utc")
DAY = field("Due", "date", dateFormat={"name": "iso"})


@pytest.fixture
def api(server):
    return Api(server.all_rights, endpoint_url=server.url, retry_strategy=None, timeout=(5, 60))


@pytest.fixture
def things(api):
    fields = [text("Name"), number("Number", 2), CHECKBOX, select("Status", "todo", "doing", "done"), MOMENT, DAY,
              text("it's \"a\" {field} \\ name")]
    return api.create_base(WORKSPACE, "Filters", [{"name": "Things", "fields": fields}]).table("Things")


def names(records):
    return [record["fields"].get("Name") for record in records]


# An independent client


def test_comparisons_are_combined_with_and_or_not_and_xor(things):
    rows = [{"Name": f"{n:02}", "Number": n, "Done": n % 2 == 0, "Status": ["todo", "doing", "done"][n % 3]} for n in range(24)]
    things.batch_create(rows)
    n, done, status = Field("Number"), Field("Done"), Field("Status")

    def kept(test):
        return [row["Name"] for row in rows if test(row)]

    for formula, test in [
        (AND(GTE(n, 3), LT(n, 9)), lambda row: 3 <= row["Number"] < 9),
        (OR(EQ(n, 3), EQ(n, 5), GT(n, 20)), lambda row: row["Number"] in (3, 5) or row["Number"] > 20),
        (NOT(OR(done, EQ(status, "todo"))), lambda row: not row["Done"] and row["Status"] != "todo"),
        (XOR(done, EQ(status, "done")), lambda row: row["Done"] != (row["Status"] == "done")),
        (XOR(done, EQ(status, "done"), GT(n, 10)),
         lambda row: (row["Done"] + (row["Status"] == "done") + (row["Number"] > 10)) % 2 == 1),
        (EQ(EQ(n, 1), EQ(status, "todo")), lambda row: (row["Number"] == 1) == (row["Status"] == "todo")),
        (AND(EQ(done, True), NE(status, "done")), lambda row: row["Done"] and row["Status"] != "done"),
        (Formula("{Done}=FALSE()"), lambda row: not row["Done"]),
        (IF(done, EQ(status, "todo"), GT(n, 20)),
         lambda row: row["Status"] == "todo" if row["Done"] else row["Number"] > 20),
        (match({"Status": "doing", "Number": (">", 9)}), lambda row: row["Status"] == "doing" and row["Number"] > 9),
        (AND(EQ(LEN(Field("Name")), 2), EQ(FIND("1", Field("Name")), 1)), lambda row: row["Name"].startswith("1")),
    ]:
        assert names(things.all(formula=formula)) == kept(test), str(formula)


def test_more_than_five_hundred_records_are_asked_for_by_id(things):
    made = things.batch_create([{"Name": str(n)} for n in range(520)])
    chosen = [record["id"] for record in made if record["fields"]["Name"] != "77"]
    mixed = random.Random(5).sample(chosen, len(chosen))
    formula = OR(EQ(RECORD_ID(), record) for record in mixed)
    assert len(str(formula)) > 15_000
    found = things.all(formula=formula)
    assert [record["id"] for record in found] == chosen
    assert things.all(formula=formula, sort=["-Name"], page_size=90) == sorted(
        found, key=lambda record: int(record["fields"]["Name"]), reverse=True)


def test_dates_are_equal_to_the_millisecond(things):
    moment = datetime(2024, 5, 1, 10, 0, 0, 123000, tzinfo=timezone.utc)
    moments = [moment + timedelta(milliseconds=n) for n in (-1, 0, 1)]
    things.batch_create([
        {"Name": str(n), "When": when.isoformat(timespec="milliseconds").replace("+00:00", "Z"), "Due": "2024-05-0" + str(n + 1)}
        for n, when in enumerate(moments)])
    when, due = Field("When"), Field("Due")
    for n, value in enumerate(moments):
        assert names(things.all(formula=EQ(when, value))) == [str(n)]
        assert names(things.all(formula=GT(when, value))) == [str(m) for m in range(n + 1, 3)]
    assert names(things.all(formula=EQ(due, date(2024, 5, 2)))) == ["1"]
    assert names(things.all(formula=match({"Due": date(2024, 5, 3)}))) == ["2"]
    assert names(things.all(formula=NE(due, date(2024, 5, 2)))) == ["0", "2"]
    assert names(things.all(formula=FIND("2024-05-01", when))) == ["0", "1", "2"]
    assert names(things.all(formula=Formula("IS_SAME({When}, DATETIME_PARSE('2024-05-01T10:00:00.124Z'))"))) == ["2"]


@pytest.mark.parametrize("value", [
    "it's", 'a "quote"', "both ' and \"", "back\\slash", "\\'", "ends in \\", "line\nbreak", "tab\t", "{Name}", "é", "e\u0301",
    "😀👩‍👩‍👧", "訂單", "100% & more", "a,b)", "=1"])
def test_any_text_is_found_by_itself_and_by_nothing_else(things, value):
    awkward = "it's \"a\" {field} \\ name"
    things.batch_create([{"Name": "hit", awkward: value}, {"Name": "other", awkward: value + "."}, {"Name": "none"}])
    assert names(things.all(formula=EQ(Field(awkward), value))) == ["hit"]
    assert names(things.all(formula=match({awkward: value}))) == ["hit"]
    assert names(things.all(formula=FIND(value, Field(awkward)))) == ["hit", "other"]
    assert names(things.all(formula=NE(Field(awkward), value))) == ["other", "none"]


def test_a_formula_of_17000_characters_goes_by_post(things, api, monkeypatch):
    things.batch_create([{"Name": "a"}, {"Name": "b"}])
    methods = []
    monkeypatch.setattr(api.session, "send", _noting(api.session.send, methods))
    formula = AND(NE(Field("Name"), "x" * 17_000), EQ(LOWER(Field("Name")), "b"))
    assert names(things.all(formula=formula)) == ["b"]
    assert methods == [("POST", "/listRecords")]


def _noting(send, methods):
    def noted(request, **options):
        methods.append((request.method, "/" + request.path_url.split("?")[0].rsplit("/", 1)[1]))
        return send(request, **options)
    return noted


def test_what_other_builders_write_means_what_they_mean(things):
    things.batch_create([
        {"Name": "Alpha", "Number": 0}, {"Name": "beta", "Number": 2, "Done": True}, {"Status": "done"}])
    for formula, expected in [
        ("{Number}=BLANK()", ["Alpha", None]), ("{Number}=\"\"", [None]), ("NOT({Number}=BLANK())", ["beta"]),
        ("NOT({Number})", ["Alpha", None]), ("{Name}", ["Alpha", "beta"]), ("{Done}=FALSE()", ["Alpha", None]),
        ("FIND(TRIM(LOWER(\"BET\")),TRIM(LOWER({Name})))>0", ["beta"]), ("FIND(LOWER(\"a\"),LOWER({Name}))=1", ["Alpha"]),
        ("SEARCH(LOWER(\"ALP\"), LOWER({Name}))", ["Alpha"]), ("REGEX_MATCH({Name}&\"\", \"^[a-z]+$\")", ["beta"]),
        ("{Status} = \"done\"", [None]), ("{Number} < 1", ["Alpha", None]), ("{Due} < TODAY()", ["Alpha", "beta", None]),
        ("name='beta'", ["beta"]), (" { Name }", None),
    ]:
        if expected is not None:
            assert names(things.all(formula=formula)) == expected, formula


# Raw requests


def test_pages_of_a_filtered_list(base):
    rows = [{"Name": f"n{n:03}", "Notes": "odd" if n % 2 else "even"} for n in range(130)]
    base.create_records("Things", rows)
    odd = [row["Name"] for row in rows if row["Notes"] == "odd"]
    for formula in ["{Notes}='odd'", "RIGHT({Notes},3)='odd'"]:
        for size in (1, 20, 100):
            found = base.list("Things", [("filterByFormula", formula), ("pageSize", size)])
            assert [record["fields"]["Name"] for record in found] == odd
        down = base.list("Things", [
            ("filterByFormula", formula), ("sort[0][field]", "Name"), ("sort[0][direction]", "desc"), ("pageSize", 20)])
        assert [record["fields"]["Name"] for record in down] == odd[::-1]
        body = {"filterByFormula": formula, "maxRecords": 7, "pageSize": 5, "fields": ["Notes"]}
        page = base.wire.call("POST", base.path("Things") + "/listRecords", body).ok()
        assert [record["fields"] for record in page["records"]] == [{"Notes": "odd"}] * 5
        rest = base.wire.call("POST", base.path("Things") + "/listRecords", {**body, "offset": page["offset"]}).ok()
        assert len(rest["records"]) == 2 and "offset" not in rest


@pytest.mark.parametrize("formula, detail", [
    ("{First Name}='x'", "Unknown field names: first name"),
    ("AND(Alpha, {Beta}, Alpha)", "Unknown field names: alpha, beta"),
    ("{Name}='x", "Invalid formula. Please check your formula text."),
    ("NOPE({Name})", "Invalid formula. Please check your formula text."),
    ("LEFT()", "Invalid formula. Please check your formula text."),
    ("1 +", "Invalid formula. Please check your formula text."),
])
def test_a_mistake_is_told_also_on_an_empty_table(base, formula, detail):
    answer = base.wire.call("GET", base.path("Things"), query=[("filterByFormula", formula)])
    assert answer.status == 422, str(answer)
    error = answer.json["error"]
    assert error["type"] == "INVALID_FILTER_BY_FORMULA"
    assert error["message"].startswith(f"The formula for filtering records is invalid: {detail}")


@pytest.mark.parametrize("formula", [
    "NOT(" * 100 + "{Name}='a'" + ")" * 100, "(" * 390 + "{Name}='a'" + ")" * 390, "-" * 900 + "LEN({Name})=1"])
def test_a_short_formula_may_be_deep(base, formula):
    made = base.create_records("Things", [{"Name": "a"}])
    assert base.list("Things", [("filterByFormula", formula)]) == made


# Hostile formulas


def _hostile(rng):
    """Formulas that would take for ever if nothing stopped them, each with the statuses that it may be answered with."""
    x = "{Notes}"
    return [
        ('LEN(REPT("x", 1000000000))>1', {422}),
        (f'LEN(REPT(REPT({x}, 3000), 3000))>1', {422}),
        ("LEN(" + "&".join([f"REPT({x}, 2000)"] * 400) + ")>1", {422}),
        ('REGEX_MATCH(' + x + ', "(a+)+$")', {200}),
        ('REGEX_MATCH(REPT("a", 100000), "^(a|aa)+(a|b)*(a?){900}$")', {200, 422}),
        ('REGEX_MATCH(' + x + ', "((((a*)*)*)*)*b{500}")', {200, 422}),
        ("(" * 10_000 + "1" + ")" * 10_000, {422}),
        ("NOT(" * 399 + x + ")" * 399, {200}),
        ("+".join(["1"] * 49_999), {200}),
        ("OR(" + ",".join(f"{{Name}}='{rng.random()}'" for _ in range(2_500)) + ")", {200}),
        ("AND(" + ",".join(f"FIND('{rng.randrange(10**6)}',{x})=0" for _ in range(2_500)) + ")", {200, 422}),
        ("&".join([x] * 12_000), {200, 422}),
        ("SUBSTITUTE(" * 100 + x + ", 'a', 'aaaaaaaaaa')" * 100, {422}),
        ("x" * 100_001, {422}),
        ("1e308*10>1", {422}), ("10000000000*" * 40 + "1>1", {200}),
        ("'" + "x" * 99_000 + "'=" + x, {200}),
        ('REPT("a", 1000000)="b"', {200, 422}), ('SUBSTITUTE(REPT("a", 900000), "a", "b")="x"', {200, 422}),
        ('TRIM(REPT(" ", 900000))="x"', {200, 422}), ('LEN(ENCODE_URL_COMPONENT(REPT("茶", 100000)))<0', {200, 422}),
        ('UPPER(LOWER(UPPER(REPT("ß", 400000))))="x"', {200, 422}), ('MID(REPT("😀", 200000), 9, 1)="x"', {200, 422}),
        ("LEN(DATETIME_FORMAT(CREATED_TIME(), '" + "LLLL " * 2_000 + "'))<0", {200, 422}),
    ]


@pytest.mark.alone
@pytest.mark.timeout(240)
def test_hostile_formulas_end_and_do_not_hold_up_others(own_server):
    server = own_server()
    token = server.token(name="hostile")
    wire = server.wire(token, timeout=120)
    base = Base.create(wire, [{"name": "Things", "fields": [text("Name"), {"name": "Notes", "type": "multilineText"}]}])
    rows = [{"Name": f"n{n}", "Notes": "a" * 60 + str(n)} for n in range(1_500)]
    made = base.create_records("Things", rows)
    path, record = base.path("Things"), base.path("Things", made[700]["id"])
    formulas = _hostile(random.Random(11))
    failures, isOver = [], threading.Event()

    def attack(own):
        connection = server.wire(token, timeout=120)
        for formula, statuses in own:
            answer = connection.call("POST", path + "/listRecords", {"filterByFormula": formula, "pageSize": 10})
            if answer.status not in statuses:
                failures.append((formula[:80], str(answer)))
            elif answer.status == 422 and "formula" not in answer.json["error"]["message"]:
                failures.append((formula[:80], str(answer)))
        connection.close()

    times = []

    def work():
        connection = server.wire(token, timeout=60)
        turn = 0
        while not isOver.is_set() or len(times) < 200:
            began = time.monotonic()
            match turn % 3:
                case 0: assert connection.call("GET", record).ok()["id"] == made[700]["id"]
                case 1: assert len(connection.call("GET", path, query=[("pageSize", 20)]).ok()["records"]) == 20
                case 2: connection.call("PATCH", record, {"fields": {"Name": f"changed {turn}"}}).ok()
            times.append(time.monotonic() - began)
            turn += 1
            time.sleep(0.01)
        connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    attackers = [threading.Thread(target=attack, args=(formulas[n::4],)) for n in range(4)]
    for thread in attackers:
        thread.start()
    for thread in attackers:
        thread.join()
    isOver.set()
    worker.join()
    times.sort()
    p99 = times[len(times) * 99 // 100]
    print(f"{len(times)} calls beside hostile formulas: p50 {times[len(times) // 2] * 1000:.1f} ms, p99 {p99 * 1000:.1f} ms")
    assert failures == []
    assert p99 <= 0.250
