"""
How form tasks of MiniWoB++ are solved, by actions only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from surefoot.core.errors import CaptureError
from surefoot.forms.driver.actions import Press, Scroll, Type
from surefoot.forms.driver.filling import click_on
from surefoot.forms.miniwob.desk import MiniWobDesk

__all__ = ["SCRIPTS"]

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
        beside = min(inputs, key=lambda each: abs(each.box.center.y - label.box.center.y))
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
    fitting = (each for each in offered if each.text.startswith(start) and each.text.endswith(end))
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
