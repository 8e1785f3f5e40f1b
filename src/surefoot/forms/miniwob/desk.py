"""
What a script of a task works with: the task's words, points of the live page, and actions.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Final

import msgspec

from surefoot.core.errors import CaptureError
from surefoot.core.geometry import Box
from surefoot.forms.driver.actions import Action, Press, Type
from surefoot.forms.driver.executor import Effect, Executor
from surefoot.forms.driver.filling import click_on
from surefoot.forms.driver.window import FormWindow, Rect

__all__ = ["MiniWobDesk", "Thing"]

WAIT_S: Final = 2.0
POLL_MS: Final = 50
QUOTED: Final = re.compile(r'"([^"]*)"')


class Thing(msgspec.Struct, frozen=True):
    """Hold an element that is in sight: its text, value, tick, and box in pixels."""

    text: str
    value: str
    checked: bool
    box: Box


class _Found(msgspec.Struct):
    text: str
    value: str
    checked: bool
    box: Rect


class MiniWobDesk:
    """
    Act on a task's page; ``effects`` are those of all actions so far.

    ``words`` is what the task asks for, ``quoted`` the parts of it in quotation marks.
    """

    def __init__(
        self, window: FormWindow, executor: Executor, words: str, grant: Callable[[float], None]
    ) -> None:
        self.window = window
        self.words = words
        self.quoted: list[str] = QUOTED.findall(words)
        self.effects: list[Effect] = []
        self._executor = executor
        self._grant = grant

    def all(self, selector: str) -> list[Thing]:
        """Return the elements in sight that a CSS selector means, in the page's order."""
        found = self.window.ask(list[_Found], "things", selector)
        return [Thing(each.text, each.value, each.checked, Box(*each.box)) for each in found]

    def one(self, selector: str, text: str | None = None) -> Thing:
        """Return the first of them, of that text if one is given; raises CaptureError."""
        things = self.all(selector)
        thing = next((each for each in things if text is None or each.text == text), None)
        if thing is None:
            raise CaptureError("no-element", expected=f"'{selector}' in sight", found="none")
        return thing

    def wait_for(self, selector: str) -> list[Thing]:
        """Return the elements once there are any, or none after two seconds."""
        end = time.monotonic() + WAIT_S
        while not (things := self.all(selector)) and time.monotonic() < end:
            self.window.page.wait_for_timeout(POLL_MS)
        return things

    def do(self, *actions: Action) -> None:
        """Carry out actions, one after the other."""
        for action in actions:
            self._grant(self.window.limits.step_s)
            self.effects.append(self._executor.execute(action))

    def click(self, selector: str, text: str | None = None) -> None:
        """Click in the middle of an element."""
        self.do(click_on(self.one(selector, text).box))

    def fill(self, selector: str, text: str, *, first: bool = False) -> None:
        """Click on a control and type; ``first`` goes to the first segment before."""
        self.click(selector)
        self.do(*([Press("ArrowLeft")] * 2 if first else []), Type(text))
