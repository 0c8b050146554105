"""Image files made by programs of others, and the worker that renders them, spoken to directly."""

import os
import socket
import struct
import subprocess
import time
from io import BytesIO

import pillow_heif
from PIL import Image, ImageChops, ImageOps, ImageStat

from harness.server import program

pillow_heif.register_heif_opener()


class ImageWorker:
    """One `rowhouse image-worker`, as the server starts it."""

    def __init__(self, folder, idle_seconds=60):
        self.folder = folder
        self.socket, other = socket.socketpair()
        self.socket.settimeout(60)
        self.process = subprocess.Popen(
            [program(), "image-worker", "--idle-seconds", str(idle_seconds)], stdin=other, stdout=other,
            stderr=subprocess.DEVNULL, env={})
        other.close()
        self.answers = self.socket.makefile("rb")
        assert self.answers.readline() == b"ready\n"

    def ask(self, path, *sizes):
        """Sends a job and does not wait for the answer."""
        names = [self.folder / f"{width}x{height}" for width, height in sizes]
        files = [os.open(path, os.O_RDONLY)] + [os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC) for name in names]
        try:
            line = " ".join(f"{width}x{height}" for width, height in sizes) + "\n"
            socket.send_fds(self.socket, [line.encode()], files)
        finally:
            for file in files:
                os.close(file)
        return names

    def answer(self):
        assert self.answers.readline() == b"begun\n"
        return self.answers.readline().decode().rstrip("\n")

    def render(self, path, *sizes):
        """The answer, and the renderings as bytes if there are any."""
        names = self.ask(path, *sizes)
        answer = self.answer()
        return answer, [name.read_bytes() for name in names] if answer.startswith("done") else []

    def status(self, word):
        for line in open(f"/proc/{self.process.pid}/status"):
            if line.startswith(word + ":"):
                return line.split()[1]
        return None

    def end(self):
        self.answers.close()
        self.socket.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


def photo(width, height):
    """A picture that looks different from every side."""
    across = Image.linear_gradient("L").rotate(90).resize((width, height))
    down = Image.linear_gradient("L").resize((width, height))
    corner = Image.new("L", (width, height), 40)
    corner.paste(220, (0, 0, max(1, width // 3), max(1, height // 4)))
    return Image.merge("RGB", (across, down, corner))


def opened(data):
    image = Image.open(BytesIO(data))
    image.load()
    return image


def on_grey(image):
    image = image.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", image.size, (128, 128, 128, 255)), image).convert("RGB")


def difference(one, other):
    """The mean difference of two pictures of one size, as they look on a grey page, 0 to 255."""
    assert one.size == other.size
    return max(ImageStat.Stat(ImageChops.difference(on_grey(one), on_grey(other))).mean)


def turned(image, orientation):
    """The pixels that a camera stores so that this orientation shows the image."""
    turns = {
        2: [Image.Transpose.FLIP_LEFT_RIGHT], 3: [Image.Transpose.ROTATE_180], 4: [Image.Transpose.FLIP_TOP_BOTTOM],
        5: [Image.Transpose.TRANSPOSE], 6: [Image.Transpose.ROTATE_90], 7: [Image.Transpose.TRANSVERSE],
        8: [Image.Transpose.ROTATE_270],
    }
    for turn in turns.get(orientation, []):
        image = image.transpose(turn)
    return image


def with_turn(heif, turn, mirror=None):
    """A HEIF file with one primary item, made to be turned left by so many quarters and then mirrored."""

    def box(name, content):
        return struct.pack(">I", len(content) + 8) + name + content

    def inner(data, start):
        while start < len(data):
            size, = struct.unpack_from(">I", data, start)
            yield data[start + 4:start + 8], data[start + 8:start + size]
            start += size

    def added(properties):
        made = b""
        for name, content in inner(properties, 0):
            if name == b"ipco":
                count = sum(1 for _ in inner(content, 0))
                content += box(b"irot", bytes([turn])) + (b"" if mirror is None else box(b"imir", bytes([mirror])))
            else:
                content = bytearray(content)
                more = [count + 1] + ([] if mirror is None else [count + 2])
                content[10] += len(more)
                content = bytes(content) + bytes(0x80 | number for number in more)
            made += box(name, content)
        return made

    parts = list(inner(heif, 0))
    old = {name: content for name, content in parts}[b"meta"]
    assert [name for name, _ in parts][:2] == [b"ftyp", b"meta"]
    pieces = [(name, added(content) if name == b"iprp" else content) for name, content in inner(old, 4)]
    shift = sum(len(content) + 8 for _, content in pieces) + 4 - len(old)
    meta = old[:4]
    for name, content in pieces:
        if name == b"iloc":
            content = bytearray(content)
            # One item in one piece, at a base of 4 bytes, as the encoder of this test writes it.
            assert content[0] == 0 and content[4:8] == b"\x44\x40\0\1"
            struct.pack_into(">I", content, 12, struct.unpack_from(">I", content, 12)[0] + shift)
        meta += box(name, bytes(content))
    return b"".join(box(name, meta if name == b"meta" else content) for name, content in parts)


def ten_thousand_frames():
    """A GIF of 40 × 30."""
    frames = [Image.new("P", (40, 30), number % 251) for number in range(10_000)]
    for frame in frames:
        frame.putpalette([value for number in range(256) for value in (number, 255 - number, 7)])
    data = BytesIO()
    frames[0].save(data, "GIF", save_all=True, append_images=frames[1:], duration=20)
    return data.getvalue()


def of_libheif(path, image, *more):
    """A file made by libheif's own encoder: HEIC, or AVIF with -A."""
    source = path.with_suffix(".png")
    image.save(source)
    subprocess.run(["heif-enc", *more, "-q", "90", "-o", path, source], check=True, capture_output=True)
    return path.read_bytes()


def exif(orientation=1, place=False):
    data = Image.Exif()
    data[0x0112] = orientation
    data[0x010F] = "Kamera 7"
    if place:
        data.get_ifd(0x8825).update({1: "N", 2: (25.0, 2.0, 1.5), 3: "E", 4: (121.0, 33.0, 52.0)})
    return data


def shown(path):
    """A file as another program shows it."""
    with Image.open(path) as image:
        image.seek(0)
        return ImageOps.exif_transpose(image)


def wait_until(condition, seconds=10):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)
