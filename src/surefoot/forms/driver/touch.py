"""
Real X events on a browser that is shown on a screen: where its page lies there, and hands.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar, Final

import msgspec
from playwright.sync_api import BrowserContext, Error, Page

from surefoot.core.errors import CaptureError
from surefoot.forms.driver.actions import Button, key_names
from surefoot.forms.driver.hands import BUTTON_MS, KEYED, WHEEL_MS
from surefoot.forms.driver.limits import EpisodeLimits
from surefoot.forms.driver.screen import SCREEN_HEIGHT, X11Screen
from surefoot.forms.driver.window import FormWindow, Hit, ListedOption, Popup, Rect, script

BUTTONS: Final = {"left": 1, "middle": 2, "right": 3}
NOTCH: Final = 53.0
FELT_S: Final = 1.0
LIST_S: Final = 0.6
SHOWN_S: Final = 15.0
ECHO_S: Final = 0.5
POLL_MS: Final = 8
# Room under the page for a list that its last drop-down opens, and over it for the browser.
ROOM: Final = 260
TOOLBAR: Final = 120
FRAME: Final = 8
EDGE: Final = 40.0
BORDER: Final = 1.0
ROW: Final = (14.0, 60.0)
NEAR: Final = 4.0
KEYS: Final = {
    "Alt": "alt",
    "Control": "ctrl",
    "ControlOrMeta": "ctrl",
    "Meta": "super",
    "Shift": "shift",
    "ArrowDown": "Down",
    "ArrowLeft": "Left",
    "ArrowRight": "Right",
    "ArrowUp": "Up",
    "Backquote": "grave",
    "Backslash": "backslash",
    "Backspace": "BackSpace",
    "BracketLeft": "bracketleft",
    "BracketRight": "bracketright",
    "CapsLock": "Caps_Lock",
    "Comma": "comma",
    "Enter": "Return",
    "Equal": "equal",
    "Minus": "minus",
    "PageDown": "Next",
    "PageUp": "Prior",
    "Period": "period",
    "Quote": "apostrophe",
    "Semicolon": "semicolon",
    "Slash": "slash",
    "Space": "space",
}


class _Felt(msgspec.Struct, frozen=True):
    world: float
    down: int
    up: int
    keys: int
    wheel: int


class _Select(msgspec.Struct, frozen=True):
    field: str
    box: Rect
    values: tuple[str, ...]
    chosen: int


class ScreenWindow(FormWindow):
    """
    Hold a page that is shown on a screen, and what the browser draws over it.

    ``offset`` is where the page's corner lies on the screen, as two clicks measured it.
    Raises CaptureError "calibration" where clicks do not arrive where they were aimed.
    """

    scripts: ClassVar[tuple[str, ...]] = ("look.js", "touch.js")

    def __init__(
        self, context: BrowserContext, origin: str, limits: EpisodeLimits, screen: X11Screen
    ) -> None:
        super().__init__(context, origin, limits)
        self.screen = screen
        # Text beyond the keyboard's letters comes in through the clipboard.
        context.grant_permissions(["clipboard-write"], origin=origin)
        self.page.add_init_script(script("untranslated.js"))
        self.offset = calibrate(self.page, screen)
        self._usual = frozenset(screen.windows())
        self._fit()

    def on_screen(self, x: float, y: float) -> tuple[int, int]:
        """Return the pixel of the screen that shows a point of the window."""
        return self.offset[0] + int(x), self.offset[1] + int(y)

    def felt(self) -> _Felt:
        """Return how many events have come to the page that is shown."""
        return self._call(_Felt, "felt()")

    def dropdown(self) -> _Select | None:
        """Return the native drop-down that has the focus."""
        return self._call(_Select | None, "dropdown()")  # type: ignore[arg-type]

    def popup(self) -> Popup | None:
        """Return the list that the browser shows for a native drop-down, if it does."""
        select = self.dropdown()
        if select is None:
            return None
        for number, box in self.screen.windows().items():
            here = box.moved(-self.offset[0], -self.offset[1]).as_tuple()
            if number not in self._usual and _adjoins(here, select.box):
                return Popup(select.field, here, rows_of(here, select.values, select.chosen))
        return None

    def hit(self, x: float, y: float) -> Hit:
        """Return what lies under a point in CSS pixels of the window, or of a list over it."""
        popup = self.popup()
        if popup is None or not _inside(x, y, popup.box):
            return super().hit(x, y)
        row = next((option for option in popup.options if _inside(x, y, option.box)), None)
        value, box = (row.value, row.box) if row else ("", popup.box)
        return Hit(True, popup.field, value, "", True, box)  # noqa: FBT003

    def picture(self) -> bytes:
        """Return the picture of the window as the screen shows it, lists over it included."""
        left, top = self.offset
        size = self.page.viewport_size or {"width": 0, "height": 0}
        return self.screen.picture((left, top, left + size["width"], top + size["height"]))

    def resize(self, width: int, height: int) -> None:
        """Set the window's size, as far as the screen allows, with room for a list below."""
        super().resize(width, min(height + ROOM, SCREEN_HEIGHT - TOOLBAR))
        self._fit()

    def _fit(self) -> None:
        """Make the browser's window hold the whole page; its frame is wider than it says."""
        size = self.page.viewport_size or {"width": 0, "height": 0}
        bounds = {
            "width": size["width"] + self.offset[0] + FRAME,
            "height": size["height"] + self.offset[1] + FRAME,
        }
        number = self._session.send("Browser.getWindowForTarget")["windowId"]
        self._session.send("Browser.setWindowBounds", {"windowId": number, "bounds": bounds})
        self.rest()


