"""
Pairs of files are found and read; pictures that are broken, huge or elsewhere are refused.
"""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from surefoot.capture.described.pairs import (
    StillFile,
    list_stills,
    locate,
    picture_of,
    reader_hash,
)
from surefoot.capture.settings import Limits
from surefoot.core.errors import CaptureError, InvalidInputError


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    """Write two descriptions, one with a picture."""
    folder = tmp_path / "my #shots"
    folder.mkdir()
    (folder / "50% #1.json").write_text("{}")
    (folder / "b.json").write_text("{}")
    Image.new("RGB", (4, 3), "red").save(folder / "b.png")
    return folder


def read(folder: Path, limits: Limits = Limits()) -> bytes:  # noqa: B008 - frozen
    """Return the PNG bytes of the picture named b."""
    return picture_of(StillFile(folder, "b"), (".png", ".jpg"), limits).png


def png_of(width: int, height: int) -> bytes:
    """Return a PNG whose head claims a size, with hardly any data."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = b"IDAT" + zlib.compress(b"\0" * 100)
    chunks = (head, data, b"IEND")
    spelled = (
        struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
        for chunk in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(spelled)


def test_any_name_opens_again(shots: Path) -> None:
    """Names and folders with signs of their own are found by their own specification."""
    found = list_stills("screens", str(shots), (".json",))

    assert [item.page for item in found] == ["my #shots/50%25%20%231", "my #shots/b"]
    for address in found:
        rest = address.spec.removeprefix("screens:")
        assert list_stills("screens", rest, (".json",)) == (address,)
    assert locate(found[0]) == StillFile(shots, "50% #1")


def test_an_absent_name_is_the_callers_mistake(shots: Path) -> None:
    """A name without a description is told by its name."""
    with pytest.raises(InvalidInputError, match="absent"):
        list_stills("screens", f"{shots}#absent", (".json",))


@pytest.mark.parametrize("name", ["../b", "/etc/hostname", "b/../../x"])
def test_no_name_leaves_the_folder(shots: Path, name: str) -> None:
    """Only files of the folder itself can be named."""
    with pytest.raises(InvalidInputError):
        list_stills("screens", f"{shots}#{name}", (".json",))


@pytest.mark.parametrize("file", ["b.png", "b.json"])
def test_links_that_leave_are_refused(shots: Path, file: str) -> None:
    """A link to a file elsewhere fails its screen, and does not tell where it leads."""
    outside = shots.parent / "secret"
    (shots / file).replace(outside)
    (shots / file).symlink_to(outside)
    still = StillFile(shots, "b")
    with pytest.raises(CaptureError, match="inside its folder") as raised:
        still.read(".json") if file == "b.json" else picture_of(still, (".png",), Limits())
    assert raised.value.reason == "outside-folder"
    assert "secret" not in str(raised.value)


def test_suffixes_in_capitals_are_read(shots: Path) -> None:
    """What cameras and old systems call .PNG and .JSON is found, and what macOS leaves is not."""
    (shots / "b.png").rename(shots / "b.PNG")
    (shots / "50% #1.json").rename(shots / "50% #1.JSON")
    (shots / "._b.json").write_bytes(b"\0\5\x16\7")
    still = StillFile(shots, "b")

    found = list_stills("screens", str(shots), (".json",))

    assert [locate(address).name for address in found] == ["50% #1", "b"]
    assert locate(found[0]).read(".json") == b"{}"
    assert read(shots) == (shots / "b.PNG").read_bytes()
    assert list(still.digests((".png",))) == ["b.png"]


def test_links_inside_are_followed(shots: Path) -> None:
    """A link to another file of the folder is as good as the file."""
    (shots / "c.png").symlink_to(shots / "b.png")

    assert picture_of(StillFile(shots, "c"), (".png",), Limits()).width == 4


def test_long_files_are_not_read(shots: Path) -> None:
    """A file beyond the bound is refused before more of it is in memory."""
    with pytest.raises(CaptureError, match="at most 1 bytes"):
        StillFile(shots, "b").read(".json", 1)


def test_a_plain_png_keeps_its_bytes(shots: Path) -> None:
    """The picture of an ordinary screenshot is the file itself."""
    assert read(shots) == (shots / "b.png").read_bytes()


@pytest.mark.parametrize("mode", ["RGBA", "P", "L", "1", "LA", "I;16"])
def test_other_kinds_become_plain(shots: Path, mode: str) -> None:
    """Pictures of other modes become RGB; where one is transparent, white shows."""
    image = Image.new(mode, (4, 3))
    image.save(shots / "b.png")
    found = Image.open(io.BytesIO(read(shots)))

    assert (found.mode, found.size) == ("RGB", (4, 3))
    transparent = "A" in mode
    assert found.getpixel((0, 0)) == ((255,) * 3 if transparent else (0,) * 3)


def test_an_animation_is_its_first_picture(shots: Path) -> None:
    """Whoever shows the file sees what was labelled."""
    first, second = (Image.new("RGB", (4, 3), colour) for colour in ("red", "blue"))
    first.save(shots / "b.png", save_all=True, append_images=[second])
    found = Image.open(io.BytesIO(read(shots)))

    assert getattr(found, "n_frames", 1) == 1
    assert np.array_equal(np.asarray(found), np.asarray(first))


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "cannot identify"),
        (b"GIF89a" + b"\0" * 50, "cannot identify"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "cannot identify"),
        (png_of(4, 300), "PNG or JPEG picture in my #shots/b.png"),
        (png_of(0, 3), "PNG or JPEG picture"),
        (png_of(8000, 8000), "8000 x 8000"),
        (png_of(50_000, 50_000), "PNG or JPEG picture|50000 x 50000"),
        (png_of(20_000, 1), "20000 x 1"),
    ],
)
def test_broken_and_huge_pictures_are_refused(shots: Path, content: bytes, found: str) -> None:
    """Neither a broken file nor a bomb is decoded; the message names the file."""
    (shots / "b.png").write_bytes(content)
    with pytest.raises(CaptureError, match=found):
        read(shots)


def test_a_cut_off_picture_is_refused(shots: Path) -> None:
    """A file that ends too early is broken, in either format."""
    noise = np.random.default_rng(1).integers(0, 255, (60, 60, 3), dtype=np.uint8)
    for suffix in (".png", ".jpg"):
        file = shots / f"c{suffix}"
        Image.fromarray(noise).save(file)
        file.write_bytes(file.read_bytes()[:-500])
        with pytest.raises(CaptureError, match=r"truncated|broken|image file"):
            picture_of(StillFile(shots, "c"), (suffix,), Limits())


def test_two_pictures_of_one_name_are_refused(shots: Path) -> None:
    """Nobody can tell which of two pictures is meant."""
    Image.new("RGB", (4, 3)).save(shots / "b.jpg")
    with pytest.raises(CaptureError, match="one picture"):
        read(shots)


def test_readers_are_told_apart() -> None:
    """Another kind and another version give other labels."""
    kinds = {reader_hash("android", 1), reader_hash("screens", 1), reader_hash("screens", 2)}

    assert len(kinds) == 3
