"""
Whether the picture agrees with the box that a program claims for an element.

Toolkits lie about boxes: whole toolbars lie a menu bar's height too high, buttons are five
pixels high. An element whose box the picture speaks against is dropped, never moved.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

import msgspec
import numpy as np

from surefoot.capture.desktop.elements import Draft
from surefoot.capture.desktop.roles import CONTAINERS
from surefoot.capture.desktop.spelling import Gray, Lettering, SpelledName, find_words
from surefoot.capture.desktop.windows import Window, seen_share
from surefoot.core.geometry import Box
from surefoot.core.screen import INTERACTIVE_ROLES, Element

Finding: TypeAlias = Literal[
    "spelled", "agrees", "unseen", "sliver", "stray", "blank", "elsewhere", "cut", "overlap",
    "company", "loose",
]  # fmt: skip
KEPT: Final = frozenset({"spelled", "agrees", "unseen"})
MISPLACED: Final = frozenset({"elsewhere", "cut", "overlap"})

LEAST_SIDE: Final = 6.0
SEEN: Final = 0.3
REACH_PX: Final = 45.0  # how far off a box was ever seen to be
STEP: Final = 0.06  # of the luminance between two neighbours: a stroke begins or ends
EDGE_PX: Final = 2
MOST_CROSSINGS: Final = 4
CROSSINGS_SHARE: Final = 0.04
LEAST_RANGE: Final = 0.08
SLACK_PX: Final = 3.0
WHOLE: Final = 0.98
LOOSE_PX: Final = (4, 14)  # how far inside a box its drawn frame was ever seen
CORNER_PX: Final = 2
FRAME_STEP: Final = 0.02
FRAME_SHARE: Final = 0.85
FRAMED_PX: Final = 4  # how near to a box's side its frame is looked for
SHARED: Final = 0.3
COMPANY: Final = 1 / 3
LEAST_COMPANY: Final = 3
LEAST_LETTERS: Final = 3
FRAMED: Final = frozenset({"button", "textbox", "combobox", "spinbutton"})
MUST_SHOW: Final = frozenset({
    "button", "checkbox", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "option",
    "radio", "switch", "tab", "treeitem", "text", "heading", "img", "combobox",
})  # fmt: skip
NAMED_BY_SIGHT: Final = frozenset({
    "button", "checkbox", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "option",
    "radio", "switch", "tab", "treeitem", "text", "heading", "gridcell", "columnheader",
    "rowheader",
})  # fmt: skip


class BoxVerdict(msgspec.Struct, frozen=True):
    """
    Say what the picture says of an element's box.

    "spelled": its name was found in it; "agrees": nothing speaks against it; "unseen": it
    is out of sight. All others are reasons to drop it: see docs/desktop.md. ``spelled``
    says where its name was found.
    """

    finding: Finding
    spelled: SpelledName | None = None

    @property
    def kept(self) -> bool:
        """Tell whether the element stays."""
        return self.finding in KEPT


def judge_boxes(
    drafts: Sequence[Draft], windows: Sequence[Window], gray: Gray, lettering: Lettering
) -> list[BoxVerdict]:
    """
    Judge every element's box by the picture, in the order given.

    ``windows`` are those of the X server, lowest first; ``gray`` is the luminance, 0 to 1.
    """
    found = [_alone(draft, drafts, windows, gray, lettering) for draft in drafts]
    _by_overlap(drafts, found)
    _by_company(drafts, found)
    _by_proof(drafts, found)
    return found


def border_cuts(gray: Gray, box: Box) -> int:
    """
    Count the sides of a box that cut through something.

    Along a side that is right runs the background or a straight frame; a side that is
    wrong crosses letters or an icon, and the luminance jumps along it. The calmest of the
    rows (columns) within two pixels of the side counts. Sides at the picture's edge are
    not looked at.
    """
    height, width = gray.shape
    left, top, right, bottom = (round(side) for side in box.as_tuple())
    cuts = 0
    for side, along in ((top, (left, right)), (bottom - 1, (left, right))):
        if EDGE_PX < side < height - 1 - EDGE_PX:
            cuts += _crossed(gray[side - EDGE_PX : side + EDGE_PX + 1], along)
    for side, along in ((left, (top, bottom)), (right - 1, (top, bottom))):
        if EDGE_PX < side < width - 1 - EDGE_PX:
            cuts += _crossed(gray[:, side - EDGE_PX : side + EDGE_PX + 1].T, along)
    return cuts


def shows_something(gray: Gray, box: Box) -> bool:
    """Tell whether the luminance in a box, its border left out, varies at all."""
    left, top, right, bottom = (round(side) for side in box.as_tuple())
    core = gray[max(0, top + 1) : max(0, bottom - 1), max(0, left + 1) : max(0, right - 1)]
    return core.size > 0 and float(np.ptp(core)) >= LEAST_RANGE


def lies_loose(gray: Gray, box: Box) -> bool:
    """
    Tell whether a frame as wide as the box is drawn well inside both its top and its bottom.

    A frame is a step of the luminance along almost the whole width; margins of 4 to 14
    pixels above and below it are the toolkit's own, and a click there hits nothing.
    """
    left, top, right, bottom = (round(side) for side in box.as_tuple())
    top, rows = max(0, top), gray[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
    width = rows.shape[1]
    if rows.shape[0] < 2 * LOOSE_PX[1] or width < 2 * LOOSE_PX[0]:
        return False
    inner = rows[:, CORNER_PX : width - CORNER_PX]
    steps = (np.abs(np.diff(inner, axis=0)) > FRAME_STEP).mean(axis=1) >= FRAME_SHARE
    first, last = np.flatnonzero(steps[: LOOSE_PX[1]]), np.flatnonzero(steps[::-1][: LOOSE_PX[1]])
    if not first.size or not last.size:
        return False
    cut = max(0.0, -box.top)  # a part of the margin may lie above the screen
    gaps = int(first[0]) + cut, int(last[0])
    return bool(min(gaps) >= LOOSE_PX[0])


def is_framed(gray: Gray, box: Box) -> bool:
    """Tell whether a frame is drawn along a box's top and its bottom, as around a button."""
    left, top, right, bottom = (round(side) for side in box.as_tuple())
    rows = gray[max(0, top - 1) : max(0, bottom + 1), max(0, left) : max(0, right)]
    inner = rows[:, 2 * CORNER_PX : rows.shape[1] - 2 * CORNER_PX]
    if rows.shape[0] < 2 * FRAMED_PX or inner.shape[1] < 2 * FRAMED_PX:
        return False
    steps = (np.abs(np.diff(inner, axis=0)) > FRAME_STEP).mean(axis=1) >= FRAME_SHARE
    return bool(steps[:FRAMED_PX].any() and steps[-FRAMED_PX:].any())


