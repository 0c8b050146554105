#!/usr/bin/env python3
"""Measures Rowhouse against PocketBase and against its own limits, on this machine and the loopback interface only.

Both hold the same 10,000 and 100,000 orders. Answers are checked before anything is measured. Each scenario runs in turns
(ours, peer, peer, ours, …) and counts by its median. Prints a table with the targets and appends it to Benchmarks/results.md.
Ends with 0 when every target is met, 1 when one is missed, 2 when a run was invalid or could not be made.
"""
import argparse
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from harness import (
    attachments, computed, downloads, limits, photos, pocketbase, report, timing, workload, wrk)
from harness.checks import WrongAnswer, check
from harness.orders import NAMES, orders
from harness.pocketbase import PocketBase
from harness.report import Row, median_rate
from harness.rowhouse import Rowhouse

ROOT = Path(__file__).resolve().parent.parent
SMALL, LARGE = 10_000, 100_000


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="runs of 1 s and fewer repeats; a look, not a result")
    parser.add_argument("--peer-only", action="store_true", help="only the peer's figures and the limits that are there")
    parser.add_argument("--downloads", action="store_true", help="only files, beside nginx")
    parser.add_argument("--attachments", action="store_true", help="only attachments: downloads, thumbnails, starts")
    parser.add_argument("--before", type=Path, metavar="PROGRAM", help=(
        "a rowhouse from before a change, to compare its start with; for what the code for images costs, build 4b0d6f5"))
    parser.add_argument("--rehearse", action="store_true", help="PocketBase on both sides: shows the noise of this machine")
    parser.add_argument("--seconds", type=int, help="length of one run (3)")
    parser.add_argument("--runs", type=int, help="runs a scenario, at least 5 for a result (5)")
    parser.add_argument("--large", type=int, default=LARGE, help="records in the large folder (100,000)")
    parser.add_argument("--no-append", action="store_true", help="leave Benchmarks/results.md alone, as the modes above do")
    chosen = parser.parse_args()
    chosen.seconds = chosen.seconds or (1 if chosen.quick else 3)
    chosen.runs = chosen.runs or (3 if chosen.quick else 5)
    chosen.starts = 5 if chosen.quick else 10
    chosen.rounds = 40 if chosen.quick else 200
    return chosen


def say(text):
    print(f"[{time.strftime('%H:%M:%S')}] {text}", flush=True)


