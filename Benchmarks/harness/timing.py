"""What is timed without wrk: start-up, the wait for automatic indexes, and pages sorted by each field."""
import json
import statistics
import time

from .http import Connection
from .orders import NAMES
from .workload import DIRECTIONS, sorts

PAGE = 100


def start_until_answer(server, records):
    """Milliseconds from starting the process until it gave the right first page of 100 by name. Leaves it stopped."""
    expected = sorted(record["name"] for record in records)[:PAGE]
    call = server.raw(server.list("name", "asc", PAGE))
    began = time.perf_counter()
    server.spawn()
    try:
        while True:
            if time.perf_counter() - began > 30 or server.process.poll() is not None:
                raise RuntimeError(f"{server.name} gave no right list within 30 s of its start")
            try:
                with Connection(server.port) as connection:
                    status, body = connection.send(call)
            except OSError:
                status = None
            if status == 200:
                names = [server.cells(record)["name"] for record in server.page(json.loads(body))]
                if names == expected:
                    return (time.perf_counter() - began) * 1000
            time.sleep(0.0005)
    finally:
        server.stop()


def start_ups(servers, records, runs):
    times = {server: [] for server in servers}
    for _ in range(runs):
        for server in servers:
            times[server].append(start_until_answer(server, records))
    return {server: statistics.median(some) for server, some in times.items()}


def settle(server, most_seconds, least_seconds=3):
    """Asks for every sort over and over until the times stay the same, so that indexes made in the background are there.

    Steady means: three rounds in a row within a fifth, the slowest sort within eight times the fastest, and some seconds
    over. Returns the seconds waited and whether it became steady; what is still slow then is measured as it is."""
    calls = [server.raw(server.list(field, direction, PAGE)) for field, direction in sorts()]
    began = time.monotonic()
    totals = []
    with server.connect() as connection:
        while True:
            each = [min(_timed(connection, call) for _ in range(3)) for call in calls]
            totals = [*totals, sum(each)][-3:]
            waited = time.monotonic() - began
            even = max(totals) <= 1.2 * min(totals) and max(each) <= 8 * min(each)
            if waited >= least_seconds and len(totals) == 3 and even:
                return waited, True
            if waited >= most_seconds:
                return waited, False
            time.sleep(0.1)


def _timed(connection, call):
    began = time.perf_counter()
    status, _ = connection.send(call)
    taken = time.perf_counter() - began
    if status != 200:
        raise RuntimeError(f"{status} to {call[:200]!r}")
    return taken * 1000


def sorted_pages(servers, rounds):
    """Median milliseconds of a page of 100 by each field on one connection, as {server: {field: ms}}; in turns by request."""
    times = {server: {name: [] for name in NAMES} for server in servers}
    connections = {server: server.connect() for server in servers}
    calls = {(server, name, direction): server.raw(server.list(name, direction, PAGE))
             for server in servers for name in NAMES for direction in DIRECTIONS}
    for turn in range(rounds):
        for name in NAMES:
            for server in servers:
                call = calls[server, name, DIRECTIONS[turn % 2]]
                times[server][name].append(_timed(connections[server], call))
    for connection in connections.values():
        connection.socket.close()
    return {server: {name: statistics.median(some) for name, some in fields.items()} for server, fields in times.items()}
