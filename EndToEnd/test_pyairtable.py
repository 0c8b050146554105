"""An independent client library, pointed at the program by its endpoint alone."""

import pytest
import pyairtable
import requests
from pyairtable import Api

from harness.base import WORKSPACE, field, number, select, text
from harness.fieldtypes import STORED, WRITTEN_BY_THE_SERVER, definition, without_choice_ids

AWKWARD = ["訂單 表", "a/b", "it's \"quoted\"", "100% & more? #1 + 2", "{curly} ;}", "emoji 😀👩‍👩‍👧", "back\\slash", "é́ ñ"]


@pytest.fixture
def api(server):
    return Api(server.all_rights, endpoint_url=server.url, retry_strategy=None, timeout=(5, 30))


@pytest.fixture
def make(api):
    def make_table(*fields, name="Things", count=1):
        tables = [{"name": name if n == 0 else f"{name} {n}", "fields": list(fields)} for n in range(count)]
        return api.create_base(WORKSPACE, "Library", tables).table(name)

    return make_table


@pytest.fixture
def things(make):
    return make(text("Name"), number("Number", 1), field("Done", "checkbox", icon="check", color="greenBright"),
                select("Tags", "A", "B", "C", kind="multipleSelects"))


def fields_of(records):
    return [record["fields"] for record in records]


def refused(status, kind, call, *arguments, **named):
    """The call raises for the status, and the library shows the error's type."""
    with pytest.raises(requests.HTTPError) as caught:
        call(*arguments, **named)
    response = caught.value.response
    assert response.status_code == status, response.text
    error = response.json()["error"]
    assert (error if isinstance(error, str) else error["type"]) == kind, response.text
    assert repr(error) in caught.value.args
    return error


# Records


def test_one_record_is_created_read_changed_replaced_and_deleted(things):
    made = things.create({"Name": "a", "Number": 1.5, "Done": True, "Tags": ["B", "A"]})
    assert made["fields"] == {"Name": "a", "Number": 1.5, "Done": True, "Tags": ["B", "A"]}
    assert things.get(made["id"]) == made and things.all() == [made] and things.first() == made
    changed = things.update(made["id"], {"Number": 2, "Done": False})
    assert changed == {**made, "fields": {"Name": "a", "Number": 2, "Tags": ["B", "A"]}}
    assert things.get(made["id"]) == changed
    replaced = things.update(made["id"], {"Number": 3}, replace=True)
    assert replaced == {**made, "fields": {"Number": 3}} == things.get(made["id"])
    assert things.delete(made["id"]) == {"id": made["id"], "deleted": True}
    assert things.all() == [] and things.first() is None


def test_batches_larger_than_ten_are_created_updated_replaced_and_deleted_in_order(things):
    made = things.batch_create([{"Name": f"n{n}", "Number": n} for n in range(25)])
    assert fields_of(made) == [{"Name": f"n{n}", "Number": n} for n in range(25)]
    assert things.all() == made
    changes = [{"id": record["id"], "fields": {"Number": 100 + n}} for n, record in enumerate(made)][::-1]
    changed = things.batch_update(changes)
    assert [record["id"] for record in changed] == [change["id"] for change in changes]
    assert things.all() == changed[::-1]
    assert fields_of(changed[::-1]) == [{"Name": f"n{n}", "Number": 100 + n} for n in range(25)]
    replaced = things.batch_update([{"id": record["id"], "fields": {"Name": "r"}} for record in made], replace=True)
    assert fields_of(replaced) == [{"Name": "r"}] * 25
    gone = things.batch_delete([record["id"] for record in made[:23]])
    assert gone == [{"id": record["id"], "deleted": True} for record in made[:23]]
    assert [record["id"] for record in things.all()] == [record["id"] for record in made[23:]]


