"""
A privileged agent that fills given values in, right or wrong ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from surefoot.forms.driver.actions import Action, Finish, Scroll
from surefoot.forms.driver.agent import AgentReply, Policy
from surefoot.forms.driver.filling import click_on, fill_field
from surefoot.forms.driver.observation import LiveField, Observation
from surefoot.forms.instance import FileValue, Value
from surefoot.forms.specification import Field, Form, Kind, said

TRIES: Final = 2
LOOKS: Final = 12
TURNS: Final = 3


class _Step(NamedTuple):
    """Hold what is done to a field, and as which value it counts; None for a mere look."""

    field: str
    actions: tuple[Action, ...]
    value: Value | None = None


class Filler:
    """
    Fill a form in with given values, told where its controls lie.

    A page that was refused is filled in with the values of ``instead``, where it has them.
    Fields and pages get a few tries each, so that an episode ends whatever the form does.
    ``words`` are said with every reply.
    """

    privileged = True
    policy: Policy = "step"

    def __init__(
        self,
        name: str,
        form: Form,
        values: Mapping[str, Value],
        language: str,
        *,
        instead: Mapping[str, Value] | None = None,
        words: str = "",
    ) -> None:
        self.name = name
        self.form = form
        self.values = values
        self.language = language
        self.instead = instead or {}
        self.words = words
        self._bringing = {
            name for field in form.fields for option in field.options for name in option.when
        }
        self._tries: Counter[tuple[str, str]] = Counter()
        self._turns: Counter[int] = Counter()

    def act(self, observation: Observation) -> AgentReply:
        """Fill in what can be filled in now; turn the page once nothing is left to do."""
        answers: list[_Step] = []
        others: list[_Step] = []
        openers: list[_Step] = []
        partly: list[_Step] = []
        refused = any(live.error for live in observation.fields)
        values = {**self.values, **self.instead} if refused else self.values
        for live in observation.fields:
            wanted = self._wanted(live, values.get(live.id))
            if wanted is None:
                continue
            field, value = wanted
            if not _in_sight(live, observation):
                away = live.box.center.y - observation.height / 2
                openers.append(_Step(field.id, (Scroll(0.0, away),)))
                continue
            actions = fill_field(field, live, value, self.language)
            if field.traits.widget is Kind.DROP_DOWN:
                steps = answers if live.options else openers
            else:
                # An option that is not offered yet is brought by another field.
                steps = others if _offered(field, live, value) else partly
            steps.append(_Step(field.id, actions, value))
        # An open list lies over other fields: it is answered first, the next opened last.
        actions = self._until_moved([*answers, *others, *openers[:1]] or partly)
        return AgentReply(actions or (self._onward(observation),), self.words)

    def _until_moved(self, steps: Iterable[_Step]) -> tuple[Action, ...]:
        """Return the actions up to one that options hang on, which moves what lies below."""
        actions: list[Action] = []
        for step in steps:
            actions += step.actions
            if step.actions and step.value is not None:
                self._tries[step.field, str(step.value)] += 1
            if step.actions and step.field in self._bringing:
                break
        return tuple(actions)

    def _wanted(self, live: LiveField, value: Value | None) -> tuple[Field, Value] | None:
        """Return the field and its value, or None where nothing is to be done."""
        field = self.form.field(live.id)
        if field is None or value is None:
            return None
        most = LOOKS if field.traits.widget is Kind.DROP_DOWN else TRIES
        if self._tries[field.id, str(value)] >= most:
            return None
        return None if self._holds(field, live, value) else (field, value)

    def _holds(self, field: Field, live: LiveField, value: Value) -> bool:
        held = sorted(live.value)
        if isinstance(value, bool):
            return bool(held) == value
        if isinstance(value, FileValue):
            return any(value.name in item for item in held)
        several = value if isinstance(value, tuple) else (value,)
        wanted = sorted(item for item in several if item)
        return held in (wanted, sorted(self._label(field, item) for item in wanted))

    def _label(self, field: Field, value: str) -> str:
        option = field.option(value)
        return said(option.label, self.language) if option else value

    def _onward(self, observation: Observation) -> Action:
        self._turns[observation.page] += 1
        button = observation.buttons.get("next") or observation.buttons.get("submit")
        if button is None or self._turns[observation.page] > TURNS:
            return Finish("the page does not turn" if button else "no button leads on")
        if button.center.y >= observation.height:
            self._turns[observation.page] -= 1
            return Scroll(0.0, button.center.y - observation.height / 2)
        return click_on(button)


def _offered(field: Field, live: LiveField, value: Value) -> bool:
    """Tell whether every option of a value lies in the page, where options lie in it."""
    if field.traits.widget not in {Kind.RADIO, Kind.MULTI_CHOICE}:
        return True
    wanted = set(value) if isinstance(value, tuple) else {str(value)}
    return wanted <= {option.value for option in live.options}


def _in_sight(live: LiveField, observation: Observation) -> bool:
    center = live.box.center
    return 0 <= center.y < observation.height and 0 <= center.x < observation.width
