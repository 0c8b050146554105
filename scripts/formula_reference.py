#!/usr/bin/env python3
"""Writes Documentation/FormulaReference.md from the comments above the functions; `--check` only compares."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ROOT / "Sources/FormulaLanguage/Functions"
PAGE = ROOT / "Documentation/FormulaReference.md"
#: Headings by the beginnings of the names of files.
FAMILIES = {
    "Text": "Text functions", "Numeric": "Numeric functions", "Aggregate": "Numeric functions",
    "Logical": "Logical functions", "Date": "Date functions", "Array": "Array functions",
    "Record": "Record functions", "Regex": "Regex functions",
}
INTRODUCTION = """# Formula reference

The functions that formulas may call, with examples and what they give. Names of functions may be written in small
letters. Arguments in brackets may be left out; `blank` is the value of an empty cell. This page is made by
`make reference` from the comments above the functions in `Sources/FormulaLanguage/Functions`.
"""


def family(path):
    return next(heading for start, heading in FAMILIES.items() if path.name.startswith(start))


def entries(path):
    """The name of each documented function with its sentences and its examples."""
    comment = []
    lines = path.read_text(encoding="utf-8").split("\n")
    for index, line in enumerate(lines):
        if line.strip().startswith("///"):
            comment.append(line.strip()[3:].strip())
            continue
        name = re.search(r'\(\s*(?:lazy: )?"([A-Z][A-Z_0-9]*)"', "\n".join(lines[index:index + 3]))
        if comment and name:
            sentences = " ".join(part for part in comment if part and not part.startswith("Example: "))
            examples = [part.removeprefix("Example: ") for part in comment if part.startswith("Example: ")]
            yield name.group(1), sentences, examples
        comment = []


def entry(name, sentences, examples):
    usage, rest = usage_and_rest(name, sentences)
    text = f"### {name}\n\n`{usage}` {rest}\n"
    for example in examples:
        formula, arrow, value = example.partition(" → ")
        text += f"\n- `{formula}`" + (f" → `{value}`" if arrow else "")
    return text + ("\n" if examples else "")


def usage_and_rest(name, sentences):
    """Splits `NAME(…) gives …` behind the closing bracket."""
    if not sentences.startswith(name + "("):
        raise SystemExit(f"The comment above {name} does not begin with {name}(")
    depth = 0
    for index, char in enumerate(sentences):
        depth += {"(": 1, ")": -1}.get(char, 0)
        if char == ")" and depth == 0:
            return sentences[:index + 1], sentences[index + 1:].strip()
    raise SystemExit(f"The comment above {name} leaves a bracket open")


def page():
    families = {heading: {} for heading in FAMILIES.values()}
    for path in sorted(SOURCES.glob("*.swift")):
        for name, sentences, examples in entries(path):
            families[family(path)][name] = entry(name, sentences, examples)
    text = INTRODUCTION
    for heading, functions in families.items():
        text += f"\n## {heading}\n"
        for name in sorted(functions):
            text += "\n" + functions[name]
    return text


if __name__ == "__main__":
    text = page()
    if "--check" in sys.argv:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
            sys.exit("Documentation/FormulaReference.md is not what the comments say: make reference")
    else:
        PAGE.write_text(text, encoding="utf-8")
