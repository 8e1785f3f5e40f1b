"""
OmniParser's output is read by its published shape, or refused.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any, Final

import pytest
from PIL import Image, ImageDraw, ImageFont

from surefoot.capture.detector import BarePicture
from surefoot.capture.detectors.omniparser import read_output
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box

TEXT: Final[dict[str, Any]] = {
    "type": "text", "bbox": [0.1, 0.1, 0.5, 0.3], "interactivity": False,
    "content": "Total  due", "source": "box_ocr_content_ocr",
}  # fmt: skip
ICON: Final[dict[str, Any]] = {
    "type": "icon", "bbox": [0.6, 0.5, 0.8, 0.9], "interactivity": True,
    "content": "a magnifying glass", "source": "box_yolo_content_yolo",
}  # fmt: skip
PRESSED: Final = {**ICON, "content": "Pay", "source": "box_yolo_content_ocr"}


def picture() -> BarePicture:
    """Draw words where the entries say that there are some."""
    image = Image.new("RGB", (200, 100), "white")
    pen = ImageDraw.Draw(image)
    pen.text((22, 12), "Total due", fill="black", font=ImageFont.load_default(12))
    pen.text((130, 60), "Pay", fill="black", font=ImageFont.load_default(12))
    file = io.BytesIO()
    image.save(file, "PNG")
    return BarePicture("bill", file.getvalue())


@pytest.mark.parametrize("wrapped", [False, True])
def test_words_that_were_read_name_and_captions_do_not(tmp_path: Path, wrapped: bool) -> None:
    """Shares become pixels, words that were read stay, and a caption of an icon is dropped."""
    entries = [TEXT, ICON, PRESSED]
    output = {"parsed_content_list": entries} if wrapped else entries
    (tmp_path / "bill.json").write_text(json.dumps(output), "utf-8")
    words, icon, button = read_output(picture(), str(tmp_path))

    assert (words.role, words.words, words.box) == ("text", "Total due", Box(20, 10, 100, 30))
    assert words.lines
    assert (icon.role, icon.words, icon.lines) == ("button", "", ())
    assert (button.role, button.words) == ("button", "Pay")


@pytest.mark.parametrize(
    "content",
    [
        "[", "{}", "[1]", b"\xff\xfe", json.dumps([{**TEXT, "bbox": [0.5, 0.1, 0.1, 0.3]}]),
        json.dumps([{**TEXT, "bbox": [0, 0, 40, 20]}]), json.dumps([{**TEXT, "bbox": [0, 0, 1]}]),
    ],
)  # fmt: skip
def test_what_is_no_such_output_is_refused(tmp_path: Path, content: str | bytes) -> None:
    """Broken JSON, another shape and boxes that are no shares are refused with the file's name."""
    data = content if isinstance(content, bytes) else content.encode()
    (tmp_path / "bill.json").write_bytes(data)
    with pytest.raises(InvalidInputError, match="bill"):
        read_output(picture(), str(tmp_path))


def test_a_picture_without_output_is_refused(tmp_path: Path) -> None:
    """Where the folder has no file of the picture's name, that name is told."""
    (tmp_path / "other.json").write_text("[]", "utf-8")
    with pytest.raises(InvalidInputError, match=r"bill\.json"):
        read_output(picture(), str(tmp_path))
