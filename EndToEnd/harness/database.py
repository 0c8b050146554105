"""The folder's SQLite file, judged by an independent copy of SQLite."""

import shutil
import sqlite3
import tempfile
from pathlib import Path


def check_integrity(folder):
    """Copies every database of a folder nobody is writing to, with its log, and checks the copy."""
    databases = sorted(Path(folder).rglob("*.db"))
    assert databases, f"no *.db in {folder}"
    with tempfile.TemporaryDirectory() as scratch:
        for n, database in enumerate(databases):
            copy = Path(scratch) / f"{n}.db"
            for ending in ("", "-wal"):
                source = Path(str(database) + ending)
                if source.exists():
                    shutil.copyfile(source, str(copy) + ending)
            connection = sqlite3.connect(copy)
            try:
                assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)], database
                assert connection.execute("PRAGMA foreign_key_check").fetchall() == [], database
            finally:
                connection.close()
