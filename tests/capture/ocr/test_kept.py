"""
Scans on disk: they come back as they were, whatever is damaged is read anew, and never another's.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from surefoot.capture.ocr import kept
from surefoot.capture.ocr.kept import KeptScans
from surefoot.capture.ocr.scan import Scan, Scanner
from surefoot.core.canonical import sha256
from surefoot.core.pictures import png_of


@pytest.fixture(scope="module")
def picture() -> bytes:
    """Return a picture with two labels and a field."""
    image = Image.new("RGB", (420, 120), "white")
    pen = ImageDraw.Draw(image)
    pen.text((20, 20), "Harbour master", fill="black", font=ImageFont.load_default(22))
    pen.text((20, 70), "Cast off", fill="black", font=ImageFont.load_default(22))
    pen.rectangle((240, 60, 400, 100), outline="#555555")
    return png_of(image)


@pytest.fixture(scope="module")
def scanned(picture: bytes) -> Scan:
    """Return what Tesseract reads of it."""
    scanner = Scanner()
    found = scanner.scan(picture, "en")
    scanner.close()
    assert found.lines
    assert found.rectangles
    return found


def test_a_scan_comes_back_as_it_was(picture: bytes, scanned: Scan, tmp_path: Path) -> None:
    """Words, boxes and confidences are equal to the last digit, in their language alone."""
    KeptScans(tmp_path).put(sha256(picture), "en", scanned)
    again = KeptScans(tmp_path)
    assert again.get(sha256(picture), "en") == scanned
    assert again.get(sha256(picture), "fr") is None
    assert again.get(sha256(picture + b"x"), "en") is None


@pytest.mark.parametrize("damage", [b"", b"\x00" * 40, None])
def test_a_damaged_scan_is_none(
    picture: bytes, scanned: Scan, tmp_path: Path, damage: bytes | None
) -> None:
    """What was cut, overwritten or has another shape is no scan, and is replaced."""
    scans = KeptScans(tmp_path)
    scans.put(sha256(picture), "en", scanned)
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    file.write_bytes(file.read_bytes()[:-5] if damage is None else damage)
    assert scans.get(sha256(picture), "en") is None
    scans.put(sha256(picture), "en", scanned)
    assert scans.get(sha256(picture), "en") == scanned


def test_another_version_reads_anew(
    picture: bytes, scanned: Scan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A scan by other code, another Tesseract or other data is not taken for one's own."""
    scans = KeptScans(tmp_path)
    scans.put(sha256(picture), "en", scanned)
    mine = kept.versions_of_scans()
    for place in range(len(mine)):
        other = [*mine[:place], "other", *mine[place + 1 :]]
        monkeypatch.setattr(kept, "versions_of_scans", lambda other=other: other)
        assert scans.get(sha256(picture), "en") is None


def test_a_folder_that_cannot_be_written_costs_nothing(
    picture: bytes, scanned: Scan, tmp_path: Path
) -> None:
    """Where a file stands in the folder's place nothing is kept, and nothing fails."""
    (tmp_path / "scans").write_text("")
    scans = KeptScans(tmp_path / "scans")
    scans.put(sha256(picture), "en", scanned)
    assert scans.get(sha256(picture), "en") is None
