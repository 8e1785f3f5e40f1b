"""
Sheets of one page in several languages: numbers and colours go with the elements.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Final

import msgspec
import pytest
from PIL import Image

from surefoot.capture.parallel.pages import PARALLEL_TABLE, PageInLanguage
from surefoot.capture.parallel.structure import ParallelScreen
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.ledger import Ledger
from surefoot.core.screen import Element, Screen
from surefoot.core.store import ObjectStore
from surefoot.report.parallel import UNMATCHED, partner_marks
from surefoot.run.folders.folder import export
from surefoot.verbs.audit import audit

HIT: Final = (True,) * 5


def screen(locale: str, words: tuple[str, ...], image: str = "") -> Screen:
    """Return a page of one button a line, whose ids are other ones in each language."""
    elements = tuple(
        Element(f"{locale}{at}", "button", Box(5, 30 * at + 5, 95, 30 * at + 25), text, hits=HIT)
        for at, text in enumerate(words)
    )
    return Screen(locale, "p", "s", image, 100, 100, 1.0, "web", locale, elements, site="shop")


@pytest.fixture
def parallel(tmp_path: Path) -> Path:
    """Return a folder of one page in English, French and, left out, Thai."""
    folder = tmp_path / "screens"
    file = io.BytesIO()
    Image.new("RGB", (100, 100), "white").save(file, "PNG")
    with Ledger.open(folder, {"kind": "screens", "languages": ["en", "fr", "th"]}):
        image = ObjectStore(folder).put(file.getvalue())
        screens = [screen(locale, ("A", "B"), image) for locale in ("en", "fr", "th")]
        pages = [
            PageInLanguage("p", "shop", "en", "en", "en", {"en0": "en0", "en1": "en1"}, 1.0),
            PageInLanguage("p", "shop", "fr", "fr", "fr", {"en0": "fr1", "en1": "fr0"}, 1.0),
            PageInLanguage("p", "shop", "th", "th", "th", reason="untranslated", found="0%"),
        ]
        export(folder, "screens", {"screens.jsonl": screens, PARALLEL_TABLE: pages})
    return folder


def test_an_element_has_one_number_and_colour_wherever_it_stands() -> None:
    """Marks follow the pairs; what has no partner is grey and has no number."""
    english, french = screen("en", ("A", "B")), screen("fr", ("B", "C", "A"))
    here = partner_marks(english, english, {"en0": "en0", "en1": "en1"})
    there = partner_marks(english, french, {"en0": "fr2", "en1": "fr0"})

    assert [mark.label for mark in here] == ["1", "2"]
    assert [mark.label for mark in there] == ["2", "", "1"]
    assert [mark.color for mark in there] == [here[1].color, UNMATCHED, here[0].color]


def test_a_sheet_shows_every_language_that_was_captured(parallel: Path, tmp_path: Path) -> None:
    """The sheet has three pictures, one of them of a language that was left out."""
    (sheet,) = audit(parallel, out=tmp_path / "sheets", count=3)

    assert sheet.name == "parallel-01.png"
    with Image.open(sheet) as image:
        assert image.width == pytest.approx(2 * 1000, abs=40)
        assert image.height > image.width


def test_screens_in_one_language_have_no_sheets(tmp_path: Path) -> None:
    """They are refused, and the remedy names the option."""
    with Ledger.open(tmp_path / "one", {"kind": "screens"}):
        export(tmp_path / "one", "screens", {"screens.jsonl": [screen("en", ("A",))]})
    with pytest.raises(InvalidInputError, match="--parallel en"):
        audit(tmp_path / "one", out=tmp_path / "sheets")


def test_a_parallel_screen_reads_as_a_screen() -> None:
    """What a ledger holds of a page in a language is a screen to whoever asks for one."""
    plain = screen("en", ("A", "B"))
    data = msgspec.json.encode(ParallelScreen(**msgspec.structs.asdict(plain)))

    assert msgspec.json.decode(data, type=Screen) == plain
