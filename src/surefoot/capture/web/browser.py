"""
One Chromium, held by limits, that visits pages: each in a fresh context, none in a network.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import tempfile
import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

import psutil
from playwright.sync_api import Error, Page

from surefoot.capture.access.certificates import public_keys
from surefoot.capture.access.secrets import NONE, Secrets, hiding, is_live
from surefoot.capture.access.states import without_sessions
from surefoot.capture.clock import CLOCK
from surefoot.capture.contents import Contents
from surefoot.capture.reasons import explained
from surefoot.capture.routes import Folder, Upstream
from surefoot.capture.settings import Settings
from surefoot.capture.sources import (
    Address,
    Services,
    is_trusted,
    lost_pages,
    open_address,
)
from surefoot.capture.sources.web import further_origin
from surefoot.capture.watchdog import Watchdog, lives
from surefoot.capture.web import chromium
from surefoot.capture.web.driver import driver_died, started_driver
from surefoot.capture.web.host import SiteHost
from surefoot.capture.web.processes import DELAY_S, BrowserProcesses
from surefoot.capture.web.resources import REFUSED, Resources
from surefoot.capture.web.room import Confinement, Room
from surefoot.capture.web.visit import Visit
from surefoot.core.errors import CaptureError, MissingComponentError
from surefoot.core.seeds import derive_seed

if TYPE_CHECKING:
    from playwright.sync_api import Browser as Chromium
    from playwright.sync_api import BrowserContext


# The instant at which every page believes to be; its clock stands still until it is moved.
CLOSE_S: Final = 5.0
# Twice what the driver waits for a browser that does not come up.
START_S: Final = 60.0
ABSENT: Final = "not in the archive"
# What a page that was sent to another origin, or left by itself, fails with.
ELSEWHERE: Final = frozenset({"navigated-away", "unreachable"})
READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
T = TypeVar("T")


class Browser:
    """
    Own a Chromium, its site host and its watchdog; a context manager.

    Use it from the thread that entered it, one at a time in each thread. The browser is
    started at the first visit, again after it had to be killed, and afresh after
    ``pages_per_browser`` visits; ``pid`` is its process, 0 before the first. It is shown on
    the X ``display``, if one is named. Local files must be those of the ``contents``. Pages of
    the live web are opened with the ``secrets`` that their settings name, and a server that has
    the key of a certificate in the file ``ca`` is believed. Raises MissingComponentError where
    there is no Chromium.
    """

    def __init__(
        self,
        display: str = "",
        *,
        contents: Contents | None = None,
        secrets: Secrets = NONE,
        ca: str = "",
    ) -> None:
        self._display = display
        self._contents = contents
        self._secrets = secrets
        self._keys = public_keys(ca) if ca else ()
        self._stack = contextlib.ExitStack()
        self._chromium: Chromium | None = None
        self.pid = 0
        self._visits = 0

    def __enter__(self) -> Self:
        """Start the driver, the site host and the watchdog."""
        with contextlib.ExitStack() as stack:
            self._services = stack.enter_context(Services(self._contents))
            self._host = stack.enter_context(SiteHost())
            self._watchdog = stack.enter_context(Watchdog())
            before = _drivers()
            self._playwright = stack.enter_context(started_driver())
            self._watchdog.driver = next(iter(_drivers() - before), None)
            folder = tempfile.TemporaryDirectory(prefix="surefoot-browser-")
            self._room = Room(Path(stack.enter_context(folder)))
            stack.callback(self._stop)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        """Close the browser and everything that was started for it."""
        self._stack.close()

    @property
    def identity(self) -> dict[str, str]:
        """Return the renderer's version, the fonts' digest and the platform, for plans."""
        return chromium.identity(self._running().version, self._display)

    @property
    def alive(self) -> bool:
        """Tell whether the driver lives, without which no browser can be started."""
        driver = self._watchdog.driver
        return driver is None or lives(driver)

    @property
    def confinement(self) -> Confinement:
        """Return what confines the browser."""
        self._running()
        return self._confinement

    @property
    def refused(self) -> tuple[str, ...]:
        """Return the latest requests that were turned away, the browser's own among them."""
        return tuple(self._host.refused)

    @contextlib.contextmanager
    def visit(self, address: Address, settings: Settings) -> Iterator[Visit]:
        """
        Open a page in a fresh context and hold it to its limits for the length of a block.

        Where the page is scripted, its clock stands still at CLOCK from before its first
        script. Raises CaptureError for whatever the page does wrong, also for driver
        errors that the block itself meets; the browser is whole again for the next visit.
        Raises MissingComponentError for a page of others where nothing confines the browser.
        """
        opened = open_address(address, self._services, settings)
        limits = settings.limits
        if opened.size > limits.mhtml_bytes:
            raise CaptureError(
                "too-large",
                expected=f"an archive of at most {limits.mhtml_bytes} bytes",
                found=f"{opened.size} ({address.spec})",
            )
        running = self._running(limits.pages_per_browser)
        if not is_trusted(address):
            self._confinement.check(address.spec)
        access = settings.reached
        live = is_live(address.spec)
        further = [further_origin(item) for item in access.allow if live]
        routes = [opened.route] if opened.route else []
        secrets = self._secrets if live else NONE
        self._visits += 1
        self._watchdog.arm(self.pid, seconds=limits.unit_s, memory_bytes=limits.memory_bytes)
        self._processes.begin()
        visit: Visit | None = None
        try:
            origin = opened.route.origin if opened.route else ""
            signed = _signed(secrets, origin) if access.signs_in else {}
            with (
                self._host.serving(*routes, *further),
                _context(running, settings, signed) as context,
            ):
                page = context.new_page()
                headers = secrets.headers if access.signs_in else {}
                if live and (access.read_only or (headers and further)):
                    _hold(page, headers, origin, read_only=access.read_only)
                elif headers:
                    context.set_extra_http_headers(dict(headers))
                _freeze(page, address, settings)
                resources = Resources(
                    origin,
                    elsewhere=REFUSED if address.scripted else ABSENT,
                    allowed=[route.origin for route in further],
                    hide=hiding(secrets.values()) if secrets else str,
                )
                visit = Visit(page, address, settings, resources, self._watchdog.trip, secrets)
                visit.navigate(opened.url, mark=opened.mark, frozen=opened.frozen)
                yield visit
                self._watchdog.extend(CLOSE_S)
                self._check_processes(address.spec)
                if self._host.changed is not None:
                    raise self._host.changed
        except (Error, CaptureError) as error:
            cause = self._cause(error, visit, address)
            if visit is not None and cause.reason in ELSEWHERE:
                visit.left()
            raise explained(cause, address.spec) from error
        finally:
            self._watchdog.disarm()
            if self._watchdog.tripped:
                self._stop()

    @contextlib.contextmanager
    def lend(self, route: Folder | Upstream, settings: Settings) -> Iterator[BrowserContext]:
        """
        Lend a fresh context that reaches one route only, for pages that are used.

        Unlike a visit's, its pages may navigate within the route, and their clocks run. The
        limits that hold are ``unit_s``, which ``grant`` moves, and ``memory_bytes``. Raises
        CaptureError "timeout", "memory" or "browser-error" for driver errors of the block, and
        "browser-error" where a process of the browser died, for its pages may lack what it
        was loading.
        """
        running = self._running(settings.limits.pages_per_browser)
        self._visits += 1
        limits = settings.limits
        self._watchdog.arm(self.pid, seconds=limits.unit_s, memory_bytes=limits.memory_bytes)
        self._processes.begin()
        try:
            with self._host.serving(route), _context(running, settings) as context:
                yield context
                self._watchdog.extend(CLOSE_S)
                self._check_processes(route.origin)
        except Error as error:
            raise CaptureError(
                self._watchdog.tripped or "browser-error",
                expected="a page within its limits",
                found=error,
            ) from error
        finally:
            self._watchdog.disarm()
            if self._watchdog.tripped:
                self._stop()

    def lost(self, address: Address) -> tuple[str, ...]:
        """Return the pages of a site that the last visit of this address made vanish."""
        return lost_pages(address, self._services)

    def once(self, key: str, make: Callable[[], T]) -> T:
        """Return what was made under a key, making it at the first call."""
        return self._services.get(key, lambda: contextlib.nullcontext(make()))

    def extend(self, seconds: float) -> None:
        """Give the page that is visited at least this many seconds from now."""
        self._watchdog.extend(seconds)

    def grant(self, seconds: float) -> None:
        """
        Give the context that is lent this many seconds from now.

        Raises CaptureError "browser-error" where a process of the browser died.
        """
        self._check_processes("the page that is used")
        self._watchdog.grant(seconds)

    def _cause(
        self, error: Error | CaptureError, visit: Visit | None, address: Address
    ) -> CaptureError:
        tripped = self._watchdog.tripped
        if not tripped and self._host.changed is not None:
            return self._host.changed
        # A page may learn that the browser is dying before anyone else does.
        if not tripped and self._processes.died(
            patience_s=DELAY_S if isinstance(error, Error) else 0.0
        ):
            return _died(address.spec)
        if isinstance(error, CaptureError) and not tripped:
            return error
        if not tripped and (self._chromium is None or not self._chromium.is_connected()):
            tripped = "browser-error"
        if isinstance(error, Error) and visit is not None:
            return visit.explain(error, tripped)
        return CaptureError(
            tripped or "browser-error",
            expected=f"{address.spec} within its limits",
            found=error,
        )

    def _running(self, pages: int = 0) -> Chromium:
        worn = pages and self._visits >= pages
        if self._chromium is not None and (worn or not self._chromium.is_connected()):
            self._stop()
        if self._chromium is None:
            self._check_driver("before the browser's start")
            self._watchdog.arm_start(START_S)
            try:
                self._chromium, self._confinement = chromium.launch(
                    self._playwright,
                    self._host.address,
                    self._room,
                    self._display,
                    keys=self._keys,
                )
            except MissingComponentError as error:
                self._check_driver(str(error))
                raise
            finally:
                self._watchdog.disarm()
            self.pid = self._room.pid
            self._processes = BrowserProcesses(self.pid)
            self._visits = 0
        return self._chromium

    def _check_processes(self, place: str) -> None:
        if self._processes.died():
            raise _died(place)

    def _check_driver(self, found: str) -> None:
        if not self.alive:
            raise driver_died(found)

    def _stop(self) -> None:
        if self._chromium is not None:
            with contextlib.suppress(Error):
                self._chromium.close()
            self._chromium = None


