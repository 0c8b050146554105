"""python3 -m unittest discover -s Benchmarks/tests -t Benchmarks"""
import socket
import tempfile
import threading
import unittest
from pathlib import Path

from harness import timing, workload, wrk
from harness.checks import WrongAnswer, check
from harness.http import Connection, request
from harness.orders import FIELDS, NAMES, orders
from harness.report import Row, median
from harness.rowhouse import Rowhouse

FAKE = Path(__file__).parent / "fake_rowhouse.py"
GOOD = """Running 3s test @ http://127.0.0.1:1/
  1 threads and 32 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.90ms    1.02ms  20.53ms   91.09%
    Req/Sec    17.47k     2.15k   20.79k    66.67%
  Latency Distribution
     50%  812.00us
     75%    2.10ms
     90%    2.65ms
     99%    1.52s 
  52215 requests in 3.01s, 20.07MB read
Requests/sec:  17372.61
Transfer/sec:      6.68MB
"""


class WrkOutput(unittest.TestCase):
    def test_figures_are_read_with_their_units(self):
        self.assertEqual(wrk.parse(GOOD), wrk.Outcome(rate=17372.61, p50=0.812, p99=1520, requests=52215, bad=0))

    def test_every_bad_answer_counts(self):
        text = GOOD.replace("Requests/sec", "  Non-2xx or 3xx responses: 52\nRequests/sec")
        self.assertEqual(wrk.parse(text).bad, 52)
        text = text.replace("  Non-2xx", "  Socket errors: connect 1, read 20, write 300, timeout 4000\n  Non-2xx")
        self.assertEqual(wrk.parse(text).bad, 52 + 4321)

    def test_missing_figures_are_an_error(self):
        for gone in ["Requests/sec", "50%", "99%", "requests in"]:
            with self.assertRaises(ValueError):
                wrk.parse(GOOD.replace(gone, "?"))
        with self.assertRaises(ValueError):
            wrk.parse("unable to connect to 127.0.0.1:1 Connection refused\n")

    def test_units(self):
        for text, expected in [("7.00us", 0.007), ("1.00ms", 1), ("2.50s", 2500), ("1.50m", 90_000), ("0.00us", 0)]:
            self.assertAlmostEqual(wrk.milliseconds(text), expected)


class Verdicts(unittest.TestCase):
    def test_targets_are_met_at_their_bound_and_missed_beyond(self):
        for ratio, at_most, expected in [(2.5, False, "PASS"), (2.49, False, "MISS"), (2.5, True, "PASS"), (2.51, True, "MISS")]:
            self.assertEqual(Row("x", ratio=ratio, target=2.5, at_most=at_most).verdict, expected)
        self.assertEqual(Row("x", ratio=9, target=2.5, invalid=True).verdict, "INVALID")
        self.assertEqual(Row("x", ratio=None, target=2.5).verdict, "")

    def test_median(self):
        self.assertEqual(median([9, 1, 5]), 5)
        self.assertEqual(median([9, 1, 5, 6]), 5.5)


class Records(unittest.TestCase):
    def test_the_same_arguments_give_the_same_records(self):
        self.assertEqual(orders(500, 1), orders(500, 1))
        self.assertNotEqual(orders(500, 1), orders(500, 2))

    def test_names_and_times_are_there_once_and_notes_are_long(self):
        some = orders(3000, 9)
        for name in ("name", "time"):
            self.assertEqual(len({record[name] for record in some}), 3000)
        lengths = [len(record["note"]) for record in some]
        self.assertTrue(52 <= min(lengths) and max(lengths) < 90)
        self.assertFalse(any(letter.isdigit() for record in some for letter in record["note"]))
        self.assertEqual(list(some[0]), NAMES)
        self.assertEqual(len(FIELDS), 10)


class Workload(unittest.TestCase):
    def test_each_list_draws_from_a_thousand_different_combinations(self):
        for make in (workload.lists_of_100, workload.lists_of_whole_records, workload.mixed_lists):
            combinations = {(field, direction, size, tuple(fields or ())) for field, direction, size, fields in make()}
            self.assertGreaterEqual(len(combinations), 1000, make.__name__)
            self.assertEqual({one[0] for one in combinations}, set(NAMES), make.__name__)


class Answers(unittest.TestCase):
    def test_lengths_chunks_and_pieces_are_read(self):
        first = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
        second = b"HTTP/1.1 404 No\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"
        for size in (1, 3, 7, 1000):
            with socket.create_server(("127.0.0.1", 0)) as listener:
                def serve():
                    peer, _ = listener.accept()
                    with peer:
                        for data in (first, second):
                            peer.recv(1000)
                            for at in range(0, len(data), size):
                                peer.sendall(data[at:at + size])
                thread = threading.Thread(target=serve)
                thread.start()
                with Connection(listener.getsockname()[1], timeout=5) as connection:
                    self.assertEqual(connection.send(request(1, "GET", "/")), (200, b"hello"))
                    self.assertEqual(connection.send(request(1, "GET", "/")), (404, b"abcde"))
                thread.join()


class WholeWay(unittest.TestCase):
    """The harness against a stand-in for our program."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)
        self.server = Rowhouse(self.path / "data", FAKE)
        self.addCleanup(self.server.stop)
        self.records = orders(300, 4)
        self.server.prepare(self.records)
        self.server.start()

    def test_right_answers_pass(self):
        self.assertEqual(check([self.server, self.server], self.records), 20)

    def test_wrong_answers_do_not(self):
        changed = [{**record, "cups": record["cups"] + 1} for record in self.records]
        with self.assertRaises(WrongAnswer):
            check([self.server], changed)

        class Backwards(Rowhouse):
            def list(self, field, direction, size, fields=None, filter=None):
                return super().list(field, "desc" if direction == "asc" else "asc", size, fields)

        self.server.__class__ = Backwards
        with self.assertRaises(WrongAnswer):
            check([self.server], self.records)

    def test_wrk_replays_reads_and_writes_and_sees_what_fails(self):
        reads = workload.reads_of_one(self.server, self.path / "reads")
        writes = workload.updates(self.server, self.path / "writes")
        before = self._cells()
        outcome = wrk.run(self.server, 1, 1, reads, writes, connections=2)
        self.assertEqual(outcome.bad, 0)
        self.assertGreater(outcome.cost, 10)
        after = self._cells()
        changed = sum(one != other for one, other in zip(before, after))
        self.assertTrue(0 < changed <= outcome.requests / 51 + 2, (changed, outcome.requests))
        self.server.ids = ["rec99999999999999"]
        outcome = wrk.run(self.server, 1, 1, workload.reads_of_one(self.server, self.path / "none"), connections=2)
        self.assertEqual(outcome.bad, outcome.requests)

    def _cells(self):
        with self.server.connect() as connection:
            return [connection.ask(self.server.raw(self.server.get(key)))["fields"] for key in self.server.ids]

    def test_sorted_pages_and_start_ups_are_timed(self):
        times = timing.sorted_pages([self.server], rounds=2)[self.server]
        self.assertEqual(list(times), NAMES)
        self.assertTrue(all(0 < each < 1000 for each in times.values()))
        self.server.stop()
        self.assertTrue(0 < timing.start_ups([self.server], self.records, 1)[self.server] < 10_000)


if __name__ == "__main__":
    unittest.main()
