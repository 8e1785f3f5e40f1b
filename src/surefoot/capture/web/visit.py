"""
One visit of one page: what happened on it, and whether it is still the page we opened.
"""

from __future__ import annotations

import http
import re
import time
import urllib.parse
from collections.abc import Callable
from typing import Any, Final

import msgspec
from playwright.sync_api import (
    CDPSession,
    ConsoleMessage,
    Dialog,
    Error,
    Page,
    Request,
    Response,
)
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from surefoot.capture.access.secrets import NONE, Secrets, hiding, is_live
from surefoot.capture.access.states import StoredItem, secrets_in
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address
from surefoot.capture.web.asked import AskedPage, PageFacts
from surefoot.capture.web.chromium import page_script
from surefoot.capture.web.resources import Resources
from surefoot.capture.web.streams import Streams
from surefoot.capture.web.world import World
from surefoot.core.errors import CaptureError

BAD: Final = http.HTTPStatus.BAD_REQUEST
CERTIFICATE: Final = "net::ERR_CERT_"
BELIEF: Final = "name the certificate of the server, or of who signed it, by --ca FILE"
NET_ERROR: Final = re.compile(r"ERR_[A-Z_]+")
# How hermetic.js says that it turned a script down.
REFUSAL: Final = re.compile(r"surefoot refuses ([^:\n]{1,60}): ([^\n]{1,200})")
SCRIPTED_KINDS: Final = frozenset({"eventsource", "fetch", "xhr"})
DESTROYED: Final = (
    "context was destroyed",
    "Cannot find context",
    "frame was detached",
    "interrupted by another",
    "Inspected target navigated",
)


