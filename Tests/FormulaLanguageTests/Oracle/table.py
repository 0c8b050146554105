"""Lines of a table of formulas (see FormulaTable.swift), written to standard output."""

import json
import math
import sys


def begin(script: str, oracle: str) -> None:
    write(f"# Made by Oracle/{script} with {oracle}; do not edit.")


def case(formula: str, cells: dict, expected) -> None:
    if isinstance(expected, float) and not math.isfinite(expected):
        name = "NaN" if math.isnan(expected) else "Infinity" if expected > 0 else "-Infinity"
        expected = {"specialValue": name}
    line = [formula, json.dumps(cells, ensure_ascii=False) if cells else "", json.dumps(expected, ensure_ascii=False)]
    write("\t".join(line))


def write(line: str) -> None:
    sys.stdout.buffer.write(f"{line}\n".encode())
