"""Right answers first: nothing is measured on a server whose answers are wrong."""
import json
import random

from .orders import KINDS, NAMES
from .servers import without_empty
from .workload import filtered_lists, lists_of_100, lists_of_whole_records, mixed_lists, sorts


class WrongAnswer(Exception):
    pass


def must(condition, server, what):
    if not condition:
        raise WrongAnswer(f"{server.name}: {what}")


def check_gets(server, records, connection, count=50):
    draw = random.Random(11)
    for index in draw.sample(range(len(records)), count):
        answer = connection.ask(server.raw(server.get(server.ids[index])))
        must(server.cells(answer) == without_empty(records[index]), server,
             f"get gave {server.cells(answer)} for {records[index]}")


def check_list(server, by_name, expected, combination, connection):
    """The right number of records, each as it was written, with the fields asked for, and the right ones in the right order.

    Records of equal rank may come in any order, so ranks are compared; names and times are unique, so there it is exact."""
    field, direction, size, fields = combination
    # Names and the sorted field are always asked for here, so that the answer can be held against the records.
    asked = fields and sorted({*fields, "name", field}, key=NAMES.index)
    page = server.page(connection.ask(server.raw(server.list(field, direction, size, asked))))
    must(len(page) == size, server, f"{len(page)} records instead of {size} for {combination}")
    cells = [server.cells(record) for record in page]
    for one in cells:
        whole = by_name[one["name"]]
        must(one == without_empty({name: whole[name] for name in asked or NAMES}), server, f"{one} for {combination}")
    if expected is not None:
        got = [server.rank(field, by_name[one["name"]][field]) for one in cells]
        must(got == expected[:size], server, f"order {got[:5]}… instead of {expected[:5]}… for {combination}")
    return [one["name"] for one in cells]


def check_lists(server, records, connection):
    by_name = {record["name"]: record for record in records}
    first = {}
    for field, direction in sorts():
        expected = None
        if server.rank(field, records[0][field]) is not None:
            ranks = [server.rank(field, record[field]) for record in records]
            expected = sorted(ranks, reverse=direction == "desc")[:100]
        first[field, direction] = expected
    draw = random.Random(12)
    combinations = [(field, direction, 100, None) for field, direction in sorts()]
    combinations += [draw.choice(some) for some in (lists_of_100(), lists_of_whole_records(), mixed_lists()) for _ in range(10)]
    pages = {}
    for combination in combinations:
        names = check_list(server, by_name, first[combination[:2]], combination, connection)
        pages.setdefault(combination[:2], names)
    return pages


def check_filters(server, records, connection, count=40):
    """Filtered first pages have the records for which the tests hold, and as many of them as there are."""
    holds = {"=": lambda a, b: a == b, ">=": lambda a, b: a >= b, "<": lambda a, b: a < b, ">": lambda a, b: a > b}
    for field, direction, size, tests in random.Random(14).sample(filtered_lists(), count):
        call = server.list(field, direction, size, filter=server.condition(tests))
        page = [server.cells(record) for record in server.page(connection.ask(server.raw(call)))]
        found = {record["name"] for record in records if all(holds[sign](record[name], value) for name, sign, value in tests)}
        names = {cells["name"] for cells in page}
        must(len(page) == len(names) == min(size, len(found)) and names <= found, server,
             f"{len(page)} records of {len(found)} for {tests} by {field}")


def check_writes(server, records, connection):
    """An update reads back as written and is then undone; a created record reads back and is deleted."""
    index = random.Random(13).randrange(len(records))
    key, before = server.ids[index], records[index]
    changed = {"cups": before["cups"] + 1, "paid": not before["paid"], "note": before["note"] + "謝"}
    for cells in (changed, {name: before[name] for name in changed}):
        connection.ask(server.raw(server.update(key, cells)))
        answer = connection.ask(server.raw(server.get(key)))
        must(server.cells(answer) == without_empty({**before, **cells}), server, f"update gave {answer}")
    new = {**before, "name": "Zed 999999"}
    made = connection.ask(server.raw(server.create(new)))
    answer = connection.ask(server.raw(server.get(made["id"])))
    must(server.cells(answer) == without_empty(new), server, f"create gave {answer}")
    connection.ask(server.raw(server.delete(made["id"])))


def check_stranger(server):
    """Without a token a list is refused, or empty where rights work as a filter."""
    token, server.token = server.token, None
    try:
        with server.connect() as connection:
            status, body = connection.send(server.raw(server.list("name", "asc", 20)))
    finally:
        server.token = token
    must(status in (401, 403) or not server.page(json.loads(body)), server, "a list without a token was answered")


def check(servers, records):
    """Checks each server by itself, then holds their first pages against each other. Returns how many pages were compared."""
    pages = []
    for server in servers:
        with server.connect() as connection:
            check_gets(server, records, connection)
            pages.append(check_lists(server, records, connection))
            check_filters(server, records, connection)
            check_writes(server, records, connection)
            status, _ = connection.send(server.raw(server.get("rec00000000000000")))
            must(status == 404, server, f"{status} for a record that is not there")
        check_stranger(server)
    unique = [key for key in pages[0] if KINDS[key[0]] == "dateTime" or key[0] == "name"]
    for other in pages[1:]:
        for key in unique:
            must(pages[0][key] == other[key], servers[0], f"the first pages differ by {key}")
    return len(pages[0])

