"""
What moves the pointer and presses the keys: by default the browser's own mouse and keyboard.
"""

from __future__ import annotations

import re
from typing import Final, Protocol

from playwright.sync_api import Page

from surefoot.forms.driver.actions import Button

# So many characters are typed key by key; a longer text comes in line by line, as a
# clipboard or an input method brings it.
KEYED: Final = 40
PARTS: Final = re.compile(r" |[!-~]+|[^ -~]+")  # spaces, what keys write, other letters
BUTTON_MS: Final = 3_000
WHEEL_MS: Final = 60
STEPS: Final = 5


class Hands(Protocol):
    """Act on the page in sight; points and distances are CSS pixels of its window."""

    def click(self, x: float, y: float, button: Button, count: int) -> None:
        """Click so many times in a row at a point."""

    def type(self, text: str) -> None:
        """Enter text without line breaks or tabs where the focus is."""

    def press(self, keys: str) -> None:
        """Press a key or a chord, named as in the action Press."""

    def scroll(self, dx: float, dy: float, at: tuple[float, float] | None) -> None:
        """Turn the wheel, first moving the pointer where a point is given."""

    def move(self, x: float, y: float) -> None:
        """Move the pointer to a point, in some steps."""

    def hold(self, button: Button, *, down: bool) -> None:
        """Press a button of the mouse down where the pointer is, or let it go."""

    def hold_key(self, key: str, *, down: bool) -> None:
        """Press a key down, named as in the action Press, or let it go."""

    def activate(self, button: str) -> None:
        """Bring the page's button of that action into sight and click it."""


class BrowserHands:
    """Act with the mouse and keyboard that the browser's driver offers."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._session = page.context.new_cdp_session(page)

    def click(self, x: float, y: float, button: Button, count: int) -> None:
        """Click so many times in a row at a point."""
        self._page.mouse.click(x, y, button=button, click_count=count)

    def type(self, text: str) -> None:
        """
        Type short text key by key, and insert long text at once.

        A letter that no key of the driver's has is a key of its own, too: inserted, it would
        not come to an open list, but to the field that had the focus before. In a list that is
        drawn in the page a space goes on searching, as it does in the browser's own, where its
        key would choose; a list that knows no spaces searches without it.
        """
        keyboard = self._page.keyboard
        listed = self._page.locator("option:focus, [role=option]:focus").count() > 0
        if len(text) > KEYED and not listed:
            keyboard.insert_text(text)
            return
        for part in PARTS.findall(text):
            if part == " " and listed:
                self._send("char", part)
            elif part.isascii():
                keyboard.type(part)
            else:
                for letter in part:
                    self._send("keyDown", letter)
                    self._send("keyUp", letter)

    def _send(self, event: str, letter: str) -> None:
        told = {"type": event, "key": letter}
        if event != "keyUp":
            told |= {"text": letter, "unmodifiedText": letter}
        self._session.send("Input.dispatchKeyEvent", told)

    def press(self, keys: str) -> None:
        """Press a key or a chord, named as in the action Press."""
        self._page.keyboard.press(keys)

    def scroll(self, dx: float, dy: float, at: tuple[float, float] | None) -> None:
        """Turn the wheel and wait until its effect has begun, some frames later."""
        if at is not None:
            self._page.mouse.move(*at)
        self._page.mouse.wheel(dx, dy)
        self._page.wait_for_timeout(WHEEL_MS)

    def move(self, x: float, y: float) -> None:
        """Move the pointer to a point, in some steps, as what is dragged expects."""
        self._page.mouse.move(x, y, steps=STEPS)

    def hold(self, button: Button, *, down: bool) -> None:
        """Press a button of the mouse down where the pointer is, or let it go."""
        mouse = self._page.mouse
        (mouse.down if down else mouse.up)(button=button)

    def hold_key(self, key: str, *, down: bool) -> None:
        """Press a key down, named as in the action Press, or let it go."""
        keyboard = self._page.keyboard
        (keyboard.down if down else keyboard.up)(key)

    def activate(self, button: str) -> None:
        """Click the page's button of that action; raises the driver's TimeoutError."""
        found = self._page.locator(f'[data-action="{button}"]').first
        found.click(timeout=BUTTON_MS, no_wait_after=True)