def test_field_ids_are_accepted_and_returned_for_names(things):
    schema = things.schema()
    name, num = schema.field("Name").id, schema.field("Number").id
    made = things.create({name: "a", "Number": 1}, use_field_ids=True)
    assert made["fields"] == {name: "a", num: 1}
    assert things.get(made["id"])["fields"] == {"Name": "a", "Number": 1}
    assert things.get(made["id"], use_field_ids=True) == made
    assert things.all(use_field_ids=True, fields=[num]) == [{**made, "fields": {num: 1}}]
    assert things.all(use_field_ids=True, fields=["Name"], sort=[f"-{num}"]) == [{**made, "fields": {name: "a"}}]
    changed = things.batch_update([{"id": made["id"], "fields": {num: 2}}], use_field_ids=True)
    assert fields_of(changed) == [{name: "a", num: 2}]
    upserted = things.batch_upsert([{"fields": {name: "a", num: 3}}], [name], use_field_ids=True)
    assert fields_of(upserted["records"]) == [{name: "a", num: 3}] and upserted["updatedRecords"] == [made["id"]]


# Upsert


def test_upsert_by_one_field_updates_creates_and_takes_ids(things):
    one, two = things.batch_create([{"Name": "One", "Number": 1}, {"Name": "Two", "Number": 2}])
    result = things.batch_upsert([
        {"id": one["id"], "fields": {"Number": 3}}, {"fields": {"Name": "Two", "Number": 4}},
        {"fields": {"Name": "Three", "Number": 5}}], ["Name"])
    assert fields_of(result["records"]) == [
        {"Name": "One", "Number": 3}, {"Name": "Two", "Number": 4}, {"Name": "Three", "Number": 5}]
    assert [record["id"] for record in result["records"][:2]] == [one["id"], two["id"]]
    assert result["updatedRecords"] == [one["id"], two["id"]]
    assert result["createdRecords"] == [result["records"][2]["id"]]
    assert things.all() == result["records"]


def test_upsert_that_replaces_clears_the_rest_and_a_null_key_matches_nothing(things):
    one, two = things.batch_create([{"Name": "One", "Number": 1}, {"Name": "Two", "Number": 2}])
    result = things.batch_upsert([
        {"id": one["id"], "fields": {"Number": 5}}, {"fields": {"Name": "Two"}}, {"fields": {"Name": None, "Number": 6}},
        {"fields": {"Name": "New", "Number": 7}}], ["Name"], replace=True)
    assert fields_of(result["records"]) == [{"Number": 5}, {"Name": "Two"}, {"Number": 6}, {"Name": "New", "Number": 7}]
    assert result["updatedRecords"] == [one["id"], two["id"]]
    assert result["createdRecords"] == [record["id"] for record in result["records"][2:]]
    assert len(things.all()) == 4


def test_upsert_by_two_fields_matches_both_together(make):
    table = make(text("Owner"), field("Day", "date", dateFormat={"name": "iso"}), text("Mood"))
    first = table.batch_upsert([
        {"fields": {"Owner": owner, "Day": day, "Mood": "x"}} for owner in "ab" for day in ("2024-01-01", "2024-01-02")],
        ["Owner", "Day"])
    assert len(first["createdRecords"]) == 4 and first["updatedRecords"] == []
    second = table.batch_upsert([
        {"fields": {"Owner": "b", "Day": "2024-01-01", "Mood": "y"}},
        {"fields": {"Owner": "b", "Day": "2024-01-03", "Mood": "z"}}], ["Owner", "Day"])
    assert second["updatedRecords"] == [first["records"][2]["id"]] and len(second["createdRecords"]) == 1
    assert [record["fields"]["Mood"] for record in table.all()] == ["x", "x", "y", "x", "z"]


def test_upsert_matches_every_type_that_may_be_a_key(make):
    table = make(text("Name"), {"name": "Long", "type": "multilineText"}, number("Number", 1),
                 select("One", "A", "B"), select("Many", "A", "B", kind="multipleSelects"),
                 field("Day", "date", dateFormat={"name": "iso"}))
    keys = {"Name": "n", "Long": "l\n1", "Number": 1.5, "One": "A", "Many": ["B", "A"], "Day": "2024-02-29"}
    made = table.create({**keys})
    for key, value in keys.items():
        result = table.batch_upsert([{"fields": {key: value}}], [key])
        assert result["updatedRecords"] == [made["id"]] and result["createdRecords"] == [], key
    result = table.batch_upsert([{"fields": {"Name": "N", "Number": 1.5}}], ["Name", "Number"])
    assert len(result["createdRecords"]) == 1, "text is compared with its case"


