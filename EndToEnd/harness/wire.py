"""One HTTP connection that sends exactly what it is told: method case, target and header bytes are not touched."""

import gzip
import http.client
import json
import socket
import ssl
import zlib
from urllib.parse import quote, urlencode


class Answer:
    """Status, headers and decoded body of one response."""

    def __init__(self, status, headers, raw):
        self.status = status
        self.headers = headers
        self.raw = raw
        encoding = (headers.get("Content-Encoding") or "identity").lower()
        if encoding == "gzip":
            self.body = gzip.decompress(raw)
        elif encoding == "deflate":
            self.body = zlib.decompress(raw)
        else:
            self.body = raw

    @property
    def json(self):
        try:
            return json.loads(self.body)
        except ValueError as fault:
            raise AssertionError(f"the answer is not JSON: {self}") from fault

    def ok(self):
        """The JSON body of an answer that must be a 200."""
        assert self.status == 200, f"expected 200, got {self}"
        return self.json

    def __str__(self):
        text = self.body[:600].decode("utf-8", "replace")
        return f"{self.status} {text}"


class Wire:
    """A keep-alive connection to the server; reconnects when the server has closed it between requests."""

    def __init__(self, host, port, *, token=None, authority=None, timeout=30):
        self.host, self.port, self.token, self.timeout = host, port, token, timeout
        self.context = ssl.create_default_context(cafile=authority) if authority else None
        self.connection = None

    def connect(self):
        if self.context:
            connection = http.client.HTTPSConnection(
                self.host, self.port, timeout=self.timeout, context=self.context)
        else:
            connection = http.client.HTTPConnection(self.host, self.port, timeout=self.timeout)
        connection.connect()
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.connection = connection

    def close(self):
        if self.connection:
            self.connection.close()
            self.connection = None

    def send(self, method, target, *, headers=(), body=None, once=False):
        """Sends one request as written; `once` forbids the retry on a connection that was closed while idle."""
        if isinstance(body, str):
            body = body.encode("utf-8")
        pairs = list(headers.items()) if isinstance(headers, dict) else list(headers)
        reused = self.connection is not None
        try:
            return self._exchange(method, target, pairs, body)
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            self.close()
            if once or not reused:
                raise
            return self._exchange(method, target, pairs, body)
        except BaseException:
            self.close()
            raise

    def _exchange(self, method, target, pairs, body):
        if self.connection is None:
            self.connect()
        connection = self.connection
        connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
        names = {name.lower() for name, _ in pairs}
        if "host" not in names:
            connection.putheader("Host", f"{self.host}:{self.port}")
        if self.token and "authorization" not in names:
            connection.putheader("Authorization", f"Bearer {self.token}")
        for name, value in pairs:
            if value is not None:
                connection.putheader(name, value.encode("utf-8"))
        if body is not None and "content-length" not in names:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        response = connection.getresponse()
        raw = response.read()
        if response.will_close:
            self.close()
        return Answer(response.status, response.headers, raw)

    def call(self, method, path, body=None, query=None, headers=(), once=False):
        """Sends JSON and percent-encodes the query's pairs."""
        target = path
        if query:
            target += "?" + (query if isinstance(query, str) else urlencode(query, quote_via=quote))
        pairs = list(headers.items()) if isinstance(headers, dict) else list(headers)
        if body is not None:
            if not isinstance(body, (bytes, str)):
                body = json.dumps(body, ensure_ascii=False)
            pairs.append(("Content-Type", "application/json"))
        return self.send(method, target, headers=pairs, body=body, once=once)


def segment(text):
    """One path segment, wholly percent-encoded."""
    return quote(text, safe="")


def raw_exchange(host, port, data, *, timeout=10, half_close=False):
    """Writes bytes to a fresh socket and returns all that comes back until the server closes or falls silent."""
    with socket.create_connection((host, port), timeout=timeout) as sock:
        try:
            sock.sendall(data)
            if half_close:
                sock.shutdown(socket.SHUT_WR)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the server may answer and close before it has read everything
        received = b""
        try:
            while chunk := sock.recv(65536):
                received += chunk
        except (TimeoutError, ConnectionResetError):
            pass
        return received
