"""
The built-in agent that needs no model: it reads labels off the picture and follows rules.

Weak and real: it knows the pixels and "Label: value" lines of the text, and nothing else.

On the scanned page it finds what a person would: a label, and the control that belongs to it.
"""

from __future__ import annotations

import difflib
import re
from collections import deque
from collections.abc import Iterable
from typing import Final

import msgspec

from surefoot.capture.ocr.scan import Scan, Scanner, TextLine
from surefoot.core.geometry import Box
from surefoot.forms.driver.actions import (
    Action,
    Click,
    Finish,
    NextPage,
    Press,
    Submit,
    Type,
    Upload,
)
from surefoot.forms.driver.agent import AgentKind, AgentReply, FormTask, Policy
from surefoot.forms.driver.filling import click_on, first_segment
from surefoot.forms.driver.observation import Observation
from surefoot.forms.renderers.wording import phrase
from surefoot.forms.values.dates import typed_date

LABELLED: Final = re.compile(r"^[ \t]*([^:\n]{1,120}):[ \t]+(\S.*?)[ \t]*$", re.MULTILINE)
LETTERS: Final = re.compile(r"[\W_]+")
LIKE: Final = 0.78
PARTLY: Final = 0.9
OVERLAP: Final = 6.0
BELOW: Final = 80.0
ASIDE: Final = 420.0
ALIGNED: Final = 40.0
LEAST_WIDTH: Final = 60.0
BEGINNING: Final = 14  # letters, of which a line is taken for the beginning of a label
YES: Final = "yes"
NO: Final = "no"
UNDER: Final = 26.0
INWARD: Final = 30.0
MASKS: Final = ("mm/dd", "dd/mm", "yyyy")
REACH: Final = 260.0
TURNS: Final = 2


class LabelledValue(msgspec.Struct, frozen=True):
    """Hold one value to fill in, and the label that it was given under."""

    label: str
    value: str


def labelled_values(text: str) -> tuple[LabelledValue, ...]:
    """
    Return the "Label: value" lines of a text, in order; all other lines say nothing to us.

    >>> labelled_values("City: Rome")
    (LabelledValue(label='City', value='Rome'),)
    """
    return tuple(LabelledValue(match[1].strip(), match[2]) for match in LABELLED.finditer(text))


def text_of(line: TextLine) -> str:
    """Return a line's words with blanks between."""
    return " ".join(word.text for word in line.words)


def find_text(lines: Iterable[TextLine], wanted: str, *, below: float = 0.0) -> TextLine | None:
    """
    Return the line that reads most like a text, of those under a height in pixels.

    A long text may begin on the line and go on below. None where no line is like it.
    """
    target = _bare(wanted)
    best, found = LIKE, None
    for line in lines:
        if line.box.top < below or not target:
            continue
        likeness = _likeness(_bare(text_of(line)), target)
        if likeness > best:
            best, found = likeness, line
    return found


def control_of(scan: Scan, label: TextLine) -> Box | None:
    """Return the nearest drawn box under a label, or at its right."""
    here = label.box
    near: list[tuple[float, Box]] = []
    for box in scan.rectangles:
        if box.width < LEAST_WIDTH:
            continue
        under = (
            -OVERLAP <= box.top - here.bottom <= BELOW
            and box.left - ALIGNED <= here.left <= box.right
        )
        overlap = min(box.bottom, here.bottom) - max(box.top, here.top)
        beside = overlap > 0 and 0 <= box.left - here.right <= ASIDE
        if under:
            near.append((box.top - here.bottom, box))
        elif beside:
            near.append((box.left - here.right, box))
    return min(near, key=lambda item: item[0])[1] if near else None


def words_within(scan: Scan, box: Box) -> str:
    """Return the words that stand in a box: what a control shows."""
    return " ".join(
        text_of(line) for line in scan.lines if box.contains(line.box.center, tolerance=2)
    )


def _bare(text: str) -> str:
    return LETTERS.sub("", text.casefold())


