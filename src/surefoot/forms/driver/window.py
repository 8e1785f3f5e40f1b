"""
One live page under the driver: its eyes, its events, and its way to rest.

What the driver looks at it looks at from a world of its own, which the page can neither see
nor replace, and which is made anew after every navigation.
"""

from __future__ import annotations

import functools
import importlib.resources
import json
import time
import urllib.parse
from typing import Any, ClassVar, Final, TypeVar

import msgspec
from playwright.sync_api import (
    BrowserContext,
    Dialog,
    Error,
    FileChooser,
    Page,
    Request,
    Response,
)

from surefoot.capture.settings import Settings
from surefoot.capture.web.chromium import page_script
from surefoot.capture.web.page import apply_edits
from surefoot.capture.web.resources import NEVER_PAGES, Resources
from surefoot.capture.web.shoot import ViewScale
from surefoot.capture.web.world import World
from surefoot.core.errors import CaptureError
from surefoot.forms.driver.changed import FormChange
from surefoot.forms.driver.limits import EpisodeLimits

T = TypeVar("T")
Rect = tuple[float, float, float, float]
GONE: Final = ("context", "Cannot find", "navigated", "frame was detached")
INWARD: Final = ("data", "blob", "about")
# What a page says in passing, by RFC 9218 of the least urgency, or by a beacon: nothing that
# it shows hangs on the reply.
ASIDE: Final = "u=7"
SETTLE_MS: Final = 400
POLL_MS: Final = 5
DRAWN_S: Final = 30.0
KEPT: Final = 1000


class Hit(msgspec.Struct, frozen=True):
    """
    Say what lies under a point of the window.

    ``field``, ``option`` and ``action`` are the marks that enclose it, "" where none does;
    ``control`` says whether it is the field's control itself, ``box`` where that lies, in
    CSS pixels of the window. ``found`` is false outside the window.
    """

    found: bool
    field: str
    option: str
    action: str
    control: bool
    box: Rect | None


class State(msgspec.Struct, frozen=True):
    """
    Say what the page holds: its number, its fields' values, what has the focus, its size.

    ``page`` is -1 where no page of a form is shown; sizes are CSS pixels of the document.
    """

    page: int
    done: bool
    values: dict[str, tuple[str, ...]]
    focus: str
    wide: int
    tall: int
    errors: tuple[str, ...]


class ListedOption(msgspec.Struct, frozen=True):
    """Hold a row of a list: its value, its box in CSS pixels of the window, its state."""

    value: str
    box: Rect
    chosen: bool


class Popup(msgspec.Struct, frozen=True):
    """
    Say where a list lies that the browser draws over the page, for which field.

    ``box`` is in CSS pixels of the window; ``options`` are empty where the rows of the list
    cannot be told apart.
    """

    field: str
    box: Rect
    options: tuple[ListedOption, ...]


