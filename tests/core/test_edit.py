"""
Edits as data: each kind survives JSON, and belongs to the page or to the picture.
"""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from surefoot.core.canonical import canonical_json
from surefoot.core.edit import Edit, Filter, Hide, Mask, Notice, PageEdit, PictureEdit
from surefoot.core.geometry import Box


def test_every_edit_is_of_the_page_or_of_the_picture() -> None:
    """The two kinds have nothing in common and are all there is."""
    page, picture = set(get_args(PageEdit)), set(get_args(PictureEdit))
    assert not page & picture
    assert page | picture == set(get_args(Edit))


@pytest.mark.parametrize(
    "edit",
    [
        Hide(("a", "b")),
        Mask((Box(0.5, 1, 2, 3),), "high-contrast", 3),
        Filter("noise", 0.5, 2**32 - 1),
        Notice("banner", 3, 0, 1, 2, 3),
    ],
)
def test_edits_survive_json(edit: Edit) -> None:
    """What is written is read back as the same edit."""
    assert msgspec.json.decode(canonical_json(edit), type=Edit) == edit


@pytest.mark.parametrize(
    "text",
    ['{"type":"mask","boxes":[],"kind":"rainbow"}', '{"type":"filter","kind":"swirl","amount":1}',
     '{"type":"notice","shape":"cloud","pattern":0,"left":0,"top":0,"right":1,"bottom":1}'],
)  # fmt: skip
def test_kinds_that_do_not_exist_are_refused(text: str) -> None:
    """A kind from a later version is an error when it is read, not when it is applied."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=Edit)
