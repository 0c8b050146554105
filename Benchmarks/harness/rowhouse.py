"""Ours."""
import subprocess
import threading
from urllib.parse import quote

from .http import Connection, request
from .orders import CHOICES, FIELDS, KINDS
from .servers import TableServer, without_empty

CONNECTIONS = 4
BATCH = 10


def field(name, kind):
    choices = {"choices": [{"name": choice} for choice in CHOICES.get(name, [])]}
    kinds = {
        "text": ("singleLineText", None),
        "long text": ("multilineText", None),
        "select": ("singleSelect", choices),
        "selects": ("multipleSelects", choices),
        "number": ("number", {"precision": 0}),
        "checkbox": ("checkbox", {"icon": "check", "color": "greenBright"}),
        "dateTime": ("dateTime", {
            "dateFormat": {"name": "iso"}, "timeFormat": {"name": "24hour"}, "timeZone": "utc"}),
    }
    kind_here, options = kinds[kind]
    return {"name": name, "type": kind_here, **({"options": options} if options else {})}


class Rowhouse(TableServer):
    name = "Rowhouse"
    ready_path = "/healthz"

    def __init__(self, folder, program):
        super().__init__(folder)
        self.program = program
        self.base = None

    def command(self):
        return [self.program, "serve", "--data", self.folder, "--listen", f"127.0.0.1:{self.port}"]

    def path(self, record_id=None):
        return f"/v0/{self.base}/orders" + (f"/{record_id}" if record_id else "")

    def get(self, record_id):
        return "GET", self.path(record_id), None

    def list(self, field, direction, size, fields=None, filter=None):
        pairs = [("pageSize", size), ("sort[0][field]", field), ("sort[0][direction]", direction)]
        pairs += [("fields[]", name) for name in fields or []]
        pairs += [("filterByFormula", filter)] if filter else []
        query = "&".join(f"{quote(key, safe='')}={quote(str(value), safe='')}" for key, value in pairs)
        return "GET", f"{self.path()}?{query}", None

    def condition(self, tests):
        parts = [f"{{{name}}}{sign}'{value}'" if isinstance(value, str) else f"{{{name}}}{sign}{value}"
                 for name, sign, value in tests]
        return parts[0] if len(parts) == 1 else f"AND({','.join(parts)})"

    def create(self, cells):
        return "POST", self.path(), {"fields": cells}

    def update(self, record_id, cells):
        return "PATCH", self.path(record_id), {"fields": cells}

    def delete(self, record_id):
        return "DELETE", self.path(record_id), None

    def cells(self, record):
        return without_empty(record["fields"])

    def page(self, answer):
        return answer["records"]

    def rank(self, field, value):
        if KINDS[field] == "select":
            return CHOICES[field].index(value)
        return None if KINDS[field] == "selects" else value

    def prepare(self, records):
        self.start()
        self.sign_in()
        self.create_base({"name": "orders", "fields": [field(*each) for each in FIELDS]})
        self.ids = [None] * len(records)
        self._load(records)
        self.stop()

    def sign_in(self):
        made = subprocess.run(
            [self.program, "token", "create", "--data", str(self.folder)], check=True, capture_output=True, text=True)
        self.token = made.stdout.strip()

    def create_base(self, table):
        body = {"name": "Tea shop", "workspaceId": "wspBenchmarks00000", "tables": [table]}
        with self.connect() as connection:
            self.base = connection.ask(request(self.port, "POST", "/v0/meta/bases", self.token, body))["id"]

    def _load(self, records):
        starts = iter(range(0, len(records), BATCH))
        lock = threading.Lock()
        failures = []

        def work():
            try:
                with Connection(self.port) as connection:
                    while True:
                        with lock:
                            start = next(starts, None)
                        if start is None or failures:
                            return
                        part = [{"fields": cells} for cells in records[start:start + BATCH]]
                        answer = connection.ask(self.raw(("POST", self.path(), {"records": part})))
                        self.ids[start:start + BATCH] = [record["id"] for record in answer["records"]]
            except Exception as failure:
                failures.append(failure)

        threads = [threading.Thread(target=work) for _ in range(CONNECTIONS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]
