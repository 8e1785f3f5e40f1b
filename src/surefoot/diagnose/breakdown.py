"""
Where a diagnosis's failures are: by round, by what was said, and by the target's size.

All is computed from the rounds that a diagnosis keeps of each element, with intervals over
sites. Rates are those of what was asked: a search asks more of what fails, so that what was
drawn at random stands beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.diagnose.findings import AskedInstruction, Diagnosis, ElementFinding
from surefoot.diagnose.rates import (
    AT_RANDOM,
    FAILED,
    FAILED_QUESTIONS,
    HELD,
    PRECISE,
    VALID,
)
from surefoot.diagnose.search.moves import MOVES, NO_MOVE
from surefoot.diagnose.search.trail import EXPLORED
from surefoot.score.conditions.scores import Score, mean_of
from surefoot.score.metric import GivenMetric

Trait: TypeAlias = Literal["kind", "specificity", "move", "size"]

# Shorter sides in pixels at scale 1; 24 and 44 are the least that WCAG 2.2 asks of a target
# at its levels AA and AAA (success criteria 2.5.8 and 2.5.5).
SIZES: Final = {
    "under 16 px": 16.0,
    "16 to 24 px": 24.0,
    "24 to 44 px": 44.0,
    "44 px or more": float("inf"),
}
_VALUES: Final[dict[Trait, Callable[[AskedInstruction], Sequence[str]]]] = {
    "kind": lambda asked: [asked.kind],
    "specificity": lambda asked: [asked.specificity],
    "move": lambda asked: [MOVES[move] for move in asked.moves] or [NO_MOVE],
    "size": lambda asked: [size_of_target(asked.side)],
}
_ORDERED: Final[dict[Trait, tuple[str, ...]]] = {
    "specificity": ("high", "medium", "low"),
    "move": (*MOVES.values(), NO_MOVE),
    "size": tuple(SIZES),
}


def size_of_target(side: float) -> str:
    """
    Return the class of a target by its shorter side, in pixels of a screen at scale 1.

    >>> size_of_target(16.0), size_of_target(23.9)
    ('16 to 24 px', '16 to 24 px')
    """
    return next(name for name, bound in SIZES.items() if side < bound)


def failed_by(element: ElementFinding) -> int | None:
    """
    Return the round in which an element first failed, None where it never did.

    What is drawn at random and the seeds are round 0.
    """
    failed = (
        max(turn.round, 0)
        for turn in element.trail
        if any(asked.outcome == "failed" for asked in turn.asked)
    )
    return min(failed, default=None)


def success_by_round(found: Diagnosis) -> tuple[Score, ...]:
    """
    Return the share of all elements that failed by each round, from round 0 to the last.

    An element that was left or had enough failures stays what it was.
    """
    rounds = [turn.round for element in found.elements for turn in element.trail if turn.asked]
    first = [(element.cluster, failed_by(element)) for element in found.elements]
    return tuple(
        _score(
            FAILED,
            ((site, at is not None and at <= number) for site, at in first),
            found,
            ("round", str(number)),
        )
        for number in range(max(rounds, default=-1) + 1)
    )


def failure_rates(found: Diagnosis, trait: Trait, *, at_random: bool = False) -> tuple[Score, ...]:
    """
    Return how often questions fail, by one trait of theirs.

    Questions without a reply and instructions that a resolver disputes are left out; one that
    makes several moves counts for each.
    ``at_random`` counts only what was drawn at random. In an order of their own, kinds by
    how often they fail.
    """
    by_value: dict[str, list[tuple[str, bool]]] = {}
    for element in found.elements:
        for turn in element.trail:
            for asked in turn.asked:
                counted = asked.outcome not in ("no reply", "not valid")
                if counted and (turn.round == EXPLORED or not at_random):
                    pair = element.cluster, asked.outcome == "failed"
                    for value in _VALUES[trait](asked):
                        by_value.setdefault(value, []).append(pair)
    metric = AT_RANDOM if at_random else FAILED_QUESTIONS
    scores = (_score(metric, pairs, found, (trait, value)) for value, pairs in by_value.items())
    order = _ORDERED.get(trait)
    if order:
        return tuple(sorted(scores, key=lambda score: order.index(score.value)))
    return tuple(sorted(scores, key=lambda score: (-(score.amount or 0.0), score.value)))


def moves_tried(found: Diagnosis) -> dict[str, tuple[int, int]]:
    """
    Count for each move, in words, the planned rounds that tried it, and those with a failure.

    A round of a planner that picks no move counts for all moves that its instructions make.
    """
    moves: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    for element in found.elements:
        for turn in element.trail:
            if turn.round > 0 and turn.asked:
                own = [MOVES[move] for move in turn.tries] or [NO_MOVE]
                moves.update(own)
                hits.update(
                    own
                    if any(instruction.outcome == "failed" for instruction in turn.asked)
                    else ()
                )
    return {words: (moves[words], hits[words]) for words in (*MOVES.values(), NO_MOVE)}


def success_by_size(found: Diagnosis) -> tuple[Score, ...]:
    """Return the share of the elements that failed, by the size of the target as captured."""
    by_size: dict[str, list[tuple[str, bool]]] = {}
    for element in found.elements:
        pair = element.cluster, bool(element.failures)
        by_size.setdefault(size_of_target(element.side), []).append(pair)
    return tuple(
        _score(FAILED, by_size[size], found, ("size", size)) for size in SIZES if size in by_size
    )


def precision(found: Diagnosis) -> tuple[Score, ...]:
    """
    Return how many misses hold and are valid: of those selected, and without a step (figure 2).

    Each element has one miss that is selected, before it is asked again and checked. "Without
    selection" has all misses, "without a plan" those selected of the random baseline. Where
    nothing was asked twice nothing is said of what held.
    """
    twice = found.repeats is not None
    parts: dict[str, list[tuple[str, AskedInstruction]]] = {
        "selected": list(_candidates(found.elements, chosen=True)),
        "not selected": list(_candidates(found.elements, chosen=False)),
        "without a plan": list(_candidates(found.unplanned, chosen=True)),
    }
    parts["without selection"] = parts["selected"] + parts["not selected"]
    scores = []
    for value, part_pairs in parts.items():
        held = [
            (site, instruction)
            for site, instruction in part_pairs
            if instruction.outcome != "missed once"
        ]
        shares: list[tuple[GivenMetric, list[tuple[str, bool]]]] = [
            (
                PRECISE,
                [(site, instruction.outcome == "failed") for site, instruction in part_pairs],
            ),
            (VALID, [(site, instruction.outcome == "failed") for site, instruction in held]),
            (
                HELD,
                [
                    (site, instruction.outcome != "missed once")
                    for site, instruction in part_pairs
                    if twice
                ],
            ),
        ]
        scores += [
            _score(metric, pairs, found, ("selection", value)) for metric, pairs in shares if pairs
        ]
    return tuple(scores)


def _candidates(
    elements: Iterable[ElementFinding], *, chosen: bool
) -> Iterator[tuple[str, AskedInstruction]]:
    for element in elements:
        for asked in element.asked_instructions:
            if asked.candidate and (asked.question == element.selected) == chosen:
                yield element.cluster, asked


def _score(
    metric: GivenMetric,
    pairs: Iterable[tuple[str, bool]],
    found: Diagnosis,
    named: tuple[str, str],
) -> Score:
    trait, value = named
    score = mean_of(metric, pairs, found.model, unit=found.unit)
    return msgspec.structs.replace(score, trait=trait, value=value)