class Bench:
    def __init__(self, chosen, folder):
        self.chosen = chosen
        self.folder = folder
        self.rows = []
        self.notes = []
        self.invalid = False
        self.running = []
        self.room_rate = None
        self.peer_program = pocketbase.install(ROOT / ".tools")

    # The two sides

    def sides(self, size):
        """(ours or None, peer), prepared with the same records and checked against them."""
        peer = PocketBase(self.folder / f"peer-{size}", self.peer_program)
        ours = None
        if self.chosen.rehearse:
            ours = PocketBase(self.folder / f"ours-{size}", self.peer_program)
            ours.name = "PocketBase again"
        elif not self.chosen.peer_only:
            ours = Rowhouse(self.folder / f"ours-{size}", rowhouse_program())
        records = orders(size, seed=size)
        servers = [server for server in (ours, peer) if server]
        for server in servers:
            began = time.monotonic()
            self.running.append(server)
            server.prepare(records)
            say(f"{server.name}: {size:,} records loaded in {time.monotonic() - began:.1f} s")
        self.start(servers)
        compared = check(servers, records)
        say(f"answers right: every sort of {size:,} records ({compared} first pages each), gets, writes")
        for server in servers:
            waited, steady = timing.settle(server, most_seconds=120)
            say(f"{server.name}: {'steady' if steady else 'NOT steady'} after {waited:.1f} s of sorted lists")
            if not steady:
                self.notes.append(f"{server.name} with {size:,} records was not steady after {waited:.0f} s of sorted lists")
        return ours, peer, records

    def start(self, servers):
        for server in servers:
            server.start()
            self.running.append(server)

    def stop_all(self):
        for server in self.running:
            server.stop()
        self.running = []

    # Scenarios

    def contest(self, name, contestants):
        """Runs wrk on each (server, reads, writes) in turns; returns the outcomes in the same order."""
        outcomes = [[] for _ in contestants]
        for server, reads, writes in contestants:
            wrk.run(server, 1 if self.chosen.quick else 2, 0, reads, writes)
        for turn in range(self.chosen.runs):
            # Every other turn backwards, so that a machine that slows down or recovers meanwhile favours nobody.
            for index in sorted(range(len(contestants)), reverse=turn % 2 == 1):
                server, reads, writes = contestants[index]
                outcomes[index].append(wrk.run(server, self.chosen.seconds, turn + 1, reads, writes))
        for (server, _, _), some in zip(contestants, outcomes):
            bad = sum(outcome.bad for outcome in some)
            if bad:
                self.invalid = True
                self.notes.append(f"INVALID: {name}: {bad} bad answers of {server.name}")
        say(f"{name}: " + ", ".join(
            f"{server.name} {median_rate(some):,.0f}/s" for (server, _, _), some in zip(contestants, outcomes)))
        return outcomes

    def compare(self, name, pair, files, target=None, aim=None, extra=()):
        """A row for one scenario; `files` makes the (reads, writes) of a server. Returns the outcomes of `extra`."""
        label = "".join(letter if letter.isalnum() else "-" for letter in name)
        contestants = []
        for side, server in zip(("ours", "peer"), pair):
            if server:
                contestants.append((server, *files(server, self.folder / f"{label}-{side}")))
        outcomes = self.contest(name, [*contestants, *extra])
        found = {server: some for (server, _, _), some in zip(contestants, outcomes)}
        ours, peer = found.get(pair[0], []), found[pair[1]]
        bad = any(outcome.bad for some in (ours, peer) for outcome in some)
        self.rows.append(Row(
            name, report.rate(ours), report.rate(peer),
            ratio=median_rate(ours) / median_rate(peer) if ours else None, target=target, aim=aim,
            share=median_rate(ours) / self.room_rate if ours and self.room_rate else None,
            ours_times=report.times(ours), peer_times=report.times(peer), costs=report.costs(ours, peer), invalid=bad))
        return ours, outcomes[len(contestants):]

    def get_one(self, pair, size, with_limits):
        """The limits run in the same turns. The room is judged by its answers on the event thread, which is where gets are answered."""
        extra, names = (self.limits(pair) if with_limits else ([], []))
        ours, outcomes = self.compare(
            f"get one of {size:,}", pair, lambda server, path: (workload.reads_of_one(server, path), None), 2.5, 4, extra)
        row = self.rows[-1]
        by_name = dict(zip(names, outcomes))
        bare, later = by_name.get("bare"), by_name.get("later")
        for name in names:
            some = by_name[name]
            self.rows.append(Row(
                {"bare": "limit 1: bare libmicrohttpd", "now": "limit 2: HTTP room, on the event thread",
                 "later": "limit 2: HTTP room, after a hop to the team"}[name],
                report.rate(some), ours_times=report.times(some), costs=report.costs(some, []),
                ratio=median_rate(some) / median_rate(bare) if bare and name != "bare" else None,
                target=0.5 if bare and name == "now" else None, invalid=any(outcome.bad for outcome in some)))
        # A get is answered on the event thread, so that is the path it is held against.
        if by_name.get("now"):
            self.room_rate = median_rate(by_name["now"])
            if ours:
                row.share = median_rate(ours) / self.room_rate
                self.rows.append(Row("get one / HTTP room on the event thread", ratio=row.share, target=0.6))
        if later and ours:
            self.rows.append(Row("get one / HTTP room after a hop", ratio=median_rate(ours) / median_rate(later)))

    def limits(self, pair):
        """The limits that are there, started, with as many different requests as the gets have."""
        like = pair[0] or pair[1]
        extra, names = [], []
        bare, why = limits.bare(self.folder)
        program = os.environ.get("HTTP_LIMIT", ROOT / ".build/release/http-limit")
        room, why_room = limits.room(program, self.folder)
        wanted = [("bare", bare, why, "/"), ("now", room, why_room, "/now"), ("later", room, why_room, "/later")]
        for name, limit, reason, target in wanted:
            if limit is None:
                self.notes.append(f"no limit “{name}”: {reason}")
                say(self.notes[-1])
                continue
            if limit.process is None:
                self.start([limit])
            limit.check(target)
            extra.append((limit, workload.fixed(limit, self.folder / f"limit-{name}", target, like), None))
            names.append(name)
        return extra, names

    def downloads(self):
        """Files sent by our HTTP room, beside nginx sending the same ones."""
        if downloads.program() is None:
            self.notes.append("no downloads: nginx is not there")
            return
        files = downloads.make_files(self.folder / "files")
        nginx = downloads.Nginx(self.folder / "nginx", self.folder / "files")
        self.start([nginx])
        for name, file in files.items():
            ours, why = limits.room(os.environ.get("HTTP_LIMIT", ROOT / ".build/release/http-limit"), self.folder, file)
            if ours is None:
                self.notes.append(f"no downloads: {why}")
                return
            self.start([ours])
            downloads.compare(self, ours, "/file", nginx, file, name)
            ours.stop()

    def attachments(self):
        """Files of records beside nginx, thumbnails beside PocketBase, and that the code for images rests until it is needed."""
        python = ROOT / ".tools/venv/bin/python"
        if not python.exists():
            self.notes.append("no attachments: the environment of the tests is not there, which makes the photos")
            return
        ours = attachments.Ours(self.folder / "ours-photos", rowhouse_program())
        theirs = attachments.Theirs(self.folder / "peer-photos", self.peer_program)
        self.running += [ours, theirs]
        ours.prepare()
        pictures = photos.make(python, self.folder / "photos")
        attachments.libraries(self, ours, pictures["1 MP"])
        say("no library for images in the server")
        if downloads.program():
            files = downloads.make_files(self.folder / "attached")
            nginx = downloads.Nginx(self.folder / "nginx-attached", self.folder / "attached")
            self.start([nginx])
            with ours.connect() as connection:
                links = {name: ours.put(connection, name, file.read_bytes(), "application/octet-stream")[0]
                         for name, file in files.items()}
            for name, file in files.items():
                downloads.compare(self, ours, links[name], nginx, file, f"an attachment of {name}")
            nginx.stop()
        theirs.prepare()
        attachments.thumbnails(self, ours, theirs, pictures)
        say("thumbnails made")
        self.stop_all()
        if self.chosen.before:
            self.starts_before()

    def starts_before(self):
        """The start until the first right list, of this program and of an older one, in turns."""
        records = orders(1000, seed=1000)
        now = Rowhouse(self.folder / "start-now", rowhouse_program())
        before = Rowhouse(self.folder / "start-before", self.chosen.before.resolve())
        for server in (now, before):
            self.running.append(server)
            server.prepare(records)
        found = timing.start_ups([now, before], records, 4 * self.chosen.starts)
        self.rows.append(Row(
            "start until the first right list, beside an older program", f"{found[now]:.1f} ms", f"{found[before]:.1f} ms",
            ratio=found[now] / found[before], target=1.1, at_most=True))
        say("starts timed")

    def lists(self, pair, size):
        """Two rows are judged: naming the fields to return costs the peer more than it saves, so that row alone would flatter."""
        for name, combinations, target, aim in [
            ("list 100 sorted", workload.lists_of_100(), 5, 8),
            ("list 50–100 sorted, whole records", workload.lists_of_whole_records(), 5, 8),
            ("list 20–100 sorted, 1–10 fields", workload.mixed_lists(), None, None),
        ]:
            self.compare(
                f"{name}, of {size:,}", pair, lambda server, path: (
                    workload.reads_of_lists(server, path, combinations),
                    workload.updates(server, path.with_name(path.name + "-writes"))), target, aim)

    def filtered(self, pair, size):
        self.compare(
            f"list 100 filtered and sorted, of {size:,}", pair, lambda server, path: (
                workload.reads_of_filtered_lists(server, path, workload.filtered_lists()),
                workload.updates(server, path.with_name(path.name + "-writes"))), 5, 8)

    def creates(self, name, pair, target=None, aim=None):
        self.compare(name, pair, lambda server, path: (workload.creates(server, path), None), target, aim)

    def formulas(self, pair):
        """What formulas and links cost, on one connection, against plain pages and SQLite's own scan of the same rows."""
        ours, peer = pair
        if not isinstance(ours, Rowhouse):
            return
        for name, shown, against, ratio, target in computed.rows(ours, peer, self.chosen.rounds):
            self.rows.append(Row(name, shown, against, ratio=ratio, target=target, at_most=True))
        say("formulas and links timed")

    def sorted_pages(self, small, large):
        pairs = [(index, side) for index, side in enumerate(("ours", "peer")) if small[index]]
        servers = [side[index] for index, _ in pairs for side in (small, large)]
        found = timing.sorted_pages(servers, self.chosen.rounds)
        for name in NAMES:
            shown = {}
            for index, side in pairs:
                shown[side] = found[small[index]][name], found[large[index]][name]
            ours = shown.get("ours")
            self.rows.append(Row(
                f"page sorted by {name}: {SMALL:,} → {self.chosen.large:,}",
                *[f"{shown[side][0]:.2f} → {shown[side][1]:.2f} ms" if side in shown else "–" for side in ("ours", "peer")],
                ratio=ours[1] / ours[0] if ours else None, target=3, at_most=True))
        say("pages sorted by each field timed")

    def measure_and_rank(self, name, pair, values, unit):
        ours, peer = values.get(pair[0]), values[pair[1]]
        self.rows.append(Row(
            name, f"{ours:.1f} {unit}" if ours is not None else "–", f"{peer:.1f} {unit}",
            ratio=ours / peer if ours is not None else None, at_most=True,
            target=None if "idle" in name else 1))

    def idle_memory(self, pair, size):
        servers = [server for server in pair if server]
        for server in servers:
            with server.connect() as connection:
                connection.ask(server.raw(server.list("name", "asc", 100)))
        time.sleep(1)
        self.measure_and_rank(
            f"memory idle after one list, of {size:,}", pair, {server: server.memory() for server in servers}, "MB")

    def used_memory(self, pair, size):
        self.measure_and_rank(
            f"memory after the run, of {size:,}", pair, {server: server.memory() for server in pair if server}, "MB")

    def run(self):
        if self.chosen.downloads:
            self.downloads()
            return
        if self.chosen.attachments:
            self.attachments()
            return
        *small, records = self.sides(SMALL)
        *large, _ = self.sides(self.chosen.large)
        self.sorted_pages(small, large)
        self.stop_all()

        twins = [server and server.twin(self.folder / f"twin-{side}") for side, server in zip(("ours", "peer"), small)]
        servers = [server for server in small if server]
        starts = timing.start_ups(servers, records, self.chosen.starts)
        say("start-ups timed")
        self.start(servers)
        self.idle_memory(small, SMALL)
        self.get_one(small, SMALL, with_limits=True)
        self.lists(small, SMALL)
        # The row that is judged is of a table whose lists are sorted; in the other one filters may have had indexes made too.
        # It has a copy of the folders, so that the filtered lists are of as many records as they say.
        self.start([server for server in twins if server])
        self.creates("create one, after sorted lists", twins, 2.5, 5)
        for server in twins:
            if server:
                server.stop()
        self.filtered(small, SMALL)
        self.creates("create one, after filtered lists too", small)
        self.used_memory(small, SMALL)
        self.measure_and_rank("start until the first right list", small, starts, "ms")
        self.stop_all()

        self.start([server for server in large if server])
        self.idle_memory(large, self.chosen.large)
        self.get_one(large, self.chosen.large, with_limits=False)
        self.lists(large, self.chosen.large)
        self.filtered(large, self.chosen.large)
        self.formulas(large)
        self.used_memory(large, self.chosen.large)
        self.stop_all()

        self.downloads()
        self.stop_all()
        if not self.chosen.peer_only and not self.chosen.rehearse:
            self.attachments()


