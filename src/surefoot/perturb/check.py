"""
The conformance check of a perturbation, as far as it needs no browser.

What needs one (the same pixels twice, the targets still there) is judged by rendering the
edits and giving both screens to ``compare_screens``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from surefoot.core.canonical import canonical_json, digest
from surefoot.core.edit import Edit, EnforceContrast, PictureEdit, Reorder, ScaleText, Zoom
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.perturbation import Perturbation
from surefoot.core.screen import INTERACTIVE_ROLES, Element, Screen
from surefoot.perturb.shuffle import sibling_groups

_VISIBLE_SHARE = 0.5  # less of a control than this is hard to name and to hit
_GLIMPSED_SHARE = 0.05
_SEEDS = range(8)


def _probe() -> Screen:
    elements = tuple(
        Element(
            id=f"{role}-{index}",
            role=role,
            name=f"{role} {index}",
            box=Box.from_xywh(10.0 + 110 * index, top, 100.0, 30.0),
            visible_fraction=1.0,
            hits=(True,) * 5,
            group=f"{role}s",
        )
        for role, count, top in (("button", 3, 10.0), ("link", 7, 50.0), ("textbox", 5, 90.0))
        for index in range(count)
    )
    return Screen(
        id="probe",
        page="probe",
        source="probe",
        image="",
        width=1280,
        height=800,
        scale=1.0,
        platform="web",
        locale="en-US",
        elements=elements,
    )


PROBE = _probe()


class Survival(msgspec.Struct, frozen=True):
    """
    Count what became of a screen's targets under a variant, with the ids that were lost.

    Targets are the controls of which, on the original, at least half is visible and the
    centre is hit. ``kept`` are those the variant still has; ``visible`` those of them of
    which at least half is visible; ``hit`` those of them whose centre is hit. ``appeared``
    are the floating panels, by id, that the variant brought into view: a second change.
    """

    targets: int
    kept: int
    visible: int
    hit: int
    lost: tuple[str, ...]
    hidden: tuple[str, ...]
    missed: tuple[str, ...]
    appeared: tuple[str, ...] = ()


def compare_screens(original: Screen, variant: Screen) -> Survival:
    """
    Follow every target of the original into the variant by its id.

    >>> compare_screens(PROBE, PROBE).hit
    15
    """
    after = {element.id: element for element in variant.elements}
    targets = [element.id for element in original.elements if _is_target(element)]
    lost = tuple(target for target in targets if target not in after)
    kept = [after[target] for target in targets if target in after]
    hidden = tuple(item.id for item in kept if item.visible_fraction < _VISIBLE_SHARE)
    visible = [item for item in kept if item.visible_fraction >= _VISIBLE_SHARE]
    missed = tuple(item.id for item in visible if not item.hit)
    return Survival(
        targets=len(targets),
        kept=len(kept),
        visible=len(visible),
        hit=len(visible) - len(missed),
        lost=lost,
        hidden=hidden,
        missed=missed,
        appeared=panels_that_appear(original, variant),
    )


def panels_that_appear(original: Screen, variant: Screen) -> tuple[str, ...]:
    """
    Return the ids of what floats over the page in the variant and was not to be seen before.

    A panel fixed to the window may lie beside it until a zoom makes room; it then covers
    others, which no difference of scale explains.

    >>> panels_that_appear(PROBE, PROBE)
    ()
    """
    before, after = _floating(original, _GLIMPSED_SHARE), _floating(variant, _VISIBLE_SHARE)
    return tuple(sorted(after - before))


def _floating(screen: Screen, share: float) -> set[str]:
    seen = (element for element in screen.elements if element.visible_fraction >= share)
    return {element.attributes.get("floating", "") for element in seen} - {""}


def check_draw(perturbation: Perturbation, screens: Sequence[Screen]) -> list[str]:
    """
    Return what is wrong with a perturbation's draws, one sentence each; empty means none.

    Besides the screens given, a built-in probe with three groups of controls is drawn on.
    """
    problems = [*_description_problems(perturbation), *_title_problems(perturbation)]
    if problems:
        return problems
    for screen in (PROBE, *screens):
        for level in perturbation.levels:
            where = f"level '{level}' on screen '{screen.id}'"
            problems += _draw_problems(perturbation, screen, level, where)
    problems += _seed_problems(perturbation, (PROBE, *screens))
    return problems


def _is_target(element: Element) -> bool:
    return (
        element.role in INTERACTIVE_ROLES
        and element.visible_fraction >= _VISIBLE_SHARE
        and element.hit
    )


def _description_problems(perturbation: Perturbation) -> Iterator[str]:
    name, levels = perturbation.name, perturbation.levels
    if not name or any(item in "@:+" or item.isspace() for item in name):
        yield f"the name {name!r} is empty or holds '@', ':', '+' or a space"
    if perturbation.version < 1:
        yield f"the version is {perturbation.version}, not a whole number from 1"
    if not perturbation.summary:
        yield "there is no summary"
    if perturbation.default not in levels:
        yield f"the default level '{perturbation.default}' is not among the levels"
    for label, severity in levels.items():
        if not label or any(item in "@:+" or item.isspace() for item in label):
            yield f"the level {label!r} is empty or holds '@', ':', '+' or a space"
        if not 0.0 <= severity <= 1.0:
            yield f"the severity of level '{label}' is {severity}, not in [0, 1]"
    for (mild, low), (strong, high) in pairwise(levels.items()):
        if low > high:
            yield f"level '{mild}' stands before '{strong}' and is more severe"


def _title_problems(perturbation: Perturbation) -> Iterator[str]:
    titles = [perturbation.titles.get(label, "").strip() for label in perturbation.levels]
    if not all(titles) or len(set(titles)) < len(titles):
        yield f"the titles {titles} are not one of its own for every level"


def _draw_problems(
    perturbation: Perturbation, screen: Screen, level: str, where: str
) -> Iterator[str]:
    before = digest(screen)
    first = perturbation.edits(screen, 1, level)
    perturbation.edits(screen, 2, level)
    again = perturbation.edits(screen, 1, level)
    if first != again:
        yield f"{where}: the same seed gave other edits the second time"
    if digest(screen) != before:
        yield f"{where}: the draw changed the screen it was given"
    if not _survives_json(first):
        yield f"{where}: the edits do not survive a round trip through JSON"
    if perturbation.picture and not all(isinstance(item, PictureEdit) for item in first):
        yield f"{where}: an edit of the page although it says picture=True"
    for edit in first:
        problem = _edit_problem(edit, screen)
        if problem:
            yield f"{where}: {problem}"


def _survives_json(edits: tuple[Edit, ...]) -> bool:
    try:
        copy = msgspec.json.decode(canonical_json(edits), type=tuple[Edit, ...])
    except (InvalidInputError, msgspec.MsgspecError):
        return False
    return copy == edits


def _edit_problem(edit: Edit, screen: Screen) -> str:
    if isinstance(edit, Reorder):
        members = sibling_groups(screen).get(edit.group, ())
        if sorted(edit.order) != sorted(members):
            return f"the order of group '{edit.group}' does not list exactly its members"
    if isinstance(edit, (Zoom, ScaleText)) and not (
        math.isfinite(edit.factor) and edit.factor > 0
    ):
        return f"the factor {edit.factor} is not above 0"
    if isinstance(edit, EnforceContrast) and not 1.0 <= edit.minimum <= 21.0:  # noqa: PLR2004
        return f"the contrast {edit.minimum} is not in [1, 21]"
    return ""


def _seed_problems(perturbation: Perturbation, screens: Sequence[Screen]) -> Iterator[str]:
    varies = any(
        len({repr(perturbation.edits(screen, seed, level)) for seed in _SEEDS}) > 1
        for screen in screens
        for level in perturbation.levels
    )
    if perturbation.seeded and not varies:
        yield "all seeds gave the same edits: use the seed, or say seeded=False"
    if varies and not perturbation.seeded:
        yield "the edits depend on the seed although it says seeded=False"
