"""
Verdicts decide which elements stay, and which words are theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
import pytest

from surefoot.capture.desktop.elements import Draft
from surefoot.capture.desktop.evidence import BoxVerdict
from surefoot.capture.desktop.record import as_drawn, assemble
from surefoot.capture.desktop.spelling import SpelledName
from surefoot.capture.desktop.windows import Window
from surefoot.core.geometry import Box

if TYPE_CHECKING:
    from tests.capture.desktop.conftest import Canvas

MakeDraft = Callable[..., Draft]
BOUNDS = Box(0, 0, 400, 300)
MAIN = (Window(1, BOUNDS),)
LINE = Box(10, 12, 50, 28)


def test_spelled_names_are_words_on_the_screen(draft: MakeDraft) -> None:
    """A name that was found is the element's text, in the lines where it was found."""
    made = draft("button", Box(0, 0, 60, 40), "Save")

    (found,) = assemble([made], [BoxVerdict("spelled", SpelledName((LINE,), 13.0))], MAIN, BOUNDS)

    assert (found.text, found.name_boxes, found.text_boxes) == ("Save", (LINE,), (LINE,))
    assert (found.name_from, found.font_px) == ("content", 13.0)


def test_unspelled_names_are_not(draft: MakeDraft) -> None:
    """A name that is nowhere in the picture has no boxes and is no text."""
    (found,) = assemble(
        [draft("button", Box(0, 0, 60, 40), "Undo")], [BoxVerdict("agrees")], MAIN, BOUNDS
    )

    assert (found.name, found.text, found.name_boxes) == ("Undo", "", ())


def test_children_of_the_dropped_move_up(draft: MakeDraft) -> None:
    """Where a container is dropped its children hang on the next one that stays."""
    window = draft("window", BOUNDS, order=0)
    bar = draft("toolbar", Box(0, 0, 400, 40), order=1, parent=window.element.id)
    button = draft("button", Box(0, 0, 60, 40), order=2, parent=bar.element.id)
    verdicts = [BoxVerdict("agrees"), BoxVerdict("stray"), BoxVerdict("agrees")]

    found = assemble([window, bar, button], verdicts, MAIN, BOUNDS)

    assert [element.role for element in found] == ["window", "button"]
    assert found[1].parent == window.element.id


def test_dropped_elements_cover_nothing(draft: MakeDraft) -> None:
    """A box that is known to lie takes no clicks from the one beneath."""
    true, false = draft("button", Box(0, 0, 60, 40)), draft("button", Box(0, 0, 60, 40), order=1)

    (found,) = assemble([true, false], [BoxVerdict("agrees"), BoxVerdict("cut")], MAIN, BOUNDS)

    assert all(found.hits)


def test_fields_have_the_words_of_their_only_label(draft: MakeDraft) -> None:
    """A field's name is spelled by its label, unless two labels say the same."""
    label = draft("text", Box(0, 0, 60, 20), "Size:")
    other = draft("text", Box(0, 50, 60, 70), "Size:", order=1)
    field = draft("spinbutton", Box(70, 0, 160, 20), "Size:", order=2)
    named = msgspec.structs.replace(field.element, name_from="label")
    field = msgspec.structs.replace(field, element=named)
    spelled = BoxVerdict("spelled", SpelledName((LINE,), 13.0))

    _, alone = assemble([label, field], [spelled, BoxVerdict("agrees")], MAIN, BOUNDS)
    found = assemble([label, other, field], [spelled, spelled, BoxVerdict("agrees")], MAIN, BOUNDS)

    assert (alone.name_boxes, alone.attributes) == ((LINE,), {"labelled": "true"})
    assert found[2].name_boxes == ()
    assert "labelled" not in found[2].attributes


@pytest.mark.parametrize("role", ["checkbox", "radio"])
@pytest.mark.parametrize(
    ("box", "frame", "word", "drawn"),
    [
        (Box(10, 10, 90, 35), True, (30, 70), True),
        (Box(10, 10, 90, 35), True, (33, 70), True),
        (Box(10, 10, 40, 40), True, None, True),  # an icon
        (Box(10, 10, 34, 34), True, None, True),
        (Box(10, 10, 200, 30), True, (80, 130), True),
        (Box(10, 10, 90, 35), False, (30, 70), False),
        (Box(10, 10, 110, 31), False, (32, 88), False),  # words in the middle by chance
        (Box(10, 10, 110, 31), True, (32, 108), False),  # a tick box in a framed row
        (Box(10, 10, 27, 27), True, None, False),  # a mark alone
        (Box(10, 10, 24, 24), True, None, False),
        (Box(10, 10, 300, 27), True, (140, 180), False),
        (Box(10, 10, 40, 40), False, None, False),
    ],
)
def test_what_can_be_pressed_in_is_a_button(
    canvas: Canvas,
    draft: MakeDraft,
    role: str,
    box: Box,
    frame: bool,
    word: tuple[int, int] | None,
    drawn: bool,
) -> None:
    """A framed tick box with its words in the middle is a button that is pressed."""
    if frame:
        canvas.button(box)
    lines = (Box(word[0], box.top + 4, word[1], box.bottom - 4),) if word else ()
    given = msgspec.structs.replace(
        draft(role, box).element, text_boxes=lines, states=("checked", "focused")
    )

    found = as_drawn(given, canvas.gray)

    expected = ("button", ("focused", "pressed")) if drawn else (role, given.states)
    assert (found.role, found.states) == expected
