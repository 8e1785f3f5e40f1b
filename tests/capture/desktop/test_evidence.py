"""
Boxes that the picture speaks against are told from those that it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.capture.desktop.elements import Draft
from surefoot.capture.desktop.evidence import (
    Finding,
    border_cuts,
    judge_boxes,
    lies_loose,
    shows_something,
)
from surefoot.capture.desktop.spelling import Gray, Lettering
from surefoot.capture.desktop.windows import Window
from surefoot.core.geometry import Box

if TYPE_CHECKING:
    from tests.capture.desktop.conftest import Canvas

MakeDraft = Callable[..., Draft]
SCREEN = (Window(1, Box(0, 0, 400, 300)),)
LETTERING = Lettering(hinted=True, smooth=False)
NAMES = ("Save", "Open", "Print", "Close")


def findings(drafts: Sequence[Draft], gray: Gray) -> list[Finding]:
    """Return the findings alone."""
    return [box.finding for box in judge_boxes(drafts, SCREEN, gray, LETTERING)]


def row(count: int = 4) -> list[Box]:
    """Return the boxes of a row of buttons."""
    return [Box.from_xywh(20 + 80 * at, 100, 70, 30) for at in range(count)]


def test_true_boxes_of_named_buttons_are_spelled(canvas: Canvas, draft: MakeDraft) -> None:
    """Every button whose box is right is proven by its name."""
    drafts = []
    for order, (box, name) in enumerate(zip(row(), NAMES, strict=True)):
        canvas.button(box, name)
        drafts.append(draft("button", box, name, order=order))

    assert findings(drafts, canvas.gray) == ["spelled"] * 4


@pytest.mark.parametrize("shift", [-40, -27, -20, 20, 27, 40])
def test_shifted_boxes_of_named_buttons_are_dropped(
    canvas: Canvas, draft: MakeDraft, shift: int
) -> None:
    """A row of buttons that is claimed too high or too low loses all its members."""
    drafts = []
    for order, (box, name) in enumerate(zip(row(), NAMES, strict=True)):
        canvas.button(box, name)
        drafts.append(draft("button", box.moved(0, shift), name, order=order))

    found = judge_boxes(drafts, SCREEN, canvas.gray, LETTERING)

    assert not any(verdict.kept for verdict in found)


def test_icons_agree_where_they_are_and_not_beside(canvas: Canvas, draft: MakeDraft) -> None:
    """A box around an icon agrees; one that cuts it, or shows nothing, is dropped."""
    place = Box(100, 100, 132, 132)
    canvas.icon(Box(104, 104, 128, 128))
    nowhere = Box(250, 200, 282, 232)

    assert findings([draft("button", place, "Undo")], canvas.gray) == ["agrees"]
    assert findings([draft("button", nowhere, "Undo")], canvas.gray) == ["blank"]


def test_icons_of_words_are_cut(canvas: Canvas) -> None:
    """A side that runs through letters counts as cut, one beside them does not."""
    canvas.word(50, 50, "Milk and bread and butter")

    assert border_cuts(canvas.gray, Box(45, 45, 260, 70)) == 0
    assert border_cuts(canvas.gray, Box(45, 30, 260, 58)) == 1


@pytest.mark.parametrize(("height", "finding"), [(5, "sliver"), (30, "agrees")])
def test_slivers_are_dropped(
    canvas: Canvas, draft: MakeDraft, height: float, finding: Finding
) -> None:
    """A control five pixels high is none that anybody can see."""
    canvas.icon(Box(20, 20, 50, 20 + height))

    made = draft("checkbox", Box(18, 20, 52, 20 + height))
    assert findings([made], canvas.gray) == [finding]


@pytest.mark.parametrize(
    ("drawn", "expected"),
    [
        (("Save", "Open"), ["agrees", "spelled", "spelled", "agrees"]),
        (("Save", ""), ["stray", "spelled", "blank", "stray"]),
        (("", ""), ["stray", "blank", "blank", "stray"]),
    ],
)
def test_strays_stay_where_the_picture_proves_them(
    canvas: Canvas, draft: MakeDraft, drawn: tuple[str, ...], expected: list[Finding]
) -> None:
    """What lies beside its parent stays where names are spelled in it, and the unnamed with it."""
    boxes = row(2)
    for box, name in zip(boxes, drawn, strict=True):
        if name:
            canvas.button(box, name)
    bar = Box(0, 90, 400, 140)
    canvas.icon(Box(304, 104, 328, 128))
    made = [
        draft("toolbar", bar, strays="0.1"),
        draft("button", boxes[0], "Save", strays="0.1", order=1),
        draft("button", boxes[1], "Open", strays="0.1", order=2),
        draft("button", Box(300, 100, 332, 132), strays="0.1", order=3),
    ]

    assert findings(made, canvas.gray) == expected


def test_loose_boxes_are_dropped(canvas: Canvas, draft: MakeDraft) -> None:
    """A button whose drawn frame lies six pixels inside its box is dropped, name and all."""
    drawn = Box(50, 56, 120, 90)
    canvas.button(drawn, "Save")
    loose = Box(50, 50, 120, 96)

    assert lies_loose(canvas.gray, loose)
    assert not lies_loose(canvas.gray, drawn)
    assert findings([draft("button", loose, "Save")], canvas.gray) == ["loose"]


def test_overlapping_siblings_are_dropped(canvas: Canvas, draft: MakeDraft) -> None:
    """Of two siblings on one place at least one lies; the one that is spelled stays."""
    box = row()[0]
    canvas.button(box, "Save")
    drafts = [draft("button", box, "Save"), draft("button", box, order=1)]

    assert findings(drafts, canvas.gray) == ["spelled", "overlap"]


@pytest.mark.parametrize(
    ("shift", "liars", "last"),
    [
        (-27, "elsewhere", "company"),
        (-20, "elsewhere", "company"),
        (27, "elsewhere", "company"),
        (0, "spelled", "agrees"),
        (-60, "blank", "agrees"),
    ],
)
def test_unproven_company_of_liars_is_dropped(
    canvas: Canvas, draft: MakeDraft, shift: int, liars: Finding, last: Finding
) -> None:
    """An icon that agrees by chance goes with siblings that are known to be misplaced."""
    drafts = []
    for order, (box, name) in enumerate(zip(row(3), NAMES, strict=False)):
        canvas.button(box, name)
        drafts.append(draft("button", box.moved(0, shift), name, order=order))
    canvas.icon(Box(304, 204, 328, 228))
    drafts.append(draft("button", Box(300, 200, 332, 232), order=3))

    assert findings(drafts, canvas.gray) == [liars] * 3 + [last]


def test_what_is_out_of_sight_is_not_judged(canvas: Canvas, draft: MakeDraft) -> None:
    """An element of which less than a third is seen is neither proven nor dropped."""
    made = draft("button", row()[0], "Save")
    hidden = msgspec.structs.replace(made.element, visible_fraction=0.2)
    made = msgspec.structs.replace(made, element=hidden)

    assert findings([made], canvas.gray) == ["unseen"]


@given(
    st.tuples(st.integers(-50, 450), st.integers(-50, 350)),
    st.tuples(st.integers(0, 300), st.integers(0, 300)),
)
def test_any_box_can_be_judged(corner: tuple[int, int], size: tuple[int, int]) -> None:
    """No box, in the picture or out of it, makes a measure fail."""
    gray = np.random.default_rng(1).random((300, 400))
    box = Box.from_xywh(*map(float, corner), *map(float, size))

    assert 0 <= border_cuts(gray, box) <= 4
    assert shows_something(gray, box) in {True, False}
    assert lies_loose(gray, box) in {True, False}
