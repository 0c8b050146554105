import subprocess
from collections import namedtuple

import pytest

from harness.base import Base, text
from harness.server import Server, program

Certificate = namedtuple("Certificate", "cert key")


def pytest_sessionstart(session):
    if not session.config.option.collectonly:
        program()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed:
        for server in item.stash.get(used_servers, []):
            report.sections.append((f"server log {server.log}", server.tail(since=server.log_start)))
    return report


used_servers = pytest.StashKey[list]()


def watch(request, server):
    """Shows the server's log if the test fails."""
    request.node.stash.setdefault(used_servers, []).append(server)


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    """A self-signed certificate for localhost and 127.0.0.1."""
    folder = tmp_path_factory.mktemp("certificate")
    made = Certificate(folder / "cert.pem", folder / "key.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
         "-keyout", made.key, "-out", made.cert],
        check=True, capture_output=True)
    return made


def _shared(tmp_path_factory, name, **options):
    folder = tmp_path_factory.mktemp(name)
    server = Server(folder / "data", folder / "server.log", **options).start()
    server.all_rights = server.token(name="tests")
    return server


@pytest.fixture(scope="session")
def _shared_server(tmp_path_factory):
    server = _shared(tmp_path_factory, "shared")
    yield server
    server.kill()


@pytest.fixture(scope="session")
def _shared_https_server(tmp_path_factory, certificate):
    server = _shared(tmp_path_factory, "shared-https", certificate=certificate)
    yield server
    server.kill()


def _lend(request, server):
    if not server.alive:
        server.restart()
    server.log_start = server.log.stat().st_size
    watch(request, server)
    yield server
    if not server.alive:
        code = server.process.poll()
        server.kill()
        pytest.fail(f"the server ended during the test (exit code {code}):\n{server.tail()}")


@pytest.fixture
def server(request, _shared_server):
    """A running server that many tests share; a test's own data is in its own base."""
    yield from _lend(request, _shared_server)


@pytest.fixture
def https_server(request, _shared_https_server):
    yield from _lend(request, _shared_https_server)


@pytest.fixture
def own_server(request, tmp_path):
    """Makes servers that the test may stop, kill and start again; each ends with the test."""
    made = []

    def make(folder=None, start=True, **options):
        name = f"server-{len(made)}"
        server = Server(folder or tmp_path / f"{name}-data", tmp_path / f"{name}.log", **options)
        made.append(server)
        watch(request, server)
        return server.start() if start else server

    yield make
    for server in made:
        server.kill()


@pytest.fixture
def wire(server):
    """A connection with a token that has all rights."""
    connection = server.wire(server.all_rights)
    yield connection
    connection.close()


@pytest.fixture
def make_base(wire):
    """Makes bases on the shared server."""

    def make(tables, **options):
        return Base.create(wire, tables, **options)

    return make


@pytest.fixture
def base(make_base):
    """A base with one table, Things, with the fields Name and Notes."""
    return make_base([{"name": "Things", "fields": [text("Name"), {"name": "Notes", "type": "multilineText"}]}])