def _crossed(rows: Gray, along: tuple[int, int]) -> bool:
    inner = rows[:, max(0, along[0] + EDGE_PX + 1) : max(0, along[1] - EDGE_PX - 1)]
    if inner.shape[1] < 2:  # noqa: PLR2004 - one pixel has no neighbour
        return False
    jumps = (np.abs(np.diff(inner, axis=1)) > STEP).sum(axis=1)
    most = max(float(MOST_CROSSINGS), CROSSINGS_SHARE * float(inner.shape[1]))
    return bool(jumps.min() > most)


def _alone(
    draft: Draft,
    drafts: Sequence[Draft],
    windows: Sequence[Window],
    gray: Gray,
    lettering: Lettering,
) -> BoxVerdict:
    element = draft.element
    if element.role in CONTAINERS:
        return BoxVerdict("agrees")
    if element.visible_fraction < SEEN or draft.clip is None:
        return BoxVerdict("unseen")
    if min(element.box.width, element.box.height) < LEAST_SIDE:
        return BoxVerdict("sliver")
    seen = element.box.intersection(draft.clip) or element.box
    spelled = _spelled(element, seen, gray, lettering)
    if spelled is not None:
        return BoxVerdict("spelled", spelled)
    above = [window.box for window in windows[draft.level + 1 :]]
    covered = seen_share(seen, seen, above) < WHOLE
    against = None if covered else _against(draft, drafts, seen, gray, lettering)
    return BoxVerdict(against or "agrees")


