"""
The nearest label: which mask it takes for a content.
"""

from __future__ import annotations

import pytest

from surefoot.capture.ocr.scan import Scan, TextLine, Word
from surefoot.core.geometry import Box
from surefoot.models.backends.nearest_label import choose_beside
from surefoot.models.opening import open_model

YEAR, CITY = Box(200, 40, 240, 60), Box(60, 100, 120, 120)
SAID = {
    "Year": Box(150, 40, 190, 60),
    "City": Box(10, 100, 50, 120),
    "1926": Box(200, 65, 240, 85),
    "Hamburg": Box(60, 125, 120, 145),
}


def scan_of(*masks: Box) -> Scan:
    """Return a scan with two labels, a number and a name, and masks."""
    lines = (TextLine((Word(text, box, 90.0),)) for text, box in SAID.items())
    return Scan(tuple(lines), masks)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Click where 'Kiel' belongs: the 'City'", CITY),
        ("Click where 'Kiel' belongs: the 'Year'", YEAR),
        ("Click where '1887' belongs", YEAR),
        ("Click where 'Homburg' belongs", CITY),
        ("Click where '1887' belongs: the 'Population'", YEAR),
        ("The town is called Homburg", CITY),
    ],
)
def test_the_mask_beside_the_label_is_taken(text: str, expected: Box) -> None:
    """A label that is named decides; without one, words or numbers alike to the content."""
    near = [str(round(side)) for side in expected.as_tuple()]

    assert choose_beside(text, "en", scan_of(YEAR, CITY)).split("<SEP>") == near


def test_without_masks_or_words_it_says_so_or_takes_what_there_is() -> None:
    """No mask is no box; one mask alone needs no words."""
    assert choose_beside("Click where 'Kiel' belongs", "en", scan_of()).startswith("no flat")
    assert choose_beside("Click where 'Kiel' belongs", "en", Scan((), (CITY,))).startswith("60")


def test_it_has_an_identity_of_its_own() -> None:
    """Its runs are no runs of the model whose scans it shares."""
    named = open_model("nearest-label").identity(), open_model("flat-mask").identity()

    assert named[0] != named[1]
