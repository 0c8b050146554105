"""The requests of each scenario, drawn from a seed and written to files for replay.lua: the same draws for both servers."""
import itertools
import random

from .orders import DRINKS, NAMES, SIZES, SUGARS, changes, orders

DIRECTIONS = ["asc", "desc"]
DRAWN = 4096
LEAST_COMBINATIONS = 1000


def sorts():
    """Every stored field in both directions."""
    return list(itertools.product(NAMES, DIRECTIONS))


def lists_of_100():
    """Pages of 100 by any field, with all fields returned or all but one or two: 1,120 combinations."""
    subsets = [[name for name in NAMES if name not in left_out]
               for count in range(3) for left_out in itertools.combinations(NAMES, count)]
    return [(field, direction, 100, subset) for (field, direction), subset in itertools.product(sorts(), subsets)]


def lists_of_whole_records():
    """Pages of 50 to 100 by any field, without naming fields, which spares the peer its slow picking of them: 1,020."""
    return [(field, direction, size, None) for (field, direction), size in itertools.product(sorts(), range(50, 101))]


def mixed_lists():
    """Pages of 20 to 100 by any field, with one to ten fields returned: 4,096 draws from 1.6 million combinations."""
    draw = random.Random(77)
    drawn = set()
    while len(drawn) < DRAWN:
        field, direction = draw.choice(sorts())
        some = set(draw.sample(NAMES, draw.randint(1, len(NAMES))))
        drawn.add((field, direction, draw.randint(20, 100), tuple(name for name in NAMES if name in some)))
    return [(field, direction, size, list(some)) for field, direction, size, some in sorted(drawn)]


def filtered_lists():
    """Pages of 100 by any field, filtered by one or two drawn constants that hold for 1 to 50 records in 100."""
    draw = random.Random(78)
    drawn = set()
    while len(drawn) < DRAWN:
        tests = draw.choice([
            [("drink", "=", draw.choice(DRINKS))],
            [("cups", "=", draw.randint(1, 12)), ("size", "=", draw.choice(SIZES))],
            [("total", ">=", draw.randint(700, 900))],
            [("sugar", "=", draw.choice(SUGARS)), ("total", "<", draw.randint(150, 400))],
            [("drink", "=", draw.choice(DRINKS)), ("cups", ">", draw.randint(2, 8))],
        ])
        field, direction = draw.choice(sorts())
        drawn.add((field, direction, 100, tuple(tests)))
    return sorted(drawn)


def reads_of_filtered_lists(server, path, combinations):
    assert len(combinations) >= LEAST_COMBINATIONS
    return write(path, [server.raw(server.list(field, direction, size, filter=server.condition(tests)))
                        for field, direction, size, tests in combinations])


def write(path, calls):
    """Writes whole requests, parted by NUL, which none can contain."""
    assert not any(b"\0" in call for call in calls)
    path.write_bytes(b"\0".join(calls))
    return path


def reads_of_one(server, path):
    return write(path, [server.raw(server.get(key)) for key in server.ids])


def reads_of_lists(server, path, combinations):
    assert len(combinations) >= LEAST_COMBINATIONS
    return write(path, [server.raw(server.list(*combination)) for combination in combinations])


def updates(server, path):
    """Updates of random records: they move rows in three indexes and stale any page kept, but leave the size as it is."""
    draw = random.Random(50)
    return write(path, [server.raw(server.update(draw.choice(server.ids), changes(draw))) for _ in range(DRAWN)])


def creates(server, path):
    new = orders(DRAWN, seed=3, first_number=500_000)
    return write(path, [server.raw(server.create(cells)) for cells in new])


def fixed(limit, path, target, server):
    """As many different requests as `server` gets, for a limit that gives one fixed answer at `target`."""
    calls = [limit.raw(("GET", f"{target}?record={key}", None), server.token) for key in server.ids]
    return write(path, calls)