def _spelled(element: Element, seen: Box, gray: Gray, lettering: Lettering) -> SpelledName | None:
    if element.role not in NAMED_BY_SIGHT or not shows_something(gray, seen):
        return None
    if element.role in FRAMED and lies_loose(gray, element.box):
        return None
    return find_words(gray, _grown(seen, SLACK_PX), element.name, lettering)


def _against(
    draft: Draft, drafts: Sequence[Draft], seen: Box, gray: Gray, lettering: Lettering
) -> Finding | None:
    """Return what speaks against the box of an element that nothing covers."""
    if draft.element.role in MUST_SHOW and not shows_something(gray, seen):
        return "blank"
    if draft.element.role in FRAMED and lies_loose(gray, draft.element.box):
        return "loose"
    if _elsewhere(draft, drafts, gray, lettering):
        return "elsewhere"
    return "cut" if border_cuts(gray, seen) else None


def _elsewhere(draft: Draft, drafts: Sequence[Draft], gray: Gray, lettering: Lettering) -> bool:
    """Tell whether the name is spelled near by, where no other element claims it."""
    element = draft.element
    letters = sum(item.isalnum() for item in element.name)
    if element.role not in NAMED_BY_SIGHT or letters < LEAST_LETTERS:
        return False
    found = find_words(gray, _grown(element.box, REACH_PX), element.name, lettering)
    if found is None:
        return False
    place = Box.around(found.lines).center
    return not any(
        other is not draft
        and element.name in {other.element.name, other.element.text}
        and _grown(other.element.box, 1.0).contains(place)
        for other in drafts
    )


def _by_overlap(drafts: Sequence[Draft], found: list[BoxVerdict]) -> None:
    """Drop siblings that overlap: one of two lies; the one that is spelled does not."""
    for members in _siblings(drafts):
        for at, member in enumerate(members):
            for other in members[at + 1 :]:
                if _overlap(drafts[member], drafts[other]):
                    for place in (member, other):
                        if found[place].finding == "agrees":
                            found[place] = BoxVerdict("overlap")


def _by_company(drafts: Sequence[Draft], found: list[BoxVerdict]) -> None:
    """Drop the unproven among siblings of whom a third is known to be misplaced."""
    for members in _siblings(drafts):
        lying = sum(found[member].finding in MISPLACED for member in members)
        if len(members) >= LEAST_COMPANY and lying >= COMPANY * len(members):
            for member in members:
                if found[member].finding == "agrees":
                    found[member] = BoxVerdict("company")


def _by_proof(drafts: Sequence[Draft], found: list[BoxVerdict]) -> None:
    """
    Drop what lies beside its parent, but for the spelled, and for those that lie with these.

    All below one stray are scrolled together: a name that is spelled in its box proves the
    others', unless as many are misplaced.
    """
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for place, draft in enumerate(drafts):
        if draft.strays:
            groups[draft.strays].append(place)
    for members in groups.values():
        spelled = sum(found[member].finding == "spelled" for member in members)
        wrong = sum(found[member].finding in MISPLACED | {"blank"} for member in members)
        for member in members if spelled <= wrong else ():
            if found[member].finding in {"agrees", "unseen"}:
                found[member] = BoxVerdict("stray")


def _siblings(drafts: Sequence[Draft]) -> list[list[int]]:
    """Return the places of controls in sight that have the same parent in the tree."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for place in range(len(drafts)):
        element = drafts[place].element
        if element.role in INTERACTIVE_ROLES and element.visible_fraction >= SEEN:
            found[element.id.rpartition(".")[0]].append(place)
    return list(found.values())


def _overlap(one: Draft, other: Draft) -> bool:
    common = one.element.box.intersection(other.element.box)
    smaller = min(one.element.box.area, other.element.box.area)
    return common is not None and common.area > SHARED * smaller


def _grown(box: Box, by: float) -> Box:
    return Box(box.left - by, box.top - by, box.right + by, box.bottom + by)
