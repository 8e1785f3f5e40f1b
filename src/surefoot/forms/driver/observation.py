"""
What an agent sees of a live form: a picture, and, if it is privileged, where things lie.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from surefoot.core.geometry import Box
from surefoot.core.pictures import size_of
from surefoot.forms.driver.actions import Action
from surefoot.forms.driver.ruler import draw_ruler
from surefoot.forms.driver.window import FormWindow, ListedOption, Popup, Rect, State

ENOUGH: Final = 3


class FormView(msgspec.Struct, frozen=True):
    """
    Choose how a form is looked at.

    ``width`` and ``height`` are CSS pixels of the window, ``scale`` picture pixels to each.
    ``follow`` "page" makes the window as tall as the page, so that no scrolling is needed;
    "window" keeps it. ``ruler`` is the distance of the ruler's ticks in pixels, 0 for none.
    """

    width: int = 1280
    height: int = 800
    scale: float = 1.0
    follow: Literal["page", "window"] = "page"
    ruler: int = 0


class LiveOption(msgspec.Struct, frozen=True):
    """Hold an option that is in sight: its value, its box in the picture, its state."""

    value: str
    box: Box
    chosen: bool


class LiveField(msgspec.Struct, frozen=True):
    """
    Hold a field of the page: where its control lies in the picture, and what it holds.

    ``input`` is the kind of HTML control in it ("text", "date", "select", ...), "" where a
    field has none; ``options`` are those that can be clicked now, also in a popup;
    ``rtl`` says that marks stand right of their labels.
    """

    id: str
    box: Box
    value: tuple[str, ...]
    input: str
    options: tuple[LiveOption, ...]
    error: str
    rtl: bool = False


class ActionOutcome(msgspec.Struct, frozen=True):
    """
    Tell an agent what came of one of its actions, as far as the page itself would show it.

    ``held`` are the values that fields took on, ``turned`` says that another page came;
    ``refused`` is why nothing was done, "" otherwise.
    """

    action: Action
    held: tuple[tuple[str, ...], ...] = ()
    turned: bool = False
    refused: str = ""


class Observation(msgspec.Struct, frozen=True):
    """
    Hold what the agent is shown: a PNG, its size in pixels, the number of the form's page.

    ``outcomes`` are those of its last reply. ``fields`` and ``buttons`` (by "next", "back",
    "submit") are for privileged agents, and empty for all others.
    """

    image: bytes
    width: int
    height: int
    page: int
    fields: tuple[LiveField, ...] = ()
    buttons: dict[str, Box] = {}
    outcomes: tuple[ActionOutcome, ...] = ()

    def bare(self) -> Observation:
        """Return the same without what only a privileged agent may know."""
        return msgspec.structs.replace(self, fields=(), buttons={})


class _Field(msgspec.Struct):
    id: str
    box: Rect
    value: tuple[str, ...]
    input: str
    options: list[ListedOption]
    error: str
    rtl: bool


def observe(window: FormWindow, view: FormView, state: State) -> Observation:
    """
    Return what is seen of a page at rest; boxes are in pixels of the picture.

    With ``follow`` "page", the window is first made as tall as the page that ``state``
    describes, up to the limit.
    """
    if view.follow == "page":
        _follow(window, view, state)
    image = window.picture()
    fields, buttons = places(window, view)
    width, height = size_of(image)
    return Observation(
        draw_ruler(image, view.ruler) if view.ruler else image,
        width,
        height,
        state.page,
        fields,
        buttons,
    )


def places(window: FormWindow, view: FormView) -> tuple[tuple[LiveField, ...], dict[str, Box]]:
    """Return the fields and the buttons of a page as they are now, in pixels of a picture."""
    popup = window.popup()
    fields = window.ask(list[_Field], "fields")
    buttons = window.ask(dict[str, Rect], "buttons")
    return (
        tuple(_field(field, view.scale, popup) for field in fields),
        {name: Box(*rect).scaled(view.scale) for name, rect in buttons.items()},
    )


def _follow(window: FormWindow, view: FormView, state: State) -> None:
    """Make the window as tall as its page; taller text may wrap anew, so look again."""
    tall = state.tall
    for _ in range(ENOUGH):
        size = window.page.viewport_size
        if size is None or tall <= size["height"]:
            return
        window.resize(view.width, min(tall, window.limits.tall))
        tall = window.state().tall
        if tall > window.limits.tall:
            return


def _field(found: _Field, scale: float, popup: Popup | None) -> LiveField:
    listed = popup.options if popup and popup.field == found.id else ()
    options = (
        LiveOption(option.value, Box(*option.box).scaled(scale), option.chosen)
        for option in (*found.options, *listed)
    )
    return LiveField(
        found.id,
        Box(*found.box).scaled(scale),
        found.value,
        found.input,
        tuple(options),
        found.error,
        found.rtl,
    )
