"""
A privileged agent that fills given values in, right or wrong ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from surefoot.forms.driver.actions import Action, Finish, Scroll
from surefoot.forms.driver.agent import AgentReply, Policy
from surefoot.forms.driver.filling import click_on, fill_field
from surefoot.forms.driver.observation import LiveField, Observation
from surefoot.forms.instance import FileValue, Value
from surefoot.forms.specification import Field, Form, Kind, said

__all__ = ["Filler"]

TRIES: Final = 2
LOOKS: Final = 12
TURNS: Final = 3


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
        self._tries: Counter[tuple[str, str]] = Counter()
        self._turns: Counter[int] = Counter()

    def act(self, observation: Observation) -> AgentReply:
        """Fill in what can be filled in now; turn the page once nothing is left to do."""
        answers: list[Action] = []
        others: list[Action] = []
        openers: list[tuple[Action, ...]] = []
        refused = any(live.error for live in observation.fields)
        values = {**self.values, **self.instead} if refused else self.values
        for live in observation.fields:
            wanted = self._wanted(live, values.get(live.id))
            if wanted is None:
                continue
            field, value = wanted
            if not _in_sight(live, observation):
                openers.append((Scroll(0.0, live.box.center.y - observation.height / 2),))
                continue
            self._tries[field.id, str(value)] += 1
            actions = fill_field(field, live, value)
            if field.kind is not Kind.DROP_DOWN:
                others += actions
            elif live.options:
                answers += actions
            else:
                openers.append(actions)
        # An open list lies over other fields: it is answered first, the next opened last.
        actions = (*answers, *others, *(openers[0] if openers else ()))
        return AgentReply(actions or (self._onward(observation),), self.words)

    def _wanted(self, live: LiveField, value: Value | None) -> tuple[Field, Value] | None:
        """Return the field and its value, or None where nothing is to be done."""
        field = self.form.field(live.id)
        if field is None or value is None:
            return None
        most = LOOKS if field.kind is Kind.DROP_DOWN else TRIES
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


def _in_sight(live: LiveField, observation: Observation) -> bool:
    center = live.box.center
    return 0 <= center.y < observation.height and 0 <= center.x < observation.width
