"""Runs wrk against the loopback interface and reads what it prints."""
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

SCRIPT = Path(__file__).parent.parent / "replay.lua"
CONNECTIONS = 32


@dataclass
class Outcome:
    """Requests a second, times in milliseconds, how many answers were no good, and what one request cost the server."""
    rate: float
    p50: float
    p99: float
    requests: int
    bad: int
    #: Microseconds of the server's processor time a request: the figure that other work on the machine disturbs least.
    cost: float = 0


def milliseconds(text):
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s|m|h)", text).groups()
    return float(number) * {"us": 0.001, "ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}[unit]


def parse(text):
    """Reads the output of `wrk --latency`. Failed connections, reads, writes and time-outs count as bad answers.

    Raises ValueError when a figure is missing, so that a failed run can never pass as a slow one."""
    def find(pattern):
        found = re.search(pattern, text, re.MULTILINE)
        if not found:
            raise ValueError("not the output of wrk --latency:\n" + text[-800:])
        return found.group(1)

    bad = sum(int(number) for number in re.findall(r"Non-2xx or 3xx responses: (\d+)", text))
    for line in re.findall(r"Socket errors: (.*)", text):
        bad += sum(int(number) for number in re.findall(r"\d+", line))
    return Outcome(
        rate=float(find(r"^Requests/sec:\s+([\d.]+)")),
        p50=milliseconds(find(r"^\s+50%\s+(\S+)")),
        p99=milliseconds(find(r"^\s+99%\s+(\S+)")),
        requests=int(find(r"^\s*(\d+) requests in ")),
        bad=bad)


def run(server, seconds, seed, reads, writes=None, connections=CONNECTIONS):
    command = [
        "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "--timeout", "10s", "-s", str(SCRIPT),
        f"http://127.0.0.1:{server.port}/", "--", str(seed), str(reads), *([str(writes)] if writes else [])]
    before = server.processor_time()
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 60)
    if done.returncode != 0:
        raise RuntimeError(f"wrk failed: {done.stderr[-400:]}{done.stdout[-400:]}")
    outcome = parse(done.stdout)
    outcome.cost = (server.processor_time() - before) * 1e6 / max(outcome.requests, 1)
    return outcome