def _signed(secrets: Secrets, origin: str) -> dict[str, Any]:
    """Return what a context is opened with, so that its pages are signed in at one origin."""
    found: dict[str, Any] = {}
    if secrets.state is not None:
        found["storage_state"], found["sessions"] = without_sessions(secrets.state)
    if secrets.credentials is not None:
        user, password = secrets.credentials
        found["http_credentials"] = {"username": user, "password": password, "origin": origin}
    return found


def _hold(page: Page, headers: Mapping[str, str], origin: str, *, read_only: bool) -> None:
    """
    Look at each request: headers go to one origin, and what only reads may pass if it has to.

    That is by the protocol: a header that Playwright adds to a request follows its redirects.
    """
    session = page.context.new_cdp_session(page)

    def pass_on(event: dict[str, Any]) -> None:
        asked, number = event["request"], {"requestId": event["requestId"]}
        parts = urllib.parse.urlsplit(asked["url"])
        own = headers if f"{parts.scheme}://{parts.netloc}" == origin else {}
        taken = {name.lower() for name in headers}
        kept = {name: text for name, text in asked["headers"].items() if name.lower() not in taken}
        sent = [{"name": name, "value": text} for name, text in {**kept, **own}.items()]
        with contextlib.suppress(Error):  # of a page that is gone meanwhile
            if read_only and asked["method"] not in READING:
                session.send("Fetch.failRequest", {**number, "errorReason": "BlockedByClient"})
            else:
                session.send("Fetch.continueRequest", {**number, "headers": sent})

    session.on("Fetch.requestPaused", pass_on)
    session.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})


