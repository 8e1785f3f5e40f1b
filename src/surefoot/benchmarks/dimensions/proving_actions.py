"""
Every answer about actions proven once more, from the screens of a folder alone.

That a screen is what actions lead to is told by the addresses, which spell them; what they did
is told anew, by the words that are on the screens before and after them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from surefoot.capture.actions import Action, parse_actions
from surefoot.capture.parallel.languages import primary
from surefoot.core.canonical import decode
from surefoot.core.question import Question
from surefoot.core.screen import Element, Screen
from surefoot.refer.scene.names import alike, key_of, spoken

ACTIONS: Final = frozenset({"au", "ap"})
_TITLES: Final = frozenset({"heading", "dialog", "alertdialog"})
_GAINS: Final[Mapping[str, frozenset[str]]] = {
    "on": frozenset({"checked", "pressed", "selected"}),
    "pick": frozenset({"checked", "pressed", "selected"}),
    "unfold": frozenset({"expanded"}),
    "fold": frozenset({"collapsed"}),
    "off": frozenset(),
}
_LOSSES: Final[Mapping[str, frozenset[str]]] = {
    "off": frozenset({"checked", "pressed", "selected"}),
    "unfold": frozenset({"collapsed"}),
    "fold": frozenset({"expanded"}),
    "on": frozenset(),
    "pick": frozenset(),
}


def action_doubts(questions: Iterable[Question], screens: Mapping[str, Screen]) -> Iterator[str]:
    """
    Say which questions about actions cannot be proven again, and why.

    ``screens`` are those of the folder by id.
    """
    for question in questions:
        if question.cell.instruction in ACTIONS:
            yield from (f"question {question.id}: {why}" for why in _doubts(question, screens))


def _doubts(question: Question, screens: Mapping[str, Screen]) -> Iterator[str]:
    ways = decode(question.facts["ways"].encode(), dict[str, list[str]], what="ways")
    effects = decode(
        question.facts["effects"].encode(), dict[str, tuple[str, str]], what="effects"
    )
    used = {name for way in ways.values() for name in way}
    if lacking := sorted(used - screens.keys()):
        yield f"no screen {lacking[0]}"
        return
    shown = question.facts.get("shown", question.instruction.language)
    if {primary(screens[name].locale) for name in used} != {shown}:
        yield "a screen in another language"
    executed = {
        label: [screens[name] for name in way] for label, way in ways.items() if len(way) > 1
    }
    if [*executed] != list(question.options):
        yield "not every option was executed"
        return
    (answer,) = question.answers
    for label, way in executed.items():
        away = question.cell.instruction == "au" and label != answer
        if way[0].id != question.screen and not (away and _stands(way, screens[question.screen])):
            yield f"option {label} was executed on another screen"
            return
        if not all(itertools.starmap(_follows, itertools.pairwise(way))):
            yield f"option {label} is not what its actions lead to"
            return
    if question.cell.instruction == "au":
        yield from _effects(question, effects, executed, answer)
    else:
        yield from _ways(question, effects[""], executed, answer)


def _effects(
    question: Question,
    effects: Mapping[str, tuple[str, str]],
    executed: Mapping[str, Sequence[Screen]],
    answer: str,
) -> Iterator[str]:
    """Say what is wrong with a question about what an action does."""
    right = executed[answer]
    if not _said(right, question.instruction.text.partition("\n")[0]):
        yield "the question does not say what was acted on"
    for label, (kind, name) in effects.items():
        own = executed[label]
        if not _has(kind, name, own[0], own[-1]):
            yield f"option {label} ({kind}) did not happen"
        if name not in question.facts[label]:
            yield f"option {label} does not say what happened"
        if label != answer and _may_have(kind, name, right[0], right[-1]):
            yield f"option {label} ({kind}) could be taken for right"


def _ways(
    question: Question,
    effect: tuple[str, str],
    executed: Mapping[str, Sequence[Screen]],
    answer: str,
) -> Iterator[str]:
    """Say what is wrong with a question about which actions have an effect."""
    kind, name = effect
    if name not in question.instruction.text.partition("\n")[0]:
        yield "the question does not say what is to be reached"
    for label, way in executed.items():
        if not _said(way, question.facts[label]):
            yield f"option {label} does not say what was acted on"
        if label == answer:
            if not _has(kind, name, way[0], way[-1]):
                yield f"option {label} has not the effect"
        elif any(_may_have(kind, name, way[0], reached) for reached in way[1:]):
            yield f"option {label} could be taken for right"


def _taken(before: Screen, after: Screen) -> tuple[Action, ...]:
    begun, done = parse_actions(before.source)[1], parse_actions(after.source)[1]
    return done[len(begun) :]


def _stands(way: Sequence[Screen], shown: Screen) -> bool:
    """Tell whether what was acted on first can be seen on another screen, by its name."""
    acted = _taken(way[0], way[1])[0].element
    one, other = way[0].element(acted), shown.element(acted)
    return bool(
        one
        and other
        and (one.role, one.name) == (other.role, other.name)
        and other.visible_fraction
    )


def _follows(before: Screen, after: Screen) -> bool:
    (page, begun), (other, done) = parse_actions(before.source), parse_actions(after.source)
    return page == other and done[: len(begun)] == begun and len(done) > len(begun)


def _said(way: Sequence[Screen], words: str) -> bool:
    """Tell whether words name all that was acted on, and what was typed, in that order."""
    at = 0
    for before, after in itertools.pairwise(way):
        for action in _taken(before, after):
            element = before.element(action.element)
            wanted = [spoken(element.name)] if element and action.kind != "press" else []
            wanted += [action.text] if action.kind in {"type", "press"} else []
            places = [words.find(word, at) for word in wanted]
            if not wanted or min(places) < 0:
                return False
            at = min(places)
    return True


def _visible(screen: Screen) -> list[Element]:
    return [item for item in screen.elements if item.visible_fraction > 0]


def _titles(screen: Screen) -> set[str]:
    return {spoken(item.name) for item in _visible(screen) if item.role in _TITLES}


def _reads(screen: Screen, words: str) -> bool:
    wanted = key_of(words).compact
    return any(
        wanted in key_of(form).compact
        for item in _visible(screen)
        for form in (item.name, item.text, item.attributes.get("value", ""))
    )


def _called(screen: Screen, words: str) -> int:
    """Count what can be seen under a name."""
    return sum(alike(words, spoken(item.name or item.text)) for item in _visible(screen))


def _changed(before: Screen, after: Screen) -> tuple[set[str], set[str]]:
    """Return the states that the last element acted on gained and lost."""
    target = _taken(before, after)[-1].element
    was, now = before.element(target), after.element(target)
    if was is None or now is None:  # what is gone is neither on nor off
        return set(), set()
    # The focus goes with every click.
    one, other = ({*item.states} - {"focused"} for item in (was, now))
    return other - one, one - other


def _places(screen: Screen) -> list[tuple[str, str]]:
    items = sorted(_visible(screen), key=lambda item: (item.box.top, item.box.left))
    return [(item.role, item.name or item.text) for item in items]


def _has(kind: str, name: str, before: Screen, after: Screen) -> bool:
    """Tell whether an effect is so, word for word."""
    if kind in {"page", "dialog"}:
        return name in _titles(after) and name not in _titles(before)
    if kind in {"menu", "show"}:
        return _reads(after, name) and not _reads(before, name)
    if kind == "hide":
        return _reads(before, name) and not _reads(after, name)
    if kind == "order":
        return _places(before) != _places(after)
    gained, lost = _changed(before, after)
    return bool(gained & _GAINS[kind] or lost & _LOSSES[kind])


def _may_have(kind: str, name: str, before: Screen, after: Screen) -> bool:
    """Tell whether an effect could be taken for true."""
    if kind in {"page", "dialog"}:
        return any(alike(name, title) for title in _titles(after) | {after.title})
    if kind in {"menu", "show"}:
        return _reads(after, name)
    if kind == "hide":  # of several that are called so one may go
        return not _reads(after, name) or _called(after, name) < _called(before, name)
    if kind == "order":
        return sorted(_places(before)) == sorted(_places(after)) and _has(kind, "", before, after)
    return any(_changed(before, after))
