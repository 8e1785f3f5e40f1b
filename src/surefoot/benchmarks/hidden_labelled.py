"""
Hidden forms from an imported set: its own words, its own boxes, its own splits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, Literal

import msgspec

from surefoot.benchmarks.benchmark import BuildOptions, Fall, ImageStore, PageResult
from surefoot.benchmarks.hidden_parameters import hidden_parameters_of
from surefoot.benchmarks.hiding import HIDE, companions, mask_boxes, touches
from surefoot.benchmarks.matching import shown_under
from surefoot.core.canonical import digest
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression
from surefoot.core.perturbation import ORIGINAL, variant_over
from surefoot.core.question import Question
from surefoot.core.screen import HIT_POINTS, Element, Screen
from surefoot.core.seeds import derive_seed
from surefoot.refer.read.free_parse import free_parse
from surefoot.refer.resolve.resolve import fits
from surefoot.refer.scene.names import alike
from surefoot.refer.scene.scene import Scene

Together = Literal["one", "share", "all"]
DESCRIBED: Final = "described"  # an attribute: by which of a set's descriptions
_RULES: Final[dict[str, Together]] = {"screenqa": "all", "uibert": "share"}


def together(source: str) -> Together:
    """
    Return which boxes of a screen are masked at once, by the set that it came from.

    As the paper does: all answers of a ScreenQA screen, a share of a UIBert screen's boxes
    (the target always among them), and the one box of any other set.

    >>> together("screenqa-boxes:rico/1.jpg"), together("screenspot:a.png")
    ('all', 'one')
    """
    name = source.partition(":")[0]
    return next((rule for start, rule in _RULES.items() if name.startswith(start)), "one")


class _Shots:
    """Mask a screen's picture, once where questions have the same boxes masked."""

    def __init__(self, screen: Screen, store: ImageStore, ring: int) -> None:
        self._screen, self._store, self._ring = screen, store, ring
        self._png = b""
        self._known: dict[tuple[str, tuple[Box, ...]], Screen] = {}

    def masked(self, boxes: tuple[Box, ...], variant: str) -> Screen:
        """Return the screen with boxes masked; its picture is stored."""
        if variant == ORIGINAL:
            return self._screen
        if (variant, boxes) not in self._known:
            self._png = self._png or self._store.get(self._screen.image)
            shown, png = mask_boxes(self._screen, self._png, boxes, variant, ring=self._ring)
            self._store.put(png)
            named = variant_over(self._screen.variant, variant)
            self._known[variant, boxes] = msgspec.structs.replace(shown, variant=named)
        return self._known[variant, boxes]


def mask_labelled(
    screen: Screen, questions: Sequence[Question], store: ImageStore, options: BuildOptions
) -> PageResult:
    """
    Return a set's screen with its questions' boxes masked, in every variant but ``hide``.

    A question without a box, without a picture, that nothing on the screen answers, or whose
    words, as far as they can be read, are true of an element that stays, is left out and
    counted. Splits, words and pairs stay as the set has them.
    """
    falls: Counter[tuple[str, str]] = Counter()
    usable = [question for question in questions if _usable(question, falls)]
    parameters = hidden_parameters_of(options.parameters)
    if len(usable) > options.targets:
        falls["questions", f"over {options.targets} a screen"] += len(usable) - options.targets
    shots = _Shots(shown_under(screen, usable), store, parameters.ring)
    answers = _answers(usable) if together(screen.source) == "all" else ()
    screens: dict[str, Screen] = {screen.id: screen}
    made: list[Question] = []
    for item in usable[: options.targets]:
        boxes = answers or _boxes(screen, item, options.seed, parameters.share)
        if _true_of_another(screen, item, boxes):
            falls["questions", "true of another element, which is not hidden"] += 1
            continue
        for variant in options.variants:
            if variant == HIDE:
                falls[HIDE, "no live interface"] += 1
                continue
            shown = shots.masked(boxes, variant)
            screens[shown.id] = shown
            made.append(_masked(item, shown, variant, len(boxes)))
    return PageResult(
        page=screen.page,
        site=screen.site,
        screens=tuple(screens.values()),
        candidates=(),
        falls=tuple(Fall(*key, count) for key, count in sorted(falls.items())),
        questions=tuple(made),
    )


def _usable(question: Question, falls: Counter[tuple[str, str]]) -> bool:
    reasons = {
        "nothing is asked for that the screen shows": question.answerable,
        "no box": question.truth.area > 0,
        "no picture": bool(question.image),
        "several pictures": not question.further,
    }
    failed = next((reason for reason, holds in reasons.items() if not holds), "")
    falls["questions", "considered"] += 1
    if failed:
        falls["questions", failed] += 1
    return not failed


def _true_of_another(screen: Screen, asked: Question, boxes: tuple[Box, ...]) -> bool:
    """
    Tell whether a question's words fit an element that stays to be seen.

    They are read as English instructions are; those that cannot be read may still quote what
    the target is called. A set says nothing of what can be seen, so all of it counts as seen.
    """
    target = screen.element(asked.instruction.target)
    read = free_parse(asked.instruction.text)
    if read is not None:
        expression = read.expression
    elif target is not None and alike(asked.instruction.text, target.name):
        expression = Expression(name=target.name)
    else:
        return False
    left = tuple(
        msgspec.structs.replace(element, visible_fraction=1.0, hits=(True,) * HIT_POINTS)
        for element in screen.elements
        if not any(box.contains(element.box.center) for box in boxes)
    )
    scene = Scene(msgspec.structs.replace(screen, elements=left))
    return bool(fits(scene, expression, "lenient").any())


def _boxes(screen: Screen, asked: Question, seed: int, share: float) -> tuple[Box, ...]:
    """Return what is masked with a question's own boxes, each box once, sorted."""
    own = {asked.truth, *asked.boxes}
    if together(screen.source) == "share":
        drawn = {
            element.id: element.box for element in _alike(screen, asked) if element.box.area > 0
        }
        rest = {name: box for name, box in drawn.items() if not touches(box, asked.truth)}
        own_seed = derive_seed(seed, screen.page, asked.id)
        chosen = companions(["", *rest], "", own_seed, share=share)
        own |= {rest[name] for name in chosen if name}
    return tuple(sorted(own, key=Box.as_tuple))


def _answers(questions: Sequence[Question]) -> tuple[Box, ...]:
    """Return the boxes of all questions of a screen, each box once, sorted."""
    every = {box for question in questions for box in (question.truth, *question.boxes)}
    return tuple(sorted(every, key=Box.as_tuple))


def _alike(screen: Screen, asked: Question) -> Iterator[Element]:
    """Yield the elements that the set describes in the same way as the target."""
    target = screen.element(asked.instruction.target)
    wanted = target.attributes.get(DESCRIBED) if target else None
    for element in screen.elements:
        if wanted is None or element.attributes.get(DESCRIBED) == wanted:
            yield element


def _masked(question: Question, shown: Screen, variant: str, masked: int) -> Question:
    own = variant_over(question.cell.variant, variant)
    source = shown.source.partition(":")[0]
    return msgspec.structs.replace(
        question,
        id=digest([question.id, own])[:20],
        cell=msgspec.structs.replace(question.cell, variant=own),
        screen=shown.id,
        image=shown.image,
        facts={**question.facts, "masked": str(masked), "set": source},
    )