class Visit:
    """
    Hold an opened page and everything that it did since.

    ``page`` is the Playwright page, after its load event; ``scripted`` is false where no
    timer, frame or observer fires. ``resources`` is what became of all that it asked for, and
    ``requests`` counts it.
    ``frozen`` holds for a document that was recorded without its scripts.
    ``acted`` is set once something was done on the page: what has the focus then keeps it.
    """

    def __init__(
        self,
        page: Page,
        address: Address,
        settings: Settings,
        resources: Resources,
        trip: Callable[[str], None],
        secrets: Secrets = NONE,
    ) -> None:
        self.page = page
        self.address = address
        self.settings = settings
        self.scripted = address.scripted
        self.frozen = False
        self.resources = resources
        self.secrets = secrets
        self.hide = hiding(secrets.values()) if secrets else str
        self.started = time.monotonic()
        self._trip = trip
        self._pending: set[Request] = set()
        self._let_go: set[tuple[str, str]] = set()
        self.requests = 0
        self._dialogs = 0
        self._broken = ""
        self._cdp: CDPSession | None = None
        self._world = 0
        self._document = ("", "")
        self._opened = ""
        self._asked = ""
        self._origin = ""
        self._mark = ""
        self._status = 0
        self._sought = ""
        self._failed: list[str] = []
        self._streams = Streams()
        self._responses: list[Response] = []
        self.acted = False
        self._listen()

    @property
    def asked(self) -> AskedPage:
        """Return what was asked for."""
        actions = self.address.actions
        return AskedPage(
            self._asked,
            self.address.spec,
            self.settings.reached,
            acted=bool(actions),
            typed=any(action.variable for action in actions),
        )

    def _thaw(self) -> None:
        self.frozen = True
        world = World(self.page)
        self.acted = world.thaw()
        world.close()

    def hear(self, world: World, *, later: bool = False) -> None:
        """
        Tell our side of the page whom its scripts listen to, or did when it was recorded.

        ``later`` leaves what can wait until then to ``World.read_tree``.
        """
        if self.frozen:
            world.call(bool, "recall")
        elif self.scripted:
            world.hear(later=later)

    def pending_requests(self) -> int:
        """
        Return how many requests are in flight, and how many streams have just begun or spoken.

        Call the page in between to learn more.
        """
        return len(self._waiting()) + self._streams.awaited()

    def let_go(self) -> bool:
        """
        Count no more what scripts wait for, and tell whether nothing else is in flight.

        A request that is never answered asks for what may happen some day: an event, another
        one's message. Later ones of the same kind are not waited for either.
        """
        waiting = self._waiting()
        if any(request.resource_type not in SCRIPTED_KINDS for request in waiting):
            return False
        self._let_go.update(_kind(request) for request in waiting)
        self._streams.let_go()
        return True

    def _waiting(self) -> list[Request]:
        return [item for item in self._pending if _kind(item) not in self._let_go]

    def navigate(self, url: str, *, mark: str = "", frozen: bool = False) -> None:
        """
        Open a URL and wait for its load event.

        ``mark`` is a CSS selector of what ``verify`` has to find on it. A ``frozen`` document is
        brought back to the state in which it was recorded.

        Raises CaptureError, among others for a status of 400 and above ("http-status") and
        where a redirect leads to another page ("navigated-away"). The same page with a slash
        at the end of its path, or with the language that it was asked for in it, is none.
        """
        limit = self.settings.limits.navigation_s
        self._mark, self._origin = mark, _origin(url)
        self._cdp = self.page.context.new_cdp_session(self.page)
        self._cdp.on("Page.frameNavigated", self._on_document)
        self._cdp.send("Page.enable")
        self._asked = url
        response = self.page.goto(url, wait_until="load", timeout=limit * 1000)
        self._document = self._identity()
        self.asked.check_place(self._opened, response.status if response else 0)
        arrived = response is None or _bare(self._opened) == _bare(response.url)
        if not arrived or not self._is_asked(self._opened):
            raise self._failure("navigated-away", f"the page {url}", self._opened)
        if response is not None and response.status >= BAD:
            raise self._failure("http-status", "a page with status 200", str(response.status))
        self._check_limits()
        if frozen:
            self._thaw()

    def shown_at(self) -> str:
        """
        Return the address that scripts gave the page, "" where it is the one that was opened.

        It is another document in no case, but it may be another view.
        """
        here = self.page.url
        view, asked = (
            urllib.parse.urlsplit(url).fragment.strip("!/") for url in (here, self._asked)
        )
        same = urllib.parse.unquote(view) == urllib.parse.unquote(asked)
        return "" if same and self._is_asked(here) else here

    def _is_asked(self, url: str) -> bool:
        language = self.settings.locale
        return _place(url, language) == _place(self._asked, language)

    def follow(self) -> bool:
        """
        Tell whether an action led to another document, and wait for its load event.

        Raises CaptureError where it is of another origin ("navigated-away") or its status is
        400 or above ("http-status").
        """
        if self._identity() == self._document:
            return False
        self._world = 0
        self.page.wait_for_load_state("load", timeout=self.settings.limits.navigation_s * 1000)
        self._document = self._identity()
        here = self.page.url
        self.asked.check_place(here, self._status)
        if _origin(here) != self._origin:
            raise self._failure("navigated-away", f"a page of {self._origin}", here)
        if self._status >= BAD:
            raise self._failure("http-status", "a page with status 200", str(self._status))
        self._check_limits()
        return True

    def verify(self) -> None:
        """
        Raise CaptureError unless this is still the page that was opened, within its limits.

        Reasons: "popup", "download", "dialog-storm", "crash", "too-many-requests",
        "navigated-away", "too-many-nodes", "too-large", "signed-out".
        """
        if not self._broken and self._identity() != self._document:
            self.asked.check_place(self.page.url)
            raise self._failure("navigated-away", "the page that was opened", self.page.url)
        self._check_limits()
        if self._mark and not self._has(self._mark):
            raise self._failure("signed-out", f"a page with {self._mark}", "one without")

    def verify_asked(self, facts: PageFacts) -> None:
        """
        Raise CaptureError where the page stands in the place of the one that was asked for.

        Reasons: "signed-out", "not-asked".
        """
        self.asked.check(facts, self.page.url, sorted(self._failed))

    def responses(self) -> dict[str, Response]:
        """Return what the page was given beside its document, by all addresses that led there."""
        found: dict[str, Response] = {}
        for response in self._responses:
            request: Request | None = response.request
            if response.status < http.HTTPStatus.MULTIPLE_CHOICES:
                found[response.url] = response
                while request is not None:
                    found[request.url] = response
                    request = request.redirected_from
        return found

    def hiding_all(self, world: World) -> Callable[[str], str]:
        """Return what takes secrets out of a text, those among them that the visit brought."""
        return hiding(self.all_secrets(world)) if self.secrets else str

    def all_secrets(self, world: World) -> list[str]:
        """Return the secrets that are known, and those that the browser keeps by now."""
        stored = [StoredItem(*pair) for pair in world.call(list[tuple[str, str]], "stored")]
        cookies = self.page.context.cookies()
        origins = [{"origin": self._origin, "localStorage": msgspec.to_builtins(stored)}]
        found = secrets_in({"cookies": cookies, "origins": origins})
        return [*self.secrets.values(), *found]

    def left(self) -> None:
        """Raise CaptureError "signed-out" where the page has left for one to sign in at."""
        for url in (self._sought, self.page.url):
            if is_live(url):  # the browser's own page of an error is nowhere
                self.asked.check_place(url)

    def _check_limits(self) -> None:
        if self._broken:
            raise self._failure(self._broken, *self._said(self._broken, "it ended"))
        nodes, width, height = self._measure()
        limits = self.settings.limits
        if nodes > limits.nodes:
            raise self._failure("too-many-nodes", f"at most {limits.nodes} nodes", str(nodes))
        if max(width, height) > limits.side_px:
            raise self._failure(
                "too-large", f"sides of at most {limits.side_px} px", f"{width} x {height} px"
            )

    def _has(self, selector: str) -> bool:
        """Tell whether an element is there, without running any script."""
        root = self._send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
        found = self._send("DOM.querySelector", {"nodeId": root, "selector": selector})
        return bool(found["nodeId"])

    def explain(self, error: Error, tripped: str = "") -> CaptureError:
        """Turn a driver's error into the capture error that lies behind it."""
        text = str(error).splitlines()[0] if str(error) else type(error).__name__
        reason = self._broken or tripped or _reason(error, text)
        remedy = BELIEF if CERTIFICATE in text else ""
        return self._failure(reason, *self._said(reason, text), remedy=remedy)

    def _said(self, reason: str, text: str) -> tuple[str, str]:
        """Return what was expected of a page and what was found, in a person's words."""
        limits = self.settings.limits
        code = NET_ERROR.search(text)
        times = f"{limits.navigation_s:g} s and captured within {limits.unit_s:g} s"
        said = {
            "crash": ("a page that Chromium can show", "one in which it crashed"),
            "dialog-storm": (f"at most {limits.dialogs} questions of a page", "more"),
            "download": ("a page to look at", "a file to download"),
            "memory": (
                f"a page within {limits.memory_bytes} bytes of memory",
                "one that took more",
            ),
            "navigated-away": ("the page that was opened", "one that left for another"),
            "popup": ("a page that stays in its window", "one that opened another window"),
            "timeout": (f"a page that is there within {times}", "one that took longer"),
            "too-many-requests": (f"at most {limits.requests} requests of a page", "more"),
            "unreachable": (
                "a server that answers",
                f"Chromium's error {code[0] if code else '?'}",
            ),
        }
        driver = text.partition(": ")[2] or text
        return said.get(reason, ("a browser that lives as long as the visit", driver))

    def break_off(self, reason: str) -> None:
        """Mark the visit as failed; the first reason stays."""
        self._broken = self._broken or reason

    def _failure(
        self, reason: str, expected: str, found: str, *, remedy: str = ""
    ) -> CaptureError:
        found = self.hide(found) if self.secrets else found
        found = f"{found} ({self.address.spec})"
        return CaptureError(reason, expected=expected, found=found, remedy=remedy)

    def _listen(self) -> None:
        page = self.page
        page.on("request", self._on_request)
        page.on("requestfinished", self._on_finished)
        page.on("requestfailed", self._on_failed)
        page.on("response", self._on_response)
        page.on("console", self._on_console)
        page.on("dialog", self._on_dialog)
        page.on("crash", self._on_crash)
        page.on("download", lambda _: self.break_off("download"))
        page.on("pageerror", lambda _: self._failed.append("a script that failed"))
        page.on("websocket", self._streams.begin)
        page.context.on("page", self._on_page)

    def _on_request(self, request: Request) -> None:
        if request.resource_type == "eventsource":
            self._hear_events()
        if self._is_document(request):
            self._sought = request.url
        self._pending.add(request)
        self.requests += 1
        if self.requests > self.settings.limits.requests:
            self.break_off("too-many-requests")
            self._trip("too-many-requests")

    def _on_finished(self, request: Request) -> None:
        self._pending.discard(request)

    def _on_failed(self, request: Request) -> None:
        self._pending.discard(request)
        if not self._is_document(request):
            self.resources.broken_off(request.url, request.resource_type, request.failure or "")

    def _on_response(self, response: Response) -> None:
        request = response.request
        if self._is_document(request):
            self._status = response.status
        else:
            if request.resource_type == "eventsource":
                self._pending.discard(request)
                self._streams.begin_events()
            elif response.status >= BAD and self._is_own_call(request):
                path = urllib.parse.urlsplit(request.url).path
                self._failed.append(f"{response.status} at {path}")
            self._responses.append(response)
            kind = response.headers.get("content-type", "")
            self.resources.answered(request.url, request.resource_type, response.status, kind)

    def _is_own_call(self, request: Request) -> bool:
        own = _origin(request.url) == self._origin
        return own and request.resource_type in SCRIPTED_KINDS

    def _is_document(self, request: Request) -> bool:
        """Tell whether a request is for the page itself, which ``navigate`` judges."""
        return request.is_navigation_request() and request.frame == self.page.main_frame

    def _on_console(self, message: ConsoleMessage) -> None:
        """Hear of what hermetic.js turned down."""
        if refusal := REFUSAL.fullmatch(message.text):
            self.resources.refused(refusal[1], refusal[2])
        elif message.type == "error" and not message.text.startswith("Failed to load resource"):
            self._failed.append("an error in the console")

    def _hear_events(self) -> None:
        """Hear of the messages of event streams, once the page has one."""
        if self._cdp is not None and not self._streams.listens:
            self._streams.listens = True
            self._cdp.on("Network.eventSourceMessageReceived", self._streams.spoke)
            self._cdp.send("Network.enable", {"maxTotalBufferSize": 0})

    def _on_dialog(self, dialog: Dialog) -> None:
        self._dialogs += 1
        if self._dialogs > self.settings.limits.dialogs:
            self.break_off("dialog-storm")
            self._trip("dialog-storm")
            return
        dialog.dismiss()

    def _on_crash(self, _: Page) -> None:
        """End the browser too: a call to a page that is gone would never return."""
        self.break_off("crash")
        self._trip("crash")

    def _on_page(self, page: Page) -> None:
        if page is not self.page:
            self.break_off("popup")
            page.close()

    def _on_document(self, event: dict[str, Any]) -> None:
        """Remember where a document came from; what scripts write there later is no matter."""
        if "parentId" not in event["frame"]:
            self._opened = str(event["frame"]["url"])

    def _identity(self) -> tuple[str, str]:
        """Return what names the document, whatever its history says of its address."""
        frame = self._send("Page.getFrameTree")["frameTree"]["frame"]
        return str(frame["loaderId"]), str(frame["id"])

    def _measure(self) -> tuple[int, int, int]:
        """Count elements in a world of our own, whose functions no page can replace."""
        if not self._world:
            made = self._send("Page.createIsolatedWorld", {"frameId": self._document[1]})
            self._world = made["executionContextId"]
        result = self._send(
            "Runtime.evaluate",
            {
                "expression": page_script("count.js"),
                "contextId": self._world,
                "returnByValue": True,
            },
        )
        size = self._send("Page.getLayoutMetrics")["cssContentSize"]
        return int(result["result"].get("value", 0)), int(size["width"]), int(size["height"])

    def _send(self, method: str, parameters: dict[str, Any] | None = None) -> Any:  # noqa: ANN401
        if self._cdp is None:
            raise Error("the page was never opened")
        return self._cdp.send(method, parameters)


