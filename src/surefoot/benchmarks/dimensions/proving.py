"""
Every answer of a multilingual benchmark proven once more, from its questions and screens alone.

The second resolver judges names, regions and functions, as it does for ``refer``; directions and
ways of use are told here anew, by plain boxes and roles. Nothing that wrote the questions is used.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from surefoot.benchmarks.dimensions.proving_actions import ACTIONS, action_doubts
from surefoot.benchmarks.dimensions.proving_walks import SEQUENCES, walk_doubts
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Function, Place, Region
from surefoot.core.pictures import Pixels
from surefoot.core.question import Question
from surefoot.core.screen import TYPED_ROLES, Screen
from surefoot.refer.judge.verdict import Judge

EXECUTED: Final = {*SEQUENCES, *ACTIONS}
_USED: Final[Mapping[str, frozenset[str]]] = {
    "press": frozenset({"button", "link", "menuitem", "tab"}),
    "type": TYPED_ROLES,
    "toggle": frozenset({"checkbox", "switch"}),
    "choose": frozenset({"combobox", "listbox"}),
    "slide": frozenset({"slider"}),
    "static": frozenset({"heading"}),
}
_APART: Final = {
    "above": lambda one, other: other.top - one.bottom,
    "below": lambda one, other: one.top - other.bottom,
    "left of": lambda one, other: other.left - one.right,
    "right of": lambda one, other: one.left - other.right,
}
_EDGE: Final = 1.0  # pixels that neighbours may share


def doubts(screen: Screen, pixels: Pixels, questions: Iterable[Question]) -> Iterator[str]:
    """
    Say which questions about a screen cannot be proven again, and why; nothing where all can.
    """
    judge = Judge(screen, pixels)
    place = {element.id: at for at, element in enumerate(screen.elements)}
    for question in questions:
        for why in _doubts(question, screen, judge, place):
            yield f"question {question.id}: {why}"


def unmatched(questions: Sequence[Question], screens: Mapping[str, Screen]) -> Iterator[str]:
    """
    Say which items are not the same question in every language, and which actions fail.

    ``screens`` are those of the folder by id, from which what was executed is proven again.
    Each is asked in every language of its page, but in those from which it says that it is
    withheld. All have one right label and one order of options; of an option that is an element
    each language has its own id, so that its number is compared. The languages of a sequence
    are those that have all of it. A crossed item is asked in each of its languages on the
    screen in each.
    """
    yield from walk_doubts(questions, screens)
    yield from action_doubts(questions, screens)
    items: defaultdict[str, list[Question]] = defaultdict(list)
    languages: defaultdict[str, set[str]] = defaultdict(set)
    for question in questions:
        items[question.pair].append(question)
        languages[_whole(question)] |= {question.instruction.language, *_withheld(question)}
    for name, own in items.items():
        asked = {_languages(question) for question in own}
        same = {shown for shown, language in asked if shown == language}
        crossed = set(itertools.product(same, same)) if len(asked) > len(same) else asked
        whole = same | _withheld(own[0]) == languages[_whole(own[0])]
        if len(asked) != len(own) or asked != crossed or not whole:
            yield f"item {name}: not once in each language of its page"
        if len({question.answers for question in own}) > 1:
            yield f"item {name}: another label is right in another language"
        if own[0].cell.instruction != "wf" and len({_keys(question) for question in own}) > 1:
            yield f"item {name}: other options in another language"


def _languages(question: Question) -> tuple[str, str]:
    """Return the language of the screen, and that of the words."""
    language = question.instruction.language
    return question.facts.get("shown", language), language


def _withheld(question: Question) -> set[str]:
    """Return the languages in which a question says that it is not asked."""
    return {*question.facts.get("withheld", "").split()}


def _whole(question: Question) -> str:
    """Return what has languages: a page, or what was executed for an item."""
    return question.pair if question.cell.instruction in EXECUTED else question.page_name


def _doubts(
    question: Question, screen: Screen, judge: Judge, place: Mapping[str, int]
) -> Iterator[str]:
    target, keys = screen.element(question.instruction.target), _keys(question)
    labels = dict(zip(question.options, keys, strict=False))
    if target is None or len(keys) != len(question.options) or len(set(keys)) != len(keys):
        yield "no target, or not as many options as labels"
        return
    expression = question.instruction.expression
    words = [question.facts.get(label, "") for label in question.options]
    if len({word.casefold() for word in words}) != len(words) or not all(words):
        yield "two options have the same words"
    if question.cell.instruction in EXECUTED:
        return
    if expression != Expression() and not judge.judge(expression, target.id).valid:
        yield f"the name does not mean '{target.id}' alone"
    holds = _PROOFS[question.cell.instruction](question, screen, judge, place)
    for label, key in labels.items():
        right = label in question.answers
        if holds(key, right) != right:
            yield f"option {label} ({key}) is {'not ' if right else ''}proven right"


Proof = Callable[[str, bool], bool]


def _absolute(
    question: Question, _screen: Screen, judge: Judge, place: Mapping[str, int]
) -> Proof:
    at = place[question.instruction.target]

    def holds(key: str, strictly: bool) -> bool:  # noqa: FBT001 - a reading
        part: Place = key  # type: ignore[assignment]
        expression = Expression(region=Region(part))
        return at in judge.fits(expression, "strict" if strictly else "lenient")

    return holds


def _function(
    question: Question, _screen: Screen, judge: Judge, place: Mapping[str, int]
) -> Proof:
    function: Function = question.facts["function"]  # type: ignore[assignment]

    def holds(key: str, strictly: bool) -> bool:  # noqa: FBT001 - a reading
        found = judge.fits(Expression(function=function), "strict" if strictly else "lenient")
        return place.get(key, -1) in found

    return holds


def _relative(
    question: Question, screen: Screen, _judge: Judge, _place: Mapping[str, int]
) -> Proof:
    target = screen.element(question.instruction.target)
    other = screen.element(question.facts["other"])

    def holds(key: str, _strictly: bool) -> bool:  # noqa: FBT001 - a reading
        if target is None or other is None:
            return False
        return _lies(key, target.box, other.box)

    return holds


def _interaction(
    question: Question, screen: Screen, _judge: Judge, _place: Mapping[str, int]
) -> Proof:
    target = screen.element(question.instruction.target)
    return lambda key, _strictly: target is not None and target.role in _USED[key]


_PROOFS: Final = {
    "ael": _absolute,
    "rel": _relative,
    "wf": _function,
    "wi": _interaction,
}


def _lies(way: str, one: Box, other: Box) -> bool:
    """Tell whether a box is wholly past another, and in line with it."""
    if _APART[way](one, other) < -_EDGE:
        return False
    across = min(one.right, other.right) - max(one.left, other.left)
    down = min(one.bottom, other.bottom) - max(one.top, other.top)
    return (across if way in ("above", "below") else down) > 0


def _keys(question: Question) -> tuple[str, ...]:
    return tuple(question.facts.get("keys", "").split("|"))
