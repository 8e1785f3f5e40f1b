"""
Two versions of a page as a variant: the same elements, in words that hold in both.
"""

from __future__ import annotations

import io
from pathlib import Path

import msgspec
import pytest
from PIL import Image

from surefoot.benchmarks.benchmark import BENCHMARKS, BuildOptions
from surefoot.capture.settings import Settings
from surefoot.core.canonical import sha256
from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.geometry import Box
from surefoot.core.ledger import Ledger, read_plan
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.run.building.pages import build_benchmark
from surefoot.run.folders.folder import export, manifest_digest, read_questions

OPTIONS = BuildOptions(variants=("original",))


@pytest.fixture
def old_screens(drawn_page: tuple[Screen, bytes], tmp_path: Path) -> Path:
    """Write the page as it was: moved down by 8 pixels, other ids, "Paste" called "Insert"."""
    screen, png = drawn_page
    picture = Image.open(io.BytesIO(png))
    moved = Image.new("RGB", picture.size, "#ffffff")
    moved.paste(picture, (0, 8))
    file = io.BytesIO()
    moved.save(file, "PNG")

    def down(box: Box) -> Box:
        return Box(box.left, box.top + 8, box.right, box.bottom + 8)

    elements = tuple(
        msgspec.structs.replace(
            one,
            id=f"o-{one.id}",
            parent=f"o-{one.parent}" if one.parent else "",
            box=down(one.box),
            name=one.name.replace("Paste", "Insert"),
            text=one.text.replace("Paste", "Insert"),
            name_boxes=tuple(map(down, one.name_boxes)),
            text_boxes=tuple(map(down, one.text_boxes)),
        )
        for one in screen.elements
    )
    old = msgspec.structs.replace(
        screen,
        id="old",
        page="site-1.0/form.html",
        image=sha256(file.getvalue()),
        elements=elements,
    )
    folder = tmp_path / "old"
    plan = {"kind": "screens", "settings": msgspec.to_builtins(Settings()), "renderer": {}}
    with Ledger.open(folder, plan):
        ObjectStore(folder).put(file.getvalue())
        export(folder, "screens", {"screens.jsonl": [old]})
    return folder


def test_the_same_elements_are_asked_in_both(
    drawn_screens: Path, old_screens: Path, tmp_path: Path
) -> None:
    """Truths are where each version has the element; what was renamed is asked in neither."""
    out = tmp_path / "bench"
    ended = build_benchmark(
        "perturbed", drawn_screens, out, OPTIONS, version=old_screens, workers=1
    )
    asked = read_questions(out)
    tops: dict[str, dict[str, float]] = {}
    for one in asked:
        if one.cell.instruction == "direct":
            tops.setdefault(one.instruction.expression.name, {})[one.cell.variant] = one.truth.top

    assert "1 of 1 pages have another version" in ended.lines
    assert {"Copy", "Delete"} <= tops.keys()
    assert "Paste" not in tops
    for name, top in tops.items():
        assert top["version"] == top["original"] + 8, name
    assert {one.cell.variant for one in asked} == {"original", "version"}
    assert len({one.id for one in asked}) == len(asked)
    assert read_plan(out)["version"] == manifest_digest(old_screens, "screens")
    again = build_benchmark(
        "perturbed", drawn_screens, tmp_path / "b", OPTIONS, version=old_screens, workers=1
    )
    assert manifest_digest(out, "bench") == manifest_digest(again.folder, "bench")


def test_what_is_no_other_version_is_refused(
    drawn_screens: Path, old_screens: Path, tmp_path: Path
) -> None:
    """Other benchmarks, bases beside it, its bare name and screens of other pages are mistakes."""
    hidden = BENCHMARKS.get("hidden").defaults
    with pytest.raises(InvalidInputError, match="perturbed without --over"):
        build_benchmark("hidden", drawn_screens, tmp_path / "a", hidden, version=old_screens)
    over = msgspec.structs.replace(OPTIONS, over=("theme",))
    with pytest.raises(InvalidInputError, match="perturbed without --over"):
        build_benchmark("perturbed", drawn_screens, tmp_path / "b", over, version=old_screens)
    named = msgspec.structs.replace(OPTIONS, variants=("original", "version"))
    with pytest.raises(UnknownNameError, match="'version'"):
        build_benchmark("perturbed", drawn_screens, tmp_path / "d", named)
    plan = {"kind": "screens", "settings": msgspec.to_builtins(Settings()), "renderer": {}}
    with Ledger.open(tmp_path / "none", plan):
        export(tmp_path / "none", "screens", {"screens.jsonl": []})
    with pytest.raises(InvalidInputError, match="a page of these screens"):
        build_benchmark(
            "perturbed", drawn_screens, tmp_path / "c", OPTIONS, version=tmp_path / "none"
        )
