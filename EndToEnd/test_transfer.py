"""Bases as files: export and create again, JSON and CSV, on a free folder and through the server that holds it."""

import base64
import csv
import io
import json
import random
import urllib.request

import pytest

from harness.base import WORKSPACE, Base, field, number, select, text
from harness.server import command

DATE = field("Due", "date", dateFormat={"name": "iso"})
MOMENT = field("When", "dateTime", dateFormat={"name": "iso"}, timeFormat={"name": "24hour"}, timeZone="Asia/Taipei")
CHECKBOX = field("Done", "checkbox", icon="check", color="greenBright")


def link(name, table):
    return field(name, "multipleRecordLinks", linkedTableId=table)


@pytest.fixture
def shop(server, wire):
    """Two linked tables with computed fields, views, awkward names and values, and 250 records."""
    base = Base.create(wire, [
        {"name": "Drinks", "description": "All \"drinks\"", "fields": [
            text("Name"), number("Price", 2), {"name": "Notes", "type": "multilineText"}, CHECKBOX,
            select("Size", "小", "大, hot"), select("Tags", "a", "b", "c", kind="multipleSelects"), DATE, MOMENT,
            {"name": "Code", "type": "barcode"}, {"name": "Who", "type": "singleCollaborator"}]},
        {"name": "Orders", "fields": [text("Name"), link("Drinks", "Drinks"), link("Related", "Orders")]}], name="Shop, 茶")
    me = wire.call("GET", "/v0/meta/whoami").ok()["id"]
    rng = random.Random(3)
    drinks = [{"Name": f"=drink {n}", "Price": n / 4, "Notes": "a \"quote\"\nand a line, 茶" if n % 3 else "", "Done": n % 2 == 0,
               "Size": ["小", "大, hot"][n % 2], "Tags": rng.sample("abc", n % 4), "Due": f"2024-02-{n % 28 + 1:02}",
               "When": f"2024-05-01T{n % 24:02}:00:00.000Z", "Code": {"text": f"{n:08}", "type": "code39"}, "Who": {"id": me}}
              for n in range(40)]
    ids = [record["id"] for record in base.create_records("Drinks", drinks)]
    orders = [{"Name": f"order {n}", "Drinks": rng.sample(ids, n % 4)} for n in range(210)]
    made = [record["id"] for record in base.create_records("Orders", orders)]
    for n in range(0, 50, 10):
        wire.call("PATCH", base.path("Orders"), {"records": [
            {"id": made[k], "fields": {"Related": rng.sample(made, 3)}} for k in range(n, n + 10)]}).ok()
    # The other side in an order of its own.
    for drink in ids[:10]:
        cell = base.get("Drinks", drink)["fields"].get("Orders", [])
        wire.call("PATCH", base.path("Drinks", drink), {"fields": {"Orders": rng.sample(cell, len(cell))}}).ok()
    tables = {table["name"]: {f["name"]: f["id"] for f in table["fields"]} | {"": table["id"]} for table in base.schema()}
    drinks_table, orders_table = tables["Drinks"], tables["Orders"]

    def make(table, name, kind, **options):
        path = f"/v0/meta/bases/{base.id}/tables/{table['']}/fields"
        return wire.call("POST", path, {"name": name, "type": kind, "options": options}).ok()["id"]

    make(drinks_table, "Twice", "formula", formula="{Price}*2&\"{Price}\"")
    make(orders_table, "Count", "count", recordLinkFieldId=orders_table["Drinks"])
    prices = make(orders_table, "Prices", "multipleLookupValues", recordLinkFieldId=orders_table["Drinks"],
                  fieldIdInLinkedTable=drinks_table["Price"])
    make(orders_table, "Total", "rollup", recordLinkFieldId=orders_table["Drinks"],
         fieldIdInLinkedTable=drinks_table["Price"], formula="SUM(values)")
    make(drinks_table, "Open", "button", label="Look", url="\"https://example.org/\"&{Name}")
    gone = make(orders_table, "Gone", "multipleRecordLinks", linkedTableId=drinks_table[""])
    make(orders_table, "Broken", "count", recordLinkFieldId=gone)
    wire.call("DELETE", f"/v0/meta/bases/{base.id}/tables/{orders_table['']}/fields/{gone}").ok()
    make(orders_table, "Dear", "formula", formula="IF({Total}>10,\"yes\",ARRAYJOIN({Prices}))")
    views = f"/v0/meta/bases/{base.id}/tables/{drinks_table['']}/views"
    wire.call("POST", views, {"name": "Dear ones", "filterByFormula": "AND({Price}>5,{Done})",
                              "sort": [{"field": "Price", "direction": "desc"}],
                              "visibleFieldIds": [drinks_table["Name"], drinks_table["Price"]]}).ok()
    assert prices
    return base


