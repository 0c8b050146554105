"""The two limits: one fixed answer by bare libmicrohttpd, and by our HTTP room on the event thread and after a hop."""
import os
import subprocess
from pathlib import Path

from .http import request
from .servers import Server

BARE_SOURCE = Path(__file__).parent.parent / "BareMicrohttpd" / "main.c"


class Limit(Server):
    """Called as `PROGRAM PORT`; listens on 127.0.0.1."""

    def __init__(self, name, program, folder):
        super().__init__(str(folder) + ".log")
        self.name = name
        self.program = program

    def command(self):
        return [self.program, str(self.port)]

    def raw(self, call, token):
        method, path, body = call
        return request(self.port, method, path, token, body)


def bare(folder):
    """The bare program, compiled now, or None and the reason."""
    if not BARE_SOURCE.exists():
        return None, f"{BARE_SOURCE.relative_to(BARE_SOURCE.parents[2])} is not there"
    program = folder / "bare-microhttpd"
    built = subprocess.run(
        [os.environ.get("CC", "cc"), "-O2", "-o", str(program), str(BARE_SOURCE), "-lmicrohttpd"],
        capture_output=True, text=True)
    if built.returncode != 0:
        return None, f"it does not compile: {built.stderr[-300:]}"
    return Limit("bare libmicrohttpd", program, folder / "bare"), ""


def room(program, folder):
    """The program on our HTTP room, built beforehand, or None and the reason."""
    if not Path(program).exists():
        return None, f"{program} is not there (swift build -c release --product http-limit)"
    return Limit("HTTP room", program, folder / "http-limit"), ""
