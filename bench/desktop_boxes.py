"""
Measure how far the boxes that desktop programs claim agree with the picture.

For each recipe that comes along: how many elements are in sight, how many of them stay, and
why the others are dropped. The second ruler shares nothing with the first: the pointer is
put on the centre of each control, and where the picture then changes (most controls light
up) the changed region is compared with the control's box: as large as the box (intersection
over union of at least 0.75), a part of it, or beyond it. Prints a Markdown table.

    python bench/desktop_boxes.py [NAME...]
"""

from __future__ import annotations

import collections
import sys
import time
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import label

from surefoot.capture.desktop.observe import look, park, staged
from surefoot.capture.desktop.record import JudgedRecord, judge, luminance
from surefoot.capture.desktop.roles import CONTAINERS
from surefoot.capture.desktop.session import Session
from surefoot.capture.desktop.spelling import Gray
from surefoot.capture.desktop.steps import Recipe
from surefoot.capture.desktop.windows import windows_of
from surefoot.capture.settings import Limits, Settings
from surefoot.capture.sources.desktop import demo_recipes
from surefoot.core.errors import SurefootError
from surefoot.core.geometry import Box
from surefoot.core.screen import INTERACTIVE_ROLES

UNIT_S: Final = 300.0
CHANGED: Final = 0.01
CARET_PX: Final = 3
LIT_S: Final = 0.5
POLL_S: Final = 0.06
LEAST_IOU: Final = 0.75
MOST_HOVERED: Final = 60
OTHERS: Final = (
    Recipe("kate notes.txt", "kate/text", files={"notes.txt": "Milk, bread\n"}),
    Recipe("gtk4-widget-factory", "gtk4-widget-factory/main"),
    Recipe("idle", "idle/shell"),
)


class Lit(msgspec.Struct):
    """Count controls that light up: as large as their box, a part of it, or beyond it."""

    whole: int = 0
    part: int = 0
    beyond: int = 0

    def add(self, lit: Box, box: Box) -> bool:
        """Count one control; tell whether it lights up within its box."""
        around = Box(box.left - 3, box.top - 3, box.right + 3, box.bottom + 3)
        if lit.iou(box) >= LEAST_IOU:
            self.whole += 1
        elif around.intersection(lit) == lit:
            self.part += 1
        else:
            self.beyond += 1
            return False
        return True

    def __str__(self) -> str:
        return f"{self.whole} / {self.part} / {self.beyond}"


class Row(msgspec.Struct):
    """Hold what was counted of one program's state."""

    page: str
    toolkit: str = ""
    sight: int = 0
    kept: int = 0
    spelled: int = 0
    dropped: collections.Counter[str] = msgspec.field(default_factory=collections.Counter)
    kept_lit: Lit = msgspec.field(default_factory=Lit)
    dropped_lit: Lit = msgspec.field(default_factory=Lit)
    note: str = ""

    def cells(self) -> tuple[str, ...]:
        """Return the row's cells."""
        if self.note:
            return (self.page, self.note, *[""] * 6)
        share = f"{100 * self.kept / self.sight:.0f} %" if self.sight else "-"
        reasons = ", ".join(f"{name} {count}" for name, count in sorted(self.dropped.items()))
        counts = (str(self.sight), share, str(self.spelled))
        return (
            self.page,
            self.toolkit,
            *counts,
            reasons,
            str(self.kept_lit),
            str(self.dropped_lit),
        )


def measure(recipe: Recipe) -> Row:
    """Count for one state; a program that cannot be captured is a row with the reason."""
    settings = Settings(limits=Limits(unit_s=UNIT_S))
    row = Row(recipe.page)
    try:
        with staged(recipe, settings) as inside:
            judged = judge(look(inside), settings)
            _count(row, judged)
            if not any(step.do == "click" for step in recipe.steps):
                _hover(row, judged, inside)
    except SurefootError as error:
        row.note = getattr(error, "reason", "") or str(error)
    return row


def _count(row: Row, judged: JudgedRecord) -> None:
    row.toolkit = judged.seen.toolkit
    for draft, verdict in zip(judged.seen.drafts, judged.verdicts, strict=True):
        if draft.element.role in CONTAINERS or verdict.finding == "unseen":
            continue
        row.sight += 1
        row.kept += verdict.kept
        row.spelled += verdict.finding == "spelled"
        if not verdict.kept:
            row.dropped[verdict.finding] += 1


def _hover(row: Row, judged: JudgedRecord, inside: Session) -> None:
    base = luminance(inside.grab())
    hovered = 0
    for draft, verdict in zip(judged.seen.drafts, judged.verdicts, strict=True):
        element = draft.element
        there = element.role in INTERACTIVE_ROLES and verdict.finding != "unseen"
        if not there or hovered >= MOST_HOVERED or "disabled" in element.states:
            continue
        hovered += 1
        lit = _lit(inside, base, element.box, len(judged.seen.windows))
        if lit is None:
            continue
        count = row.kept_lit if verdict.kept else row.dropped_lit
        if not count.add(lit, element.box):
            told = f"{row.page}: {verdict.finding} {element.role} '{element.name}'"
            sys.stderr.write(f"{told} {element.box} lights up {lit}\n")


def _lit(inside: Session, base: Gray, box: Box, windows: int) -> Box | None:
    """Return what changes when the pointer rests on a box's centre, None where nothing does."""
    park(inside)
    _changed(inside, base, box, windows, wanted=False)
    inside.xdotool("mousemove", str(round(box.center.x)), str(round(box.center.y)))
    found = _changed(inside, base, box, windows, wanted=True)
    time.sleep(POLL_S)  # an animation may have begun
    return _changed(inside, base, box, windows, wanted=True) if found is not None else None


def _changed(inside: Session, base: Gray, box: Box, windows: int, *, wanted: bool) -> Box | None:
    """
    Wait until the box differs from the base, or does not; return what differs with it.

    Tooltips are windows above the first ones, and left out.
    """
    until = time.monotonic() + LIT_S
    while True:
        changed = np.abs(luminance(inside.grab()) - base) > CHANGED
        for tip in windows_of(inside)[windows:]:
            left, top, right, bottom = (max(0, round(side)) for side in tip.box.as_tuple())
            changed[top:bottom, left:right] = False
        found = _touching(changed, box)
        if (found is not None) is wanted or time.monotonic() > until:
            return found
        time.sleep(POLL_S)


def _touching(changed: NDArray[np.bool_], box: Box) -> Box | None:
    """Return the box around those connected changes that begin in a box, carets left out."""
    labels, _ = label(changed, np.ones((3, 3)))
    left, top, right, bottom = (max(0, round(side)) for side in box.as_tuple())
    inside = set(np.unique(labels[top:bottom, left:right]).tolist()) - {0}
    rows, columns = np.nonzero(np.isin(labels, list(inside)))
    if not rows.size or columns.max() - columns.min() < CARET_PX:
        return None
    sides = (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
    return Box(*(float(side) for side in sides))


def main(names: list[str]) -> None:
    """Print the table."""
    recipes = {**demo_recipes(), **{other.program: other for other in OTHERS}}
    heads = ("state", "toolkit", "in sight", "kept", "spelled", "dropped", "lit", "dropped lit")
    print(f"| {' | '.join(heads)} |\n|{' --- |' * len(heads)}")
    for name, recipe in recipes.items():
        if not names or name in names:
            print(f"| {' | '.join(measure(recipe).cells())} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