def test_upsert_of_more_than_ten_records(things):
    things.batch_create([{"Name": f"n{n}"} for n in range(0, 30, 2)])
    result = things.batch_upsert([{"fields": {"Name": f"n{n}", "Number": n}} for n in range(30)], ["Name"])
    assert len(result["updatedRecords"]) == len(result["createdRecords"]) == 15
    assert sorted(record["fields"]["Number"] for record in things.all()) == list(range(30))


# Lists


def test_five_hundred_records_come_in_five_pages_in_order_of_creation(things):
    made = things.batch_create([{"Name": f"n{n}", "Number": n % 7} for n in range(500)])
    pages = list(things.iterate())
    assert [len(page) for page in pages] == [100] * 5
    assert [record for page in pages for record in page] == made
    identifiers = [record["id"] for record in made]
    assert identifiers == sorted(identifiers) and len(set(identifiers)) == 500
    assert [len(page) for page in things.iterate(page_size=99)] == [99] * 5 + [5]
    assert [len(page) for page in things.iterate(page_size=50, max_records=125)] == [50, 50, 25]
    assert [len(page) for page in things.iterate(page_size=50, max_records=100)] == [50, 50]
    ordered = things.all(sort=["Number", "-Name"], page_size=60)
    expected = sorted(made, key=lambda r: (r["fields"]["Number"], -int(r["fields"]["Name"][1:])))
    assert fields_of(ordered) == fields_of(expected), "runs of digits in text order by their value"


def test_sort_puts_empty_cells_first_ascending_and_desc_is_the_reverse(things):
    made = things.batch_create([{"Number": n} if n else {} for n in (2, None, 1, 2, None, 3)])
    rising = things.all(sort=["Number"])
    expected = [made[index]["id"] for index in (1, 4, 2, 0, 3, 5)]
    assert [record["id"] for record in rising] == expected
    assert [record["id"] for record in things.all(sort=["-Number"])] == expected[::-1]


def test_chosen_fields_alone_are_returned(things):
    made = things.create({"Name": "a", "Number": 1, "Done": True})
    assert things.all(fields=["Number"]) == [{**made, "fields": {"Number": 1}}]
    assert things.all(fields=["Tags"]) == [{**made, "fields": {}}]
    assert things.all(fields=["Name", "Done"]) == [{**made, "fields": {"Name": "a", "Done": True}}]


def test_a_view_is_found_by_name_and_by_id(things):
    made = things.batch_create([{"Name": "b"}, {"Name": "a"}])
    view = things.schema().views[0]
    assert (view.name, view.type) == ("Grid view", "grid")
    assert things.all(view="Grid view") == things.all(view=view.id) == made
    assert things.all(view=view.id, sort=["Name"]) == made[::-1]


def test_max_records_first_and_page_size_limit_what_comes(things):
    made = things.batch_create([{"Name": str(n)} for n in range(12)])
    assert things.all(max_records=5) == made[:5]
    assert [len(page) for page in things.iterate(page_size=5)] == [5, 5, 2]
    assert things.first(sort=["-Name"]) == made[11]
    assert len(list(things.iterate(page_size=12))) == 1, "no empty page at the end"


def test_counted_comments_come_with_each_record(things):
    made = things.create({"Name": "a"})
    assert things.all(count_comments=True) == [{**made, "commentCount": 0}]
    assert things.all(count_comments=False) == [made]