@contextlib.contextmanager
def _context(
    running: Chromium, settings: Settings, signed: Mapping[str, Any] = NOTHING
) -> Iterator[BrowserContext]:
    """Open a context; what Playwright does not know of ``signed`` is given to each page."""
    options = dict(signed)
    sessions = options.pop("sessions", {})
    context = running.new_context(
        viewport={"width": settings.width, "height": settings.height},
        device_scale_factor=settings.scale,
        is_mobile=settings.mobile,
        has_touch=settings.mobile,
        user_agent=chromium.user_agent(running.version, settings),
        locale=settings.locale,
        timezone_id=settings.timezone,
        reduced_motion="reduce",
        color_scheme="light",
        service_workers="block",
        accept_downloads=False,
        permissions=[],
        **options,
    )
    if sessions:
        stored = json.dumps(sessions)
        context.add_init_script(chromium.page_script("sessions.js").replace("STORED", stored))
    try:
        yield context
    finally:
        with contextlib.suppress(Error):
            context.close()


def _freeze(page: Page, address: Address, settings: Settings) -> None:
    """Seed the page's randomness and stop its clock, before any script of its own."""
    seed = derive_seed(settings.seed, "page", address.page) % 2**32
    page.add_init_script(chromium.page_script("hermetic.js").replace("SEED", str(seed)))
    if address.scripted:
        # Not installed first: it would run until it is paused, each time for another while.
        moment = settings.reached.clock
        page.clock.pause_at(dt.datetime.fromisoformat(moment) if moment else CLOCK)


def _drivers() -> set[psutil.Process]:
    """Return the drivers that this process has started; Playwright does not tell."""
    found = set()
    for child in psutil.Process().children():
        with contextlib.suppress(psutil.Error):  # another child may end meanwhile
            if "run-driver" in child.cmdline():
                found.add(child)
    return found


def _died(place: str) -> CaptureError:
    return CaptureError(
        "browser-error",
        expected="a browser whose processes live as long as the visit",
        found=f"that one of them died ({place})",
    )
