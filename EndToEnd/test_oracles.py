"""The tables that oracles made are what the oracles still say."""

import pathlib
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "Tests/FormulaLanguageTests"


@pytest.mark.parametrize("name", ["numbers", "texts", "patterns"])
def test_a_table_is_what_its_oracle_says(name):
    script = FOLDER / "Oracle" / f"make_{name}.py"
    made = subprocess.run([sys.executable, "-B", str(script)], capture_output=True, check=True, timeout=120).stdout
    kept = (FOLDER / "Data" / f"oracle-{name}.tsv").read_bytes()
    assert made.count(b"\n") > 1000
    assert made == kept, f"{script.name} says something else than Data/oracle-{name}.tsv"