def test_comments_are_added_answered_changed_counted_and_deleted(server, api, things):
    record, other = (one["id"] for one in things.batch_create([{"Name": "a"}, {"Name": "b"}]))
    alice = {"email": f"alice-{things.base.id.lower()}@example.org", "name": "Alice"}
    alice["id"] = server.user(alice["email"], alice["name"])
    me = api.whoami()
    first = things.add_comment(record, f"Hello, @[{alice['email']}] and @[{me['id']}]!")
    assert first.text == f"Hello, @[{alice['id']}] and @[{me['id']}]!"
    assert first.author.id == me["id"] and first.author.email == me["email"] and first.last_updated_time is None
    assert list(first.mentioned) == [alice["id"], me["id"]]
    mentioned = first.mentioned[alice["id"]]
    assert (mentioned.id, mentioned.type, mentioned.display_name, mentioned.email) == (
        alice["id"], "user", "Alice", alice["email"])
    answer = things.add_comment(record, "And hello to you", parent_comment_id=first.id)
    assert answer.parent_comment_id == first.id and answer.mentioned == {} and answer.reactions == []
    assert [one.id for one in things.comments(record)] == [answer.id, first.id] and things.comments(other) == []
    assert [one["commentCount"] for one in things.all(count_comments=True)] == [2, 0]

    listed = things.comments(record)[1]
    assert listed.text == first.text and listed.created_time == first.created_time.replace(microsecond=0)
    assert listed.mentioned == first.mentioned
    first.text = "Never mind!"
    first.save()
    assert first.last_updated_time is not None and first.mentioned == {}
    assert [one.text for one in things.comments(record)] == ["And hello to you", "Never mind!"]

    bob = Api(server.token(user=alice["id"]), endpoint_url=server.url, retry_strategy=None)
    theirs = bob.table(things.base.id, things.id).comments(record)[1]
    theirs.text = "Mine now"
    refused(403, "INVALID_PERMISSIONS", theirs.save)
    refused(403, "INVALID_PERMISSIONS", theirs.delete)
    first.delete()
    answer.delete()
    assert first.deleted and answer.deleted
    refused(404, "MODEL_ID_NOT_FOUND", listed.save)
    assert things.comments(record) == [] and [one["commentCount"] for one in things.all(count_comments=True)] == [0, 0]


def test_more_comments_than_a_page_holds_come_all(things):
    record = things.create({"Name": "a"})["id"]
    made = [things.add_comment(record, str(n)).id for n in range(205)]
    assert [one.id for one in things.comments(record)] == made[::-1]


def test_cells_as_strings_are_shown_as_a_person_would_see_them(make):
    table = make(
        text("Name"), number("Number", 2), field("Percent", "percent", precision=0),
        field("Price", "currency", precision=2, symbol="$"), field("Length", "duration", durationFormat="h:mm"),
        field("Stars", "rating", icon="star", max=5, color="yellowBright"),
        field("Done", "checkbox", icon="check", color="greenBright"), field("Day", "date", dateFormat={"name": "iso"}),
        field("When", "dateTime", dateFormat={"name": "iso"}, timeFormat={"name": "12hour"}, timeZone="client"),
        select("One", "A", "B"), select("Many", "A", "B", kind="multipleSelects"))
    made = table.create({
        "Name": "a", "Number": 12.5, "Percent": 0.5, "Price": 3.5, "Length": 5400, "Stars": 3, "Done": True,
        "Day": "2024-05-01", "When": "1990-11-29T04:00:00.000Z", "One": "A", "Many": ["B", "A"]})
    places = {"cell_format": "string", "time_zone": "Asia/Ho_Chi_Minh", "user_locale": "fr-ca"}
    expected = {
        "Name": "a", "Number": "12.50", "Percent": "50%", "Price": "$3.50", "Length": "1:30", "Stars": "3",
        "Done": "checked", "Day": "2024-05-01", "When": "1990-11-29 11:00am", "One": "A", "Many": "B, A"}
    assert table.all(**places) == [{**made, "fields": expected}]
    assert table.get(made["id"], **places)["fields"] == expected
    empty = table.create({"Done": False})
    assert table.get(empty["id"], **places)["fields"] == {}


def test_a_query_too_long_for_an_address_goes_by_post(make):
    names = [f"欄位{'茶' * 20}{n}" for n in range(100)]
    table = make(*(text(name) for name in names))
    made = table.batch_create([{names[0]: f"r{n}", names[99]: "y", names[50]: "z"} for n in range(3)])
    seen = table.all(fields=names[:90], sort=["-" + names[0]])
    assert fields_of(seen) == [{names[0]: f"r{n}", names[50]: "z"} for n in (2, 1, 0)]
    assert [len(page) for page in table.iterate(fields=names, page_size=2)] == [2, 1]
    strings = table.all(fields=names, cell_format="string", time_zone="utc", user_locale="en-gb")
    assert fields_of(strings) == fields_of(made)


