"""
A screen of its own for a browser that is driven from outside: pointer, keys and picture.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Final

from PIL import Image, ImageGrab

from surefoot.capture.desktop.session import Session, session
from surefoot.capture.settings import Limits, Settings
from surefoot.core.errors import CaptureError
from surefoot.core.geometry import Box
from surefoot.core.pictures import png_of

SCREEN_WIDTH: Final = 1400
SCREEN_HEIGHT: Final = 4400
AGES_S: Final = 1e9
GRABS: Final = 6
OPENBOX: Final = """<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus><focusNew>yes</focusNew><followMouse>no</followMouse></focus>
  <desktops><number>1</number><popupTime>0</popupTime></desktops>
  <keyboard/>
  <mouse/>
  <applications>
    <application type="normal">
      <decor>no</decor><focus>yes</focus>
      <position force="yes"><x>0</x><y>0</y></position>
    </application>
  </applications>
</openbox_config>
"""


class X11Screen:
    """
    Send real X events to one screen, and look at it; points are its pixels.

    ``display`` is the name that programs on it are given. Every method raises CaptureError
    where the screen has ended.
    """

    def __init__(self, inside: Session) -> None:
        self._inside = inside
        self.display = inside.display

    def click(self, x: int, y: int, button: int = 1, count: int = 1) -> None:
        """Move the pointer there and click so many times in a row."""
        again = ("--repeat", str(count), "--delay", "60")
        self._inside.xdotool("mousemove", str(x), str(y), "click", *again, str(button))

    def move(self, x: int, y: int) -> None:
        """Move the pointer there."""
        self._inside.xdotool("mousemove", str(x), str(y))

    def turn(self, button: int, count: int) -> None:
        """Turn the wheel by so many notches: 4 is up, 5 down, 6 left, 7 right."""
        self._inside.xdotool("click", "--repeat", str(count), "--delay", "8", str(button))

    def type(self, text: str) -> None:
        """Type characters that the keyboard has, which are those of ASCII."""
        self._inside.xdotool("type", "--delay", "4", "--", text)

    def key(self, chord: str) -> None:
        """Press keys by their X names, joined by plus signs."""
        self._inside.xdotool("key", "--", chord)

    def hold(self, button: int, *, down: bool) -> None:
        """Press a button of the mouse down, or let it go."""
        self._inside.xdotool("mousedown" if down else "mouseup", str(button))

    def hold_key(self, key: str, *, down: bool) -> None:
        """Press a key down by its X name, or let it go."""
        self._inside.xdotool("keydown" if down else "keyup", "--", key)

    def windows(self) -> dict[int, Box]:
        """Return where every visible window lies, by its number."""
        spelled = self._inside.xdotool(
            "search", "--onlyvisible", ".*", "getwindowgeometry", "--shell", "%@"
        )
        found: dict[int, Box] = {}
        facts: dict[str, int] = {}
        for line in spelled.splitlines():
            name, _, value = line.partition("=")
            facts[name] = int(value)
            if name == "SCREEN":
                left, top = facts["X"], facts["Y"]
                box = Box(left, top, left + facts["WIDTH"], top + facts["HEIGHT"])
                found[facts["WINDOW"]] = box
        return found

    def picture(self, box: tuple[int, int, int, int]) -> bytes:
        """Return a part of the screen as PNG, once two looks at it in a row are alike."""
        last: Image.Image | None = None
        for _ in range(GRABS):
            now = self._grab(box)
            if last is not None and now.tobytes() == last.tobytes():
                break
            last = now
        return png_of(now)

    def _grab(self, box: tuple[int, int, int, int]) -> Image.Image:
        try:
            return ImageGrab.grab(box, xdisplay=self.display).convert("RGB")
        except OSError as error:
            raise CaptureError(
                "no-screen", expected="a picture of the screen", found=error
            ) from error


@contextlib.contextmanager
def open_screen() -> Iterator[X11Screen]:
    """
    Bring a screen up for the length of a block, with a window manager that hides nothing.

    It is not walled off: the browser shown on it has walls of its own. Raises CaptureError,
    and MissingComponentError where a program of the screen is not installed.
    """
    settings = Settings(SCREEN_WIDTH, SCREEN_HEIGHT, limits=Limits(unit_s=AGES_S))
    files = {".config/openbox/rc.xml": OPENBOX}
    with session(settings, files=files, walled=False) as inside:
        yield X11Screen(inside)
