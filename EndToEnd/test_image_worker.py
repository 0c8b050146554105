"""The process that decodes images: real files of other programs in, renderings looked at by other programs out."""

import os
import signal
import struct
import subprocess
import time
import zlib

import pytest
from PIL import Image

from harness.images import (
    ImageWorker, difference, exif, opened, photo, shown, ten_thousand_frames, turned, wait_until, with_turn)


@pytest.fixture
def worker(tmp_path):
    folder = tmp_path / "renderings"
    folder.mkdir()
    made = ImageWorker(folder)
    yield made
    made.end()


def saved(path, image, **options):
    image.save(path, **options)
    return path


def palette(image):
    picture = image.quantize(32)
    picture.info["transparency"] = 0
    return picture


def seen_through(image):
    image = image.convert("RGBA")
    image.putalpha(Image.linear_gradient("L").resize(image.size))
    return image


def opaque(image):
    image = image.convert("RGBA")
    image.putalpha(255)
    return image


KINDS = {
    "baseline.jpg": (lambda i: i, {"quality": 92}, "jpg"),
    "progressive.jpg": (lambda i: i, {"quality": 92, "progressive": True}, "jpg"),
    "grey.jpg": (lambda i: i.convert("L"), {"quality": 92}, "jpg"),
    "cmyk.jpg": (lambda i: i.convert("CMYK"), {"quality": 92}, "jpg"),
    "plain.png": (lambda i: i, {}, "jpg"),
    "alpha.png": (seen_through, {}, "webp"),
    "opaque.png": (opaque, {}, "jpg"),
    "palette.png": (lambda i: i.quantize(64), {}, "jpg"),
    "bilevel.png": (lambda i: i.convert("1"), {}, "jpg"),
    "deep.png": (lambda i: i.convert("L").convert("I;16").point(lambda v: v * 257), {}, "jpg"),
    "plain.gif": (lambda i: i.quantize(128), {}, "jpg"),
    "clear.gif": (palette, {"transparency": 0}, "webp"),
    "lossy.webp": (lambda i: i, {"quality": 90}, "jpg"),
    "lossless.webp": (lambda i: i, {"lossless": True}, "jpg"),
    "alpha.webp": (seen_through, {"quality": 90}, "webp"),
    "plain.heic": (lambda i: i, {"quality": 90}, "jpg"),
    "alpha.heic": (seen_through, {"quality": 90}, "webp"),
    "plain.avif": (lambda i: i, {"quality": 90, "speed": 9}, "jpg"),
    "alpha.avif": (seen_through, {"quality": 90, "speed": 9}, "webp"),
}


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_is_rendered_as_another_program_shows_it(worker, tmp_path, name):
    make, options, ending = KINDS[name]
    path = saved(tmp_path / name, make(photo(900, 600)), **options)
    answer, renderings = worker.render(path, (900, 600), (768, 512), (54, 36))
    assert answer == f"done {ending}"
    image = shown(path)
    image = image.convert("RGBA" if ending == "webp" else "RGB") if image.mode != "I;16" else None
    for data, size in zip(renderings, [(900, 600), (768, 512), (54, 36)]):
        made = opened(data)
        assert made.format == {"jpg": "JPEG", "webp": "WEBP"}[ending]
        assert made.size == size
        if image is not None and name not in ("cmyk.jpg", "bilevel.png"):
            assert difference(made.convert(image.mode), image.resize(size, Image.Resampling.LANCZOS)) < 6


def test_a_file_of_the_encoder_of_libheif(worker, tmp_path):
    source = saved(tmp_path / "a.png", photo(640, 480))
    for ending, more in (("heic", []), ("avif", ["-A"])):
        path = tmp_path / f"a.{ending}"
        subprocess.run(["heif-enc", *more, "-q", "90", "-o", path, source], check=True, capture_output=True)
        answer, [large] = worker.render(path, (640, 480))
        assert answer == "done jpg"
        assert difference(opened(large), photo(640, 480)) < 6


@pytest.mark.parametrize("ending", ["jpg", "png", "webp", "avif"])
def test_all_orientations_are_rendered_alike(worker, tmp_path, ending):
    upright = photo(400, 240)
    for orientation in range(1, 9):
        path = saved(
            tmp_path / f"{orientation}.{ending}", turned(upright, orientation), exif=exif(orientation), quality=95)
        answer, [full, small] = worker.render(path, (400, 240), (60, 36))
        assert answer == "done jpg"
        assert difference(opened(full), upright) < 6, orientation
        assert difference(opened(small), upright.resize((60, 36), Image.Resampling.LANCZOS)) < 6, orientation