class FormWindow:
    """
    Hold one page of one origin, and everything that it tried.

    ``refused`` are requests to other origins and windows that it opened, ``dialogs`` the
    messages of its dialogs, ``failures`` its script errors; each keeps the first thousand.
    ``scripts`` are the driver's own in the page. A ``change`` is made on every page anew, as
    soon as it is at rest.
    """

    scripts: ClassVar[tuple[str, ...]] = ("look.js",)

    def __init__(
        self,
        context: BrowserContext,
        origin: str,
        limits: EpisodeLimits,
        change: FormChange = FormChange(),  # noqa: B008 (frozen)
    ) -> None:
        self.change = change
        self._changed: int | None = None  # the world of the page that was changed last
        self.origin = origin
        self.limits = limits
        self.refused: list[str] = []
        self.dialogs: list[str] = []
        self.failures: list[str] = []
        self.choosers: list[FileChooser] = []
        self._pending: set[Request] = set()
        self._asides: set[Request] = set()
        self._begun = 0
        self._resources = Resources(origin)
        self.page: Page = context.new_page()
        self.page.set_default_timeout(limits.step_s * 1000)
        self._session = context.new_cdp_session(self.page)
        self._world: int | None = None
        self._listen(context)

    def open(self, url: str) -> None:
        """
        Go to an address and wait until it is drawn and at rest.

        Raises CaptureError "http-status", and "not-drawn" for a page whose script is still
        at work after half a minute.
        """
        response = self.page.goto(url, wait_until="load")
        if response is not None and not response.ok:
            raise CaptureError(
                "http-status", expected="a page with status 200", found=str(response.status)
            )
        end = time.monotonic() + DRAWN_S
        while not self.rest() and self.ask(bool, "busy"):
            if time.monotonic() > end:
                raise CaptureError(
                    "not-drawn", expected="a page that its script draws", found="a busy one"
                )

    def rest(self, frames: int = 1) -> bool:
        """
        Wait until nothing loads or moves and so many frames bring no other layout.

        A script's own animation begins a frame late, so that one frame is not enough after
        a click; what came of a reply is drawn after it, so that all of them count from
        then. Return whether it came to rest within ``rest_s`` seconds. Raises CaptureError
        "resource-failed" where a part of its look did not come and might the next time.
        """
        end = time.monotonic() + self.limits.rest_s
        while time.monotonic() < end:
            quiet, begun = not self._pending, self._begun
            still = self._call(bool, f"rest({SETTLE_MS}, {frames})")
            if still and quiet and begun == self._begun:
                if not self.change.edits or self._changed == self._world:
                    self._resources.verify(self.page.url)
                    return True
                apply_edits(World(self.page), self.change.edits, ViewScale.of(Settings()))
                self._changed = self._world
            if not still:
                self.page.wait_for_timeout(POLL_MS)
        return False

    def hear_out(self) -> None:
        """Wait until what the page says in passing has arrived, ``rest_s`` seconds at most."""
        end = time.monotonic() + self.limits.rest_s
        while self._asides and time.monotonic() < end:
            self.page.wait_for_timeout(POLL_MS)

    def at_home(self) -> bool:
        """Tell whether the page is still one of its origin."""
        return _origin(self.page.url) == self.origin

    def state(self) -> State:
        """Return what the page holds now."""
        return self._call(State, "state()")

    def hit(self, x: float, y: float) -> Hit:
        """Return what lies under a point in CSS pixels of the window."""
        return self.ask(Hit, "hit", x, y)

    def ask(self, kind: type[T], function: str, *arguments: object) -> T:
        """Return what a function of the driver's eyes returns, decoded."""
        return self._call(kind, f"{function}({json.dumps(arguments)[1:-1]})")

    def popup(self) -> Popup | None:
        """Return the list that is drawn over the page; the page itself draws all of its own."""
        return None

    def picture(self) -> bytes:
        """Return the picture of the window, PNG, changed, without the caret, which blinks."""
        return self.change.picture(self.page.screenshot(type="png", caret="hide"))

    def resize(self, width: int, height: int) -> None:
        """Set the window's size in CSS pixels and wait for rest."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.rest()

    def _call(self, kind: type[T], call: str) -> T:
        """Call a function in our world; a navigation in between makes the call anew."""
        end = time.monotonic() + self.limits.rest_s
        while True:
            try:
                return msgspec.json.decode(self._evaluate(call), type=kind)
            except Error as error:
                gone = any(sign in str(error) for sign in GONE)
                if not gone or time.monotonic() > end or self.page.is_closed():
                    raise
                self._world = None
                self.page.wait_for_timeout(POLL_MS)

    def _evaluate(self, call: str) -> str:
        if self._world is None:
            frame = self._session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
            made = self._session.send("Page.createIsolatedWorld", {"frameId": frame})
            self._world = int(made["executionContextId"])
            for text in (page_script("dom.js"), *map(script, self.scripts)):
                self._run(text + "\n;''")
        spelled = f"Promise.resolve(surefootLook.{call}).then((found) => JSON.stringify(found))"
        return str(self._run(spelled)["result"]["value"])

    def _run(self, expression: str) -> dict[str, Any]:
        arguments = {
            "expression": expression,
            "contextId": self._world,
            "returnByValue": True,
            "awaitPromise": True,
        }
        result: dict[str, Any] = self._session.send("Runtime.evaluate", arguments)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            found = details.get("exception", {}).get("description", details["text"])
            raise CaptureError("script-error", expected="a page to look at", found=found[:300])
        return result

    def _listen(self, context: BrowserContext) -> None:
        page = self.page
        page.on("request", self._on_request)
        page.on("requestfinished", self._on_finished)
        page.on("requestfailed", self._on_failed)
        page.on("response", self._on_response)
        page.on("dialog", self._on_dialog)
        page.on("filechooser", self._on_chooser)
        page.on("pageerror", lambda error: _keep(self.failures, error.message))
        page.on("download", lambda item: _keep(self.refused, f"download {item.url}"))
        context.on("page", self._on_page)
        # Told in order with what we ask, while a new page reports some time later.
        self._session.on("Page.windowOpen", self._on_window)
        self._session.send("Page.enable")

    def _on_request(self, request: Request) -> None:
        url = urllib.parse.urlsplit(request.url)
        if url.scheme in INWARD:
            return
        if _origin(request.url) != self.origin:
            _keep(self.refused, f"{request.method} {request.url}")
        elif request.resource_type == "ping" or request.headers.get("priority") == ASIDE:
            self._asides.add(request)
        else:
            self._pending.add(request)
            self._begun += 1

    def _on_finished(self, request: Request) -> None:
        self._pending.discard(request)
        self._asides.discard(request)

    def _on_failed(self, request: Request) -> None:
        self._on_finished(request)
        if request.resource_type in NEVER_PAGES:
            failure = request.failure or ""
            self._resources.broken_off(request.url, request.resource_type, failure)

    def _on_response(self, response: Response) -> None:
        kind = response.request.resource_type
        if kind in NEVER_PAGES:
            self._resources.answered(
                response.url, kind, response.status, response.headers.get("content-type", "")
            )

    def _on_chooser(self, chooser: FileChooser) -> None:
        self.choosers.append(chooser)

    def _on_dialog(self, dialog: Dialog) -> None:
        _keep(self.dialogs, f"{dialog.type}: {dialog.message}")
        if dialog.type == "beforeunload":
            dialog.accept()
        else:
            dialog.dismiss()

    def _on_window(self, event: dict[str, Any]) -> None:
        _keep(self.refused, f"window {event.get('url', '')}")

    def _on_page(self, other: Page) -> None:
        if other is not self.page:
            other.close()


@functools.cache
def script(name: str) -> str:
    """Return one of the driver's page scripts by its file name."""
    return importlib.resources.files(__package__).joinpath("javascript", name).read_text("utf-8")


def _origin(url: str) -> str:
    parts = urllib.parse.urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _keep(notes: list[str], note: str) -> None:
    if len(notes) < KEPT:
        notes.append(note[:500])
