"""The table of one run, judged, and the page it is appended to."""
import os
import platform
import subprocess
import time
from dataclasses import dataclass
from datetime import datetime, timezone

COLUMNS = ["", "ours", "peer", "ratio", "target", "aim", "of limit", "ours p50/p99 ms", "peer p50/p99 ms",
           "CPU µs ours : peer", ""]


@dataclass
class Row:
    """One line. `ratio` is set so that `target` can be compared: at least it, or at most it where `at_most` is set."""
    name: str
    ours: str = "–"
    peer: str = "–"
    ratio: float | None = None
    target: float | None = None
    aim: float | None = None
    at_most: bool = False
    share: float | None = None
    ours_times: str = "–"
    peer_times: str = "–"
    costs: str = "–"
    invalid: bool = False

    @property
    def verdict(self):
        if self.invalid:
            return "INVALID"
        if self.target is None or self.ratio is None:
            return ""
        met = self.ratio <= self.target if self.at_most else self.ratio >= self.target
        return "PASS" if met else "MISS"

    def cells(self):
        sign = "≤ " if self.at_most else "≥ "
        return [
            self.name, self.ours, self.peer, "–" if self.ratio is None else f"{self.ratio:.2f}",
            "" if self.target is None else sign + f"{self.target:g}", "" if self.aim is None else f"{self.aim:g}",
            "" if self.share is None else f"{self.share:.2f}", self.ours_times, self.peer_times, self.costs,
            self.verdict]


def rate(outcomes):
    """Median with the spread of its runs, in requests a second."""
    if not outcomes:
        return "–"
    rates = sorted(outcome.rate for outcome in outcomes)
    return f"{median(rates):,.0f}/s ({rates[0]:,.0f}–{rates[-1]:,.0f})"


def times(outcomes):
    if not outcomes:
        return "–"
    return f"{median(o.p50 for o in outcomes):.2f}/{median(o.p99 for o in outcomes):.2f}"


def costs(ours, peer):
    return " : ".join(f"{median(o.cost for o in some):,.0f}" if some else "–" for some in (ours, peer))


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def median_rate(outcomes):
    return median(outcome.rate for outcome in outcomes) if outcomes else None


def table(rows):
    lines = [COLUMNS, ["---"] * len(COLUMNS), *[row.cells() for row in rows]]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def padded(rows):
    """The same table for a terminal."""
    lines = [COLUMNS, *[row.cells() for row in rows]]
    widths = [max(len(line[column]) for line in lines) for column in range(len(COLUMNS))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)


def machine():
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")),
                 platform.machine())
    megabytes = next(int(line.split()[1]) // 1024 for line in open("/proc/meminfo") if line.startswith("MemTotal"))
    return f"{model}, {os.cpu_count()} cores, {megabytes / 1024:.0f} GB, Linux {platform.release()}"


def loop_milliseconds():
    """How fast this machine is right now: processor time of a fixed loop. Shared machines differ by a factor of three."""
    best = float("inf")
    for _ in range(10):
        began = time.process_time()
        sum(range(1_000_000))
        best = min(best, (time.process_time() - began) * 1000)
    return best


def commit(folder):
    def git(*arguments):
        done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, text=True)
        return done.stdout.strip() if done.returncode == 0 else ""

    changed = [line for line in git("status", "--porcelain").splitlines() if not line.endswith("Benchmarks/results.md")]
    return (git("rev-parse", "--short=12", "HEAD") or "unknown") + (" with changes" if changed else "")


def append(path, rows, notes):
    if not path.exists():
        path.write_text("# Results of `make bench`\n\nEach run appends its table; nothing here is edited by hand.\n")
    with path.open("a") as page:
        page.write(f"\n## {datetime.now(timezone.utc):%Y-%m-%d %H:%M} UTC\n\n")
        page.write("".join(f"- {note}\n" for note in notes))
        page.write("\n" + table(rows) + "\n")
