"""Cuts, searches and letter case as Python has them, with positions counted in UTF-16 units."""

import random
import urllib.parse

import table

random.seed(20240503)

LETTERS = list("abcAB xyZ.,-_/%&1279") + list("éÉñßœŒ") + list("жЖяЯ") + list("αΑωΩσςΣΣ'") + list("茶葉蛋かカ한")
LETTERS += ["😀", "👩", "𐐀", "𐐨", "𝒳", "\u200d", "\u0301", "\u3000", "\n", "\t"]
#: One letter each in both cases, so that lower() and simple case folding agree.
CASED = list("abcABC xyzXYZ1-") + list("éÉñÑжЖαΑωΩ") + ["𐐀", "𐐨", "ａ", "Ａ", "茶", "😀"]
SPACES = [" ", "\t", "\n", "\r", "\u00a0", "\u2003", "\u2028", "\u3000", "\ufeff", "\v", "\f"]


def text(letters, longest):
    return "".join(random.choice(letters) for _ in range(random.randint(0, longest)))


def units(value):
    """The characters of a text, each as often as it has UTF-16 units."""
    return [(index, char) for index, char in enumerate(value) for _ in range(1 if ord(char) < 0x10000 else 2)]


def place(value, position):
    """The index of the character at a position in UTF-16; within a pair it is that of the pair."""
    all_units = units(value)
    if position <= 0:
        return 0
    return len(value) if position >= len(all_units) else all_units[position][0]


def length(value):
    return len(value.encode("utf-16-le")) // 2


def part(value, start, end):
    return value[place(value, start):place(value, end)] if start < end else ""


def found(needle, value, start):
    """The position in UTF-16 from 1 at or after a start from 1; 0 when there is none."""
    places = [index for index in range(len(value) + 1) if value.startswith(needle, index)]
    positions = [length(value[:index]) + 1 for index in places]
    return next((position for position in positions if position >= max(1, start)), 0)


def nth(value, old, new, index):
    """The text with the index-th place of another, looked for from the left without overlap, replaced."""
    start = 0
    for number in range(1, index + 1):
        at = value.find(old, start)
        if at < 0:
            return value
        if number == index:
            return value[:at] + new + value[at + len(old):]
        start = at + len(old)
    return value


table.begin("make_texts.py", "Python's str and urllib")
for _ in range(120):
    value = text(LETTERS, 12)
    size = length(value)
    count, start = random.randint(-1, size + 2), random.randint(1, size + 2)
    table.case(f"LEFT({{s}}, {count})", {"s": value}, part(value, 0, count))
    table.case(f"RIGHT({{s}}, {count})", {"s": value}, part(value, size - count, size))
    table.case(f"MID({{s}}, {start}, {count})", {"s": value}, part(value, start - 1, start - 1 + count))
    table.case("LEN({s})", {"s": value}, size)
    new = text(LETTERS, 3)
    first = place(value, start - 1)
    last = max(first, place(value, start - 1 + count))
    table.case(
        f"REPLACE({{s}}, {start}, {count}, {{r}})", {"s": value, "r": new}, value[:first] + new + value[last:])
for _ in range(120):
    value = text(LETTERS[:6] + ["😀", "茶"], 20)
    needle = text(LETTERS[:4] + ["😀", "茶"], 2)
    start = random.choice([0, 1, 1, 2, 3, 5, 9])
    table.case(f"FIND({{n}}, {{s}}, {start})", {"n": needle, "s": value}, found(needle, value, start))
    new = text(LETTERS, 3)
    if needle:
        table.case("SUBSTITUTE({s}, {o}, {n})", {"s": value, "o": needle, "n": new}, value.replace(needle, new))
        index = random.randint(1, 3)
        table.case(
            f"SUBSTITUTE({{s}}, {{o}}, {{n}}, {index})", {"s": value, "o": needle, "n": new},
            nth(value, needle, new, index))
for _ in range(100):
    value, needle = text(CASED, 14), text(CASED, 2)
    position = found(needle.lower(), value.lower(), 1)
    table.case("SEARCH({n}, {s})", {"n": needle, "s": value}, position or None)
for size in (17, 20, 40):
    for _ in range(20):
        needle = "".join(random.choice("ab") for _ in range(3)) * (size // 3)
        value = "".join(random.choice([needle, needle[:-1], "a", "b", "ab"]) for _ in range(12))
        table.case("FIND({n}, {s})", {"n": needle, "s": value}, found(needle, value, 1))
for _ in range(60):
    value = text(LETTERS, 10)
    table.case("LOWER({s})", {"s": value}, value.lower())
    table.case("UPPER({s})", {"s": value}, value.upper())
    table.case("ENCODE_URL_COMPONENT({s})", {"s": value}, urllib.parse.quote(value, safe="-_.~"))
    spaced = text(SPACES, 3) + text(["a", "茶", " ", "\u3000"], 4) + text(SPACES, 3)
    table.case("TRIM({s})", {"s": spaced}, spaced.strip("".join(SPACES)))