class ScreenHands:
    """
    Act with X events, and wait until each has come to the page or to a list over it.

    Short ASCII text is typed, any other is pasted.
    """

    def __init__(self, window: ScreenWindow) -> None:
        self._window = window
        self._screen = window.screen

    def click(self, x: float, y: float, button: Button, count: int) -> None:
        """Click so many times in a row at a point."""
        window = self._window
        before, listed = window.felt(), window.popup() is not None
        self._screen.click(*window.on_screen(x, y), BUTTONS[button], count)
        if listed:
            self._until(lambda: window.popup() is None, FELT_S)
            return
        self._felt(before, "down", count)
        if window.dropdown() is not None:
            self._until(lambda: window.popup() is not None, LIST_S)
        else:
            self._felt(before, "up", count)

    def type(self, text: str) -> None:
        """Type short ASCII text key by key, and paste any other."""
        if not text.isascii() or len(text) > KEYED:
            self._window.ask(bool, "copy", text)
            self.press("Control+v")
            return
        before = self._window.felt()
        self._screen.type(text)
        self._felt(before, "keys", len(text))

    def press(self, keys: str) -> None:
        """Press a key or a chord, named as in the action Press."""
        before = self._window.felt()
        self._screen.key(key_chord(keys))
        self._felt(before, "keys", 1)

    def scroll(self, dx: float, dy: float, at: tuple[float, float] | None) -> None:
        """Turn the wheel by whole notches, one at least."""
        if at is not None:
            self._screen.move(*self._window.on_screen(*at))
        for distance, back, onward in ((dy, 4, 5), (dx, 6, 7)):
            if distance:
                before = self._window.felt()
                notches = max(1, round(abs(distance) / NOTCH))
                self._screen.turn(onward if distance > 0 else back, notches)
                self._felt(before, "wheel", 1)
        self._window.page.wait_for_timeout(WHEEL_MS)

    def move(self, x: float, y: float) -> None:
        """Move the pointer to a point."""
        self._screen.move(*self._window.on_screen(x, y))
        self._window.page.wait_for_timeout(POLL_MS)

    def hold(self, button: Button, *, down: bool) -> None:
        """Press a button of the mouse down where the pointer is, or let it go."""
        before = self._window.felt()
        self._screen.hold(BUTTONS[button], down=down)
        self._felt(before, "down" if down else "up", 1)

    def hold_key(self, key: str, *, down: bool) -> None:
        """Press a key down, named as in the action Press, or let it go."""
        self._screen.hold_key(_key(key), down=down)
        self._window.page.wait_for_timeout(POLL_MS)

    def activate(self, button: str) -> None:
        """Bring the page's button into sight and click it; raises the driver's TimeoutError."""
        found = self._window.page.locator(f'[data-action="{button}"]').first
        found.scroll_into_view_if_needed(timeout=BUTTON_MS)
        box = found.bounding_box(timeout=BUTTON_MS)
        if box is not None:
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            self.click(x, y, "left", 1)

    def _felt(self, before: _Felt, name: str, count: int) -> None:
        """Wait until so many events more have come, or another page, or not at all."""

        def come() -> bool:
            now = self._window.felt()
            more: int = getattr(now, name) - getattr(before, name)
            return now.world != before.world or more >= count

        self._until(come, FELT_S)

    def _until(self, holds: Callable[[], bool], seconds: float) -> None:
        end = time.monotonic() + seconds
        while not holds() and time.monotonic() < end:
            self._window.page.wait_for_timeout(POLL_MS)