def export(server, *arguments):
    result = command("base", "export", *arguments, "--data", server.folder)
    assert result.returncode == 0, result.stderr
    return result.stdout


def create(server, path):
    result = command("base", "create", "--from", str(path), "--data", server.folder)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def plain(base_id, wire):
    """The base without identifiers: what a person would call equal."""
    schema = wire.call("GET", f"/v0/meta/bases/{base_id}/tables", query=[("include", "visibleFieldIds")]).ok()["tables"]
    names = {part["id"]: part["name"] for table in schema for part in [table, *table["fields"], *table["views"]]}
    records, keys = {}, {}
    for table in schema:
        base = Base(wire, {"id": base_id, "tables": schema})
        records[table["name"]] = base.list(table["id"])
        for n, record in enumerate(records[table["name"]]):
            keys[record["id"]] = f"{table['name']} {n}"

    def known(value):
        if isinstance(value, str):
            for old, new in {**names, **keys}.items() if value[:3] in ("fld", "tbl", "viw", "rec") or "{fld" in value else ():
                value = value.replace(old, f"<{new}>")
            return value
        if isinstance(value, list):
            return [known(item) for item in value]
        if isinstance(value, dict):
            return {key: known(item) for key, item in value.items() if not (key == "id" and str(item)[:3] == "sel")}
        return value

    return known(schema), {name: [known(record["fields"]) for record in rows] for name, rows in records.items()}


def test_an_exported_base_is_made_again_with_equal_data(server, shop, wire, tmp_path):
    document = export(server, shop.id)
    path = tmp_path / "shop.json"
    path.write_text(document)
    copy = create(server, path)
    assert copy != shop.id
    (schema, records), (copied_schema, copied_records) = plain(shop.id, wire), plain(copy, wire)
    for mine, other in zip(schema, copied_schema):
        for part in mine:
            assert other[part] == mine[part]
    assert copied_schema == schema
    assert copied_records == records
    assert len(records["Orders"]) == 210 and any("Related" in row for row in records["Orders"])
    # And the copy's own export makes the same again.
    again = tmp_path / "again.json"
    again.write_text(export(server, copy))
    assert plain(create(server, again), wire) == (schema, records)


def test_files_come_along_where_their_links_lead_to_the_same_server(server, wire, tmp_path):
    base = Base.create(wire, [{"name": "Things", "fields": [text("Name"), {"name": "Files", "type": "multipleAttachments"}]}])
    [record] = base.create_records("Things", [{"Name": "one"}])
    contents = {"a b.txt": b"first", "茶.bin": bytes(range(256)) * 40}
    for name, content in contents.items():
        body = {"contentType": "text/plain", "file": base64.b64encode(content).decode(), "filename": name}
        wire.call("POST", f"/v0/{base.id}/{record['id']}/Files/uploadAttachment", body).ok()
    path = tmp_path / "files.json"
    path.write_text(export(server, base.id))
    copy = create(server, path)
    [copied] = wire.call("GET", f"/v0/{copy}/Things").ok()["records"]
    wire.call("DELETE", base.path("Things", record["id"])).ok()
    files = copied["fields"]["Files"]
    assert [one["filename"] for one in files] == list(contents)
    for one in files:
        with urllib.request.urlopen(one["url"], timeout=10) as answer:
            assert answer.read() == contents[one["filename"]]


def test_the_document_is_json_with_a_record_a_line(server, shop, wire):
    base = Base.create(wire, [{"name": "T", "fields": [text("Name")]}], name="The only one")
    assert json.loads(export(server, "The only one"))["tables"][0]["id"] == base.tables["T"]["id"]
    document = export(server, shop.id)
    parsed = json.loads(document)
    assert parsed["format"] == "rowhouse-base-1" and [table["name"] for table in parsed["tables"]] == ["Drinks", "Orders"]
    lines = [json.loads(line.rstrip(",")) for line in document.splitlines() if line.startswith('{"id":"rec')]
    assert len(lines) == 250 and lines == [record for table in parsed["tables"] for record in table["records"]]


def test_export_to_a_file_works_on_a_free_folder_too(own_server, tmp_path):
    server = own_server()
    wire = server.wire(server.token())
    base = Base.create(wire, [{"name": "T", "fields": [text("Name"), number("N")]}])
    base.create_records("T", [{"Name": f"n{n}", "N": n} for n in range(25)])
    held = export(server, base.id)
    server.stop()
    target = tmp_path / "out.json"
    assert export(server, base.id, "--to", str(target)) == ""
    assert target.read_text() == held and not (tmp_path / "out.json.part").exists()
    assert target.stat().st_mode & 0o777 == 0o600