def rowhouse_program():
    program = Path(os.environ.get("ROWHOUSE", ROOT / ".build/release/rowhouse")).resolve()
    if not program.exists():
        sys.exit(f"{program} is not there: swift build -c release --product rowhouse, or name it in ROWHOUSE "
                 "(--peer-only and --rehearse do without it)")
    return program


def main():
    chosen = arguments()
    if shutil.which("wrk") is None:
        sys.exit("wrk is not there: make setup installs it")
    if not chosen.peer_only and not chosen.rehearse and not chosen.downloads:
        rowhouse_program()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    cache = ROOT / ".cache"
    cache.mkdir(exist_ok=True)
    load, speed = os.getloadavg()[0], report.loop_milliseconds()
    # On the disk of the repository rather than in /tmp, which may be memory.
    with tempfile.TemporaryDirectory(prefix="bench-", dir=cache) as folder:
        bench = Bench(chosen, Path(folder))
        try:
            bench.run()
        except (WrongAnswer, RuntimeError, ValueError, OSError) as failure:
            say(f"given up: {failure}")
            return 2
        finally:
            bench.stop_all()
    notes = [
        f"machine: {report.machine()}; load before the run {load:.1f}, after it {os.getloadavg()[0]:.1f}; "
        f"a fixed loop took {speed:.1f} ms of processor time before and {report.loop_milliseconds():.1f} after",
        f"commit: {report.commit(ROOT)}; peer: PocketBase {pocketbase.VERSION}",
        f"medians of {chosen.runs} runs of {chosen.seconds} s in turns, wrk -t1 -c{wrk.CONNECTIONS}; "
        f"start: median of {chosen.starts}; sorted pages: median of {chosen.rounds} on one connection; "
        "in lists one update goes on after every 50 reads; memory is resident memory of all processes; "
        "CPU is the server's processor time a request, which other work on the machine disturbs least",
        *bench.notes]
    print("\n" + report.padded(bench.rows) + "\n")
    for note in notes:
        print("- " + note)
    if not (chosen.no_append or chosen.quick or chosen.peer_only or chosen.rehearse):
        report.append(ROOT / "Benchmarks/results.md", bench.rows, notes)
    if bench.invalid:
        return 2
    return 1 if any(row.verdict == "MISS" for row in bench.rows) else 0


if __name__ == "__main__":
    sys.exit(main())
