"""
`sensitivity` from an imported set: its own targets, in every way that its picture proves.

A set says which element is meant by each of its instructions, and seldom what else is on the
screen. What else there is comes from the elements that it lists, or from a detector; either
is a guess (``Screen.guessed_by``), and so ``refer.resolve.detected`` says less about it. The
set's own words are asked beside ours, as the kind "given".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

import msgspec

from surefoot.benchmarks.benchmark import BuildOptions, Fall, ImageStore, PageResult
from surefoot.benchmarks.difficulty import Difficulty
from surefoot.benchmarks.hardest import questions_of
from surefoot.benchmarks.matching import shown_under
from surefoot.benchmarks.proofs import guess_facts
from surefoot.benchmarks.sensitivity_page import SpokenPage, candidate_of
from surefoot.benchmarks.sensitivity_parameters import parameters_of
from surefoot.capture.described.assembly import DescribedNode, assemble
from surefoot.capture.detector import BarePicture, detect
from surefoot.core.canonical import digest
from surefoot.core.geometry import Box
from surefoot.core.pictures import pixels_of
from surefoot.core.question import Question
from surefoot.core.screen import HIT_POINTS, Element, Screen
from surefoot.refer.generate.generate import check_target
from surefoot.refer.scene.roles import TARGETS

SAME: Final = 0.5  # least intersection over union of a set's box and an element's
INSIDE: Final = 0.7  # least share of an element that a target's box takes in as its part


def say_labelled(
    screen: Screen, questions: Sequence[Question], store: ImageStore, options: BuildOptions
) -> PageResult:
    """
    Return every instruction that means a target of a set, and the set's own words for it.

    A question without a box, or that nothing on the screen answers, is left out and counted;
    so is a screen of which nothing is known where no detector is named.
    """
    falls: Counter[tuple[str, str]] = Counter()
    detector = parameters_of(options.parameters).detector
    named = shown_under(screen, questions)
    guessed = guessed_screen(named, store.get(screen.image), detector)
    if guessed is None:
        falls["screens", "no elements told: name a --detector"] += 1
        return PageResult(screen.page, screen.site, (), (), _counted(falls))
    shown: dict[str, Screen] = {}
    made: dict[str, Question] = {}
    by_box: dict[Box, list[Question]] = {}
    for question in _usable(questions, falls):
        by_box.setdefault(question.truth, []).append(question)
    kept = 0
    for truth, asked in by_box.items():
        if kept == options.targets:
            falls["targets", f"over {options.targets} a page"] += 1
            continue
        target = f"target-{asked[0].id}"
        held = with_target(guessed, truth, target)
        page = SpokenPage(held, store, options)
        rejection = check_target(page.scene, target)
        element = held.element(target)
        found = (
            candidate_of(page, element, Difficulty({})) if element and rejection is None else None
        )
        falls.update(page.falls)
        if found is None:
            falls["targets", rejection.reason if rejection else "no instruction"] += 1
            continue
        kept += 1
        shown |= {name: scene.screen for name, scene in page.scenes.items()}
        ours = questions_of(asked[0].pair, asked[0].page_name, "", {**shown}, found)
        for question in ours:
            made[question.id] = _placed(question, asked[0])
        for question in asked:
            made[question.id] = _own_words(question, held, found.measures["seen"])
    return PageResult(
        page=screen.page,
        site=screen.site,
        screens=tuple(shown.values()),
        candidates=(),
        falls=_counted(falls),
        questions=tuple(made.values()),
    )


def guessed_screen(screen: Screen, png: bytes, detector: str) -> Screen | None:
    """
    Return a set's screen with what its picture shows, None where nobody tells.

    With a ``detector`` elements are found in the picture; without one the set's own are taken,
    where it tells their roles, with the words that the picture shows in their boxes.
    """
    if detector:
        name = PurePosixPath(screen.source.partition(":")[2]).stem
        return detect(screen, BarePicture(name, png, screen.locale or "en"), detector)
    nodes = [
        DescribedNode(
            id=element.id,
            role=element.role,
            box=element.box,
            name=element.name,
            name_from="content" if element.name else "",
            words=element.text,
            opaque=False,
        )
        for element in screen.elements
        if element.role
    ]
    if not nodes:
        return None
    elements = assemble(nodes, pixels_of(png))
    return msgspec.structs.replace(
        screen, elements=elements, guessed_by=screen.source.partition(":")[0]
    )


def with_target(screen: Screen, truth: Box, target: str) -> Screen:
    """
    Return a screen on which a set's target is an element of its own, of the set's box.

    It is what was guessed there (the element whose box has an intersection over union of a
    half), and takes the place of that and of its parts. Words without a frame are a link to
    whoever looks; what shows neither counts as a button that does not look like one.
    """
    same = max(screen.elements, key=lambda item: item.box.iou(truth), default=None)
    known = same if same is not None and same.box.iou(truth) >= SAME else None
    parts = [item for item in screen.elements if item is known or _is_part(item, truth)]
    words = known if known is not None and known.text else _words(parts)
    role = (
        known.role
        if known is not None and known.role in TARGETS
        else "link"
        if words
        else "button"
    )
    element = Element(
        id=target,
        role=role,
        box=truth,
        name=words.name if words else "",
        name_from=words.name_from if words else "",
        name_boxes=words.name_boxes if words else (),
        text=words.text if words else "",
        text_boxes=words.text_boxes if words else (),
        visible_fraction=1.0,
        hits=(True,) * HIT_POINTS,
        attributes=known.attributes if known is not None and known.role == role else {},
    )
    others = tuple(item for item in screen.elements if item not in parts)
    return msgspec.structs.replace(
        screen,
        id=digest([screen.id, target, screen.guessed_by])[:16],
        elements=(*others, element),
    )


def _is_part(item: Element, truth: Box) -> bool:
    common = item.box.intersection(truth)
    return common is not None and common.area >= INSIDE * item.box.area


def _words(parts: Sequence[Element]) -> Element | None:
    """Return the one part that shows words; several would be read as one by nobody."""
    worded = [item for item in parts if item.text]
    return worded[0] if len(worded) == 1 else None


def _usable(questions: Sequence[Question], falls: Counter[tuple[str, str]]) -> Iterator[Question]:
    for question in questions:
        falls["questions", "considered"] += 1
        reasons = {
            "nothing is asked for that the screen shows": question.answerable,
            "no box": question.truth.area > 0,
            "several pictures": not question.further,
            "not asked for by a click": question.asks == "place",
        }
        failed = next((reason for reason, holds in reasons.items() if not holds), "")
        if failed:
            falls["questions", failed] += 1
        else:
            yield question


def _placed(made: Question, asked: Question) -> Question:
    """Return a question of ours with what the set says of its target's screen."""
    return msgspec.structs.replace(
        made,
        cluster=asked.cluster,
        page=asked.page_name,
        split=asked.split,
        platform=asked.platform,
        system=asked.system,
        facts={**asked.facts, **made.facts},
    )


def _own_words(asked: Question, shown: Screen, seen: float) -> Question:
    """Return a set's own question, beside ours about the same target."""
    return msgspec.structs.replace(
        asked,
        id=digest([asked.id, shown.id])[:20],
        screen=shown.id,
        facts={**asked.facts, **guess_facts(shown.guessed_by, seen)},
    )


def _counted(falls: Counter[tuple[str, str]]) -> tuple[Fall, ...]:
    return tuple(Fall(*key, count) for key, count in sorted(falls.items()) if count)