# Text and names


@pytest.mark.parametrize("value", [
    *AWKWARD, "' OR 1=1 --", "line\nbreak\r\n\ttab", "\"", "'", "\\", "{}", "null", "ﷺ‮x", "a" * 1000])
def test_any_text_survives_a_round_trip_and_can_be_a_key(things, value):
    made = things.create({"Name": value})
    assert made["fields"] == {"Name": value} and things.get(made["id"]) == made
    result = things.batch_upsert([{"fields": {"Name": value, "Number": 1}}], ["Name"])
    assert result["updatedRecords"] == [made["id"]] and result["createdRecords"] == []


@pytest.mark.parametrize("name", AWKWARD)
def test_tables_fields_and_choices_may_have_any_name(make, name):
    table = make(text(name), number(name + " 2"), select(name + " 3", name, "other"), name=name)
    made = table.batch_create([{name: "a", name + " 2": 2, name + " 3": name}, {name: "b", name + " 2": 1}])
    assert fields_of(made)[0] == {name: "a", name + " 2": 2, name + " 3": name}
    assert table.name == name
    assert table.all(sort=[name + " 2"], fields=[name]) == [
        {**made[1], "fields": {name: "b"}}, {**made[0], "fields": {name: "a"}}]
    upserted = table.batch_upsert([{"fields": {name: "b", name + " 2": 5}}], [name])
    assert upserted["updatedRecords"] == [made[1]["id"]]
    schema = table.schema(force=True)
    assert schema.name == name and [f.name for f in schema.fields] == [name, name + " 2", name + " 3"]
    assert schema.fields[2].options.choices[0].name == name


# Schema


def test_every_stored_field_type_is_created_with_a_base_a_table_and_alone(api):
    kinds = {**{kind: rest[:2] for kind, rest in STORED.items()}, **WRITTEN_BY_THE_SERVER}
    fields = [text("Name"), *(definition(kind) for kind in kinds)]
    base = api.create_base(WORKSPACE, "Every type", [{"name": "With base", "fields": fields, "description": "d"}])
    base.create_table("With table", fields, description="茶")
    alone = base.create_table("Alone", [text("Name")])
    for kind in kinds:
        wanted = definition(kind)
        made = alone.create_field(kind, kind, description="why", options=wanted.get("options"))
        assert (made.name, made.type, made.description) == (kind, kind, "why")
    schema = base.schema(force=True)
    assert [table.name for table in schema.tables] == ["With base", "With table", "Alone"]
    assert [table.description for table in schema.tables] == ["d", "茶", None]
    raw = api.get(base.urls.tables)["tables"]
    for table in raw:
        assert [one["type"] for one in table["fields"]] == ["singleLineText", *kinds]
        assert table["primaryFieldId"] == table["fields"][0]["id"]
        for one in table["fields"][1:]:
            read = kinds[one["type"]][1]
            if read == "result":
                assert one["options"]["result"]["type"] in ("date", "dateTime")
            elif read is None:
                assert one.get("options", {}) == {}, one
            else:
                assert without_choice_ids(one["options"]) == read, one
        assert len({one["id"] for one in table["fields"]}) == len(kinds) + 1
        assert [(view["name"], view["type"]) for view in table["views"]] == [("Grid view", "grid")]
        assert "visibleFieldIds" not in table["views"][0]
    for table in schema.tables:
        assert table.views[0].visible_field_ids == [one.id for one in table.fields]


@pytest.mark.parametrize("kind", ["multilineText", "date", "dateTime", "phoneNumber", "email", "url", "number",
                                  "currency", "percent", "duration", "barcode", "autoNumber"])
def test_every_type_that_may_be_primary_is_one(make, kind):
    table = make(definition(kind, "Key"), text("Name"))
    assert table.schema().field("Key").id == table.schema().primary_field_id


@pytest.mark.parametrize("sent, read", [
    ("local", "l"), ("friendly", "LL"), ("us", "M/D/YYYY"), ("european", "D/M/YYYY"), ("iso", "YYYY-MM-DD")])