def _likeness(seen: str, target: str) -> float:
    """Compare a line with a text of which it may be the beginning, or the end, read in part."""
    matcher = difflib.SequenceMatcher(None, target, seen, autojunk=False)
    whole = matcher.ratio()
    if not BEGINNING // 2 <= len(seen) < len(target):
        return whole
    parts = (target[: len(seen)], target[-len(seen) :])
    ratios = (difflib.SequenceMatcher(None, part, seen, autojunk=False).ratio() for part in parts)
    enough = len(seen) >= BEGINNING or len(seen) * 2 > len(target)
    return max(whole, PARTLY * max(ratios) if enough else 0.0)


class _List(msgspec.Struct, frozen=True):
    """Remember a control that looked like a list, and what to choose from it."""

    point: Click
    value: str


class ScanFiller:
    """
    Fill a page in from one scan of it, then open its lists one after the other.

    A value goes to the drawn box under its label or beside it; an option that stands on
    the page is clicked; a box that shows words is taken for a list.
    """

    name = "ocr"
    privileged = False
    policy: Policy = "step"

    def __init__(self, task: FormTask, scanner: Scanner | None = None) -> None:
        self.task = task
        self.scanner = scanner or Scanner()
        self.asked = labelled_values(task.text)
        self._page: int | None = None
        self._lists: deque[_List] = deque()
        self._open: _List | None = None
        self._turns = 0

    def act(self, observation: Observation) -> AgentReply:
        """Reply to a new page with all that can be seen of it, else go on with its lists."""
        scan = self.scanner.scan(observation.image, self.task.language)
        actions: list[Action] = []
        if observation.page != self._page:
            self._page, self._turns, self._open = observation.page, 0, None
            self._lists.clear()
            for asked in self.asked:
                actions += self._answer(scan, asked)
        elif self._open is not None:
            actions += self._choose(scan, self._open)
            self._open = None
        if self._lists:
            self._open = self._lists.popleft()
            return AgentReply((*actions, self._open.point))
        if actions:
            return AgentReply(tuple(actions))
        return AgentReply((self._onward(scan),))

    def _answer(self, scan: Scan, asked: LabelledValue) -> tuple[Action, ...]:
        """Return what fills a value in, nothing where its label is not on the page."""
        label = find_text(scan.lines, asked.label)
        if label is None or asked.value == NO:
            return ()
        if asked.value == YES:
            return (click_on(label.words[0].box),)
        control = control_of(scan, label)
        if asked.value in self.task.files:
            place = control.center if control else _under(label)
            return (Upload(place.x, place.y, asked.value),)
        options = self._options(scan, label, asked.value)
        if options:
            return options
        point = Click(control.left + INWARD, control.center.y) if control else _under(label)
        shown = words_within(scan, control) if control else ""
        if shown and not any(mask in shown.casefold() for mask in MASKS):
            self._lists.append(_List(point, asked.value))
            return ()
        if control is None or not shown:
            return (point, Type(asked.value))
        place = click_on(first_segment(control, self.task.language))
        return (place, Type(typed_date(asked.value, self.task.language)))

    def _options(self, scan: Scan, label: TextLine, value: str) -> tuple[Action, ...]:
        """Click the options of that name below the label, if all of them are there."""
        found = [find_text(scan.lines, part, below=label.box.bottom) for part in value.split("; ")]
        near = [line for line in found if line and line.box.top - label.box.bottom < REACH]
        return tuple(click_on(line.box) for line in near) if len(near) == len(found) else ()

    def _choose(self, scan: Scan, chosen: _List) -> tuple[Action, ...]:
        option = find_text(scan.lines, chosen.value)
        return (click_on(option.box),) if option else (Press("Escape"),)

    def _onward(self, scan: Scan) -> Action:
        """Turn the page, by what is written on its button; give up where it does not turn."""
        self._turns += 1
        if self._turns > TURNS:
            return Finish("the page does not turn")
        more = find_text(scan.lines, phrase("next", self.task.language)) is not None
        return NextPage() if more == (self._turns == 1) else Submit()


def open_reader(task: FormTask) -> ScanFiller:
    """Return an agent that reads the task's text and the pictures."""
    return ScanFiller(task)


def _under(label: TextLine) -> Click:
    """Guess that a control without a frame stands under its label."""
    box: Box = label.box
    return Click(box.left + INWARD, box.bottom + UNDER)


OCR = AgentKind(
    name="ocr",
    version=2,
    summary="reads labels with Tesseract and follows rules: weak, but needs no model",
    open=open_reader,
)
