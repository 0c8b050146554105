"""Rounding, multiples and remainders as Python's decimal works them out on the shortest decimal text of a number."""

import decimal
import random
from decimal import Decimal

import table

decimal.getcontext().prec = 800
random.seed(20240502)

TIES = [0.5, 1.5, 2.5, 0.05, 0.15, 0.25, 0.35, 1.005, 2.675, 1.115, 0.285, 8.345, 99.5, 999.995, 0.0005, 1e-7, 5e-9]
EXTREMES = [0.1 + 0.2, 1 / 3, 2 / 3, 1e15, 1e16, 9007199254740993.0, 1.7976931348623157e308, 5e-324, 1e22, 123456789.125]


def numbers(count):
    """Numbers of all sizes, among them many that lie halfway between two roundings by their text."""
    yield from TIES
    yield from EXTREMES
    for _ in range(count):
        kind = random.randrange(4)
        if kind == 0:
            yield random.uniform(-1000, 1000)
        elif kind == 1:
            yield random.uniform(-1, 1) * 10 ** random.randint(-12, 20)
        else:
            yield float(f"{random.choice(['', '-'])}{random.randint(0, 9999)}.{random.randint(0, 999)}5")


def rounded(function, number, places):
    unit = Decimal(1).scaleb(-places)
    quotient = Decimal(repr(number)) / unit
    if function == "ROUND":
        whole = (quotient + Decimal("0.5")).to_integral_value(decimal.ROUND_FLOOR)
    else:
        way = decimal.ROUND_UP if function == "ROUNDUP" else decimal.ROUND_DOWN
        whole = quotient.to_integral_value(way)
    return float(whole * unit) + 0.0


def multiple(function, number, unit):
    way = decimal.ROUND_CEILING if function == "CEILING" else decimal.ROUND_FLOOR
    size = abs(Decimal(repr(unit)))
    return float((Decimal(repr(number)) / size).to_integral_value(way) * size) + 0.0


def rest(number, unit):
    if number == int(number) and unit == int(unit):
        # Whole numbers are exact: their value counts, not their text.
        return float(int(number) % int(unit))
    left, right = Decimal(repr(number)), Decimal(repr(unit))
    return float(left - (left / right).to_integral_value(decimal.ROUND_FLOOR) * right) + 0.0


def integer(text):
    """JSON of a whole double without a fraction would be read the same; keep it short."""
    return int(text) if text == int(text) and abs(text) < 2**53 else text


table.begin("make_numbers.py", "Python's decimal")
for number in numbers(220):
    for function in ("ROUND", "ROUNDUP", "ROUNDDOWN"):
        places = random.choice([0, 1, 2, 2, 3, 4, 6, -1, -2, -3, 10])
        table.case(f"{function}({{n}}, {places})", {"n": number}, integer(rounded(function, number, places)))
for number in numbers(80):
    for function in ("CEILING", "FLOOR"):
        unit = random.choice([0.1, 0.01, 0.05, 0.25, 0.3, 2, 5, 7, 10, 1.5, -0.2, 1e-3])
        if abs(number) < 1e16:
            table.case(f"{function}({{n}}, {{u}})", {"n": number, "u": unit}, integer(multiple(function, number, unit)))
    unit = random.choice([0.1, 0.01, 0.7, 0.25, -0.3, 2, -5, 7, 10, 1.5])
    if abs(number) < 1e16:
        table.case("MOD({n}, {u})", {"n": number, "u": unit}, integer(rest(number, unit)))
for _ in range(60):
    number, unit = random.randint(-10**6, 10**6), random.choice([1, -1]) * random.randint(1, 99)
    table.case("MOD({n}, {u})", {"n": number, "u": unit}, number % unit)
for number in numbers(60):
    table.case('{n} & ""', {"n": number}, format(Decimal(repr(number)).normalize(), "f"))
