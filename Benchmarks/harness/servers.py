"""A server under test: a child process on a free port of the loopback interface."""
import copy
import os
import shutil
import socket
import subprocess
import time

from .http import Connection, request


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def family(pid):
    """The ids of a process and all its children, so that a helper process cannot hide any memory or work."""
    waiting = [pid]
    while waiting:
        current = waiting.pop()
        yield current
        try:
            for task in os.listdir(f"/proc/{current}/task"):
                with open(f"/proc/{current}/task/{task}/children") as children:
                    waiting += [int(child) for child in children.read().split()]
        except (FileNotFoundError, ProcessLookupError):
            continue


def memory(pid):
    """Resident MB."""
    total = 0
    for each in family(pid):
        try:
            with open(f"/proc/{each}/status") as status:
                total += sum(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return total / 1024


def processor_time(pid):
    """Seconds of processor time used so far, in the kernel too; exact to the clock tick of 10 ms."""
    ticks = 0
    for each in family(pid):
        try:
            with open(f"/proc/{each}/stat") as stat:
                ticks += sum(int(number) for number in stat.read().rpartition(")")[2].split()[11:13])
        except (FileNotFoundError, ProcessLookupError):
            continue
    return ticks / os.sysconf("SC_CLK_TCK")


class Server:
    """Started and stopped any number of times on one port; what it prints goes to a file beside its folder."""

    name = "server"
    ready_path = "/"

    def __init__(self, log):
        self.port = free_port()
        self.log = log
        self.process = None
        self.token = None

    def command(self):
        raise NotImplementedError

    def spawn(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [str(part) for part in self.command()], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                cwd=os.path.dirname(self.log))

    def start(self):
        self.spawn()
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                break
            try:
                with Connection(self.port) as connection:
                    if connection.send(request(self.port, "GET", self.ready_path))[0] < 500:
                        return
            except OSError:
                time.sleep(0.005)
        self.stop()
        with open(self.log, errors="replace") as log:
            raise RuntimeError(f"{self.name} did not start: {log.read()[-600:]}")

    def stop(self):
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process = None

    def memory(self):
        return memory(self.process.pid)

    def processor_time(self):
        return processor_time(self.process.pid)


class TableServer(Server):
    """A server that holds the table of orders. A subclass says how its protocol puts the five requests."""

    def __init__(self, folder):
        super().__init__(str(folder) + ".log")
        self.folder = folder
        self.ids = []

    # Each returns (method, path, body or None).
    def get(self, record_id):
        raise NotImplementedError

    def list(self, field, direction, size, fields=None, filter=None):
        """`filter` is in the server's own language: see `condition`."""
        raise NotImplementedError

    def condition(self, tests):
        """Tests of one record, all of which must hold, in the server's language; each is (field, sign, value)."""
        raise NotImplementedError

    def create(self, cells):
        raise NotImplementedError

    def update(self, record_id, cells):
        raise NotImplementedError

    def delete(self, record_id):
        raise NotImplementedError

    def cells(self, record):
        """A record of an answer as cells in the shape of `orders`, with empty cells left out."""
        raise NotImplementedError

    def page(self, answer):
        """The records of the answer to a list."""
        raise NotImplementedError

    def rank(self, field, value):
        """What `field` is ordered by here, or None where the order is the server's own affair."""
        raise NotImplementedError

    def prepare(self, records):
        """Makes the folder with the table in it and fills `ids` in the order of `records`; leaves the server stopped."""
        raise NotImplementedError

    def raw(self, call):
        method, path, body = call
        return request(self.port, method, path, self.token, body)

    def connect(self):
        return Connection(self.port)

    def twin(self, folder):
        """Another server on a copy of the folder of this one, which is stopped: what it writes leaves this one as it is."""
        shutil.copytree(self.folder, folder)
        twin = copy.copy(self)
        twin.folder, twin.log, twin.port, twin.process = folder, str(folder) + ".log", free_port(), None
        return twin


def without_empty(cells):
    return {name: value for name, value in cells.items() if value not in (None, "", [], False)}
