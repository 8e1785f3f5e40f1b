"""
Carry out one action with mouse and keyboard, and record what it met and what it changed.

Files are uploaded from the folder of the run, and from nowhere else.
"""

from __future__ import annotations

import mimetypes
import os
import re
import stat
import time
from pathlib import Path
from typing import Final

import msgspec
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from surefoot.core.errors import RecordError, plain_words
from surefoot.core.geometry import Box, Point, distance_to_polygon
from surefoot.forms.driver.actions import (
    Action,
    Button,
    Click,
    Drag,
    Finish,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Move,
    NextPage,
    Press,
    Scroll,
    Submit,
    Type,
    Upload,
    Wait,
)
from surefoot.forms.driver.hands import BrowserHands, Hands
from surefoot.forms.driver.window import FormWindow, Hit, State

TYPES: Final = mimetypes.MimeTypes(filenames=())
KEYS_WITHIN: Final = re.compile(r"\r\n|[\n\r\t]")
CHOOSER_MS: Final = 1_500
POLL_MS: Final = 5


class UploadFile(msgspec.Struct, frozen=True):
    """Hold a file as a form gets it: its bare name, its media type, its bytes."""

    name: str
    media_type: str
    data: bytes


def read_upload(folder: Path | None, name: str, *, limit: int) -> UploadFile:
    """
    Read a file by its path relative to the folder.

    The bytes are read from the very file that was checked. Raises RecordError "no-folder",
    "outside" (an absolute path, "..", or a symbolic link on the way), "no-file" (also what
    is no regular file) or "too-large" (more bytes than the limit).

    >>> read_upload(None, "a.pdf", limit=10)
    Traceback (most recent call last):
        ...
    surefoot.core.errors.RecordError: Expected a folder of files to upload, found none.
    """
    if folder is None:
        raise RecordError("no-folder", "a folder of files to upload", found="none")
    parts = Path(name).parts
    if not parts or "\0" in name or Path(name).is_absolute() or ".." in parts:
        raise RecordError("outside", "a file of the run's folder", found=repr(name[:80]))
    handle = _opened(folder, parts, name)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise RecordError("no-file", "a regular file", found=repr(name[:80]))
    with os.fdopen(handle, "rb") as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        raise RecordError("too-large", f"at most {limit} bytes", found=f"more in {name!r}")
    media_type = TYPES.guess_type(f"x{Path(name).suffix.lower()}")[0]
    return UploadFile(parts[-1], media_type or "application/octet-stream", data)


def _opened(folder: Path, parts: tuple[str, ...], name: str) -> int:
    """Open step by step, following no link; the caller closes what is returned."""
    here = os.open(folder.resolve(), os.O_RDONLY | os.O_DIRECTORY)
    for part in parts:
        try:
            if stat.S_ISLNK(os.stat(part, dir_fd=here, follow_symlinks=False).st_mode):
                raise RecordError("outside", "a file, no link", found=repr(name[:80]))
            # Without O_NONBLOCK, opening a pipe that nobody writes would wait for ever.
            inner = os.open(part, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=here)
        except OSError as error:
            raise RecordError(
                "no-file",
                "a file of the run's folder",
                found=f"{name[:80]!r}: {plain_words(error)}",
            ) from error
        finally:
            os.close(here)
        here = inner
    return here


class FieldChange(msgspec.Struct, frozen=True):
    """Say what a field held before an action and after it."""

    field: str
    before: tuple[str, ...]
    after: tuple[str, ...]


