"""
Form tasks of MiniWoB++ through our own executor: an outside check of actions and driver.

The package is never imported, since that would need its own drivers; only its pages are
served, from its folder, and its own reward says how a task ended.
"""

from __future__ import annotations

import importlib.metadata
import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import msgspec

from surefoot.capture.routes import Folder
from surefoot.capture.settings import Limits, Settings
from surefoot.capture.web.browser import Browser
from surefoot.core.errors import CaptureError, MissingComponentError, UnknownNameError
from surefoot.core.geometry import Box
from surefoot.core.registry import suggest
from surefoot.forms.driver.actions import Action, Press, Scroll, Type
from surefoot.forms.driver.executor import ExecutedAction, Executor
from surefoot.forms.driver.filling import click_on
from surefoot.forms.driver.limits import EpisodeLimits
from surefoot.forms.driver.window import FormWindow, Rect

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
        self.effects: list[ExecutedAction] = []
        self._executor = executor
        self._grant = grant

    def all(self, selector: str) -> list[Thing]:
        """Return the elements in sight that a CSS selector means, in the page's order."""
        found = self.window.ask(list[_Found], "things", selector)
        return [Thing(item.text, item.value, item.checked, Box(*item.box)) for item in found]

    def one(self, selector: str, text: str | None = None) -> Thing:
        """Return the first of them, of that text if one is given; raises CaptureError."""
        things = self.all(selector)
        thing = next((item for item in things if text is None or item.text == text), None)
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


Script = Callable[[MiniWobDesk], None]

SUBMIT: Final = "#subbtn"
FIELD: Final = "#tt"


def _said(desk: MiniWobDesk, pattern: str) -> tuple[str, ...]:
    """Return the groups that a pattern finds in the task's words."""
    match = re.search(pattern, desk.words)
    if match is None:
        raise CaptureError("unknown-words", expected=pattern, found=desk.words[:200])
    return match.groups()


def _enter_text(desk: MiniWobDesk) -> None:
    desk.fill(FIELD, desk.quoted[0])
    desk.click(SUBMIT)


def _enter_cased(desk: MiniWobDesk) -> None:
    text = desk.quoted[0]
    desk.fill(FIELD, text.upper() if "upper" in desk.words else text.lower())
    desk.click(SUBMIT)


def _enter_password(desk: MiniWobDesk) -> None:
    desk.fill("#password", desk.quoted[0])
    desk.fill("#verify", desk.quoted[0])
    desk.click(SUBMIT)


def _log_in(desk: MiniWobDesk) -> None:
    desk.fill("#username", desk.quoted[0])
    desk.fill("#password", desk.quoted[1])
    desk.click(SUBMIT)


def _enter_date(desk: MiniWobDesk) -> None:
    month, day, year = _said(desk, r"(\d{2})/(\d{2})/(\d{4})")
    desk.fill(FIELD, month + day + year, first=True)
    desk.click(SUBMIT)


def _enter_time(desk: MiniWobDesk) -> None:
    hour, minute, half = _said(desk, r"(\d{1,2}):(\d{2})\W*([AP])M")
    desk.fill(FIELD, f"{int(hour):02d}{minute}{half}", first=True)
    desk.click(SUBMIT)


def _choose_from_list(desk: MiniWobDesk) -> None:
    """Answer a native list by its keys: its popup takes no clicks without a screen."""
    (name,) = _said(desk, r"Select (.+) from the list")
    desk.fill("#options", name)
    desk.do(Press("Enter"))
    desk.click("button", "Submit")


def _tick(desk: MiniWobDesk) -> None:
    (names,) = _said(desk, r"Select (.+) and click Submit")
    for name in names.split(", "):
        if name != "nothing":
            desk.click("#area label", name)
    desk.click(SUBMIT)


def _search_movies(desk: MiniWobDesk) -> None:
    genre, name, year = _said(desk, r"for (.+) movies directed by (.+) from year (\d+)")
    wanted = {"Genre": genre, "Director": name, "Year": year}
    for label in desk.all("#area th"):
        inputs = desk.all("#area input")
        beside = min(inputs, key=lambda field: abs(field.box.center.y - label.box.center.y))
        desk.do(click_on(beside.box), Type(wanted[label.text]))
    desk.click("#area .final")


def _fill_sequence(desk: MiniWobDesk) -> None:
    radio, number, box = _said(desk, r"the (\d)\w+ radio.*\"(-?\d+)\" into the (\d)\w+ textbox")
    desk.do(click_on(desk.all("#area input[type=radio]")[int(radio) - 1].box))
    desk.do(click_on(desk.all("#area input[type=text]")[int(box) - 1].box), Type(number))
    desk.click(SUBMIT)


def _spin(desk: MiniWobDesk) -> None:
    (number,) = _said(desk, r"Select (-?\d+) with")
    arrow = ".ui-spinner-up" if int(number) > 0 else ".ui-spinner-down"
    for _ in range(abs(int(number))):
        desk.click(arrow)
    desk.click(SUBMIT)


def _pick_day(desk: MiniWobDesk) -> None:
    (day,) = _said(desk, r"\d{2}/(\d{2})/\d{4}")
    desk.click("#datepicker")
    desk.click(".ui-datepicker-calendar a", str(int(day)))
    desk.click(SUBMIT)


