"""
What was captured by itself as a variant, another version of a page or another language.
"""

from __future__ import annotations

import io
from pathlib import Path

import msgspec
import pytest
from PIL import Image

from surefoot.benchmarks.benchmark import BENCHMARKS, BuildOptions
from surefoot.capture.parallel.pages import PARALLEL_TABLE, PageInLanguage
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


FRENCH = {"Copy": "Copier", "Paste": "Coller", "Delete": "Supprimer"}


def _moved(screen: Screen, png: bytes, names: dict[str, str]) -> tuple[Screen, bytes]:
    """Return a page moved down by 8 pixels, with other ids, and some words called otherwise."""
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
            name=names.get(one.name, one.name),
            text=names.get(one.text, one.text),
            name_boxes=tuple(map(down, one.name_boxes)),
            text_boxes=tuple(map(down, one.text_boxes)),
        )
        for one in screen.elements
    )
    image = sha256(file.getvalue())
    return msgspec.structs.replace(screen, image=image, elements=elements), file.getvalue()


@pytest.fixture
def old_screens(drawn_page: tuple[Screen, bytes], tmp_path: Path) -> Path:
    """Write the page as it was: moved, "Paste" called "Insert"."""
    moved, picture = _moved(*drawn_page, {"Paste": "Insert"})
    old = msgspec.structs.replace(moved, id="old", page="site-1.0/form.html")
    folder = tmp_path / "old"
    plan = {"kind": "screens", "settings": msgspec.to_builtins(Settings()), "renderer": {}}
    with Ledger.open(folder, plan):
        ObjectStore(folder).put(picture)
        export(folder, "screens", {"screens.jsonl": [old]})
    return folder


@pytest.fixture
def two_languages(drawn_page: tuple[Screen, bytes], tmp_path: Path) -> Path:
    """Write the page in English and in French, where it is moved."""
    first, png = drawn_page
    moved, picture = _moved(first, png, FRENCH)
    french = msgspec.structs.replace(moved, id="french", locale="fr-FR")
    same = {one.id: one.id for one in first.elements}
    other = {name: f"o-{name}" for name in same}
    records = [
        PageInLanguage(first.page, first.site, "en", "en-US", first.id, same, 1.0),
        PageInLanguage(first.page, first.site, "fr", "fr-FR", french.id, other, 1.0),
    ]
    folder = tmp_path / "languages"
    plan = {"kind": "screens", "settings": msgspec.to_builtins(Settings()), "renderer": {}}
    with Ledger.open(folder, plan):
        ObjectStore(folder).put(png)
        ObjectStore(folder).put(picture)
        export(folder, "screens", {"screens.jsonl": [first, french], PARALLEL_TABLE: records})
    return folder


def test_the_same_elements_are_asked_for_in_each_language(
    two_languages: Path, tmp_path: Path
) -> None:
    """What is called otherwise there is asked for by that name, in its language, where it lies."""
    out = tmp_path / "bench"
    chosen = msgspec.structs.replace(OPTIONS, variants=("original", "jpeg:60"), over=("blur:1",))
    thai = msgspec.structs.replace(OPTIONS, variants=("original", "language:th"))
    with pytest.raises(InvalidInputError, match="language:fr, found language:th"):
        build_benchmark("perturbed", two_languages, tmp_path / "none", thai, workers=1)
    ended = build_benchmark("perturbed", two_languages, out, chosen, workers=1)
    asked = read_questions(out)
    words = {
        (one.instruction.expression.name, one.cell.variant): one.instruction.text
        for one in asked
        if one.cell.instruction == "direct" and not one.cell.variant.startswith("blur")
    }
    tops: dict[tuple[str, str], dict[str, float]] = {}
    for one in asked:
        tops.setdefault((one.pair, one.cell.instruction), {})[one.cell.variant] = one.truth.top

    assert "1 of 1 pages are there in French, too" in ended.lines
    assert words["Copy", "original"] == words["Copy", "jpeg:60"] == "Click the 'Copy' button"
    assert "Copier" in words["Copier", "language:fr"]
    assert words["Copier", "language:fr"].startswith("Cliquez")
    assert {one.instruction.language for one in asked if one.cell.variant == "language:fr"} == {
        "fr"
    }
    french = [own for own in tops.values() if "language:fr" in own]
    assert len(french) >= 4
    for own in french:
        assert own["language:fr"] == own["original"] + 8
        assert {"original", "jpeg:60", "blur:1", "blur:1+jpeg:60", "language:fr"} >= own.keys()
    kinds = {kind for (_, kind), own in tops.items() if "language:fr" in own}
    assert kinds == {"direct", "relational"}


def test_a_benchmark_of_one_language_takes_the_first(two_languages: Path, tmp_path: Path) -> None:
    """Of a page in two languages `hidden` asks in the first of them, each element once."""
    options = msgspec.structs.replace(
        BENCHMARKS.get("hidden").defaults, variants=("original", "static")
    )
    build_benchmark("hidden", two_languages, tmp_path / "bench", options, workers=1)
    asked = read_questions(tmp_path / "bench")

    assert asked
    assert {one.cell.variant for one in asked} == {"original", "static"}
    assert {one.instruction.language for one in asked} == {"en"}


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
    """Other benchmarks, its bare name and screens of other pages are mistakes."""
    hidden = BENCHMARKS.get("hidden").defaults
    with pytest.raises(InvalidInputError, match="perturbed, for --version-of"):
        build_benchmark("hidden", drawn_screens, tmp_path / "a", hidden, version=old_screens)
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