def key_chord(keys: str) -> str:
    """
    Return the X names of keys that an action Press names.

    >>> key_chord("Control+a"), key_chord("ArrowLeft"), key_chord("Control++"), key_chord("é")
    ('ctrl+a', 'Left', 'ctrl+U002B', 'U00E9')
    """
    return "+".join(_key(name) for name in key_names(keys))


def _key(name: str) -> str:
    if name.startswith(("Key", "Digit")):
        return name[-1].lower()
    if len(name) == 1 and not (name.isascii() and name.isalnum()):
        return f"U{ord(name):04X}"
    return KEYS.get(name, name)


def rows_of(box: Rect, values: tuple[str, ...], chosen: int) -> tuple[ListedOption, ...]:
    """
    Return the rows of a native list: all of one height, within a border of one pixel.

    None where that would make rows of a height that no list has, as of one that scrolls.

    >>> [row.box for row in rows_of((0, 100, 80, 142), ("a", "b"), 0)]
    [(0, 101.0, 80, 121.0), (0, 121.0, 80, 141.0)]
    >>> rows_of((0, 100, 80, 142), tuple("abcdef"), 0)
    ()
    """
    left, top, right, bottom = box
    tall = (bottom - top - 2 * BORDER) / max(1, len(values))
    if not ROW[0] <= tall <= ROW[1]:
        return ()
    start = top + BORDER
    return tuple(
        ListedOption(
            value, (left, start + at * tall, right, start + (at + 1) * tall), at == chosen
        )
        for at, value in enumerate(values)
    )


def _adjoins(box: Rect, select: Rect) -> bool:
    """Tell whether a window hangs at a drop-down's upper or lower edge, on one of its sides."""
    sides = min(abs(box[0] - select[0]), abs(box[2] - select[2])) <= NEAR
    return sides and min(abs(box[1] - select[3]), abs(box[3] - select[1])) <= NEAR


def _inside(x: float, y: float, box: Rect) -> bool:
    return box[0] <= x < box[2] and box[1] <= y < box[3]


def calibrate(page: Page, screen: X11Screen, patience: float = SHOWN_S) -> tuple[int, int]:
    """
    Measure where the page's corner lies: one click tells, a second far from it confirms.

    ``patience`` is how many seconds the window may take to appear. Raises CaptureError
    "calibration".
    """
    left, top, width, height = page.evaluate(script("pointed.js"))
    end = time.monotonic() + patience
    near = round(left + EDGE), round(top + EDGE)
    found = None
    while found is None and time.monotonic() < end:
        found = _echo(page, screen, near)
    if found is not None:
        offset = near[0] - found[0], near[1] - found[1]
        aim = round(width - EDGE), round(height - EDGE)
        found = _echo(page, screen, (offset[0] + aim[0], offset[1] + aim[1]))
        if found == aim:
            return offset
    raise CaptureError(
        "calibration",
        expected="clicks that arrive where they are aimed",
        found="none arrived" if found is None else f"one arrived at {found[0]}, {found[1]}",
        remedy="run without --x11, or end what else uses the display",
    )


def _echo(page: Page, screen: X11Screen, at: tuple[int, int]) -> tuple[int, int] | None:
    """Click on the screen and return where the page met it, None where it did not."""
    try:
        page.evaluate("globalThis.pointed = null")
        screen.click(*at)
        end = time.monotonic() + ECHO_S
        while time.monotonic() < end:
            met = page.evaluate("globalThis.pointed")
            if met is not None:
                return round(met[0]), round(met[1])
            page.wait_for_timeout(POLL_MS)
    except Error as error:
        raise CaptureError("calibration", expected="a page that answers", found=error) from error
    return None
