"""
What is carried out once more in every language, beside the states: actions and their neighbours'.

A question about the effect of an action needs the effects of others in the same state, and one
about the way to a goal needs ways that do not lead there. Both are addresses, captured like any.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from surefoot.capture.actions import Action, parse_actions, spell_actions
from surefoot.core.canonical import digest
from surefoot.core.screen import TYPED_ROLES, Element, Screen
from surefoot.exploration.hubs import LEAST_EFFECTS, Steps
from surefoot.exploration.records import ExploredState, Transition

EDGES: Final = 20  # actions at a site that lead from one state to another
GOALS: Final = 6  # states at a site to which wrong ways are tried
ONWARD: Final = 30  # states at a site from which a way goes on


def trials_of(
    states: Sequence[ExploredState],
    transitions: Sequence[Transition],
    screens: Mapping[str, Screen],
    *,
    seed: int,
) -> tuple[str, ...]:
    """
    Return the addresses of what is carried out beside the states, each once.

    Of each site: the actions of every state in which several did something, and how it went on
    from there; actions that lead from one state to another; ways that miss a state by one
    thing: another first control, another field, a click instead of words, words that are not
    sent; and ways that go on from where nothing was tried to where something was. ``screens``
    are those of the states by page.
    """
    specs = {state.page: state.spec for state in states}
    found: list[str] = []
    by_site: defaultdict[str, list[ExploredState]] = defaultdict(list)
    for state in states:
        by_site[state.site].append(state)
    for own in by_site.values():
        pages = {state.page for state in own}
        made = [item for item in transitions if item.state in pages and item.effect is not None]
        found += (_spelt(specs[item.state], item.actions) for item in _compared(made))
        leading = [item for item in made if item.result not in {"", item.state}]
        leading.sort(key=lambda item: digest([seed, item.state, item.actions]))
        edges = [_spelt(specs[item.state], item.actions) for item in leading]
        found += [spec for spec in edges if spec not in specs.values()][:EDGES]
        found += _wrong_ways(made, specs, screens, seed)
        found += _ways_on(own, made, screens, seed)
    known = {*specs.values()}
    return tuple(spec for spec in dict.fromkeys(found) if spec not in known)


def _compared(transitions: Iterable[Transition]) -> Iterator[Transition]:
    """Yield the actions of states in which enough of them did something to be compared."""
    by_state: defaultdict[str, list[Transition]] = defaultdict(list)
    for item in transitions:
        if item.effect is not None and item.effect.kind != "nothing":
            by_state[item.state].append(item)
    for own in by_state.values():
        done = {item.actions for item in own}
        onward = [
            item
            for item in own
            if any(item.actions[:length] in done for length in range(1, len(item.actions)))
        ]
        if len(own) - len(onward) >= LEAST_EFFECTS:
            yield from own


def _spelt(spec: str, steps: Steps) -> str:
    entry, actions = parse_actions(spec)
    return spell_actions(entry, (*actions, *steps))


def _control(screen: Screen, steps: Steps) -> tuple[str, str]:
    element = screen.element(steps[0].element)
    return steps[0].element, element.name if element else ""


def _nearest(element: Element | None, others: Iterable[Element]) -> float:
    """Return how far an element's centre is from the nearest of others, in pixels."""
    if element is None:
        return float("inf")
    own = element.box.center
    return min(
        (
            ((own.x - other.box.center.x) ** 2 + (own.y - other.box.center.y) ** 2) ** 0.5
            for other in others
        ),
        default=float("inf"),
    )


def _wrong_ways(
    transitions: Sequence[Transition],
    specs: Mapping[str, str],
    screens: Mapping[str, Screen],
    seed: int,
) -> Iterator[str]:
    """Yield the addresses of ways that miss a state which takes two actions or more."""
    goals = [
        item
        for item in transitions
        if item.result in specs
        and specs[item.result] == _spelt(specs[item.state], item.actions)
        and len(parse_actions(specs[item.result])[1]) > 1
    ]
    goals.sort(key=lambda item: digest([seed, item.result]))
    for goal in goals[:GOALS]:
        spec, screen = specs[goal.state], screens[goal.state]
        for steps in _typed_otherwise(goal.actions, screen):
            yield _spelt(spec, steps)
        entry, before = parse_actions(spec)
        others = [
            other
            for other in transitions
            if specs[other.state] == entry
            and other.actions != before
            and other.result in screens
            and _can(screens[other.result], goal.actions)
        ]
        if before:
            for other in others[:2]:
                yield spell_actions(entry, (*other.actions, *goal.actions))


def _ways_on(
    states: Sequence[ExploredState],
    transitions: Sequence[Transition],
    screens: Mapping[str, Screen],
    seed: int,
) -> Iterator[str]:
    """
    Yield addresses that leave states in which nothing moved, for states in which something did.

    What is clicked led to such a state from another one, and is here under the same id and
    name; states take turns at being led to.
    """
    moved = {item.state for item in transitions if item.result not in {"", item.state}}
    leading = {
        _control(screens[item.state], item.actions): item
        for item in transitions
        if item.result in moved
        and item.effect is not None
        and item.effect.kind == "page"
        and item.actions[0].kind == "click"
    }
    led: Counter[str] = Counter()
    still = [state for state in states if state.page not in moved]
    for state in sorted(still, key=lambda state: digest([seed, state.page]))[:ONWARD]:
        ways = [
            item
            for control, item in leading.items()
            if item.result != state.page
            and _control(screens[state.page], item.actions) == control
            and _can(screens[state.page], item.actions)
        ]
        if ways:
            way = min(ways, key=lambda item: (led[item.result], digest([seed, item.result])))
            led[way.result] += 1
            yield _spelt(state.spec, way.actions)


def _typed_otherwise(steps: Steps, screen: Screen) -> Iterator[Steps]:
    """
    Yield words that are not sent, a click instead of words, and words in another field.

    Of a form its first field is left out as well.
    """
    first, *rest = steps
    if first.kind != "type":
        return
    if rest:
        yield (first,)
    yield (Action("click", first.element), *rest)
    if rest and rest[-1].element != first.element:
        yield tuple(rest)
    field = screen.element(first.element)
    fields = [
        item
        for item in screen.elements
        if item.role in TYPED_ROLES
        and item.id != first.element
        and any(item.hits)
        and item.attributes.get("editable") == "true"
    ]
    if field is not None and fields:
        other = min(fields, key=lambda item: _nearest(item, [field])).id
        yield (
            Action("type", other, first.text),
            *(
                Action(action.kind, other, action.text)
                if action.element == first.element
                else action
                for action in rest
            ),
        )


def _can(screen: Screen, steps: Steps) -> bool:
    """Tell whether a screen shows what steps begin with."""
    element = screen.element(steps[0].element)
    return element is not None and any(element.hits)
