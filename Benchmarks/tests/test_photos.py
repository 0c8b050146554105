"""python3 -m unittest discover -s Benchmarks/tests -t Benchmarks"""
import unittest

from harness import photos

FRAME = b"\xff\xc0\x00\x11\x08\x02\x00\x02\xab\x03" + b"\0" * 9
PHOTO = b"\xff\xd8\xff\xe0\x00\x04ab" + FRAME + b"\xff\xd9"


class Photos(unittest.TestCase):
    def test_sides_are_read_whatever_comes_before_them(self):
        self.assertEqual(photos.size(PHOTO), (683, 512))
        self.assertEqual(photos.size(b"\xff\xd8" + FRAME), (683, 512))

    def test_what_is_no_photo_has_no_sides(self):
        for content in (b"", b"\x89PNG\r\n\x1a\n" + PHOTO, PHOTO[:8], b"\xff\xd8\xff\xd9", b"{}"):
            self.assertIsNone(photos.size(content))

    def test_another_photo_has_other_bytes_and_the_same_sides(self):
        made = {photos.another(PHOTO, number) for number in range(20)}
        self.assertEqual(len(made), 20)
        self.assertEqual({photos.size(one) for one in made}, {(683, 512)})
