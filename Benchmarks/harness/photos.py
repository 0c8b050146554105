"""Photos to make thumbnails of. Run as a program, it writes them with Pillow, which the environment of the tests has."""
import random
import subprocess

#: Name, width and height: a photo as a phone takes it, and a picture of a web page.
KINDS = [("12 MP", 4000, 3000), ("1 MP", 1280, 800)]


def make(python, folder):
    """One JPEG of each kind, by name."""
    folder.mkdir()
    subprocess.run([str(python), __file__, str(folder)], check=True)
    return {name: (folder / f"{width}.jpg").read_bytes() for name, width, _ in KINDS}


def another(photo, number):
    """The same picture as another file: no server has seen these bytes before."""
    remark = f"photo {number} {random.randbytes(16).hex()}".encode()
    return photo[:2] + b"\xff\xfe" + (len(remark) + 2).to_bytes(2, "big") + remark + photo[2:]


def size(jpeg):
    """Width and height as a JPEG file says them; None for anything else."""
    place = 2
    while jpeg[:2] == b"\xff\xd8" and place + 9 <= len(jpeg):
        kind, length = jpeg[place + 1], int.from_bytes(jpeg[place + 2:place + 4], "big")
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            height, width = (int.from_bytes(jpeg[place + at:place + at + 2], "big") for at in (5, 7))
            return width, height
        place += 2 + length
    return None


def _write(folder):
    from PIL import Image, ImageChops

    for _, width, height in KINDS:
        ramp = Image.linear_gradient("L")
        clouds = Image.effect_noise((width // 8, height // 8), 60).resize((width, height), Image.Resampling.BICUBIC)
        grain = Image.effect_noise((width, height), 14)
        bands = [
            ImageChops.add(Image.blend(one, clouds, 0.5), grain, 2)
            for one in (ramp.resize((width, height)), ramp.rotate(90).resize((width, height)), clouds)]
        Image.merge("RGB", bands).save(f"{folder}/{width}.jpg", quality=85)


if __name__ == "__main__":
    import sys

    _write(sys.argv[1])