class ExecutedAction(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Record what one action met and did.

    ``field``, ``option`` and ``button`` are what a click's point hit, or where the focus
    stood for the keyboard; ``control`` says whether it was the field's control, and
    ``distance`` how far the point lay from that control's box, in pixels of the picture.
    ``changes`` holds every field whose value became another, the hit one or not.
    ``refused`` says why nothing was done: "outside" the window, "no-file-chooser",
    "no-button", "too-much-typed", or a reason of the upload; "left-site" where the page
    went to another origin. ``own`` is false for what the driver did by itself. ``seconds``
    is how long it took until the page was at rest again, None where nobody knows any more.
    """

    action: Action
    page: int
    page_after: int
    done: bool = False
    field: str = ""
    option: str = ""
    button: str = ""
    control: bool = False
    distance: float | None = None
    changes: tuple[FieldChange, ...] = ()
    refused: str = ""
    settled: bool = True
    own: bool = True
    seconds: float | None = None


class Executor:
    """
    Act on one window; ``scale`` is picture pixels to a CSS pixel.

    ``folder`` holds the files that may be uploaded, ``hands`` are the browser's own unless
    others are given. ``state`` is what the page held after the last action, ``typed`` the
    characters typed so far.
    """

    def __init__(
        self, window: FormWindow, scale: float, folder: Path | None, hands: Hands | None = None
    ) -> None:
        self.window = window
        self.hands: Hands = hands or BrowserHands(window.page)
        self.scale = scale
        self.folder = folder
        self.state: State = window.state()
        self.typed = 0
        self._keys: set[str] = set()
        self._buttons: set[Button] = set()

    def execute(self, action: Action, *, own: bool = True) -> ExecutedAction:
        """
        Carry out an action, wait for rest, and return its effect.

        An action that cannot be carried out is an effect with a reason. Raises CaptureError
        and the driver's errors for a page that no longer answers.
        """
        start = time.monotonic()
        before = self.state
        hit = self._hit(action)
        refused = self._act(action, hit)
        settled = self.window.rest(1 if isinstance(action, Type) else 2)
        if not self.window.at_home():
            refused = "left-site"
            after = before
        else:
            after = self.window.state()
        self.state = after
        return ExecutedAction(
            action=action,
            page=before.page,
            page_after=after.page,
            done=after.done,
            field=hit.field,
            option=hit.option,
            button=hit.action,
            control=hit.control,
            distance=self._distance(action, hit),
            changes=_changes(before, after),
            refused=refused,
            settled=settled,
            own=own,
            seconds=time.monotonic() - start,
        )

    def release(self) -> None:
        """Let go of whatever is still held down, for who comes after on the same screen."""
        if self.window.page.is_closed():
            return
        for key in sorted(self._keys):
            self.hands.hold_key(key, down=False)
        for button in sorted(self._buttons):
            self.hands.hold(button, down=False)
        self._keys.clear()
        self._buttons.clear()

    def _hold(self, x: float, y: float, button: Button, *, down: bool) -> None:
        self.hands.move(x / self.scale, y / self.scale)
        self.hands.hold(button, down=down)
        (self._buttons.add if down else self._buttons.discard)(button)

    def _hold_key(self, key: str, *, down: bool) -> None:
        self.hands.hold_key(key, down=down)
        (self._keys.add if down else self._keys.discard)(key)

    def _hit(self, action: Action) -> Hit:
        match action:
            case (
                Click(x, y)
                | Upload(x, y)
                | Move(x, y)
                | MouseDown(x, y)
                | MouseUp(x, y)
                | Drag(x, y)
            ):
                return self.window.hit(x / self.scale, y / self.scale)
            case Type() | Press() | KeyDown() | KeyUp():
                return Hit(True, self.state.focus, "", "", False, None)  # noqa: FBT003
            case _:
                return Hit(True, "", "", "", False, None)  # noqa: FBT003

    def _distance(self, action: Action, hit: Hit) -> float | None:
        if not isinstance(action, Click | MouseDown | Upload) or hit.box is None:
            return None
        left, top, right, bottom = Box(*hit.box).scaled(self.scale).as_tuple()
        corners = [Point(left, top), Point(right, top), Point(right, bottom), Point(left, bottom)]
        return distance_to_polygon(Point(action.x, action.y), corners)

    def _act(self, action: Action, hit: Hit) -> str:
        """Do it; return "" or the reason why it was refused."""
        if not hit.found:
            return "outside"
        match action:
            case Click(x, y, button, count):
                self.hands.click(x / self.scale, y / self.scale, button, count)
            case Type(text):
                return self._type(text)
            case Press(keys):
                self.hands.press(keys)
            case Scroll():
                self._scroll(action)
            case Upload():
                return self._upload(action)
            case NextPage():
                return self._press_button("next")
            case Submit():
                return self._press_button("submit")
            case Finish():
                pass
            case _:
                self._move(action)
        return ""

    def _move(self, action: Move | MouseDown | MouseUp | Drag | KeyDown | KeyUp | Wait) -> None:
        """Do what moves, holds or waits."""
        match action:
            case Move(x, y):
                self.hands.move(x / self.scale, y / self.scale)
            case MouseDown(x, y, button) | MouseUp(x, y, button):
                self._hold(x, y, button, down=isinstance(action, MouseDown))
            case Drag(x, y, to_x, to_y):
                self._hold(x, y, "left", down=True)
                self._hold(to_x, to_y, "left", down=False)
            case KeyDown(key) | KeyUp(key):
                self._hold_key(key, down=isinstance(action, KeyDown))
            case Wait(seconds):
                self.window.page.wait_for_timeout(1000 * seconds)

    def _type(self, text: str) -> str:
        self.typed += len(text)
        if self.typed > self.window.limits.typed:
            return "too-much-typed"
        at = 0
        for gap in KEYS_WITHIN.finditer(text):
            if gap.start() > at:
                self.hands.type(text[at : gap.start()])
            self.hands.press("Tab" if gap[0] == "\t" else "Enter")
            at = gap.end()
        if at < len(text):
            self.hands.type(text[at:])
        return ""

    def _scroll(self, action: Scroll) -> None:
        at = None
        if action.x is not None and action.y is not None:
            at = action.x / self.scale, action.y / self.scale
        self.hands.scroll(action.dx / self.scale, action.dy / self.scale, at)

    def _upload(self, action: Upload) -> str:
        try:
            file = read_upload(self.folder, action.file, limit=self.window.limits.upload_bytes)
        except RecordError as error:
            return error.reason
        self.window.choosers.clear()
        self.hands.click(action.x / self.scale, action.y / self.scale, "left", 1)
        return "" if self._choose(file) else "no-file-chooser"

    def _choose(self, file: UploadFile) -> bool:
        """Answer the file chooser, once it opens, through its own event."""
        end = time.monotonic() + CHOOSER_MS / 1000
        while not self.window.choosers:
            if time.monotonic() > end:
                return False
            self.window.page.wait_for_timeout(POLL_MS)
        chooser = self.window.choosers.pop()
        chooser.set_files({"name": file.name, "mimeType": file.media_type, "buffer": file.data})
        return True

    def _press_button(self, name: str) -> str:
        if name not in self.window.ask(dict[str, object], "buttons"):
            return "no-button"
        try:
            self.hands.activate(name)
        except PlaywrightTimeoutError:
            return "no-button"
        return ""


def _changes(before: State, after: State) -> tuple[FieldChange, ...]:
    """Return the fields of both states whose values differ, in the page's order."""
    if before.page != after.page:
        return ()
    return tuple(
        FieldChange(name, held, after.values[name])
        for name, held in before.values.items()
        if name in after.values and after.values[name] != held
    )
