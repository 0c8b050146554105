"""One keep-alive connection that costs little enough to time an answer through it."""
import json
import socket


class Connection:
    def __init__(self, port, timeout=60):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def _more(self):
        data = self.socket.recv(262144)
        if not data:
            raise ConnectionError("the server closed the connection")
        return data

    def send(self, request):
        """Sends the bytes of one request and returns its status and the bytes of its body."""
        self.socket.sendall(request)
        data = self.rest
        while (end := data.find(b"\r\n\r\n")) < 0:
            data += self._more()
        head = data[:end].lower()
        body = data[end + 4:]
        status = int(head[9:12])
        if b"transfer-encoding: chunked" in head:
            return status, self._chunked(body)
        at = head.find(b"content-length:")
        length = int(head[at + 15:].split(b"\r\n", 1)[0]) if at >= 0 else 0
        parts, have = [body], len(body)
        while have < length:
            parts.append(self._more())
            have += len(parts[-1])
        body = b"".join(parts)
        self.rest = body[length:]
        return status, body[:length]

    def _chunked(self, data):
        parts, at = [], 0
        while True:
            while (end := data.find(b"\r\n", at)) < 0:
                data += self._more()
            size = int(data[at:end].split(b";")[0], 16)
            while len(data) < end + 4 + size:
                data += self._more()
            parts.append(data[end + 2:end + 2 + size])
            at = end + 4 + size
            if size == 0:
                self.rest = data[at:]
                return b"".join(parts)

    def ask(self, request):
        """Like `send`, with the body read as JSON; anything but 2xx is an error."""
        status, body = self.send(request)
        if not 200 <= status < 300:
            raise RuntimeError(f"{status} to {request[:120]!r}: {body[:400]!r}")
        return json.loads(body) if body else None


def request(port, method, path, token=None, body=None):
    """The bytes of one request, as an app's HTTP library would send it."""
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
    if token:
        head += f"Authorization: Bearer {token}\r\n"
    if body is None:
        return (head + "\r\n").encode()
    data = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    return (head + f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n").encode() + data


def form(port, path, token, field, filename, content, kind):
    """The bytes of a request that uploads one file, as a page or an app would send it."""
    start = (f'--b0undary\r\nContent-Disposition: form-data; name="{field}"; filename="{filename}"\r\n'
             f"Content-Type: {kind}\r\n\r\n").encode()
    body = start + content + b"\r\n--b0undary--\r\n"
    return (f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: multipart/form-data; boundary=b0undary\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body
