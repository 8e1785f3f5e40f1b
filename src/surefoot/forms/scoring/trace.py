"""
Reduce an episode, and what the server kept of it, to what its score depends on.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from surefoot.core.geometry import Box, Point, distance_to_polygon
from surefoot.core.question import Unparsed
from surefoot.forms.driver.actions import Action, Click, MouseDown, Press, Type, Upload
from surefoot.forms.driver.episode import Episode, EpisodeStep
from surefoot.forms.driver.executor import ExecutedAction
from surefoot.forms.record import RunRecord
from surefoot.forms.scoring.attempt import (
    Attempt,
    ClickRecord,
    held_at_end,
    submitted_last,
    texts_of,
)
from surefoot.forms.specification import Form


def attempt_of(form: Form, episode: Episode, record: RunRecord) -> Attempt:
    """
    Return what an agent said, clicked and left in the controls.

    The server's events and the driver's own look at the controls both count: a page without
    scripts sends no events, and a control may change between two looks.
    """
    ever = [change for effect in _effects(episode) for change in _changes(effect)]
    kinds = {field.id: field.kind for field in form.fields}
    seen = [
        (event.field, texts_of(kinds[event.field], event.value))
        for event in record.events
        if event.field in kinds
    ]
    return Attempt(
        said=tuple(step.reply for step in episode.steps),
        written=tuple(_written(episode)),
        picked=tuple(_picked(episode)),
        passages=tuple(_passages(episode)),
        clicks=tuple(_clicks(episode)),
        ever=tuple(item for item in (*ever, *seen) if item[1]),
        held=_held(form, episode, record),
        submitted=submitted_last(record),
    )


def _actions(episode: Episode) -> Iterator[Sequence[Action]]:
    """Yield the actions of each reply, whether or not they were still carried out."""
    for step in episode.steps:
        yield [item for item in step.read if not isinstance(item, Unparsed)]


def _written(episode: Episode) -> Iterator[str]:
    for actions in _actions(episode):
        for action in actions:
            if isinstance(action, Type):
                yield action.text
            elif isinstance(action, Upload):
                yield action.file


def _picked(episode: Episode) -> Iterator[str]:
    """Yield what was typed with Enter behind it, and what clicks are said to be at."""
    for actions in _actions(episode):
        for action, after in itertools.zip_longest(actions, actions[1:]):
            if isinstance(action, Click) and action.content:
                yield action.content
            if isinstance(action, Type) and (
                action.text.endswith("\n") or after == Press("Enter") or after == Type("\n")
            ):
                yield action.text


def _passages(episode: Episode) -> Iterator[str]:
    """Yield what was typed without a click in between as one text, and what clicks tell."""
    click_text = typed = ""
    for action in itertools.chain.from_iterable(_actions(episode)):
        match action:
            case Type(text):
                typed += text
            case Press("Enter" | "Shift+Enter"):
                typed += "\n"
            case _:
                yield from _distinct(click_text, typed)
                click_text, typed = action.content if isinstance(action, Click) else "", ""
    yield from _distinct(click_text, typed)


def _distinct(*texts: str) -> Iterator[str]:
    """Yield texts with something in them; what a click tells is mostly what is typed next."""
    yield from dict.fromkeys(filter(None, map(str.strip, texts)))


def _held(form: Form, episode: Episode, record: RunRecord) -> dict[str, tuple[str, ...]]:
    """
    Return what each control held at the end.

    The driver's look is the later word, but for the field in which an action turned the page,
    as by the Enter key: that page was gone before the look.
    """
    at_end = held_at_end(form, record.events)
    held = dict(at_end)
    for effect in _effects(episode):
        held.update(_changes(effect))
        if effect.page_after != effect.page and effect.field in at_end:
            held[effect.field] = at_end[effect.field]
    return held


def _effects(episode: Episode) -> Iterator[ExecutedAction]:
    for step in episode.steps:
        yield from step.effects


def _changes(effect: ExecutedAction) -> Iterator[tuple[str, tuple[str, ...]]]:
    for change in effect.changes:
        yield change.field, change.after


def _clicks(episode: Episode) -> Iterator[ClickRecord]:
    for step in episode.steps:
        for effect in step.effects:
            if effect.own and isinstance(effect.action, Click | MouseDown | Upload):
                point = Point(effect.action.x, effect.action.y)
                yield ClickRecord(effect.field, effect.option, _distances(step, effect, point))


def _distances(step: EpisodeStep, effect: ExecutedAction, point: Point) -> dict[str, float]:
    """Measure against where the fields lay in the picture that the agent was shown."""
    found = {field.id: _distance(point, field.box) for field in step.fields}
    if effect.field and effect.distance is not None:
        found[effect.field] = effect.distance
    return found


def _distance(point: Point, box: Box) -> float:
    left, top, right, bottom = box.as_tuple()
    corners = [Point(left, top), Point(right, top), Point(right, bottom), Point(left, bottom)]
    return distance_to_polygon(point, corners)
