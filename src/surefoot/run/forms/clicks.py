"""
The clicks of runs over forms: each field that was to be filled in, as a question.

The agent was handed all values at once and clicked where it took each field to be. The click
that belongs to a field is the one before its value was typed, or else the first one on what is
the field's own; it misses where it lies outside the field's control and all of its options, in
the picture that the agent was shown. Of a field that was filled in without a click nothing is
known.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Point
from surefoot.core.instruction import Action, Expression, Instruction
from surefoot.core.question import Answer, Cell, Question, Unparsed
from surefoot.core.screen import HIT_POINTS, Element, Screen
from surefoot.forms.driver.actions import Click, MouseDown, Type, Upload
from surefoot.forms.driver.executor import ExecutedAction
from surefoot.forms.driver.observation import LiveField
from surefoot.forms.specification import KINDS, Kind
from surefoot.run.asking.recorded import Met, RecordedClick, RecordedForms
from surefoot.run.forms.running import read_results
from surefoot.run.forms.units import FormResult, Turn
from surefoot.run.forms.words import FieldWords

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


def read_clicks(folder: Path) -> RecordedForms:
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
        words = {word.field: word for word in result.words}
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


def _aims(result: FormResult) -> dict[str, tuple[int, ExecutedAction]]:
    """Return for each field the click that went for it, with the number of its turn."""
    values = {word.expected: word.field for word in reversed(result.words) if word.expected}
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
    own = {field: item for field, item in clicked.items() if id(item[1]) not in taken}
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
    labels = {word.field: word.label for word in result.words}
    widgets = {field.field: KINDS.get(field.kind).widget for field in form.fields}
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
        return RecordedClick(question, Answer(question.id, "", none), "nothing")
    point = Point(effect.action.x, effect.action.y)
    met: Met = "no field"
    if effect.field:
        met = "label" if effect.field == live.id else "another field"
    return RecordedClick(question, Answer(question.id, "", point), met)
