"""Reads what strace saw of a server: requests in, answers out, the log of the database written and synced.

The trace comes from `strace -f -yy -s 65536 -e trace=<SYSCALLS>`. Its lines are in the order in which the tracer saw each
call enter and leave; a call split over two lines (`<unfinished ...>`, `<... resumed>`) enters at the first and leaves at
the second. That order is what the proof uses, not the clock.
"""

import re
from collections import namedtuple

SYSCALLS = ["read", "readv", "recvfrom", "recvmsg", "write", "writev", "sendto", "sendmsg", "pwrite64", "pwritev", "pwritev2",
            "fsync", "fdatasync"]
RECEIVE, SEND = {"read", "readv", "recvfrom", "recvmsg"}, {"write", "writev", "sendto", "sendmsg"}
STORE, SYNC = {"write", "writev", "pwrite64", "pwritev", "pwritev2"}, {"fsync", "fdatasync"}
COMMAND = [
    "strace", "-D", "-f", "-yy", "-s", "65536", "-e", "trace=" + ",".join(SYSCALLS), "-e", "signal=none", "-o"]

LINE = re.compile(r"^(\d+)\s+(?:[\d.:]+\s+)?(.*)$")
UNFINISHED = re.compile(r"^(\w+)\((.*) <unfinished \.\.\.>$")
RESUMED = re.compile(r"^<\.\.\. (\w+) resumed>(.*)$")
WHOLE = re.compile(r"^(\w+)\((.*)$")
END = re.compile(r"\)\s+= (-?\d+|\?)[^\"]*$")
DESCRIPTOR = re.compile(r"^\d+<(.*?)>(?:,|\)|$)")

Call = namedtuple("Call", "name what text result entered left")
Exchange = namedtuple("Exchange", "request received answered status")


def calls(lines):
    """Each system call with the numbers of the lines at which it entered and left."""
    pending, found = {}, []
    for number, line in enumerate(lines):
        matched = LINE.match(line.rstrip("\n"))
        if not matched:
            continue
        thread, rest = matched[1], matched[2]
        if split := UNFINISHED.match(rest):
            pending[thread] = (split[1], split[2], number)
        elif resumed := RESUMED.match(rest):
            if thread in pending and pending[thread][0] == resumed[1]:
                name, text, entered = pending.pop(thread)
                found.append(_call(name, text + resumed[2], entered, number))
        elif whole := WHOLE.match(rest):
            found.append(_call(whole[1], whole[2], number, number))
    found = [call for call in found if call]
    return sorted(found, key=lambda call: call.left)


def _call(name, text, entered, left):
    ending = END.search(text)
    if not ending:
        return None
    result = -1 if ending[1] == "?" else int(ending[1])
    descriptor = DESCRIPTOR.match(text)
    return Call(name, descriptor[1] if descriptor else "", text[: ending.start()], result, entered, left)


def exchanges(found, port):
    """Each request of a connection to the port, with the line at which its last byte was in and the answer began."""
    connections, done = {}, []
    events = []
    for call in found:
        if call.what.startswith(("TCP:", "TCPv6:")) and f":{port}->" in call.what:
            if call.name in RECEIVE and call.result > 0:
                events.append((call.left, "in", call))
            elif call.name in SEND and call.result > 0:
                events.append((call.entered, "out", call))
    for line, way, call in sorted(events, key=lambda event: event[0]):
        text, received, answered = connections.get(call.what, ("", None, None))
        if way == "in":
            if answered is not None:
                text, answered = "", None
            connections[call.what] = (text + call.text, line, None)
        elif received is not None and answered is None:
            status = re.search(r"HTTP/1\.1 (\d+)", call.text)
            if status and status[1] == "100":
                continue
            done.append(Exchange(text, received, line, int(status[1]) if status else 0))
            connections[call.what] = (text, received, line)
    return done


WRITE = re.compile(r'"(POST|PATCH|PUT|DELETE) (\S+) HTTP/1\.1')
MARKER = re.compile(r"mark-[0-9a-f]{24}")


def early_answers(lines, port):
    """Judges a trace. Returns (the writes acknowledged with 2xx, those whose answer was not held back for the disk).

    An answer was held back when the -wal file was written with the request's marker after the request was in, and a sync
    of that file began after this write and ended well before the answer began. A request without a marker in the file
    (a delete, say) needs any write to the file and a sync behind it.
    """
    found = calls(lines)
    wal = [call for call in found if call.what.split("<")[0].endswith("-wal")]
    stores = [call for call in wal if call.name in STORE and call.result > 0]
    syncs = [call for call in wal if call.name in SYNC and call.result == 0]
    writes, early = [], []
    for exchange in exchanges(found, port):
        asked = WRITE.search(exchange.request)
        if not asked or asked[2].endswith("/listRecords") or not 200 <= exchange.status < 300:
            continue
        writes.append(exchange)
        inside = [call for call in stores if exchange.received < call.entered and call.left < exchange.answered]
        marker = MARKER.search(exchange.request)
        if marker:
            inside = [call for call in inside if marker[0] in call.text]
        held = any(
            store.left < sync.entered and sync.left < exchange.answered for store in inside for sync in syncs)
        if not held:
            early.append(exchange)
    return writes, early
