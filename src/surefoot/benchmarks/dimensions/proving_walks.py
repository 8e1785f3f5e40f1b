"""
Every answer about a sequence of screens proven once more, from the screens of a folder alone.

That each screen follows from the one before is told by their addresses, which spell the actions;
what an action did is told anew, by what is on the screens before and after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

import msgspec

from surefoot.capture.actions import Action, parse_actions
from surefoot.capture.parallel.languages import primary
from surefoot.core.canonical import decode
from surefoot.core.question import Question
from surefoot.core.screen import Element, Screen
from surefoot.exploration.effects import state_digest
from surefoot.refer.scene.names import alike, key_of, spoken

SEQUENCES: Final = {"si": (2, 3), "ri": (4, 7)}  # pictures, at least and at most
_CHOSEN: Final = frozenset({"checked", "pressed", "selected"})
_OPENS: Final = frozenset({"dialog", "alertdialog"})
_Claim: TypeAlias = tuple[str, str, str]


class _Step(msgspec.Struct, frozen=True):
    """Hold the screens before and after an action, and what was done."""

    before: Screen
    after: Screen
    actions: tuple[Action, ...]

    @property
    def target(self) -> Element | None:
        """Return what was acted on."""
        return self.before.element(self.actions[0].element)

    @property
    def value(self) -> str:
        """Return what was typed or chosen, "" for anything else."""
        first, target = self.actions[0], self.target
        if first.kind == "type":
            return first.text
        if first.kind != "choose" or target is None:
            return ""
        options = target.attributes.get("options", "").split("\u001f")
        return options[int(first.text)].strip() if int(first.text) < len(options) else ""

    @property
    def gained(self) -> set[str]:
        """Return the states of the target that came."""
        return _states(self.after, self.target) - _states(self.before, self.target)

    @property
    def lost(self) -> set[str]:
        """Return the states of the target that went."""
        return _states(self.before, self.target) - _states(self.after, self.target)


def walk_doubts(questions: Iterable[Question], screens: Mapping[str, Screen]) -> Iterator[str]:
    """
    Say which questions about sequences cannot be proven again, and why.

    ``screens`` are those of the folder by id.
    """
    for question in questions:
        if question.cell.instruction in SEQUENCES:
            yield from (f"question {question.id}: {why}" for why in _doubts(question, screens))


def _doubts(question: Question, screens: Mapping[str, Screen]) -> Iterator[str]:
    least, most = SEQUENCES[question.cell.instruction]
    if not least <= len(question.screen_images) <= most:
        yield f"{len(question.screen_images)} pictures"
    if len({*question.images}) < len(question.images):
        yield "two pictures are the same"
    shown_steps = decode(question.facts["steps"].encode(), list[tuple[str, str]], what="steps")
    used = {name for pair in shown_steps for name in pair}
    if lacking := sorted(used - screens.keys()):
        yield f"no screen {lacking[0]}"
        return
    shown = question.facts.get("shown", question.instruction.language)
    if {primary(screens[name].locale) for name in used} != {shown}:
        yield "a screen in another language"
    pictures = [image.screen for image in question.screen_images]
    if pictures != [shown_steps[0][0], *(after for _, after in shown_steps)]:
        yield "the pictures are not those of its steps"
    steps = []
    for before, after in shown_steps:
        step = _step(screens[before], screens[after])
        if step is None:
            yield f"{after} is not what an action leads to from {before}"
            return
        steps.append(step)
    for item, other in pairwise(steps):
        if state_digest(item.after) != state_digest(other.before):
            yield f"{other.before.id} is not the state that {item.after.id} shows"
    yield from _options(question, steps)


def _options(question: Question, steps: Sequence[_Step]) -> Iterator[str]:
    claims = decode(question.facts["claims"].encode(), dict[str, list[_Claim]], what="claims")
    for label in question.options:
        own, words = claims.get(label, []), question.facts.get(label, "")
        complete = all(part in words for _, *parts in own for part in parts)
        if not own or not complete:
            yield f"option {label} does not say what it claims"
        if label in question.answers:
            false = [claim for claim in own if not _holds(claim, steps)]
            false = false or own[-1:][_in_order(own, steps) :]
        else:
            false = [] if any(not _may_hold(claim, steps) for claim in own) else own[:1]
        if false:
            how = "not " if label in question.answers else ""
            yield f"option {label} ({false[0][0]}) is {how}proven right"


def _step(before: Screen, after: Screen) -> _Step | None:
    (page, begun), (other, done) = parse_actions(before.source), parse_actions(after.source)
    actions = done[len(begun) :]
    follows = page == other and done[: len(begun)] == begun
    alone = len({action.element for action in actions}) == 1
    return _Step(before, after, actions) if follows and alone else None


def _holds(claim: _Claim, steps: Sequence[_Step]) -> bool:
    """Tell whether a claim is so, word for word."""
    kind, name, value = claim
    if kind == "from":
        return name in _headings(steps[0].before)
    return any(
        _DID[kind](step, name, value) and (kind in _ENDS or not name or _named(step) == name)
        for step in steps
    )


def _in_order(claims: Sequence[_Claim], steps: Sequence[_Step]) -> bool:
    """Tell whether claims are so one after another, the last of them of the last step."""
    at = 0
    for claim in claims:
        if claim[0] != "from":
            at = next((n + 1 for n in range(at, len(steps)) if _holds(claim, steps[n : n + 1])), 0)
            if not at:
                return False
    return bool(claims) and _holds(claims[-1], steps[-1:])


def _may_hold(claim: _Claim, steps: Sequence[_Step]) -> bool:
    """Tell whether a claim could be taken for true of any of the steps."""
    kind, name, value = claim
    if value:
        return any(alike(value, step.value) for step in steps)
    if any(alike(name, words) for step in steps for words in _touched(step)):
        return True
    screens = [steps[0].before, *(step.after for step in steps)]
    wanted = key_of(name).compact
    return kind in _ENDS and any(
        key_of(words).compact.startswith(wanted)
        for screen in screens
        for words in (screen.title, *_headings(screen), *_dialogs(screen))
    )


def _touched(step: _Step) -> set[str]:
    """Return the words of what a step acted on, and of what gained or lost a state by it."""
    was = {item.id: item.states for item in step.before.elements}
    items = [item for item in step.after.elements if item.states != was.get(item.id, item.states)]
    if step.target is not None:
        items.append(step.target)
    return {words for item in items for words in (item.name, item.text) if words}


def _named(step: _Step) -> str:
    return spoken(step.target.name) if step.target else ""


def _states(screen: Screen, element: Element | None) -> set[str]:
    found = screen.element(element.id) if element else None
    return {*found.states} if found else set()


def _seen(screen: Screen) -> dict[str, Element]:
    return {item.id: item for item in screen.elements if item.visible_fraction > 0}


def _headings(screen: Screen) -> set[str]:
    return {spoken(item.name) for item in _seen(screen).values() if item.role == "heading"}


def _dialogs(screen: Screen) -> set[str]:
    return {item.name for item in _seen(screen).values() if item.role in _OPENS}


def _words(screen: Screen) -> set[tuple[str, str, str]]:
    return {(item.id, item.name, item.text) for item in _seen(screen).values()}


def _came(step: _Step) -> bool:
    return bool(_words(step.after) - _words(step.before))


def _went(step: _Step) -> bool:
    return bool(_words(step.before) - _words(step.after))


def _moved(step: _Step) -> bool:
    places = [
        [(item.id, item.box.top, item.box.left) for item in _seen(screen).values()]
        for screen in (step.before, step.after)
    ]
    return places[0] != places[1] or _came(step)


def _new_page(step: _Step, name: str, _value: str) -> bool:
    return name in _headings(step.after) and name not in _headings(step.before)


def _new_dialog(step: _Step, name: str, _value: str) -> bool:
    new = _seen(step.after).keys() - {item.id for item in step.before.elements}
    opened = any(step.after.element(item).role in _OPENS for item in new)  # type: ignore[union-attr]
    return opened and name in _headings(step.after) | {*map(spoken, _dialogs(step.after))}


def _entered(step: _Step, _name: str, value: str) -> bool:
    wanted = key_of(value).compact
    read = any(
        wanted in key_of(words).compact
        for item in _seen(step.after).values()
        for words in (item.name, item.text, item.attributes.get("value", ""))
    )
    return step.value == value and read


_ENDS: Final = frozenset({"from", "page", "dialog"})
_DID: Final[Mapping[str, Callable[[_Step, str, str], bool]]] = {
    "page": _new_page,
    "dialog": _new_dialog,
    "menu": lambda step, _name, _value: _came(step),
    "tab": lambda step, _name, _value: "selected" in step.gained,
    "on": lambda step, _name, _value: bool(_CHOSEN & step.gained),
    "pick": lambda step, _name, _value: bool(_CHOSEN & step.gained),
    "off": lambda step, _name, _value: bool(_CHOSEN & step.lost),
    "unfold": lambda step, _name, _value: "expanded" in step.gained or "collapsed" in step.lost,
    "fold": lambda step, _name, _value: "collapsed" in step.gained or "expanded" in step.lost,
    "choose": _entered,
    "enter": _entered,
    "write": _entered,
    "search": _entered,
    "order": lambda step, _name, _value: _moved(step),
    "show": lambda step, _name, _value: _came(step),
    "hide": lambda step, _name, _value: _went(step),
    "change": lambda step, _name, _value: _moved(step) or bool(step.gained | step.lost),
    "follow": lambda step, _name, _value: _came(step) and _went(step),
}