def test_turns_of_a_heic_file_itself(worker, tmp_path):
    upright = photo(400, 240)
    for turn in range(4):
        for mirror in (None, 0, 1):
            stored = upright
            if mirror is not None:
                way = Image.Transpose.FLIP_TOP_BOTTOM if mirror == 0 else Image.Transpose.FLIP_LEFT_RIGHT
                stored = stored.transpose(way)
            stored = stored.rotate(-90 * turn, expand=True)
            path = saved(tmp_path / "a.heic", stored, quality=95)
            path.write_bytes(with_turn(path.read_bytes(), turn, mirror))
            # The other program agrees on what is to be seen.
            assert difference(Image.open(path), upright) < 6, (turn, mirror)
            answer, [full] = worker.render(path, (400, 240))
            assert difference(opened(full), upright) < 6, (turn, mirror)


@pytest.mark.parametrize("ending", ["jpg", "png", "webp", "heic", "avif"])
def test_the_place_is_gone(worker, tmp_path, ending):
    options = {} if ending in ("png", "avif") else {"xmp": b"<x:xmpmeta>secret-words</x:xmpmeta>"}
    path = saved(tmp_path / f"a.{ending}", photo(300, 200), exif=exif(place=True), **options)
    assert Image.open(path).getexif().get_ifd(0x8825)
    answer, renderings = worker.render(path, (300, 200), (54, 36))
    assert answer == "done jpg"
    for data in renderings:
        made = opened(data)
        assert not dict(made.getexif()) and not made.getexif().get_ifd(0x8825)
        assert set(made.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density", "dpi"}
        for word in (b"Exif", b"Kamera", b"secret", b"xmpmeta"):
            assert word not in data


def test_colours_are_those_of_srgb(worker, tmp_path):
    from PIL import ImageCms

    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB"))
    # A profile of a wide space, from the folder that the encoder of JPEG files is told: swapped primaries.
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    at = {name: srgb.index(name) for name in (b"rXYZ", b"gXYZ")}
    swapped = bytearray(srgb)
    swapped[at[b"rXYZ"]:at[b"rXYZ"] + 4], swapped[at[b"gXYZ"]:at[b"gXYZ"] + 4] = b"gXYZ", b"rXYZ"
    assert profile
    path = saved(tmp_path / "a.png", Image.new("RGB", (90, 60), (200, 30, 30)), icc_profile=bytes(swapped))
    answer, [made] = worker.render(path, (90, 60))
    assert answer == "done jpg"
    red, green, blue = opened(made).getpixel((45, 30))
    assert green > 180 and red < 60


def test_the_first_frame_of_ten_thousand(worker, tmp_path):
    path = tmp_path / "a.gif"
    path.write_bytes(ten_thousand_frames())
    with Image.open(path) as image:
        assert image.n_frames == 10_000
    began = time.monotonic()
    answer, [made] = worker.render(path, (40, 30))
    assert answer.startswith("done")
    assert time.monotonic() - began < 5
    assert difference(opened(made), Image.new("RGB", (40, 30), (0, 255, 7))) < 6


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(width, height, pixels=b"", depth=1, colour=0):
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(pixels, 9)) + chunk(b"IEND", b"")