def _sign(desk: MiniWobDesk) -> None:
    middle = desk.one("#text-area").box.center
    desk.do(Scroll(0.0, 9000.0, middle.x, middle.y))
    if desk.quoted:
        desk.fill("#name", desk.quoted[0])
    desk.click("#agree" if desk.quoted[1:] == ["Agree"] else "#cancel")


def _complete(desk: MiniWobDesk) -> None:
    start, end = desk.quoted[0], (desk.quoted[1:] or [""])[0]
    desk.fill("#tags", start)
    offered = desk.wait_for(".ui-menu-item")
    fitting = (
        thing for thing in offered if thing.text.startswith(start) and thing.text.endswith(end)
    )
    option = next(fitting, None)
    if option is None:
        raise CaptureError("no-element", expected=f"{start}...{end}", found=str(len(offered)))
    desk.do(click_on(option.box))
    desk.click(SUBMIT)


def _focus(desk: MiniWobDesk) -> None:
    match = re.search(r"(\d)(?:st|nd|rd|th)", desk.words)
    place = int(match[1]) - 1 if match else 0
    desk.do(click_on(desk.all("#area input[type=text]")[place].box))


SCRIPTS: Final[Mapping[str, Script]] = {
    "choose-date-easy": _pick_day,
    "choose-list": _choose_from_list,
    "click-checkboxes": _tick,
    "click-checkboxes-large": _tick,
    "click-checkboxes-transfer": _tick,
    "click-option": _tick,
    "enter-date": _enter_date,
    "enter-password": _enter_password,
    "enter-text": _enter_text,
    "enter-text-2": _enter_cased,
    "enter-text-dynamic": _enter_text,
    "enter-time": _enter_time,
    "focus-text": _focus,
    "focus-text-2": _focus,
    "form-sequence-2": _fill_sequence,
    "login-user": _log_in,
    "multi-orderings": _search_movies,
    "sign-agreement": _sign,
    "use-autocomplete": _complete,
    "use-spinner": _spin,
}


ORIGIN: Final = "http://miniwob.localhost"
SIZE: Final = (480, 400)
REMEDY: Final = "run: pip install --no-deps miniwob==1.1.0"
# Tasks end by themselves after seconds that count real time; a slow machine is no failure.
START: Final = (
    "(seed) => { core.EPISODE_MAX_TIME = 600000; Math.seedrandom(seed); core.startEpisodeReal(); }"
)
WORDS: Final = "core.getUtterance()"
REWARD: Final = "[WOB_DONE_GLOBAL ? WOB_RAW_REWARD_GLOBAL : 0, WOB_DONE_GLOBAL]"


class MiniWobOutcome(msgspec.Struct, frozen=True):
    """
    Record one task: its words, its own raw reward (-1 to 1, without decay), what was done.

    ``done`` is false where the task did not end; its reward is then 0.
    """

    task: str
    seed: int
    words: str
    reward: float
    done: bool
    effects: tuple[ExecutedAction, ...]


def tasks() -> tuple[str, ...]:
    """Return the names of the form tasks that there is a script for."""
    return tuple(sorted(SCRIPTS))


def pages_folder() -> Path:
    """
    Return the folder of MiniWoB++'s pages; raises MissingComponentError without the package.
    """
    try:
        files = importlib.metadata.files("miniwob") or []
    except importlib.metadata.PackageNotFoundError as error:
        raise MissingComponentError("the package miniwob", found="none", remedy=REMEDY) from error
    for file in files:
        if file.parts[-3:] == ("html", "core", "core.js"):
            return Path(str(file.locate())).resolve().parent.parent
    raise MissingComponentError("the pages of miniwob", found="none", remedy=REMEDY)


def play(browser: Browser, task: str, seed: int) -> MiniWobOutcome:
    """
    Play a task by its script, which finds its points in the live page and only acts.

    Raises UnknownNameError for a task without a script, MissingComponentError without the
    pages, CaptureError for a page that hangs or crashes.
    """
    if task not in SCRIPTS:
        raise UnknownNameError(
            "a form task of MiniWoB++", found=f"'{task}'", remedy=suggest(task, list(tasks()))
        )
    return play_with(browser, task, seed, SCRIPTS[task])


def play_with(
    browser: Browser, task: str, seed: int, script: Callable[[MiniWobDesk], None]
) -> MiniWobOutcome:
    """Play a task by a script of one's own."""
    limits = EpisodeLimits()
    settings = Settings(width=SIZE[0], height=SIZE[1], limits=Limits(unit_s=limits.step_s))
    with browser.lend(Folder(ORIGIN, pages_folder()), settings) as context:
        window = FormWindow(context, ORIGIN, limits)
        window.open(f"{ORIGIN}/miniwob/{task}.html")
        window.page.evaluate(START, seed)
        words = str(window.page.evaluate(WORDS))
        desk = MiniWobDesk(window, Executor(window, 1.0, None), words, browser.grant)
        script(desk)
        reward, done = window.page.evaluate(REWARD)
    return MiniWobOutcome(task, seed, words, float(reward), bool(done), tuple(desk.effects))
