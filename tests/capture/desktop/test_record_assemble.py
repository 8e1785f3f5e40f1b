"""
Verdicts decide which elements stay, and which words are theirs.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from surefoot.capture.desktop.elements import Draft
from surefoot.capture.desktop.evidence import BoxVerdict
from surefoot.capture.desktop.record import assemble
from surefoot.capture.desktop.spelling import SpelledName
from surefoot.capture.desktop.windows import Window
from surefoot.core.geometry import Box

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
