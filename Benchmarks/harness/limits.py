"""The two limits: one fixed answer by bare libmicrohttpd, and by our HTTP room on the event thread and after a hop."""
import os
import re
import subprocess
import time
from pathlib import Path

from .http import Connection, request
from .servers import Server

BARE_SOURCE = Path(__file__).parent.parent / "BareMicrohttpd" / "main.c"


class Limit(Server):
    """Chooses a port itself and prints `listening on http://127.0.0.1:PORT`."""

    def __init__(self, name, program, folder, arguments=()):
        super().__init__(str(folder) + ".log")
        self.name = name
        self.program = program
        self.arguments = arguments

    def command(self):
        return [self.program, *self.arguments]

    def start(self):
        Path(self.log).write_bytes(b"")
        self.spawn()
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline and self.process.poll() is None:
            found = re.search(r"listening on http://127\.0\.0\.1:(\d+)\n", Path(self.log).read_text(errors="replace"))
            if found:
                self.port = int(found.group(1))
                return
            time.sleep(0.01)
        self.stop()
        raise RuntimeError(f"{self.name} did not say where it listens: {Path(self.log).read_text(errors='replace')[-300:]}")

    def check(self, target):
        """The answer is 200 with the 400 bytes the limits are measured with."""
        with Connection(self.port) as connection:
            status, body = connection.send(request(self.port, "GET", target + "?record=rec00000000000000"))
        if status != 200 or not 300 <= len(body) <= 500:
            raise RuntimeError(f"{self.name} answered {target} with {status} and {len(body)} bytes")

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


def room(program, folder, file=None):
    """The program on our HTTP room, built beforehand, or None and the reason; it sends `file` at `/file`."""
    if not Path(program).exists():
        return None, f"{program} is not there (swift build -c release --product http-limit)"
    # As many event threads and workers as the program itself has.
    return Limit("HTTP room", program, folder / "http-limit", ("2", "16", *([file] if file else []))), ""