def test_every_date_format_is_completed(make, sent, read):
    table = make(text("Name"), field("Day", "date", dateFormat={"name": sent}),
                 field("When", "dateTime", dateFormat={"name": sent, "format": read}, timeFormat={"name": "24hour"},
                       timeZone="utc"))
    options = table.schema().field("Day").options.date_format
    assert (options.name, options.format) == (sent, read)
    options = table.schema().field("When").options
    assert (options.date_format.format, options.time_format.format, options.time_zone) == (read, "HH:mm", "utc")


@pytest.mark.parametrize("kind, options", [
    *(("number", {"precision": n}) for n in range(9)), *(("currency", {"precision": n, "symbol": "€"}) for n in range(8)),
    *(("duration", {"durationFormat": f}) for f in ("h:mm", "h:mm:ss", "h:mm:ss.S", "h:mm:ss.SS", "h:mm:ss.SSS")),
    *(("rating", {"icon": i, "max": 10, "color": "redBright"}) for i in ("star", "heart", "thumbsUp", "flag", "dot")),
    *(("checkbox", {"icon": i, "color": "grayBright"}) for i in (
        "check", "xCheckbox", "star", "heart", "thumbsUp", "flag", "dot")),
])
def test_every_option_of_a_type_is_kept(api, things, kind, options):
    things.create_field("New", kind, options=options)
    read = api.get(things.base.urls.tables)["tables"][0]["fields"][-1]
    assert (read["name"], read["type"], read["options"]) == ("New", kind, options)


def test_choices_without_a_wish_take_the_colours_in_turn_and_forty_are_accepted(api, make):
    shades = ("Light2", "Light1", "Bright", "Dark1")
    hues = ("blue", "cyan", "teal", "green", "yellow", "orange", "red", "pink", "purple", "gray")
    cycle = [hue + shade for shade in shades for hue in hues]
    table = make(text("Name"), select("Plain", *(f"c{n}" for n in range(20))),
                 field("Wished", "singleSelect", choices=[{"name": color, "color": color} for color in cycle]))
    plain, wished = (without_choice_ids(table.schema().field(name).options.model_dump(by_alias=True))
                     for name in ("Plain", "Wished"))
    assert [choice["color"] for choice in plain["choices"]] == cycle[:20]
    assert [choice["color"] for choice in wished["choices"]] == cycle


def test_names_and_descriptions_of_tables_and_fields_are_changed(things):
    schema = things.schema()
    schema.name, schema.description = "改名 / new", "why"
    schema.save()
    column = schema.field("Number")
    column.name, column.description = "Price \"$\"", "in dollars"
    column.save()
    assert (column.name, column.description) == ("Price \"$\"", "in dollars")
    fresh = things.base.schema(force=True)
    assert [(table.name, table.description) for table in fresh.tables] == [("改名 / new", "why")]
    seen = fresh.tables[0].field("Price \"$\"")
    assert (seen.id, seen.description, seen.type) == (column.id, "in dollars", "number")


def test_choices_are_added_and_renamed_by_id(api, things):
    made = things.create({"Name": "x", "Tags": ["B", "A"]})
    column = api.get(things.base.urls.tables)["tables"][0]["fields"][3]
    url = things.schema().field("Tags")._url
    changed = column["options"]["choices"]
    changed[1] = {**changed[1], "name": "改 B"}
    answer = api.patch(url, json={"options": {"choices": [*changed, {"name": "D"}]}})
    names = [choice["name"] for choice in answer["options"]["choices"]]
    assert names == ["A", "改 B", "C", "D"]
    assert [choice["id"] for choice in answer["options"]["choices"][:3]] == [choice["id"] for choice in changed]
    assert things.get(made["id"])["fields"]["Tags"] == ["改 B", "A"]


def test_typecast_makes_new_choices_and_converts(things):
    made = things.create({"Name": 12, "Number": "2.5", "Tags": "A, New"}, typecast=True)
    assert made["fields"] == {"Name": "12", "Number": 2.5, "Tags": ["A", "New"]}
    assert [choice.name for choice in things.schema(force=True).field("Tags").options.choices] == ["A", "B", "C", "New"]


# Who and where