def test_the_largest_png_is_refused_by_its_head(worker, tmp_path):
    row = b"\0" * (65_535 // 8 + 2)
    path = tmp_path / "a.png"
    path.write_bytes(png(65_535, 65_535, row * 65_535))
    assert path.stat().st_size < 1_000_000
    before = int(worker.status("VmHWM"))
    began = time.monotonic()
    assert worker.render(path, (36, 36)) == ("failed too large an image", [])
    assert time.monotonic() - began < 0.05
    assert int(worker.status("VmHWM")) - before < 1000


HOSTILE = {
    "nothing": b"",
    "noise": os.urandom(4000),
    "text": b"<html><script>alert(1)</script>" * 20,
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
    "pdf": b"%PDF-1.4\n%%EOF" + b" " * 100,
    "tiff": b"II*\0\x08\0\0\0" + b"\0" * 100,
    "bmp": b"BM" + b"\0" * 100,
    "ppm": b"P6 2 2 255\n" + b"\0" * 12,
    "photoshop": b"8BPS\0\x01" + b"\0" * 100,
    "openexr": b"\x76\x2f\x31\x01" + b"\0" * 100,
    "matlab": b"MATLAB 5.0 MAT-file" + b"\0" * 200,
    "png without pixels": png(100, 100),
    "png that says more than it has": png(9000, 9000, b"\0" * 100),
    "png head only": png(100, 100)[:33],
    "gif head only": b"GIF89a\x10\0\x10\0\0\0\0",
    "webp head only": b"RIFF\x20\0\0\0WEBPVP8L\x05\0\0\0\x2f\xff\xc0\x3f\0" + b"\0" * 12,
    "jpeg head only": b"\xff\xd8\xff\xc0\x00\x11\x08\x00\x40\x00\x40\x03\x01\x22\x00\x02\x11\x01\x03\x11\x01",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_image_is_refused_and_the_worker_goes_on(worker, tmp_path, name):
    path = tmp_path / "a.jpg"
    path.write_bytes(HOSTILE[name])
    answer, _ = worker.render(path, (48, 36))
    assert answer.startswith("failed ") or name.startswith("png without") or name.startswith("png that"), answer
    good = saved(tmp_path / "good.png", photo(60, 40))
    assert worker.render(good, (54, 36))[0] == "done jpg"


@pytest.mark.parametrize("ending", ["jpg", "png", "gif", "webp", "heic", "avif"])
def test_cut_and_damaged_files_never_end_the_worker(worker, tmp_path, ending):
    options = {"speed": 9} if ending == "avif" else {}
    whole = saved(tmp_path / f"a.{ending}", photo(300, 200), **options).read_bytes()
    path = tmp_path / "damaged"
    answers = set()
    for step in range(60):
        damaged = bytearray(whole[: len(whole) * (step % 20 + 1) // 21] if step < 20 else whole)
        if step >= 20:
            for place in range(step % 7 + 1):
                damaged[(step * 7919 + place * 104_729) % len(damaged)] ^= 1 << (step % 8)
        path.write_bytes(damaged)
        answer, renderings = worker.render(path, (54, 36))
        answers.add(answer.split()[0])
        assert [opened(data).size for data in renderings] in ([], [(54, 36)])
    assert answers <= {"done", "failed"}
    assert worker.process.poll() is None


def test_a_page_within_a_photo_does_not_come_out_of_it(worker, tmp_path):
    page = b"<html><script>alert(1)</script></html>"
    path = saved(tmp_path / "a.jpg", photo(300, 200), comment=page, quality=90)
    path.write_bytes(path.read_bytes() + page)
    answer, [made] = worker.render(path, (300, 200))
    assert answer == "done jpg"
    assert b"script" not in made and b"html" not in made


def test_sizes_are_exact(worker, tmp_path):
    for width, height in [(1, 1), (1, 3000), (3000, 1), (37, 36), (353, 1009), (1009, 353), (2999, 2001)]:
        path = saved(tmp_path / "a.jpg", photo(width, height))
        small = (max(1, (width * 36 + height // 2) // height), 36) if height > 36 else (width, height)
        answer, [full, made] = worker.render(path, (width, height), small)
        assert answer == "done jpg"
        assert (opened(full).size, opened(made).size) == ((width, height), small)


def test_the_worker_has_given_up_what_it_does_not_need(worker, tmp_path):
    good = saved(tmp_path / "good.heic", photo(600, 400))
    assert worker.render(good, (54, 36))[0] == "done jpg"
    assert worker.status("Seccomp") == "2"
    assert worker.status("NoNewPrivs") == "1"
    for thread in os.listdir(f"/proc/{worker.process.pid}/task"):
        status = open(f"/proc/{worker.process.pid}/task/{thread}/status").read()
        assert "Seccomp:\t2" in status
    limits = open(f"/proc/{worker.process.pid}/limits").read()
    for name in ("Max address space", "Max file size", "Max open files", "Max core file size", "Max cpu time"):
        [line] = [line for line in limits.splitlines() if line.startswith(name)]
        assert "unlimited" not in line[: len("Max processes             7876       ")], line
    # The files of a job are closed when it is done.
    wait_until(lambda: sorted(os.listdir(f"/proc/{worker.process.pid}/fd")) == ["0", "1", "2"])


def test_no_decoder_of_other_formats_is_loaded(worker):
    loaded = open(f"/proc/{worker.process.pid}/maps").read()
    assert "libheif" in loaded
    for name in ("Magick", "poppler", "openslide"):
        assert name not in loaded


def slow(path):
    """A picture that takes seconds: interlaced, so that all of it must be decoded."""
    return saved(path, photo(6000, 5000), quality=90, progressive=True)


def test_the_worker_ends_with_its_server_also_in_the_middle(worker, tmp_path):
    worker.ask(slow(tmp_path / "a.jpg"), (3000, 2500))
    wait_until(lambda: int(open(f"/proc/{worker.process.pid}/stat").read().split()[13]) > 5)
    worker.answers.close()
    worker.socket.close()
    assert worker.process.wait(timeout=2) == 0


def test_signals_to_all_do_not_end_the_worker(worker, tmp_path):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        worker.process.send_signal(number)
    assert worker.render(saved(tmp_path / "good.png", photo(60, 40)), (54, 36))[0] == "done jpg"


def test_the_worker_ends_when_nothing_is_to_be_done(tmp_path):
    worker = ImageWorker(tmp_path, idle_seconds=1)
    assert worker.process.wait(timeout=10) == 0
    worker.end()


def test_what_is_no_job_ends_the_worker(tmp_path):
    for line in (b"\n", b"0x36\n", b"36\n", b"36x36 36x36\n", b"x" * 5000, b"99999x1\n"):
        worker = ImageWorker(tmp_path)
        worker.socket.sendall(line)
        assert worker.process.wait(timeout=10) in (0, 65), line
        worker.end()


def test_the_worker_is_in_no_help(tmp_path):
    from harness.server import command

    assert "image-worker" not in command("--help").stdout
