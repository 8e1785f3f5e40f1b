"""
The seam of a detector: what it finds becomes elements in one order, or is refused.
"""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from PIL import Image

from surefoot.capture.detector import BarePicture, chosen_detector, detect, detector_digests
from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.screen import Screen


def screen(width: int, height: int) -> Screen:
    """Return a screen without elements."""
    return Screen("s", "p", "x", "", width, height, 1.0, "", "en", ())


def said(folder: Path, *boxes: tuple[float, ...]) -> str:
    """Write icons as OmniParser does, and return the detector that reads them."""
    entries = [{"type": "icon", "bbox": box, "interactivity": True} for box in boxes]
    (folder / "a.json").write_text(json.dumps(entries), "utf-8")
    return f"omniparser:{folder}"


def picture(width: int, height: int) -> BarePicture:
    """Return an empty picture."""
    file = io.BytesIO()
    Image.new("RGB", (width, height), "white").save(file, "PNG")
    return BarePicture("a", file.getvalue())


def test_elements_are_numbered_from_the_top(tmp_path: Path) -> None:
    """Whatever the order in which things were found, ids follow the picture."""
    spec = said(tmp_path, (0.5, 0.5, 1.0, 1.0), (0.5, 0.0, 1.0, 0.5), (0.0, 0.0, 0.5, 0.5))
    shown = detect(screen(40, 20), picture(40, 20), spec)

    tops = [(item.id, item.box.top, item.box.left) for item in shown.elements]
    assert tops == [("found-1", 0, 0), ("found-2", 0, 20), ("found-3", 10, 20)]
    assert all(item.hit and not item.name for item in shown.elements)
    assert shown.guessed_by == "omniparser@1"


def test_a_box_outside_the_picture_is_refused(tmp_path: Path) -> None:
    """A detector whose boxes are of another picture is told so, by name."""
    spec = said(tmp_path, (0.5, 0.5, 1.0, 1.0))
    with pytest.raises(InvalidInputError, match="omniparser"):
        detect(screen(20, 20), picture(40, 20), spec)


def test_files_and_names_are_looked_at_first(tmp_path: Path) -> None:
    """Files are told by digest; no files, and an unknown detector, are refused."""
    assert set(detector_digests(said(tmp_path, (0, 0, 1, 1)))) == {"a.json"}
    assert detector_digests("pixels:rapidocr") == {}
    with pytest.raises(InvalidInputError, match="found '"):
        detector_digests(f"omniparser:{tmp_path / 'nowhere'}")
    with pytest.raises(UnknownNameError, match="pixels"):
        chosen_detector("pixel")
