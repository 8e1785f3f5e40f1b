"""
`perturbed` from an imported set: its own words, its pictures changed, its boxes carried along.

A set has no live interface, so only what changes pictures can be asked for. A question is
kept where all its places are wholly seen in every variant, so that every comparison is a
matched pair. What a set, or a benchmark, shows under a variant of its own stays so named:
"style", and "style+dark" under one of ours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from surefoot.benchmarks.benchmark import BuildOptions, Fall, ImageStore, PageResult
from surefoot.benchmarks.matching import shown_under
from surefoot.core.canonical import digest
from surefoot.core.edit import Filter, Letterbox, Resize
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.perturbation import ORIGINAL, parse_variant, variant_over
from surefoot.core.question import Question
from surefoot.core.screen import HIT_POINTS, Element, Screen
from surefoot.perturb.image.change import change_picture, split_edits

_MARK: Final = "place of a question "
_SLACK: Final = 1e-6  # of a box: what adding and scaling floats may lose


class _Shot(msgspec.Struct, frozen=True):
    """
    Hold a screen under one of our variants, its places apart, and whether all is still there.
    """

    variant: str
    screen: Screen
    places: dict[str, Element]
    whole: bool


def require_pictures(options: BuildOptions) -> None:
    """Raise InvalidInputError for a variant that needs a live interface."""
    live = [name for name in options.variants if not parse_variant(name).picture]
    if live:
        raise InvalidInputError(
            "variants that change pictures alone, for an imported set",
            found=", ".join(live),
            remedy=f"write --variants {ORIGINAL},jpeg,blur,...",
        )


def perturb_labelled(
    screen: Screen, questions: Sequence[Question], store: ImageStore, options: BuildOptions
) -> PageResult:
    """
    Return a set's screen under every variant, with its questions' boxes carried along.

    The variants of a set's own are kept, and ours named after them. Left out and counted are
    questions without a picture or with several, those a place of which a variant cuts off or
    covers, and, where a variant does so at all, those that have no place.
    """
    falls: Counter[tuple[str, str]] = Counter()
    falls["questions", "considered"] = len(questions)
    pictured = [question for question in questions if question.image]
    falls["questions", "no picture"] = len(questions) - len(pictured)
    usable = [question for question in pictured if not question.further]
    falls["questions", "several pictures"] = len(pictured) - len(usable)
    kept = usable[: options.targets]
    falls["questions", f"over {options.targets} a screen"] = len(usable) - len(kept)
    shots = [*_shots(shown_under(screen, kept), kept, store, options)] if kept else []
    made: list[Question] = []
    for item in kept:
        lost = next((name for shot in shots if (name := _lost(item, shots[0], shot))), "")
        if lost:
            falls["questions", lost] += 1
            continue
        made += (_carried(item, shot) for shot in shots)
    return PageResult(
        page=screen.page,
        site=screen.site,
        screens=tuple(shot.screen for shot in shots),
        candidates=(),
        falls=tuple(Fall(*key, count) for key, count in sorted(falls.items()) if count),
        questions=tuple(made),
    )


def _shots(
    screen: Screen, questions: Sequence[Question], store: ImageStore, options: BuildOptions
) -> Iterator[_Shot]:
    """Yield the screen under every variant; places go along as if they were controls."""
    png = store.get(screen.image)
    marks = tuple(_marks(screen, questions))
    marked = msgspec.structs.replace(screen, elements=(*screen.elements, *marks))
    for name in options.variants:
        variant = variant_over(screen.variant, name)
        _, edits = split_edits(parse_variant(name).edits(marked, options.seed))
        shown = msgspec.structs.replace(marked, variant=variant)
        if edits:
            shown, changed = change_picture(marked, png, edits, variant=variant)
            store.put(changed)
        places = {
            element.id: element for element in shown.elements if element.id.startswith(_MARK)
        }
        others = tuple(element for element in shown.elements if element.id not in places)
        whole = all(isinstance(edit, Filter | Resize | Letterbox) for edit in edits)
        yield _Shot(name, msgspec.structs.replace(shown, elements=others), places, whole)


def _marks(screen: Screen, questions: Sequence[Question]) -> Iterator[Element]:
    for question in questions:
        for number, box in enumerate(_places(question)):
            seen = screen.bounds.intersection(box)
            yield Element(
                _mark(question, number),
                "button",
                box,
                visible_fraction=seen.area / box.area if seen else 0.0,
                hits=(True,) * HIT_POINTS,
            )


def _places(question: Question) -> tuple[Box, ...]:
    return (question.truth, *question.boxes) if question.truth.area > 0 else ()


def _mark(question: Question, number: int) -> str:
    return f"{_MARK}{question.id} {number}"


def _lost(question: Question, original: _Shot, shot: _Shot) -> str:
    """Say why a question cannot be asked under a variant; "" where it can."""
    name = shot.variant
    places = _places(question)
    if not places:
        return "" if shot.whole else f"no place, and something may be unseen under {name}"
    for number in range(len(places)):
        mark = _mark(question, number)
        was, now = original.places[mark], shot.places.get(mark)
        seen = 0.0 if now is None else now.visible_fraction
        if seen < was.visible_fraction - _SLACK:
            return f"cut or covered under {name}"
    return ""


def _carried(question: Question, shot: _Shot) -> Question:
    shown = shot.screen
    boxes = [shot.places[_mark(question, n)].box for n in range(len(_places(question)))]
    truth = boxes[0] if boxes else question.truth
    return msgspec.structs.replace(
        question,
        id=digest([question.id, shown.variant])[:20],
        cell=msgspec.structs.replace(
            question.cell, variant=variant_over(question.cell.variant, shot.variant)
        ),
        screen=shown.id,
        image=shown.image,
        width=shown.width,
        height=shown.height,
        truth=truth,
        boxes=tuple(boxes[1:]),
        polygon=tuple(_moved(point, question.truth, truth) for point in question.polygon),
    )


def _moved(corner: Point, before: Box, after: Box) -> Point:
    """Move a corner as the box around it moved, which is by one factor and offset an axis."""
    return Point(
        after.left + (corner.x - before.left) * after.width / before.width,
        after.top + (corner.y - before.top) * after.height / before.height,
    )