def test_csv_of_a_table_and_a_base_of_csv(server, shop, wire, tmp_path):
    document = export(server, shop.id, "--table", "Drinks")
    rows = list(csv.DictReader(io.StringIO(document, newline="")))
    assert len(rows) == 40
    drinks = shop.list("Drinks")
    for row, record in zip(rows, drinks):
        fields = record["fields"]
        assert row["Name"] == fields["Name"] and float(row["Price"]) == fields["Price"]
        assert row["Notes"] == fields.get("Notes", "") and row["Done"] == ("true" if fields.get("Done") else "")
        assert row["Tags"] == ", ".join(fields.get("Tags", [])) and row["Due"] == fields["Due"]
        assert row["Code"] == fields["Code"]["text"]
    orders = {record["id"]: record["fields"]["Name"] for record in shop.list("Orders")}
    assert rows[3]["Orders"] == ", ".join(orders[one] for one in drinks[3]["fields"].get("Orders", []))
    path = tmp_path / "drinks.csv"
    path.write_bytes(document.encode())
    copy = create(server, path)
    table = wire.call("GET", f"/v0/meta/bases/{copy}/tables").ok()["tables"][0]
    assert table["name"] == "drinks"
    kinds = {f["name"]: f["type"] for f in table["fields"]}
    assert kinds["Price"] == "number" and kinds["Due"] == "date" and kinds["When"] == "dateTime"
    assert kinds["Done"] == "checkbox" and kinds["Notes"] == "multilineText" and kinds["Code"] == "singleLineText"
    assert export(server, copy, "--table", "drinks") == document


def test_spreadsheet_safe_csv_runs_nothing(server, shop):
    rows = list(csv.reader(io.StringIO(export(server, shop.id, "--table", "Drinks", "--spreadsheet-safe"), newline="")))
    assert all(row[0].startswith("'=drink ") for row in rows[1:])
    assert not any(cell[:1] in "=+-@" for row in rows[1:] for cell in row if cell)


@pytest.mark.parametrize("name, content, part", [
    ("a.csv", b"", "it is empty"), ("a.csv", b'a,b\n"x', "line 2: a quote is not closed"),
    ("a.csv", "名稱,價格".encode("big5"), "CSV UTF-8"), ("a.csv", b"a\n1,2", "line 2: 2 cells"),
    ("a.json", b"{", "is not JSON"), ("a.json", b'{"format":"other","name":"x","tables":[{}]}', '"format"'),
    ("a.json", b'{"format":"rowhouse-base-1","name":"x","tables":[{"name":"T","fields":[{"name":"a","type":"url"}]}]}',
     'a table with "id"')])
def test_a_wrong_file_makes_nothing_and_says_why(server, wire, tmp_path, name, content, part):
    before = wire.call("GET", "/v0/meta/bases").ok()
    path = tmp_path / name
    path.write_bytes(content)
    result = command("base", "create", "--from", str(path), "--data", server.folder)
    assert result.returncode == 1 and part in result.stderr and result.stdout == ""
    assert wire.call("GET", "/v0/meta/bases").ok() == before


def test_an_export_that_was_tampered_with_makes_nothing(server, shop, wire, tmp_path):
    document = json.loads(export(server, shop.id))
    orders = document["tables"][1]
    inverse = next(f for f in orders["fields"] if f["name"] == "Drinks")["options"]["inverseLinkFieldId"]
    before = wire.call("GET", "/v0/meta/bases").ok()
    for change in (
            lambda d: d["tables"][1]["fields"].append(dict(d["tables"][1]["fields"][0])),
            lambda d: d["tables"][0]["fields"].remove(next(f for f in d["tables"][0]["fields"] if f["id"] == inverse)),
            lambda d: d["tables"][1].update(primaryFieldId="fldAAAAAAAAAAAAAA"),
            lambda d: d["tables"][0]["views"][1]["sort"][0].update(field=d["tables"][1]["fields"][0]["id"]),
            lambda d: d["tables"][1]["records"][1]["fields"].update(Drinks=["recAAAAAAAAAAAAAA"]),
            lambda d: d["tables"][0]["records"][1]["fields"].update(Price="dear"),
            lambda d: d["tables"][1]["fields"][1]["options"].update(linkedTableId="tblAAAAAAAAAAAAAA"),
            lambda d: d["tables"].pop(0)):
        changed = json.loads(json.dumps(document))
        change(changed)
        path = tmp_path / "changed.json"
        path.write_text(json.dumps(changed))
        result = command("base", "create", "--from", str(path), "--data", server.folder)
        assert result.returncode == 1 and result.stderr.startswith("rowhouse: "), result
        assert wire.call("GET", "/v0/meta/bases").ok() == before
