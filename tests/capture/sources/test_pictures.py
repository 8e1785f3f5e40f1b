"""
Bare pictures become screens whose elements a detector found, and say so.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from surefoot.capture.settings import Settings
from surefoot.capture.sources import contents_of, list_addresses, record_still, stills_identity
from surefoot.core.errors import CaptureError, UnknownNameError

ENTRY = {
    "type": "icon", "bbox": [0.25, 0.5, 0.5, 0.75], "interactivity": True,
    "content": "a bell", "source": "box_yolo_content_yolo",
}  # fmt: skip


def folder(root: Path) -> str:
    """Write two pictures, and what a detector said of one; return the specification."""
    (root / "shots").mkdir()
    (root / "said").mkdir()
    for name in ("a.png", "b.jpg"):
        Image.new("RGB", (80, 40), "white").save(root / "shots" / name)
    (root / "said" / "a.json").write_text(json.dumps([ENTRY]), "utf-8")
    return f"pictures:{root / 'shots'}?omniparser:{root / 'said'}"


def test_a_picture_is_a_screen_of_guessed_elements(tmp_path: Path) -> None:
    """An address names picture and detector, and the screen what its elements come from."""
    first, second = list_addresses(folder(tmp_path))
    screen = record_still(first, Settings()).screen

    assert list_addresses(first.spec) == (first,)
    assert first.site != second.site
    assert screen.guessed_by == "omniparser@1"
    assert [(item.role, item.box.as_tuple()) for item in screen.elements] == [
        ("button", (20.0, 20.0, 40.0, 30.0))
    ]
    assert [item.name for item in screen.elements] == [""]


def test_what_a_detector_reads_is_part_of_the_plan(tmp_path: Path) -> None:
    """Pictures and the detector's files are told by digest, its version by name."""
    addresses = list_addresses(folder(tmp_path))
    pictures, said = contents_of(addresses).values()

    assert set(said) == {"a.json"} or set(pictures) == {"a.json"}
    assert stills_identity(addresses)["pictures detectors"] == "omniparser@1"


def test_a_picture_that_nothing_is_said_of_is_one_failure(tmp_path: Path) -> None:
    """Where the detector has nothing for a picture, that screen alone fails, with the name."""
    _, second = list_addresses(folder(tmp_path))
    with pytest.raises(CaptureError, match=r"b\.json"):
        record_still(second, Settings())


@pytest.mark.parametrize("name", ["c.webp", "c.GIF", "c.tiff", "c.svg", "c.JPG"])
def test_no_picture_is_passed_over(tmp_path: Path, name: str) -> None:
    """One of a kind that is not read is a failure that names it; a suffix in capitals is read."""
    spec = folder(tmp_path)
    file = tmp_path / "shots" / name
    if name.endswith("svg"):
        file.write_text("<svg/>")
    else:
        Image.new("RGB", (80, 40), "white").save(file)
    (tmp_path / "said" / "c.json").write_text(json.dumps([ENTRY]), "utf-8")
    listed = {address.page: address for address in list_addresses(spec)}
    wanted = listed[f"shots/{name}"]

    assert len(listed) == 3
    assert list_addresses(wanted.spec) == (wanted,)
    assert name in contents_of([wanted])[f"pictures:{tmp_path / 'shots'}"]
    if name == "c.JPG":
        assert record_still(wanted, Settings()).screen.elements
    else:
        with pytest.raises(CaptureError, match=name) as caught:
            record_still(wanted, Settings())
        assert caught.value.reason == "not-read"


def test_an_unknown_detector_is_refused_at_once(tmp_path: Path) -> None:
    """A detector that there is none of is refused before anything is read."""
    folder(tmp_path)
    with pytest.raises(UnknownNameError, match="a known detector"):
        list_addresses(f"pictures:{tmp_path / 'shots'}?pixel")
