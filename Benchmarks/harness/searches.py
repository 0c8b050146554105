"""A search that must look at every record, beside SQLite's own scan of the same rows."""
import sqlite3
import statistics
import time

from .orders import NAMES
from .pocketbase import stored

#: Words that no note holds, each put into the note of one record in ten thousand or fewer.
NEEDLES = ["kumquat", "quince", "yuzu", "damson", "medlar", "loquat", "sorrel", "rambutan", "pomelo", "salak"]


def hide(server, records):
    """Puts each word into one note of the server; returns the records as they then are, and where the words are."""
    records = [dict(record) for record in records]
    places = {}
    for number, needle in enumerate(NEEDLES[:max(1, len(records) // 10_000)]):
        index = len(records) * (2 * number + 1) // (2 * len(NEEDLES))
        records[index]["note"] += ", " + needle
        places[needle] = index
    write_notes(server, records, places)
    return records, places


def write_notes(server, records, places):
    with server.connect() as connection:
        for index in places.values():
            connection.ask(server.raw(server.update(server.ids[index], {"note": records[index]["note"]})))


def copy(records, path):
    """The same rows in a SQLite file of their own."""
    database = sqlite3.connect(path)
    columns = ", ".join(NAMES)
    database.execute(f"CREATE TABLE orders (number INTEGER PRIMARY KEY, {columns})")
    rows = ([stored(name, record[name]) for name in NAMES] for record in records)
    database.executemany(f"INSERT INTO orders ({columns}) VALUES ({', '.join('?' * len(NAMES))})", rows)
    database.commit()
    return database


def compare(server, records, formula, rounds, path):
    """Median milliseconds of a list filtered by `formula` (the word in place of @) on one connection, and of SQLite's LIKE
    over the same rows; in turns. Answers are checked."""
    as_loaded = records
    records, places = hide(server, records)
    database = copy(records, path)
    ours, theirs = [], []
    with server.connect() as connection:
        for turn in range(rounds):
            for needle, index in places.items():
                call = server.raw(server.search(formula.replace("@", needle)))
                began = time.perf_counter()
                answer = connection.ask(call)
                ours.append((time.perf_counter() - began) * 1000)
                found = [record["id"] for record in server.page(answer)]
                began = time.perf_counter()
                rows = database.execute("SELECT number FROM orders WHERE note LIKE ?", (f"%{needle}%",)).fetchall()
                theirs.append((time.perf_counter() - began) * 1000)
                if found != [server.ids[index]] or rows != [(index + 1,)]:
                    raise RuntimeError(f"{needle}: found {found} and {rows}")
    database.close()
    write_notes(server, as_loaded, places)
    return statistics.median(ours), statistics.median(theirs)
