"""Writes fixed.tsv: doubles with a number of decimals, rounded half away from zero on their shortest decimal text."""

import decimal
import pathlib
import random

decimal.getcontext().prec = 400
random.seed(20240501)

BY_HAND = [
    0.0, 0.5, 1.5, 2.5, -0.5, -2.5, 0.05, 0.15, 0.25, 0.35, 1.005, 2.675, 1.115, 0.285, 9.5, 99.5, 999.995, 0.995,
    0.0005, 0.00049, 1e-7, 5e-9, 4.9e-9, 1e15, 1e16, 123456789012345680000.0, 9007199254740993.0, 1e20, 9.99e20,
    0.1 + 0.2, 0.29999999999999877, 5e-324, 2.2250738585072014e-308, 1 / 3, 2 / 3, 1234567.891, 999999.9999999,
]


def fixed(value: float, precision: int) -> str:
    exact = decimal.Decimal(repr(value))
    rounded = exact.quantize(decimal.Decimal(1).scaleb(-precision), rounding=decimal.ROUND_HALF_UP)
    if rounded == 0:
        rounded = abs(rounded)
    return format(rounded, "f")


def values():
    yield from BY_HAND
    for _ in range(400):
        yield random.uniform(-1000, 1000)
    for _ in range(200):
        yield random.uniform(-1, 1) * 10 ** random.randint(-12, 20)
    for _ in range(400):  # ties in decimal text
        yield float(f"{random.randint(0, 9999)}.{random.randint(0, 999)}5")


with open(pathlib.Path(__file__).with_name("fixed.tsv"), "w", encoding="utf-8") as file:
    for value in values():
        if abs(value) < 1e21:
            for precision in random.sample(range(9), 3):
                print(repr(value), precision, fixed(value, precision), sep="\t", file=file)
