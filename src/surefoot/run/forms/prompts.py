"""
What a model is told about a form: the task, the functions, the picture, what it has done.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from typing import Final

import msgspec

from surefoot.core.canonical import digest
from surefoot.core.geometry import Point
from surefoot.forms.driver.actions import (
    Action,
    Click,
    Drag,
    MouseDown,
    MouseUp,
    Move,
    NextPage,
    Scroll,
    Submit,
    Upload,
)
from surefoot.forms.driver.agent import FormTask, Policy
from surefoot.forms.driver.calls import quoted
from surefoot.forms.driver.language import ActionLanguage
from surefoot.forms.driver.observation import ActionOutcome, Observation
from surefoot.models.format import ChatMessages
from surefoot.models.spaces import Space

WORD: Final = re.compile(r"\{([a-z_]+)\}")
REMEMBERED: Final = 30


class _Sentences(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hold the file's texts."""

    version: int
    system: str
    manner: str
    texts: str
    task: str
    files: str
    verbs: str
    pixels: str
    share: str
    distances: str
    ruler: str
    ruler_other: str
    past: str
    unread: str
    page: str
    step: str


class FormPrompt(msgspec.Struct, frozen=True):
    """
    Say a form's task to a model that points in a space and acts in a language.

    ``ruler`` is the distance of the ruler's ticks in pixels, 0 where there is none.
    """

    task: FormTask
    policy: Policy
    language: ActionLanguage
    space: Space
    ruler: int = 0

    def messages(
        self, seen: Observation, past: Sequence[str] = (), *, unread: bool = False
    ) -> ChatMessages:
        """
        Return the one turn about a picture.

        ``past`` tells what was done so far, oldest first, of which the latest is said;
        ``unread`` that the last reply held no action.
        """
        sentences = _sentences()
        verbs = "\n".join(f"- {line}" for line in self.language.explain().splitlines())
        onward = {
            "next": self.language.write(NextPage()),
            "submit": self.language.write(Submit()),
        }
        own = self.language.manner
        names = "\n".join(f"- {quoted(name)}" for name in self.task.files)
        parts = (
            _fill(sentences.task, {"text": self.task.text}),
            _fill(sentences.files, {"files": names}) if names else "",
            _fill(
                sentences.verbs, {"verbs": verbs, "texts": "" if own else sentences.texts.strip()}
            ),
            self._picture(seen),
            _fill(sentences.past, {"past": "\n".join(past[-REMEMBERED:])}) if past else "",
            sentences.unread if unread else "",
            sentences.page if self.policy == "page" else _fill(sentences.step, onward),
        )
        user = "\n\n".join(part.strip() for part in parts if part)
        system = _fill(sentences.system, {"manner": own or sentences.manner.strip()})
        return ChatMessages(system.strip(), user)

    def told(self, outcome: ActionOutcome, width: int, height: int) -> str:
        """
        Return a line on what came of an action, with its point in the model's own space.

        The size is that of the picture, in pixels, to which the action replied.
        """

        def own(x: float, y: float) -> tuple[float, float]:
            there = self.space.from_image(Point(x, y), width=width, height=height)
            return round(there[0], 4), round(there[1], 4)

        call = self.language.write(placed(outcome.action, own))
        return f"- {call}: {_came_of(outcome)}"

    def _picture(self, seen: Observation) -> str:
        """Say how large the picture is, and in what points and ruler count."""
        table = _sentences()
        width, height = self.space.shown(seen.width, seen.height)
        across, down = self.space.extent(seen.width, seen.height)
        own = {"width": width, "height": height, "across": across, "down": down}
        full = {
            "width": seen.width,
            "height": seen.height,
            "every": self.ruler,
            "factor_x": round(across / seen.width, 4),
            "factor_y": round(down / seen.height, 4),
        }
        other = (across, down) != (seen.width, seen.height)
        sentences = [
            _fill(table.pixels if (across, down) == (width, height) else table.share, own)
        ]
        if other:
            sentences.append(_fill(table.distances, full))
        if self.ruler:
            sentences.append(_fill(table.ruler_other if other else table.ruler, full))
        return " ".join(sentence.strip() for sentence in sentences)


def placed(action: Action, convert: Callable[[float, float], tuple[float, float]]) -> Action:
    """
    Return an action with its point converted; distances to scroll stay as they are.

    Raises InvalidInputError for a point that is no longer finite.

    >>> placed(Click(2.0, 3.0), lambda x, y: (x * 10, y))
    Click(x=20.0, y=3.0, button='left', count=1, content='')
    """
    if isinstance(action, Click | Move | MouseDown | MouseUp | Upload):
        x, y = convert(action.x, action.y)
        return msgspec.structs.replace(action, x=x, y=y)
    if isinstance(action, Drag):
        x, y = convert(action.x, action.y)
        to_x, to_y = convert(action.to_x, action.to_y)
        return Drag(x, y, to_x, to_y)
    if isinstance(action, Scroll) and action.x is not None and action.y is not None:
        x, y = convert(action.x, action.y)
        return msgspec.structs.replace(action, x=x, y=y)
    return action


def prompt_identity() -> dict[str, object]:
    """Return the version of the prompts and their digest."""
    return {"version": _sentences().version, "texts": digest(_sentences())}


def _came_of(outcome: ActionOutcome) -> str:
    if outcome.refused:
        return f"refused ({outcome.refused})"
    if outcome.turned:
        return "another page came"
    # What a field holds is to be read off the picture: an option's value is not its label.
    count = len(outcome.held)
    return f"{count or 'no'} field{'s' * (count > 1)} changed"


def _fill(template: str, values: Mapping[str, object]) -> str:
    """Put values in once; braces within a value stay as they are."""

    def value(found: re.Match[str]) -> str:
        return str(values[found[1]])

    return WORD.sub(value, template)


@functools.cache
def _sentences() -> _Sentences:
    text = resources.files("surefoot.run.forms").joinpath("prompts.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), _Sentences)
