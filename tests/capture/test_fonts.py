"""
A capture sees the fonts that set-up names and no others, and a plan tells what is in them.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from surefoot.capture import fonts
from surefoot.capture.fonts import (
    ask_fontconfig,
    font_configuration,
    font_file_for,
    fonts_identity,
)
from surefoot.core.errors import MissingComponentError

NAMED = "truetype/dejavu/DejaVuSans.ttf"
MONO = "truetype/dejavu/DejaVuSansMono.ttf"


@pytest.fixture
def forgetful() -> Iterator[None]:
    """Let nothing be remembered of the machine's fonts, before and after."""
    remembered = (fonts.installed_fonts, fonts_identity, font_file_for)
    for one in remembered:
        one.cache_clear()
    yield
    for one in remembered:
        one.cache_clear()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgetful: None) -> Path:  # noqa: ARG001
    """Return a folder of fonts in which one of set-up's lies, beside others."""
    there = fonts.FONTS / NAMED
    if not there.is_file():
        pytest.skip("DejaVu Sans is not installed")
    place = tmp_path / "fonts"
    for name in (NAMED, "truetype/dejavu/Another.ttf", "Third.ttf", "truetype/more/Fourth.ttf"):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(there if name == NAMED else fonts.FONTS / MONO, place / name)
    monkeypatch.setattr(fonts, "FONTS", place)
    return place


def test_no_font_is_seen_but_those_named(folder: Path) -> None:
    """What lies beside a font of set-up, above it or elsewhere is not there for a capture."""
    seen = ask_fontconfig("fc-list", "--format", "%{file}\n").splitlines()

    assert seen == [str(folder / NAMED)]
    assert "Another" not in font_configuration()


def test_a_font_is_found_by_its_name_where_it_lies_elsewhere(folder: Path) -> None:
    """Another distribution has the same files in other folders."""
    other = folder / "dejavu-sans-fonts" / Path(NAMED).name
    other.parent.mkdir()
    (folder / NAMED).rename(other)

    assert ask_fontconfig("fc-list", "--format", "%{file}\n").splitlines() == [str(other)]


def test_a_plan_tells_what_is_in_the_fonts(folder: Path) -> None:
    """One package's digest changes with a file's bytes, and with no font that is not named."""
    before = fonts_identity()
    (folder / "Fifth.ttf").write_bytes(b"another")
    fonts_identity.cache_clear()
    grown = fonts_identity()
    with (folder / NAMED).open("ab") as file:
        file.write(b"\0")
    fonts_identity.cache_clear()
    changed = fonts_identity()

    assert set(before) == {"fonts", "fonts-dejavu-core"}
    assert grown == before
    assert changed["fonts"] == before["fonts"]
    assert changed["fonts-dejavu-core"] != before["fonts-dejavu-core"]


def test_the_fonts_are_those_that_set_up_installs() -> None:
    """Every package of fonts that set-up lists is seen, and LibreOffice's by desktops alone."""
    listed = (Path(__file__).parents[2] / "scripts" / "apt.txt").read_text("utf-8").split()
    named = {name for name in listed if name.startswith("fonts-")}

    assert set(fonts.installed_fonts(desktop=False)) == named
    assert set(fonts.installed_fonts(desktop=True)) == named | {fonts.OF_DESKTOP}


def test_metric_twins_of_well_known_fonts_stand_in() -> None:
    """Arial, Helvetica, Times and Courier are drawn in Liberation, as wide as they are."""
    if not (fonts.FONTS / "truetype/liberation").is_dir():
        pytest.skip("Liberation is not installed")
    twins = {"Arial": "Sans", "Helvetica": "Sans", "Times": "Serif", "Courier New": "Mono"}
    for name, twin in twins.items():
        assert ask_fontconfig("fc-match", "--format", "%{family}", name) == f"Liberation {twin}"


@pytest.mark.usefixtures("forgetful")
def test_absent_font_list_is_a_missing_component(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without fontconfig the fonts cannot be told, and the message says so."""
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(MissingComponentError, match="fontconfig"):
        fonts_identity()
    assert font_file_for(frozenset("a")) is None
