"""A base made for one test, and short ways to reach its tables."""

from harness.wire import segment

WORKSPACE = "wspAAAAAAAAAAAAAA"


class Base:
    """A base on the server, reached over one connection."""

    def __init__(self, wire, created):
        self.wire = wire
        self.id = created["id"]
        self.tables = {table["name"]: table for table in created["tables"]}

    @classmethod
    def create(cls, wire, tables, name="Tea house"):
        body = {"name": name, "workspaceId": WORKSPACE, "tables": tables}
        return cls(wire, wire.call("POST", "/v0/meta/bases", body).ok())

    def path(self, table, record=None):
        parts = ["/v0", self.id, segment(table)] + ([record] if record else [])
        return "/".join(parts)

    def schema(self):
        return self.wire.call("GET", f"/v0/meta/bases/{self.id}/tables").ok()["tables"]

    def field_id(self, table, name):
        return next(field["id"] for field in self.tables[table]["fields"] if field["name"] == name)

    def grid_view(self, table):
        return self.tables[table]["views"][0]["id"]

    def create_records(self, table, rows, wire=None, **more):
        """Creates any number of records, ten in a request; returns them in order."""
        made = []
        for start in range(0, len(rows), 10):
            body = {"records": [{"fields": row} for row in rows[start:start + 10]], **more}
            made += (wire or self.wire).call("POST", self.path(table), body).ok()["records"]
        return made

    def list(self, table, query=(), wire=None):
        """Every record of every page, in order."""
        records, offset = [], None
        while True:
            pairs = list(query) + ([("offset", offset)] if offset else [])
            page = (wire or self.wire).call("GET", self.path(table), query=pairs).ok()
            records += page["records"]
            offset = page.get("offset")
            if not offset:
                return records

    def get(self, table, record, wire=None):
        return (wire or self.wire).call("GET", self.path(table, record)).ok()


def text(name):
    return {"name": name, "type": "singleLineText"}


def number(name, precision=0):
    return {"name": name, "type": "number", "options": {"precision": precision}}


def field(name, kind, **options):
    return {"name": name, "type": kind, **({"options": options} if options else {})}


def select(name, *choices, kind="singleSelect"):
    return field(name, kind, choices=[{"name": choice} for choice in choices])
