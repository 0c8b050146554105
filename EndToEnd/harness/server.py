"""Starts, stops and kills the real program."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path

from harness.wire import Wire

ROOT = Path(__file__).resolve().parents[2]
LISTENING = re.compile(rb"listening on (https?)://([^\s/:]+):(\d+)")


def program():
    """The path of the program under test."""
    named = os.environ.get("ROWHOUSE")
    candidates = [named] if named else [ROOT / ".build/debug/rowhouse", ROOT / ".build/release/rowhouse"]
    for candidate in candidates:
        if os.access(candidate, os.X_OK):
            return str(candidate)
    raise AssertionError(f"no program to test at {' or '.join(map(str, candidates))}; build it or set ROWHOUSE")


def command(*arguments, timeout=30):
    """Runs the program to its end."""
    return subprocess.run(
        [program(), *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout)


class Server:
    """One `rowhouse serve` on one folder; may be started again after a stop or a kill."""

    running = []

    def __init__(self, folder, log, *, arguments=(), wrapper=(), certificate=None):
        self.folder, self.log = Path(folder), Path(log)
        self.arguments, self.wrapper, self.certificate = list(arguments), list(wrapper), certificate
        self.process = None
        self.host, self.port, self.scheme = "127.0.0.1", 0, "http"
        self.log_start = 0

    def start(self, timeout=30):
        assert self.process is None, "already started"
        line = [*self.wrapper, program(), "serve", "--data", str(self.folder), "--listen", "127.0.0.1:0"]
        if self.certificate:
            line += ["--tls-cert", str(self.certificate.cert), "--tls-key", str(self.certificate.key)]
        line += self.arguments
        with open(self.log, "ab") as log:
            before = log.tell()
            self.process = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        Server.running.append(self)
        deadline = time.monotonic() + timeout
        while True:
            with open(self.log, "rb") as log:
                log.seek(before)
                found = LISTENING.search(log.read())
            if found:
                break
            code = self.process.poll()
            if code is not None or time.monotonic() > deadline:
                tail = self.tail()
                self.kill()
                raise AssertionError(f"the server did not become ready (exit code {code}):\n{tail}")
            time.sleep(0.005)
        self.scheme = found[1].decode()
        # The certificate is for the name; the address is where it listens.
        self.host = "localhost" if self.certificate else found[2].decode()
        self.port = int(found[3])
        return self

    @property
    def alive(self):
        return self.process is not None and self.process.poll() is None

    @property
    def url(self):
        return f"{self.scheme}://{self.host}:{self.port}"

    def stop(self, timeout=20):
        """Asks the server to end and waits for it; returns its exit code."""
        if self.process is None:
            return None
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout)
        finally:
            self.kill()

    def kill(self):
        """SIGKILL, as a crash would have it."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None
        if self in Server.running:
            Server.running.remove(self)

    def restart(self):
        self.kill()
        return self.start()

    def wire(self, token=None, **more):
        if self.certificate:
            more.setdefault("authority", str(self.certificate.cert))
        return Wire(self.host, self.port, token=token, **more)

    def token(self, **options):
        """A new token; options are those of `token create`, e.g. scopes="data.records:read"."""
        arguments = ["token", "create", "--data", self.folder]
        for name, value in options.items():
            arguments += [f"--{name}", value]
        done = command(*arguments)
        assert done.returncode == 0, f"token create failed with {done.returncode}: {done.stderr}"
        lines = done.stdout.splitlines()
        assert len(lines) == 1 and " " not in lines[0], f"only the token belongs on standard output: {done.stdout!r}"
        return lines[0]

    def user(self, email, name):
        """A new user's id."""
        done = command("user", "create", "--data", self.folder, "--email", email, "--name", name)
        assert done.returncode == 0, f"user create failed with {done.returncode}: {done.stderr}"
        found = done.stdout.strip()
        assert re.fullmatch(r"usr[A-Za-z0-9]{14}", found), f"expected a user id alone: {done.stdout!r}"
        return found

    def tail(self, count=60, since=0):
        if not self.log.exists():
            return ""
        data = self.log.read_bytes()[since:]
        return "\n".join(data.decode("utf-8", "replace").splitlines()[-count:])