def test_whoami_tells_the_user(api):
    assert set(api.whoami()) <= {"id", "email", "name", "scopes"} and api.whoami()["id"].startswith("usr")


def test_bases_are_listed_with_name_and_level(api, things):
    infos = {base.id: base for base in api.bases(force=True)}
    mine = infos[things.base.id]
    assert (mine.name, mine.permission_level) == ("Library", "create")
    assert api.base(things.base.id, validate=True, force=True).name == "Library"


def test_collaborators_of_a_base_are_told(api, things):
    info = things.base.collaborators(force=True)
    assert isinstance(info, pyairtable.models.schema.BaseCollaborators)
    assert (info.id, info.name) == (things.base.id, "Library") and info.permission_level in ("owner", "create")
    assert info.workspace_id.startswith("wsp") and info.created_time
    people = info.individual_collaborators.via_base + info.individual_collaborators.via_workspace
    assert api.whoami()["id"] in [person.user_id for person in people]
    assert info.group_collaborators.via_base == [] and info.interfaces == {}
    assert info.invite_links.via_base == info.invite_links.via_workspace == []


# Errors


def test_every_error_is_one_that_the_library_can_show(api, server, things):
    one = things.create({"Name": "a"})["id"]
    missing = "recAAAAAAAAAAAAAA"
    stranger = Api("patAAAAAAAAAAAAAA." + "0" * 64, endpoint_url=server.url, retry_strategy=None)
    reader = Api(server.token(scopes="data.records:read"), endpoint_url=server.url, retry_strategy=None)
    table = reader.table(things.base.id, "Things")
    refused(401, "AUTHENTICATION_REQUIRED", stranger.table(things.base.id, "Things").all)
    refused(401, "AUTHENTICATION_REQUIRED", stranger.whoami)
    assert len(table.all()) == 1
    refused(403, "INVALID_PERMISSIONS", table.create, {"Name": "b"})
    refused(403, "INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND", api.table("appAAAAAAAAAAAAAA", "Things").all)
    refused(403, "INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND", api.table(things.base.id, "Nothing").all)
    refused(404, "NOT_FOUND", things.get, "rec1")
    refused(404, "MODEL_ID_NOT_FOUND", things.get, missing)
    refused(404, "MODEL_ID_NOT_FOUND", things.update, missing, {"Name": "b"})
    refused(404, "MODEL_ID_NOT_FOUND", things.delete, missing)
    refused(422, "ROW_DOES_NOT_EXIST", things.batch_update, [{"id": missing, "fields": {}}])
    refused(422, "UNKNOWN_FIELD_NAME", things.create, {"Nope": 1})
    refused(422, "UNKNOWN_FIELD_NAME", things.all, fields=["Nope"])
    refused(422, "UNKNOWN_FIELD_NAME", things.all, sort=["Nope"])
    refused(422, "INVALID_VALUE_FOR_COLUMN", things.create, {"Number": "x"})
    refused(422, "INVALID_MULTIPLE_CHOICE_OPTIONS", things.create, {"Tags": ["Z"]})
    refused(422, "VIEW_NAME_NOT_FOUND", things.all, view="Nope")
    refused(422, "VIEW_ID_NOT_FOUND", things.all, view="viwAAAAAAAAAAAAAA")
    refused(422, "INVALID_REQUEST_UNKNOWN", things.all, page_size=101)
    refused(422, "INVALID_REQUEST_UNKNOWN", things.all, cell_format="string")
    refused(422, "INVALID_OFFSET_VALUE", things.all, offset="nonsense")
    refused(422, "DUPLICATE_OR_EMPTY_FIELD_NAME", things.create_field, "NAME", "singleLineText")
    refused(422, "DUPLICATE_TABLE_NAME", things.base.create_table, "Things", [text("Name")])
    refused(422, "INVALID_REQUEST_UNKNOWN", things.create_field, "New", "number")
    refused(422, "INVALID_RECORDS", api.post, things.urls.records, json={"records": [{"fields": {}}] * 11})
    refused(422, "INVALID_REQUEST_MISSING_FIELDS", api.post, things.urls.records, json={})
    assert [record["id"] for record in things.all()] == [one]
