"""
A set whose boxes are spelt in another convention than the set's ends the import.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from PIL import Image

from surefoot.core.errors import InvalidInputError
from surefoot.run.imports.labelled import import_labelled

Corners: TypeAlias = tuple[int, int, int, int]
Spelling: TypeAlias = Callable[[Corners, tuple[int, int]], list[float]]


def corners(count: int, size: tuple[int, int], seed: str) -> list[Corners]:
    """Draw boxes of up to a fifth of a picture's sides."""
    draw = random.Random(seed)  # noqa: S311 - of a test
    found = []
    for _ in range(count):
        wide, high = (draw.randint(4, side // 5) for side in size)
        left, top = draw.randint(0, size[0] - wide), draw.randint(0, size[1] - high)
        found.append((left, top, left + wide, top + high))
    return found


def shares(whole: float) -> Spelling:
    """Spell corners as shares."""
    return lambda box, size: [side / size[i % 2] * whole for i, side in enumerate(box)]


def sizes(corners: Spelling) -> Spelling:
    """Spell the last two numbers as a width and a height."""

    def spell(box: Corners, size: tuple[int, int]) -> list[float]:
        left, top, right, bottom = corners(box, size)
        return [left, top, right - left, bottom - top]

    return spell


def centred(corners: Spelling) -> Spelling:
    """Spell the first two numbers as the centre."""

    def spell(box: Corners, size: tuple[int, int]) -> list[float]:
        left, top, wide, high = sizes(corners)(box, size)
        return [left + wide / 2, top + high / 2, wide, high]

    return spell


def pixels(box: Corners, _: tuple[int, int]) -> list[float]:
    """Spell corners in pixels."""
    return [float(side) for side in box]


SPELT: dict[str, Spelling] = {
    "pixel xyxy": pixels,
    "pixel xywh": sizes(pixels),
    "pixel cxcywh": centred(pixels),
    "pixel yxyx": lambda box, _: [box[1], box[0], box[3], box[2]],
    "norm1 xyxy": shares(1),
    "norm1 xywh": sizes(shares(1)),
    "norm1 cxcywh": centred(shares(1)),
    "norm1000 xyxy": shares(1000),
    "norm1000 xywh": sizes(shares(1000)),
    "norm100 xyxy": shares(100),
}


def screenspot(boxes: Sequence[Sequence[float]], _: tuple[int, int]) -> tuple[str, Any]:
    """Spell a file of ScreenSpot: pixel xywh, sizes from the pictures alone."""
    told = {"instruction": "press", "data_type": "text", "data_source": "shop"}
    rows = [{"img_filename": "a.png", "bbox": box, **told} for box in boxes]
    return "screenspot_web.json", rows


def screenspot_pro(boxes: Sequence[Sequence[float]], size: tuple[int, int]) -> tuple[str, Any]:
    """Spell a file of ScreenSpot-Pro: pixel xyxy."""
    told = {"img_filename": "a.png", "img_size": size, "instruction": "save", "ui_type": "text"}
    rows = [{"id": f"e{number}", "bbox": box, **told} for number, box in enumerate(boxes)]
    return "annotations/eviews.json", rows


def mmbench(boxes: Sequence[Sequence[float]], size: tuple[int, int]) -> tuple[str, Any]:
    """Spell a file of MMBench-GUI: norm1 xyxy."""
    told = {"image_path": "a.png", "image_size": size, "instruction": "save"}
    return "L2_annotations.json", [{"bbox": box, **told} for box in boxes]


SETS = {
    "screenspot": (screenspot, "images", "pixel xywh"),
    "screenspot-pro": (screenspot_pro, "images", "pixel xyxy"),
    "mmbench-gui-l2": (mmbench, "offline_images", "norm1 xyxy"),
}


def write(
    folder: Path, name: str, boxes: Sequence[Sequence[float]], size: tuple[int, int]
) -> Path:
    """Write a set of one picture."""
    spell, pictures, _ = SETS[name]
    file, rows = spell(boxes, size)
    (folder / pictures).mkdir(parents=True, exist_ok=True)
    Image.new("RGB", size, "#ddd").save(folder / pictures / "a.png")
    (folder / file).parent.mkdir(exist_ok=True)
    (folder / file).write_text(json.dumps(rows))
    return folder


WRONG = [
    (name, told, size)
    for name, (_, _, own) in SETS.items()
    for told in SPELT
    for size in ((200, 100), (1920, 1080))
    if told != own
]

# Where all numbers are boxes in the picture in the set's own convention, too, and no tiny ones.
ALIKE = {
    ("screenspot", "norm1000 xywh", (1920, 1080)),
    ("screenspot-pro", "norm1000 xyxy", (1920, 1080)),
    ("screenspot-pro", "norm100 xyxy", (1920, 1080)),
    ("screenspot-pro", "norm100 xyxy", (200, 100)),
}


@pytest.mark.parametrize(("name", "told", "size"), WRONG)
def test_boxes_of_another_convention_end_the_import(
    tmp_path: Path, name: str, told: str, size: tuple[int, int]
) -> None:
    """Sixty boxes spelt otherwise give no benchmark, or are doubted in words where all fit."""
    boxes = [SPELT[told](box, size) for box in corners(60, size, f"{name} {told}")]
    folder = write(tmp_path, name, boxes, size)
    try:
        lines = import_labelled(name, folder, tmp_path / "out").outcome.lines
    except InvalidInputError as error:
        lines = (str(error),)
        assert not (tmp_path / "out").exists()

    fits = re.search(r"They fit (.*):", " ".join(lines))
    named = fits is not None and told in fits[1].split(" or ")
    alike = (name, told, size) in ALIKE
    assert (named, "in doubt" in " ".join(lines)) == (not alike, alike)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("size", [(200, 100), (1920, 1080), (1080, 2340)])
@pytest.mark.parametrize("seed", range(2))
def test_a_set_in_its_own_convention_is_read(
    tmp_path: Path, name: str, size: tuple[int, int], seed: int
) -> None:
    """Boxes in the set's own convention raise no doubt, some bad ones among them neither."""
    own = SETS[name][2]
    boxes = [SPELT[own](box, size) for box in corners(30, size, f"{name} {seed}")]
    whole = 1.2 if own.startswith("norm") else size[0] * 1.2
    boxes[3] = [whole, whole / 9, whole + 9, whole / 9 + 9]
    boxes[5] = [boxes[5][2], boxes[5][3], boxes[5][0] / 2, boxes[5][1] / 2]
    found = import_labelled(name, write(tmp_path, name, boxes, size), tmp_path / "out")

    assert int(str(found.counts["questions"])) >= 28
    assert "in doubt" not in " ".join(found.outcome.lines)


def test_half_a_set_of_corners_is_told(tmp_path: Path) -> None:
    """Four corners in a set of sizes, of which two leave the picture, end it with their name."""
    boxes = [[20, 10, 80, 40], [120, 60, 180, 90], [10, 5, 60, 30], [100, 50, 160, 80]]
    with pytest.raises(InvalidInputError, match="pixel xyxy"):
        import_labelled(
            "screenspot", write(tmp_path, "screenspot", boxes, (200, 100)), tmp_path / "out"
        )


def test_one_file_of_three_is_told(tmp_path: Path) -> None:
    """A file in another convention is found among others that are right, and named."""
    size = (200, 100)
    for place in ("mobile", "desktop"):
        boxes = [SPELT["pixel xywh"](box, size) for box in corners(40, size, place)]
        _, rows = screenspot(boxes, size)
        (tmp_path / f"screenspot_{place}.json").write_text(json.dumps(rows))
    boxes = [SPELT["pixel xyxy"](box, size) for box in corners(8, size, "web")]
    write(tmp_path, "screenspot", boxes, size)

    with pytest.raises(InvalidInputError, match=r"screenspot_web\.json"):
        import_labelled("screenspot", tmp_path, tmp_path / "out")


def test_boxes_of_larger_pictures_are_told(tmp_path: Path) -> None:
    """Boxes drawn on pictures that were made smaller since end it: no convention fits them."""
    boxes = [SPELT["pixel xywh"](box, (2000, 1000)) for box in corners(20, (2000, 1000), "large")]
    with pytest.raises(InvalidInputError, match="drawn on"):
        import_labelled(
            "screenspot", write(tmp_path, "screenspot", boxes, (200, 100)), tmp_path / "out"
        )


def test_small_boxes_that_are_all_corners_are_told(tmp_path: Path) -> None:
    """Corners that all lie inside as sizes are known by reading as corners without exception."""
    boxes = [SPELT["pixel xyxy"](box, (90, 45)) for box in corners(12, (90, 45), "small")]
    with pytest.raises(InvalidInputError, match="pixel xyxy"):
        import_labelled(
            "screenspot", write(tmp_path, "screenspot", boxes, (200, 100)), tmp_path / "out"
        )


def test_a_single_bad_box_is_left_out(tmp_path: Path) -> None:
    """One bad box of three says nothing of a convention."""
    boxes = [[20, 10, 60, 30], [120, 60, 60, 30], [190, 60, 60, 30]]
    found = import_labelled(
        "screenspot", write(tmp_path, "screenspot", boxes, (200, 100)), tmp_path / "out"
    )

    assert (found.counts["questions"], found.counts["left_out"]) == (2, {"outside": 1})