def _kind(request: Request) -> tuple[str, str]:
    """Return what is alike in requests for the same thing: method, and address but its query."""
    return request.method, request.url.partition("?")[0]


def _bare(url: str) -> str:
    return urllib.parse.urldefrag(url).url


def _place(url: str, locale: str) -> tuple[str, list[str], str]:
    """
    Return what tells pages apart: origin, path without the language asked for, and query.

    >>> _place("http://a.example/fr/x/", "fr-FR") == _place("http://a.example/x", "fr-FR")
    True
    """
    tags = {locale.lower(), locale.partition("-")[0].lower()}
    parts = urllib.parse.urlsplit(url)
    steps = urllib.parse.unquote(parts.path).strip("/").split("/")
    kept = [step for step in steps if step.lower().replace("_", "-") not in tags]
    return _origin(url), [step for step in kept if step], urllib.parse.unquote(parts.query)


def _origin(url: str) -> str:
    parts = urllib.parse.urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _reason(error: Error, text: str) -> str:
    if isinstance(error, PlaywrightTimeoutError):
        return "timeout"
    if "crashed" in text:
        return "crash"
    if "Download is starting" in text:
        return "download"
    if "net::" in text:
        return "unreachable"
    if any(sign in text for sign in DESTROYED):
        return "navigated-away"
    return "browser-error"
