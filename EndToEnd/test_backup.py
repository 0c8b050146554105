"""Backups: made while others write, restored, refused when a byte is wrong; the doctor; backups by themselves."""

import hashlib
import http.client
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import threading
import time

import pytest

from harness.base import Base, field, number, text
from harness.database import check_integrity
from harness.files import download
from harness.server import Server, command, program

GONE = (OSError, http.client.HTTPException)
NAME = re.compile(r"rowhouse-\d{4}-\d\d-\d\dT\d{6}Z")


def seeded():
    seed = random.randrange(1 << 32)
    print("seed", seed)
    return random.Random(seed)


def upload(base, wire, record, content, name="file.bin"):
    """As a form, whose bytes need no decoding."""
    head = (f'--b\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n").encode()
    return wire.call("POST", f"/v0/{base.id}/{record}/Files/uploadAttachment", head + content + b"\r\n--b--\r\n",
                     headers={"Content-Type": "multipart/form-data; boundary=b"}, once=True)


def make(wire):
    """Notes with files, and logs that link to them, one table a client."""
    base = Base.create(wire, [
        {"name": "Notes", "fields": [text("Name"), field("Files", "multipleAttachments")]},
        *({"name": f"Log {n}", "fields": [number("N"), text("Text")]} for n in range(3))])
    for n in range(3):
        wire.call("POST", f"/v0/meta/bases/{base.id}/tables/{base.tables[f'Log {n}']['id']}/fields",
                  field("Note", "multipleRecordLinks", linkedTableId=base.tables["Notes"]["id"])).ok()
    base.notes = [record["id"] for record in base.create_records("Notes", [{"Name": f"note {n}"} for n in range(12)])]
    return base


def backup(folder, place, timeout=60):
    done = command("backup", "--data", folder, "--to", place, timeout=timeout)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert len(lines) == 2 and lines[1].endswith("verified."), lines
    return lines[0]


def restored(made, folder):
    done = command("restore", made, "--data", folder)
    assert done.returncode == 0, done.stderr
    return folder


def everything(base, wire):
    tables = wire.call("GET", f"/v0/meta/bases/{base.id}/tables").ok()["tables"]
    return tables, {table["name"]: base.list(table["name"], wire=wire) for table in tables}


def without_links(everything):
    """The same but for the addresses of files, which each server has of its own."""
    return json.loads(re.sub(r"http://127\.0\.0\.1:\d+", "http://here", json.dumps(everything)))


class Writer:
    """Creates numbered records in order, each with a link, some with a file, and remembers what was acknowledged."""

    def __init__(self, base, wire, n, source):
        self.base, self.wire, self.table, self.n, self.source = base, wire, f"Log {n}", n, source
        self.acknowledged, self.files, self.fault, self.stopping = 0, {}, None, False

    def run(self):
        try:
            while not self.stopping:
                self.step()
        except GONE as fault:
            self.fault = fault
        except BaseException as fault:
            self.fault = fault

    def step(self):
        note = self.base.notes[self.acknowledged % len(self.base.notes)]
        fields = {"N": self.acknowledged, "Text": f"{self.n}/{self.acknowledged}", "Note": [note]}
        self.wire.call("POST", self.base.path(self.table), {"fields": fields}, once=True).ok()
        if self.acknowledged % 10 == 3:
            content = self.source.randbytes(self.source.randrange(1, 40_000))
            name = f"{self.n}-{self.acknowledged}.bin"
            upload(self.base, self.wire, note, content, name).ok()
            self.files[name] = content
        self.acknowledged += 1


@pytest.mark.timeout(120)
def test_a_backup_under_writes_is_one_moment(own_server, tmp_path):
    source = seeded()
    server = own_server(arguments=["--quiet"])
    token = server.token()
    base = make(server.wire(token))
    writers = [Writer(base, server.wire(token), n, random.Random(source.random())) for n in range(3)]
    threads = [threading.Thread(target=writer.run, daemon=True) for writer in writers]
    for thread in threads:
        thread.start()
    made = []
    for _ in range(3):
        time.sleep(0.4)
        before = [(writer.acknowledged, dict(writer.files)) for writer in writers]
        path = backup(server.folder, tmp_path / "place")
        made.append((path, before, [writer.acknowledged for writer in writers]))
    for writer in writers:
        writer.stopping = True
    for thread in threads:
        thread.join(30)
    for writer in writers:
        assert writer.fault is None, writer.fault
    assert any(after[n] > before[n][0] for _, before, after in made for n in range(3)), "nobody wrote meanwhile"
    assert min(writer.acknowledged for writer in writers) > 20
    every = {name: content for writer in writers for name, content in writer.files.items()}
    assert len({os.path.basename(path) for path, _, _ in made}) == 3
    for n, (path, before, after) in enumerate(made):
        assert NAME.fullmatch(os.path.basename(path))
        copy = own_server(folder=restored(path, tmp_path / f"restored-{n}"), arguments=["--quiet"])
        wire = copy.wire(token)
        links = {}
        for writer, (known, files), last in zip(writers, before, after):
            records = base.list(writer.table, wire=wire)
            # A prefix without a gap that has all that was acknowledged before, and nothing of later.
            assert [record["fields"]["N"] for record in records] == list(range(len(records)))
            assert known <= len(records) <= last + 1
            for k, record in enumerate(records):
                assert record["fields"]["Text"] == f"{writer.n}/{k}"
                assert record["fields"]["Note"] == [base.notes[k % len(base.notes)]]
                links.setdefault((writer.n, record["fields"]["Note"][0]), []).append(record["id"])
        found = {}
        for note in base.list("Notes", wire=wire):
            for k in range(3):
                other = next(one["name"] for one in base.tables["Notes"]["fields"] if one["name"] == "Name")
                assert other == "Name"
            lists = {name: value for name, value in note["fields"].items() if name not in ("Name", "Files")}
            assert sorted(sum(lists.values(), [])) == sorted(
                one for k in range(3) for one in links.get((k, note["id"]), []))
            for item in note["fields"].get("Files", []):
                found[item["filename"]] = item
        for writer, (known, files), last in zip(writers, before, after):
            assert set(files) <= set(found)
        for name, item in found.items():
            assert item["size"] == len(every[name])
            assert download(item["url"]).content == every[name]
        assert copy.stop() == 0
        check_integrity(copy.folder)
        doctor(copy.folder, "--files")
    # What an earlier backup has takes no room twice; what is the folder's own is never shared with it.
    first, last = made[0][0], made[-1][0]
    shared = [name for name in files_of(first) if os.stat(os.path.join(first, name)).st_nlink > 1]
    assert shared == files_of(first) != []
    assert all(os.path.samefile(os.path.join(first, name), os.path.join(last, name)) for name in shared)
    for name in files_of(server.folder):
        assert os.stat(os.path.join(server.folder, name)).st_nlink == 1
    assert sorted(os.listdir(tmp_path / "place")) == sorted(
        [os.path.basename(path) for path, _, _ in made] + ["rowhouse-backup.lock"])


def files_of(folder):
    found = []
    for home, _, names in os.walk(os.path.join(folder, "files")):
        found += [os.path.relpath(os.path.join(home, name), folder) for name in names if len(name) == 64]
    return sorted(found)


def doctor(folder, *arguments, code=0):
    """What the doctor found, by what it looked at."""
    done = command("doctor", "--data", folder, *arguments)
    assert done.returncode == code, done.stdout + done.stderr
    if code == 0:
        assert done.stderr == ""
        assert all(line.startswith("ok ") for line in done.stdout.splitlines()), done.stdout
    found = {}
    for line in done.stdout.splitlines():
        state, rest = line.split(None, 1)
        what, said = rest.split(": ", 1)
        found[what] = (state, said)
    assert {"Database", "Schema", "Records", "Comments", "Links", "Files", "Files that nothing names", "Change log",
            "Write-ahead log", "Trash"} <= set(found)
    return found


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A folder nobody serves, with records, links, comments, files and trash; and a backup of it."""
    home = tmp_path_factory.mktemp("kept")
    server = Server(home / "data", home / "server.log", arguments=["--quiet"]).start()
    token = server.token()
    wire = server.wire(token)
    base = make(wire)
    source = random.Random(5)
    contents = [source.randbytes(size) for size in (1, 700, 30_000, 200_000)]
    for n, content in enumerate(contents):
        upload(base, wire, base.notes[n], content, f"{n}.bin").ok()
    for n in range(3):
        base.create_records(f"Log {n}", [
            {"N": k, "Text": f"{n}/{k} " + "x" * 200, "Note": [base.notes[k % 12], base.notes[(k + 5) % 12]]} for k in range(40)])
    wire.call("POST", f"{base.path('Notes', base.notes[0])}/comments", {"text": "first"}).ok()
    # In the trash: a note with a file and links, a table.
    wire.call("DELETE", base.path("Notes", base.notes[3])).ok()
    wire.call("DELETE", f"/v0/meta/bases/{base.id}/tables/{base.tables['Log 2']['id']}").ok()
    known = without_links(everything(base, wire))
    assert server.stop() == 0
    made = backup(server.folder, home / "place")
    yield {"folder": server.folder, "backup": made, "base": base, "token": token, "known": known, "contents": contents}


def test_a_restored_folder_is_the_same_folder(kept, own_server, tmp_path):
    server = own_server(folder=restored(kept["backup"], tmp_path / "new"), arguments=["--quiet"])
    base, wire = kept["base"], server.wire(kept["token"])
    assert without_links(everything(base, wire)) == kept["known"]
    # The trash too, with its file.
    wire.call("POST", f"/v0/meta/bases/{base.id}/trash/{base.notes[3]}/restore").ok()
    for n, content in enumerate(kept["contents"]):
        item, = base.get("Notes", base.notes[n], wire=wire)["fields"]["Files"]
        assert download(item["url"]).content == content
    wire.call("POST", f"/v0/meta/bases/{base.id}/trash/{base.tables['Log 2']['id']}/restore").ok()
    assert len(base.list("Log 2", wire=wire)) == 40
    assert len(wire.call("GET", f"{base.path('Notes', base.notes[0])}/comments").ok()["comments"]) == 1


def test_a_backup_tells_what_it_holds(kept):
    manifest = json.load(open(os.path.join(kept["backup"], "manifest.json")))
    database = open(os.path.join(kept["backup"], "rowhouse.db"), "rb").read()
    assert manifest["format"] == 1 and manifest["missing"] == []
    assert manifest["program"] == command("--version").stdout.split()[1]
    assert manifest["database"] == {"sha256": hashlib.sha256(database).hexdigest(), "size": len(database)}
    assert manifest["files"] == {"count": 4, "bytes": sum(map(len, kept["contents"]))}
    base = kept["base"]
    assert manifest["records"] == {
        base.tables["Notes"]["id"]: 11, **{base.tables[f"Log {n}"]["id"]: 40 for n in range(3)}}
    for name in files_of(kept["backup"]):
        assert hashlib.sha256(open(os.path.join(kept["backup"], name), "rb").read()).hexdigest() == os.path.basename(name)
    # Whoever looks in with another program needs nothing else.
    connection = sqlite3.connect(f"file:{kept['backup']}/rowhouse.db?mode=ro", uri=True)
    assert connection.execute("SELECT sum(record_count) FROM tables").fetchall() == [(131,)]
    connection.close()
    assert sorted(os.listdir(kept["backup"])) == ["files", "manifest.json", "rowhouse.db"]
    for home, folders, names in os.walk(kept["backup"]):
        for name in folders + names:
            assert os.stat(os.path.join(home, name)).st_mode & 0o077 == 0


def refused(made, folder, *words):
    done = command("restore", made, "--data", folder)
    assert done.returncode not in (0, -signal.SIGSEGV), done.stdout
    assert done.stdout == "" and done.stderr.startswith("rowhouse: "), done
    assert len(done.stderr.splitlines()) == 1, done.stderr
    for word in words:
        assert word in done.stderr, done.stderr
    assert not os.path.exists(str(folder) + ".restoring")
    return done.stderr


@pytest.mark.timeout(120)
def test_an_altered_or_truncated_backup_is_refused(kept, tmp_path):
    source = seeded()
    copy = str(tmp_path / "copy")
    shutil.copytree(kept["backup"], copy)
    new = tmp_path / "new"
    names = ["manifest.json", "rowhouse.db", *files_of(copy)]
    assert len(names) == 6
    for name in names:
        path = os.path.join(copy, name)
        whole = open(path, "rb").read()
        places = {0, len(whole) - 1, *(source.randrange(len(whole)) for _ in range(4))}
        for place in places:
            spoilt = bytearray(whole)
            spoilt[place] ^= 1 << source.randrange(8)
            open(path, "wb").write(spoilt)
            refused(copy, new)
        for wrong in (whole[:-1], whole[:len(whole) // 2], b"", whole + b"\0"):
            open(path, "wb").write(wrong)
            refused(copy, new)
        os.unlink(path)
        refused(copy, new)
        open(path, "wb").write(whole)
    assert not new.exists()
    # As it was, it is taken.
    restored(copy, new)


def test_what_is_no_backup_or_no_place_is_refused(kept, own_server, tmp_path):
    new = tmp_path / "new"
    refused(tmp_path / "nothing", new, "There is no backup")
    (tmp_path / "empty").mkdir()
    refused(tmp_path / "empty", new, "is no backup")
    part = str(tmp_path / os.path.basename(kept["backup"])) + ".part"
    shutil.copytree(kept["backup"], part)
    refused(part, new, "is not whole")
    # Of a newer program, whole in itself.
    newer = str(tmp_path / "newer")
    shutil.copytree(kept["backup"], newer)
    manifest = open(f"{newer}/manifest.json", "rb").read()
    for old, changed in ((b'"format":1', b'"format":2'), (b'"schema":', b'"schema":9')):
        body = manifest.replace(old, changed)[:-len(',\n"sha256":""}\n') - 64]
        seal = hashlib.sha256(body).hexdigest().encode()
        open(f"{newer}/manifest.json", "wb").write(body + b',\n"sha256":"' + seal + b'"}\n')
        refused(newer, new, "newer version")
    new.mkdir()
    (new / "something").write_text("x")
    refused(kept["backup"], new, "is not empty")
    (new / "something").unlink()
    restored(kept["backup"], new)
    server = own_server(folder=new)
    refused(kept["backup"], new, "is in use by another process")
    server.stop()
    refused(kept["backup"], new, "is not empty")
    for place in (new, new / "backups", new / "files" / "x", tmp_path / "empty" / ".." / "new" / "y"):
        done = command("backup", "--data", new, "--to", place)
        assert done.returncode == 1 and "within the data folder" in done.stderr, done.stderr
    assert not (new / "backups").exists()
    link = tmp_path / "link"
    link.symlink_to(new)
    assert "within the data folder" in command("backup", "--data", new, "--to", link / "z").stderr
    assert command("backup", "--data", new, "--to", tmp_path / "no" / "such").returncode == 74
    assert command("backup", "--data", new).returncode == 64
    assert command("backup", "--data", tmp_path / "none", "--to", tmp_path / "place").returncode == 1
    assert not (tmp_path / "place").exists()


def test_a_backup_is_not_opened_as_a_folder(kept, tmp_path):
    copy = str(tmp_path / os.path.basename(kept["backup"]))
    shutil.copytree(kept["backup"], copy)
    before = sorted(os.listdir(copy))
    for words in (("serve", "--listen", "127.0.0.1:0"), ("token", "create"), ("base", "list")):
        done = command(*words, "--data", copy)
        assert done.returncode == 1 and "is a backup" in done.stderr and "rowhouse restore" in done.stderr, done.stderr
    assert sorted(os.listdir(copy)) == before
    restored(copy, tmp_path / "new")


def parts(place):
    return {name for name in os.listdir(place) if name.endswith(".part")}


@pytest.mark.timeout(180)
def test_a_kill_during_a_backup_leaves_nothing_that_looks_whole(own_server, tmp_path):
    source = seeded()
    server = own_server(arguments=["--quiet"])
    token = server.token()
    wire = server.wire(token)
    base = make(wire)
    for n in range(8):
        upload(base, wire, base.notes[n], source.randbytes(100_000)).ok()
    for n in range(3):
        base.create_records(f"Log {n}", [{"N": k, "Text": "x" * 6000} for k in range(20)])
    known = everything(base, wire)
    place = tmp_path / "place"
    began = time.monotonic()
    backup(server.folder, place)
    usual = time.monotonic() - began
    cut, checked = 0, set(os.listdir(place))
    for round_ in range(60):
        if round_ >= 8 and cut >= 2:
            break
        # The server, a command on a free folder, a command whose server goes on, a server that is asked to end.
        held, asker, asked = round_ % 4 != 1, round_ % 4 == 2, round_ % 4 == 3
        if not held:
            assert server.stop() == 0
        # What a dead process left stays until the next backup begins.
        left = parts(place)
        process = subprocess.Popen([program(), "backup", "--data", server.folder, "--to", place],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(source.uniform(0, usual))
        if asked:
            assert server.stop() == 0
            assert parts(place) <= left
        elif held and not asker:
            server.kill()
        else:
            process.kill()
        process.communicate()
        if asker:
            # It ends what nobody waits for any more, or has done it.
            wait_for(lambda: parts(place) <= left)
            assert server.stop() == 0
        names = os.listdir(place)
        cut += bool(parts(place) - left)
        check_integrity(server.folder)
        for name in names:
            if NAME.fullmatch(name) and name not in checked:
                checked.add(name)
                restored(place / name, tmp_path / f"check-{round_}")
                shutil.rmtree(tmp_path / f"check-{round_}")
        server.kill()
        server.start()
        base.wire = wire = server.wire(token)
        assert without_links(everything(base, wire)) == without_links(known)
    print(cut, "cut off")
    assert cut >= 2, "hardly a backup was cut off"
    backup(server.folder, place)
    assert parts(place) == set()


@pytest.mark.timeout(120)
def test_a_kill_during_a_restore_leaves_nothing_or_all(kept, tmp_path):
    source = seeded()
    new = tmp_path / "new"
    began = time.monotonic()
    restored(kept["backup"], new)
    usual = time.monotonic() - began
    whole, cut = tree(new), 0
    shutil.rmtree(new)
    for _ in range(25):
        process = subprocess.Popen([program(), "restore", kept["backup"], "--data", new],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(source.uniform(0, usual))
        process.kill()
        process.communicate()
        cut += os.path.exists(str(new) + ".restoring")
        if new.exists():
            assert tree(new) == whole
            shutil.rmtree(new)
    print(cut, "cut off")
    assert cut > 0, "no restore was cut off"
    restored(kept["backup"], new)
    assert tree(new) == whole
    assert not os.path.exists(str(new) + ".restoring")


def tree(folder):
    """The bytes of every file but the lock's."""
    found = {}
    for home, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(home, name)
            if name != "rowhouse.lock":
                found[os.path.relpath(path, folder)] = open(path, "rb").read()
    return found


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 2 MB that is gone after the test."""
    place = tmp_path / "disk"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m,mode=700", "rowhouse-test", place], check=True)
    yield place
    subprocess.run(["umount", "-l", place], check=True)


@pytest.mark.timeout(120)
def test_a_full_disk_refuses_a_backup_and_keeps_nothing_of_it(kept, own_server, small_disk, tmp_path):
    server = own_server(folder=restored(kept["backup"], tmp_path / "data"), arguments=["--quiet"])
    wire = server.wire(kept["token"])
    base = kept["base"]

    def full(place):
        done = command("backup", "--data", server.folder, "--to", place)
        assert done.returncode == 74 and "The disk is full" in done.stderr, done.stderr
        assert os.listdir(place) == ["rowhouse-backup.lock"]

    backup(server.folder, small_disk)
    shutil.rmtree(small_disk / next(name for name in os.listdir(small_disk) if NAME.fullmatch(name)))
    # Too little for the files, then for the database.
    upload(base, wire, base.notes[1], random.Random(1).randbytes(1_600_000)).ok()
    full(small_disk)
    base.create_records("Log 0", [{"N": n, "Text": "y" * 90_000} for n in range(30)], wire=wire)
    full(small_disk)
    # And for what is restored.
    made = backup(server.folder, tmp_path / "place")
    assert "The disk is full" in refused(made, small_disk / "new")
    assert os.listdir(small_disk) == ["rowhouse-backup.lock"]
    assert len(base.list("Log 0", wire=wire)) == 70


def test_the_doctor_finds_what_is_spoilt_and_changes_nothing(kept, own_server, tmp_path):
    folder = restored(kept["backup"], tmp_path / "data")
    server = own_server(folder=folder, arguments=["--quiet"])
    for more in ((), ("--files",)):
        found = doctor(folder, *more)
    assert found["Records"][1].startswith("131 in 4 tables")
    assert found["Files"][1].startswith("4 files, 230.7 KB")
    assert found["Trash"][1] == "2 things to be restored, 1 of them records"
    assert server.stop() == 0
    base, before = kept["base"], tree(folder)
    good = doctor(folder, "--files")
    assert tree(folder) == before
    assert good["Files that nothing names"][1] == "none"

    # A file that nobody names is told, and no fault.
    orphan = hashlib.sha256(b"orphan").hexdigest()
    home = folder / "files" / orphan[:2]
    home.mkdir(exist_ok=True)
    (home / orphan).write_bytes(b"orphan")
    assert doctor(folder)["Files that nothing names"][1].startswith("1, 6 bytes")
    (home / orphan).unlink()
    (folder / "files" / "readme.txt").write_text("?")
    assert doctor(folder, code=1)["Other things among the files"] == ("attention", "1, such as files/readme.txt")
    (folder / "files" / "readme.txt").unlink()

    # A file is gone, cut, altered.
    name = files_of(folder)[1]
    content = (folder / name).read_bytes()
    (folder / name).unlink()
    state, said = doctor(folder, code=1)["Files"]
    assert state == "attention" and "1 missing" in said and os.path.basename(name) in said
    (folder / name).write_bytes(content[:-1])
    assert "1 damaged" in doctor(folder, code=1)["Files"][1]
    (folder / name).write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    assert doctor(folder)["Files"][0] == "ok"
    assert "1 damaged" in doctor(folder, "--files", code=1)["Files"][1]
    (folder / name).write_bytes(content)

    def spoil(sql, what, *words, undo=None):
        saved = (folder / "rowhouse.db").read_bytes()
        connection = sqlite3.connect(folder / "rowhouse.db")
        connection.executescript(sql)
        connection.close()
        found = doctor(folder, code=1)
        assert [name for name, (state, _) in found.items() if state != "ok"] == [what]
        for word in words:
            assert word in found[what][1], found[what]
        (folder / "rowhouse.db").write_bytes(saved)

    notes = base.tables["Notes"]["id"]
    spoil(f"UPDATE tables SET record_count = 12 WHERE id = '{notes[3:]}'", "Records", f"Notes ({notes}) has 11", "as 12")
    spoil("UPDATE comment_counts SET count = 2", "Comments", "1 record")
    spoil("DELETE FROM comment_counts", "Comments", "1 record")
    spoil("INSERT INTO l_1 VALUES (999999, 1, 1, 999999)", "Links", "1 lack")
    spoil("UPDATE tables SET primary_field = 'AAAAAAAAAAAAAA' WHERE number = 1", "Schema", "primary fields (1)")
    spoil("DELETE FROM bases", "Schema", "bases of tables (4)")

    # A page of the database is overwritten.
    saved = (folder / "rowhouse.db").read_bytes()
    spoilt = bytearray(saved)
    spoilt[4096 * 20:4096 * 21] = b"\xA5" * 4096
    (folder / "rowhouse.db").write_bytes(spoilt)
    done = command("doctor", "--data", folder)
    assert done.returncode == 1 and "attention  Database: damaged" in done.stdout
    # And no backup is made of it that would take the place of a good one.
    done = command("backup", "--data", folder, "--to", tmp_path / "place")
    assert done.returncode != 0 and os.listdir(tmp_path / "place") in ([], ["rowhouse-backup.lock"])
    (folder / "rowhouse.db").write_bytes(b"no database at all" * 1000)
    assert command("doctor", "--data", folder).returncode == 1


def test_a_missing_file_is_told_and_comes_back_from_an_earlier_backup(kept, tmp_path):
    folder = restored(kept["backup"], tmp_path / "data")
    first = backup(folder, tmp_path / "place")
    name = files_of(folder)[0]
    whole = (folder / name).read_bytes()
    (folder / name).unlink()
    second = backup(folder, tmp_path / "place")
    assert open(os.path.join(second, name), "rb").read() == whole
    # Where no backup has it either, the rest is backed up.
    done = command("backup", "--data", folder, "--to", tmp_path / "other")
    assert done.returncode == 0
    path, said, attention = done.stdout.splitlines()
    assert "3 files" in said and attention.startswith("Attention: 1 file ")
    assert json.load(open(f"{path}/manifest.json"))["missing"] == [os.path.basename(name)]
    restored(path, tmp_path / "again")
    assert "1 missing" in doctor(tmp_path / "again", code=1)["Files"][1]
    # A file that was altered in the backup is not taken over.
    (folder / name).write_bytes(whole)
    open(os.path.join(first, name), "r+b").write(b"\xFF\x00\xFF")
    third = backup(folder, tmp_path / "place")
    assert open(os.path.join(third, name), "rb").read() == whole


def backups(place):
    return sorted(name for name in os.listdir(place) if NAME.fullmatch(name)) if place.exists() else []


def wait_for(condition, seconds=20):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.timeout(120)
def test_backups_are_made_by_themselves_and_the_last_kept(kept, own_server, tmp_path):
    folder = restored(kept["backup"], tmp_path / "data")
    place = tmp_path / "place"
    place.mkdir()
    # Not ours: another folder's backup, and what is only called so.
    other = place / "rowhouse-2001-01-01T000000Z"
    other.mkdir()
    (other / "manifest.json").write_text("{}")
    server = own_server(folder=folder, arguments=[
        "--quiet", "--backup-to", str(place), "--backup-every", "0.0004", "--backup-keep", "2"])
    wire, base = server.wire(kept["token"]), kept["base"]
    seen = set()
    deadline = time.monotonic() + 60
    while len(seen) < 5:
        assert time.monotonic() < deadline, server.tail()
        wire.call("POST", base.path("Log 0"), {"fields": {"N": 1}}).ok()
        seen |= set(backups(place)) - {other.name}
    assert server.stop() == 0
    left = [name for name in backups(place) if name != other.name]
    assert len(left) == 2 and set(left) >= {max(seen)} and other.exists()
    restored(place / left[-1], tmp_path / "new")
    doctor(tmp_path / "new", "--files")
    assert "had its time" in server.tail()

    # A day has not passed: nothing is made at a start; then a place that is gone for a while.
    server = own_server(folder=folder, arguments=["--quiet", "--backup-to", str(place)])
    time.sleep(1)
    assert [name for name in backups(place) if name != other.name] == left
    server.stop()
    gone = tmp_path / "gone" / "place"
    server = own_server(folder=folder, arguments=["--quiet", "--backup-to", str(gone), "--backup-every", "0.0002"])
    wait_for(lambda: server.tail().count("the backup was not made") >= 2)
    assert server.wire(kept["token"]).call("GET", "/v0/meta/whoami").status == 200
    gone.parent.mkdir()
    wait_for(lambda: backups(gone))
    assert server.stop() == 0


def test_only_one_backup_at_a_time(kept, own_server, tmp_path):
    server = own_server(folder=restored(kept["backup"], tmp_path / "data"), arguments=["--quiet"])
    wire, base = server.wire(kept["token"]), kept["base"]
    upload(base, wire, base.notes[1], random.Random(1).randbytes(3_500_000)).ok()
    line = [program(), "backup", "--data", server.folder, "--to", tmp_path / "place"]
    several = [subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    ends = [one.communicate()[1] for one in several]
    codes = sorted(one.returncode for one in several)
    assert 0 in codes and set(codes) <= {0, 69}
    for one, said in zip(several, ends):
        if one.returncode:
            assert said == "rowhouse: Another backup is being made.\n"
    assert codes[-1] == 69, "none was refused"
    # Another folder's backup in the same place waits for nobody either.
    lock = open(tmp_path / "place" / "rowhouse-backup.lock", "a")
    import fcntl
    fcntl.flock(lock, fcntl.LOCK_EX)
    done = command("backup", "--data", server.folder, "--to", tmp_path / "place")
    assert done.returncode == 69 and "Another backup is being made in" in done.stderr


def test_a_terminal_sees_how_far_it_is(kept, tmp_path):
    folder = restored(kept["backup"], tmp_path / "data")
    import pty
    main, other = pty.openpty()
    process = subprocess.Popen([program(), "backup", "--data", folder, "--to", tmp_path / "place"],
                               stdout=subprocess.PIPE, stderr=other)
    os.close(other)
    out = process.communicate()[0].decode()
    seen = b""
    try:
        while piece := os.read(main, 65536):
            seen += piece
    except OSError:
        pass
    assert process.returncode == 0 and out.splitlines()[0].startswith(str(tmp_path))
    shown = seen.decode().split("\r\x1b[K")
    assert any(re.fullmatch(r"Copying the database \d+ % · \d+\.\d of \d+\.\d [KM]B", line) for line in shown), shown
    assert shown[-1] == ""
