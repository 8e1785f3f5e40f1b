"""
What runs over forms have answered already: each field that was to be filled in is an element.

The agent was handed all values at once and clicked where it took each field to be. The click
that belongs to a field is the one before its value was typed, or else the first one on what is
the field's own; it misses where it lies outside the field's control and all of its options, in
the picture that the agent was shown. Of a field that was filled in without a click nothing is
known. Nothing can be asked anew: the form is not open any more.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Point
from surefoot.core.instruction import Action, Expression, Instruction
from surefoot.core.question import Answer, Cell, Question, Unparsed
from surefoot.core.screen import HIT_POINTS, Element, Screen
from surefoot.diagnose.features.vocabulary import described
from surefoot.diagnose.search.arms import Arm, ArmResult, Met, Plan, Subject
from surefoot.diagnose.search.pool import clustered
from surefoot.diagnose.search.trail import RECORDED, Trail
from surefoot.forms.driver.actions import Click, MouseDown, Type, Upload
from surefoot.forms.driver.executor import ExecutedAction
from surefoot.forms.driver.observation import LiveField
from surefoot.forms.specification import KINDS, Kind
from surefoot.refer.generate.describe import cost_of
from surefoot.refer.scene.scenes import Scenes
from surefoot.run.forms.running import read_results
from surefoot.run.forms.units import FormResult, Turn
from surefoot.run.forms.words import FieldWords
from surefoot.score.stats.units import Unit

FORMS: Final = "forms"
CANNOT: Final = "its forms were filled in once, and are not open any more"
_ROLES: Final = {
    Kind.CHECKBOX: "checkbox",
    Kind.MULTI_CHOICE: "checkbox",
    Kind.RADIO: "radio",
    Kind.DROP_DOWN: "combobox",
    Kind.NUMBER: "spinbutton",
    Kind.FILE: "button",
}
_ACTIONS: Final[dict[str, Action]] = {
    "textbox": "type",
    "spinbutton": "type",
    "combobox": "select",
}


class RecordedClick(msgspec.Struct, frozen=True):
    """Pair a field that was to be filled in, as a question, with the click that went for it."""

    question: Question
    answer: Answer
    met: Met


class RecordedForms(msgspec.Struct, frozen=True):
    """
    Hold what a run over forms tells: who filled them in, each field's click, and the screens.

    ``unknown`` counts the fields that were filled in without a click.
    """

    agent: str
    clicks: tuple[RecordedClick, ...]
    screens: tuple[Screen, ...]
    unknown: int


def read_forms(folder: Path) -> RecordedForms:
    """
    Read a finished run over forms as questions that were asked.

    Raises InvalidInputError for no such run, for several agents, and where nobody watched.
    """
    results = [result for result in read_results(folder) if result.turns]
    agents = sorted({result.score.agent for result in results})
    if len(agents) != 1:
        raise InvalidInputError(
            f"forms that one agent filled in, and was watched, in {folder}",
            found=", ".join(agents) or "none",
            remedy="run `surefoot forms run` with one --agent",
        )
    clicks: list[RecordedClick] = []
    screens: list[Screen] = []
    unknown = 0
    for result in results:
        shown = [_screen(result, at) for at in range(len(result.turns))]
        screens += shown
        aims = _aims(result)
        words = {one.field: one for one in result.words}
        for field in result.score.fields:
            if not field.asked or field.field not in words:
                continue
            role = _ROLES.get(field.traits.widget, "textbox")
            aimed = aims.get(field.field)
            at = _seen(result, field.field) if aimed is None else aimed[0]
            if at is None or (aimed is None and field.in_field):
                unknown += 1
                continue
            live = _live(result.turns[at], field.field)
            if live is None:
                unknown += 1
                continue
            question = _question(result, shown[at], live, words[field.field], role)
            clicks.append(_click(question, None if aimed is None else aimed[1], live))
    return RecordedForms(agents[0], tuple(clicks), tuple(screens), unknown)


def form_trails(recorded: RecordedForms, scenes: Scenes, pillar: str, unit: Unit) -> list[Trail]:
    """
    Return each field as an element that was asked about, its clicks as the answers.

    ``scenes`` have the screens already; ``unit`` is what the elements are a sample of.
    """
    found: dict[str, Trail] = {}
    # Screen by screen, since a screen's pixels are not kept for long.
    for click in sorted(recorded.clicks, key=lambda one: (one.question.screen, one.question.id)):
        question = clustered(click.question, unit)
        subject = Subject(
            question.pair,
            question.cluster,
            question.screen,
            question.instruction.target,
            question.role,
        )
        trail = found.setdefault(question.pair, Trail(subject))
        features, measures = described(question, scenes.scene(question.screen))
        cost = cost_of(question.instruction.expression)
        arm = Arm(question, features, cost, measures, pillar)
        trail.record([ArmResult(arm, click.answer, RECORDED, met=click.met)])
        trail.plans[RECORDED] = Plan(why="as the form was filled in")
        trail.pool, trail.opened, trail.ended = len(trail.tried), True, True
    return [found[pair] for pair in sorted(found)]


def _aims(result: FormResult) -> dict[str, tuple[int, ExecutedAction]]:
    """Return for each field the click that went for it, with the number of its turn."""
    values = {one.expected: one.field for one in reversed(result.words) if one.expected}
    typed: dict[str, tuple[int, ExecutedAction]] = {}
    clicked: dict[str, tuple[int, ExecutedAction]] = {}
    last: tuple[int, ExecutedAction] | None = None
    for at, turn in enumerate(result.turns):
        for effect in turn.effects:
            if not effect.own:
                continue
            if isinstance(effect.action, Click | MouseDown | Upload):
                last = at, effect
                if effect.field:
                    clicked.setdefault(effect.field, last)
            elif isinstance(effect.action, Type) and last is not None:
                field = values.get(effect.action.text.strip())
                if field is not None:
                    typed.setdefault(field, last)
                    last = None
    # Who typed a value somewhere else clicked there for it.
    taken = {id(effect) for _, effect in typed.values()}
    own = {field: one for field, one in clicked.items() if id(one[1]) not in taken}
    return {**own, **typed}


def _seen(result: FormResult, field: str) -> int | None:
    """Return the first turn in which a field was shown."""
    shown = (at for at, turn in enumerate(result.turns) if _live(turn, field) is not None)
    return next(shown, None)


def _live(turn: Turn, field: str) -> LiveField | None:
    return next((live for live in turn.fields if live.id == field), None)


def _screen(result: FormResult, at: int) -> Screen:
    """Return what was shown in a turn, its fields and buttons as elements."""
    turn, form = result.turns[at], result.score
    labels = {one.field: one.label for one in result.words}
    widgets = {one.field: KINDS.get(one.kind).widget for one in form.fields}
    fields = (
        _element(
            live.id,
            _ROLES.get(widgets.get(live.id, Kind.STRING), "textbox"),
            live,
            labels.get(live.id, ""),
        )
        for live in turn.fields
    )
    return Screen(
        id=digest([result.id, at])[:16],
        page=f"{form.form}/{turn.page}",
        source=f"forms:{form.form}",
        image=turn.image,
        width=turn.width,
        height=turn.height,
        scale=1.0,
        platform="web",
        locale=form.rendering.language,
        elements=tuple(fields),
        title=result.title,
        site=form.form,
    )


def _element(name: str, role: str, live: LiveField, label: str) -> Element:
    return Element(
        name,
        role,
        live.box,
        name=label,
        name_from="label" if label else "",
        text=" ".join(live.value),
        visible_fraction=1.0,
        hits=(True,) * HIT_POINTS,
    )


def _question(
    result: FormResult, screen: Screen, live: LiveField, words: FieldWords, role: str
) -> Question:
    """Return what was asked of a field: where its value belongs."""
    action = _ACTIONS.get(role, "click")
    drawn = result.score.rendering
    instruction = Instruction(
        text=f"Enter '{words.expected}' in the field '{words.label}'",
        language=drawn.language,
        kind="label",
        specificity="high",
        expression=Expression(label=words.label),
        target=live.id,
        action=action,
        value="" if action == "click" else words.expected,
    )
    return Question(
        id=digest([result.id, live.id])[:20],
        pair=f"{result.score.form}#{live.id}",
        cluster=result.score.form,
        cell=Cell("original", instruction.kind),
        screen=screen.id,
        image=screen.image,
        width=screen.width,
        height=screen.height,
        instruction=instruction,
        truth=live.box,
        role=role,
        boxes=tuple(option.box for option in live.options),
        platform="web",
        facts={"renderer": drawn.renderer, "theme": drawn.theme, "layout": drawn.layout},
        page=screen.page,
    )


def _click(question: Question, effect: ExecutedAction | None, live: LiveField) -> RecordedClick:
    """Return a field's click as an answer, and what it met where that was not the field."""
    if effect is None or not isinstance(effect.action, Click | MouseDown | Upload):
        none = Unparsed("no click for this field")
        return RecordedClick(question, Answer(question.id, "", none), "")
    point = Point(effect.action.x, effect.action.y)
    met: Met = "no field"
    if effect.field:
        met = "label" if effect.field == live.id else "another field"
    return RecordedClick(question, Answer(question.id, "", point), met)
