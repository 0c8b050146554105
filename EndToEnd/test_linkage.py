"""The program needs no more of the system than it says."""

import subprocess

from harness.server import program


def test_the_program_loads_neither_foundation_nor_unicode_tables():
    listed = subprocess.run(["ldd", program()], capture_output=True, text=True, check=True).stdout
    names = [line.split()[0] for line in listed.splitlines() if line.strip()]
    assert any(name.startswith("libmicrohttpd") for name in names), listed
    assert any(name.startswith("libsqlite3") for name in names), listed
    # libcurl is opened when it is needed: with all that it brings along it makes every start slower.
    assert not any("curl" in name for name in names), listed
    unwanted = [name for name in names if "Foundation" in name or "ICU" in name or "icu" in name or "vips" in name]
    assert not unwanted, listed


def test_every_command_has_help_and_the_program_a_version():
    for words in ([], ["serve"], ["token", "create"], ["token", "list"], ["token", "revoke"], ["user", "create"],
                  ["user", "list"], ["base", "create"], ["base", "list"]):
        told = subprocess.run([program(), *words, "--help"], capture_output=True, text=True, timeout=20)
        assert told.returncode == 0 and "rowhouse" in told.stdout and not told.stderr, words
    told = subprocess.run([program(), "--version"], capture_output=True, text=True, timeout=20)
    assert told.returncode == 0 and told.stdout.strip().split()[-1][0].isdigit()
