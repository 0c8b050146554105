"""Patterns as RE2 itself has them, through Google's own Python package."""

import re2

import table

TEXTS = [
    "", "a", "abc", "aaa", "Hello World", "Order 1234 of 2024-05-01", "ann@example.com, bob@example.org", "x=1;y=22;z",
    "one  two\tthree", "first\nsecond\nthird", "茶葉蛋 かき氷 한글", "a😀b😀", "café É", "C:\\path\\file.txt", "1.5, -2, +3e4",
]
PATTERNS = [
    "a", "b*", "a+", "a+?", "a|ab", "x?", "^", "$", "\\b", "\\d+", "(\\d+)-(\\d+)", "[A-Z][a-z]*", "(?i)hello", "\\s+",
    "(\\w+)@(\\w+)\\.(\\w+)", "(\\w)=(\\d+)?", "(?m)^\\w+$", "(?s)t.*t", "t.*t", "\\p{Han}+", "\\pL+", "[^\\x00-\\x7F]",
    ".", "..", "(.)(.)", "(a)|(b)", "(?P<word>[a-z]+)", "[[:alpha:]]+", "\\\\", "[+-]?\\d+(?:\\.\\d+)?(?:e\\d+)?", "()", "é",
    "\\W", "(?:ab|c){1,2}", "[\\p{Hiragana}\\p{Hangul}]", "\\Qa\\E", "o\\b", "\\Bo", "(e)(x)?",
]
NO_PATTERNS = ["(", ")", "[", "*", "a**", "(?=a)", "(?!a)", "(?<=a)b", "(a)\\1", "\\z\\", "[b-a]", "a{2,1}", "(?P<n>a"]
REPLACEMENTS = ["-", "<$&>", "[$1]", "$2$1", "$$"]


def replaced(pattern, text, replacement):
    """All matches replaced, with JavaScript's references to groups."""

    def expand(match):
        result, place = "", 0
        while place < len(replacement):
            char, following = replacement[place], replacement[place + 1:place + 2]
            if char != "$":
                result += char
            elif following == "$":
                result, place = result + "$", place + 1
            elif following == "&":
                result, place = result + match.group(0), place + 1
            elif following.isdigit() and 1 <= int(following) <= pattern.groups:
                result, place = result + (match.group(int(following)) or ""), place + 1
            else:
                result += char
            place += 1
        return result

    # The package's own sub() finds some empty matches twice, so only its search is asked.
    result, copied, place = "", 0, 0
    while place <= len(text) and (match := pattern.search(text, place)):
        result += text[copied:match.start()] + expand(match)
        copied = match.end()
        place = copied + (match.start() == copied)
    return result + text[copied:]


def options():
    options = re2.Options()
    options.log_errors = False
    return options


table.begin("make_patterns.py", "google-re2")
for number, source in enumerate(PATTERNS):
    pattern = re2.compile(source, options())
    for text in TEXTS:
        match = pattern.search(text)
        cells = {"s": text, "p": source}
        table.case("REGEX_MATCH({s}, {p})", cells, 1 if match else 0)
        found = match and match.group(1 if pattern.groups else 0)
        table.case("REGEX_EXTRACT({s}, {p})", cells, found if match else {"error": "#ERROR!"})
        replacement = REPLACEMENTS[number % len(REPLACEMENTS)]
        table.case(
            "REGEX_REPLACE({s}, {p}, {r})", cells | {"r": replacement}, replaced(pattern, text, replacement))
for source in NO_PATTERNS:
    try:
        re2.compile(source, options())
        raise SystemExit(f"{source} is a pattern")
    except re2.error:
        table.case("REGEX_MATCH({s}, {p})", {"s": "ab", "p": source}, {"error": "#ERROR!"})
