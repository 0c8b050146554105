#!/usr/bin/env python3
"""Writes zones.txt, dates.txt and calendar.txt beside this file, from Python's zoneinfo and datetime.

    python3 make_cases.py

zones.txt, one case a line, seconds since 1970:
    I ZONE UTC OFFSET ABBREVIATION      offset and abbreviation that hold at an instant
    L ZONE LOCAL UTC                    the instant at which clocks show a time (first of two; gaps move forward)
dates.txt:
    DAYS YYYY-MM-DD WEEKDAY DAYOFYEAR   days since 1970-01-01; 0 is Sunday
calendar.txt, seconds since 1970, around the changes of clocks and the ends of months:
    A ZONE UTC AMOUNT day|month UTC     the same time on the clock so much later
    D ZONE UTC UTC DAYS                 whole days on the clock from the second to the first
    S ZONE UTC day|month|year UTC       where the unit began
"""
import calendar
import datetime
import pathlib
import random
import zoneinfo

HERE = pathlib.Path(__file__).parent
ZONES = [
    "Asia/Taipei", "America/New_York", "Europe/London", "Europe/Dublin", "Australia/Lord_Howe", "Asia/Kathmandu",
    "Pacific/Apia", "Africa/Casablanca", "America/Godthab", "America/Santiago", "Antarctica/Troll", "Etc/GMT-14",
]
EPOCH = datetime.datetime(1970, 1, 1)
FIRST = int((datetime.datetime(1900, 1, 1) - EPOCH).total_seconds())
LAST = int((datetime.datetime(2100, 12, 31) - EPOCH).total_seconds())


def rule(zone, seconds):
    local = (EPOCH + datetime.timedelta(seconds=seconds)).replace(tzinfo=datetime.timezone.utc).astimezone(zone)
    return int(local.utcoffset().total_seconds()), local.tzname()


def transitions(zone):
    """Every change within the years, by bisection of steps of six hours."""
    step, before = 6 * 3600, rule(zone, FIRST)
    for start in range(FIRST, LAST, step):
        after = rule(zone, start + step)
        if after == before:
            continue
        low, high = start, start + step
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if rule(zone, middle) == before else (low, middle)
        yield high, before[0], after[0]
        before = after


def is_kept(seconds):
    """Every second year up to 1990, then every fifth, for a file of bounded size."""
    year = (EPOCH + datetime.timedelta(seconds=seconds)).year
    return year % 2 == 0 if year <= 1990 else year % 5 == 0 or year in (2024, 2036, 2037, 2038)


def instant_of(zone, local):
    wall = (EPOCH + datetime.timedelta(seconds=local)).replace(tzinfo=zone, fold=0)
    return local - int(wall.utcoffset().total_seconds())


def zone_lines():
    generator = random.Random(20240501)
    for name in ZONES:
        zone = zoneinfo.ZoneInfo(name)
        for time, before, after in transitions(zone):
            if not is_kept(time):
                continue
            for instant in (time - 1, time, time + 1):
                offset, abbreviation = rule(zone, instant)
                yield f"I {name} {instant} {offset} {abbreviation}"
            edges = sorted((time + before, time + after))
            for local in {edges[0] - 1, edges[0], sum(edges) // 2, edges[1] - 1, edges[1]}:
                yield f"L {name} {local} {instant_of(zone, local)}"
        for _ in range(40):
            instant = generator.randint(FIRST, LAST)
            offset, abbreviation = rule(zone, instant)
            yield f"I {name} {instant} {offset} {abbreviation}"
            yield f"L {name} {instant} {instant_of(zone, instant)}"


def date_lines():
    generator = random.Random(1582)
    first, last = datetime.date.min.toordinal(), datetime.date.max.toordinal()
    epoch = datetime.date(1970, 1, 1).toordinal()
    for ordinal in [first, last, epoch] + [generator.randint(first, last) for _ in range(997)]:
        date = datetime.date.fromordinal(ordinal)
        yield f"{ordinal - epoch} {date.isoformat()} {date.isoweekday() % 7} {date.timetuple().tm_yday}"


def local_of(zone, seconds):
    return seconds + rule(zone, seconds)[0]


def added(zone, seconds, amount, unit):
    local = local_of(zone, seconds)
    if unit == "day":
        return instant_of(zone, local + amount * 86400)
    wall = EPOCH + datetime.timedelta(seconds=local)
    year, month = divmod(wall.year * 12 + wall.month - 1 + amount, 12)
    day = min(wall.day, calendar.monthrange(year, month + 1)[1])
    moved = wall.replace(year=year, month=month + 1, day=day)
    return instant_of(zone, int((moved - EPOCH).total_seconds()))


def start(zone, seconds, unit):
    wall = (EPOCH + datetime.timedelta(seconds=local_of(zone, seconds))).replace(hour=0, minute=0, second=0)
    if unit != "day":
        wall = wall.replace(day=1)
    if unit == "year":
        wall = wall.replace(month=1)
    return instant_of(zone, int((wall - EPOCH).total_seconds()))


def calendar_lines():
    generator = random.Random(31)
    for name in ZONES:
        zone = zoneinfo.ZoneInfo(name)
        changes = [time for time, _, _ in transitions(zone) if 1950 < (EPOCH + datetime.timedelta(seconds=time)).year]
        for _ in range(60):
            near = generator.choice(changes or [0]) + generator.randint(-3 * 86400, 3 * 86400)
            end = start(zone, near, "month") + generator.randint(-86400, 0)
            for time in (near, end):
                for unit in ("day", "month"):
                    amount = generator.choice((1, -1, 2, -2, 11, -13, 30))
                    yield f"A {name} {time} {amount} {unit} {added(zone, time, amount, unit)}"
                other = time + generator.randint(-5, 5) * 86400 + generator.choice((0, 1, -1, 3600, -3600))
                days = abs(local_of(zone, time) - local_of(zone, other)) // 86400
                yield f"D {name} {time} {other} {days if local_of(zone, time) > local_of(zone, other) else -days}"
                unit = generator.choice(("day", "month", "year"))
                yield f"S {name} {time} {unit} {start(zone, time, unit)}"


def main():
    (HERE / "calendar.txt").write_text("\n".join(calendar_lines()) + "\n")
    (HERE / "zones.txt").write_text("\n".join(zone_lines()) + "\n")
    (HERE / "dates.txt").write_text("\n".join(date_lines()) + "\n")


if __name__ == "__main__":
    main()
