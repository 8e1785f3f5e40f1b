"""
Pages of a benchmark served alive, each episode on an origin of its own: ``ID.localhost``.

Every document gets the script that brings it to rest, applies the edits and hears what is
activated; nothing but the page's own site is reached from it.
"""

from __future__ import annotations

import functools
import importlib.resources
import re
import threading
import urllib.parse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

import msgspec

from surefoot.capture.access.secrets import is_live
from surefoot.capture.address import Address, OpenedAddress, Services
from surefoot.capture.clock import CLOCK
from surefoot.capture.live.protocol import BrowserHint, Way
from surefoot.capture.routes import Folder, HttpReply, forward, read_file, stilled
from surefoot.capture.settings import Settings
from surefoot.capture.sources import address_of, is_still, open_address
from surefoot.core.edit import PictureEdit, Zoom
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.screen import Screen
from surefoot.core.seeds import derive_seed

if TYPE_CHECKING:
    import anyio
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

OWN: Final = "/.surefoot/"
PARTIAL: Final = 206
_REST_S: Final = 40.0
_LARGEST: Final = 100 * 2**20
_LARGEST_REPORT: Final = 1 << 22
# A page reaches its own site alone, as it does when it is captured.
POLICY: Final = "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; form-action 'self'"
_DROPPED: Final = frozenset({
    "content-length", "content-security-policy", "content-security-policy-report-only", "etag",
    "last-modified", "strict-transport-security", "x-frame-options",
})  # fmt: skip
# Where a document's script of ours goes: after the first of these that it has.
_PLACES: Final = tuple(
    re.compile(tag, re.IGNORECASE)
    for tag in (rb"<head(\s[^>]*)?>", rb"<html(\s[^>]*)?>", rb"<!doctype[^>]*>")
)
_REWRITTEN: Final = re.compile(r"text/(html|css|javascript)|application/(javascript|json|xhtml)")


class MetElement(msgspec.Struct, frozen=True):
    """Name an element of the page at rest, and its box in CSS pixels of the window."""

    id: str
    box: Box


class ReadyPage(msgspec.Struct, frozen=True):
    """Say how the page is at rest: its window in CSS pixels, its elements, an edit's error."""

    error: str
    width: float
    height: float
    elements: tuple[MetElement, ...]


class HeardActivation(msgspec.Struct, frozen=True):
    """
    Hold what a page heard: the ids from the node upwards, and the place in CSS pixels.

    ``home`` says whether it was on the question's page, whose ids these are; ``width`` and
    ``height`` are those of the window, ``scroll`` is how far it was scrolled.
    """

    number: int
    kind: Way
    home: bool
    chain: tuple[str, ...]
    place: tuple[float, float] | None
    what: str
    width: float
    height: float = 0.0
    scroll: tuple[float, float] = (0.0, 0.0)


class LiveListener(Protocol):
    """Ask of an episode that it takes what its page tells; both may come at any time."""

    def rest(self, page: ReadyPage) -> None:
        """Take how the page is at rest."""

    def hear(self, heard: HeardActivation) -> None:
        """Take what was activated."""


def why_not_served(screen: Screen, settings: Settings) -> str:
    """
    Say why a screen's page cannot be served alive, "" where it can.

    >>> from surefoot.core.edit import Filter
    >>> screen = Screen("s", "p", "demo.html", "", 1, 1, 1.0, "web", "en", (),
    ...                 edits=(Filter("jpeg", 30),))
    >>> why_not_served(screen, Settings())
    'its picture is changed (filter), and an agent looks at the page itself'
    """
    changed = [
        str(edit.__struct_config__.tag) for edit in screen.edits if isinstance(edit, PictureEdit)
    ]
    if changed:
        what = ", ".join(dict.fromkeys(changed))
        return f"its picture is changed ({what}), and an agent looks at the page itself"
    if screen.platform != "web":
        return f"it is a screen of {screen.platform}, not a web page"
    if settings.mobile:
        return "it is laid out for a device that is held in the hand"
    if is_live(screen.source):
        return "it is a page of a live server, which others may change"
    return _why_not_of(screen.source)


@functools.cache
def _why_not_of(source: str) -> str:
    try:
        address = address_of(source)
    except (InvalidInputError, StopIteration):
        return "its source is not here"
    if is_still(address):
        return "it was recorded as a picture, without a page"
    return "it is a state behind actions" if address.actions else ""


class LivePage:
    """Hold one page that is served: its screen, where it comes from, and who listens."""

    def __init__(
        self, token: str, screen: Screen, settings: Settings, listener: LiveListener
    ) -> None:
        self.token, self.screen, self.settings, self.listener = token, screen, settings, listener
        self.address: Address = address_of(screen.source)
        self.opened: OpenedAddress | None = None
        self.requests = self.pending = 0
        self.rested: dict[str, anyio.Event] = {}  # by a name of each load
        zoom = 1.0
        for edit in screen.edits:
            if isinstance(edit, Zoom):
                zoom *= edit.factor
        self.zoom = zoom
        self.browser = BrowserHint(
            max(1, round(settings.width / zoom)),
            max(1, round(settings.height / zoom)),
            settings.scale * zoom,
            screen.locale,
            settings.timezone,
        )

    @property
    def home(self) -> str:
        """Return the path and the query of the page."""
        parts = urllib.parse.urlsplit(self.opened.url if self.opened else "")
        return urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, ""))

    def url(self, port: int) -> str:
        """Return the page's address for an agent's browser."""
        parts = urllib.parse.urlsplit(self.opened.url if self.opened else "")
        path = urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, parts.fragment))
        return f"http://{self.token}.localhost:{port}{path}"

    def script(self) -> bytes:
        """Return the script that its documents begin with."""
        given = {
            "home": self.home,
            "moment": round(CLOCK.timestamp() * 1000),
            "edits": [
                msgspec.to_builtins(edit)
                for edit in self.screen.edits
                if not isinstance(edit, Zoom)
            ],
            "zoom": self.zoom,
            "width": self.browser.width,
            **{name: OWN + name for name in ("heard", "ready", "pending", "script", "idle")},
        }
        seed = derive_seed(self.settings.seed, "page", self.address.page) % 2**32
        spelled = msgspec.json.encode(given).decode()
        sealing, rest = _scripts()
        rest = rest.replace("= GIVEN;", f"= {spelled};")
        return f"(() => {{\n{sealing.replace('SEED', str(seed))}\n{rest}\n}})();\n".encode()


@functools.cache
def _scripts() -> tuple[str, str]:
    """Return what seals a page, with SEED to be put in, and the rest, with GIVEN."""
    from surefoot.capture.web.chromium import page_script
    from surefoot.capture.web.world import SCRIPTS

    own = importlib.resources.files(__package__) / "javascript"
    ours = [own.joinpath(f"{name}.js").read_text("utf-8") for name in ("clock", "heard", "live")]
    return page_script("hermetic.js"), "\n".join(
        [*(page_script(f"{name}.js") for name in SCRIPTS), *ours]
    )


class LivePages:
    """
    Serve pages, each under a name of its own below "localhost"; an ASGI application.

    A browser resolves such names to this machine by itself. What is served comes from the
    pages' sources, opened once each, until the block ends that the application stands for.
    """

    def __init__(self) -> None:
        self._pages: dict[str, LivePage] = {}
        self._services = Services()
        self._lock = threading.Lock()

    def add(self, page: LivePage) -> None:
        """Open a page's source and serve it from now on; raises what the source raises."""
        with self._lock:
            page.opened = open_address(page.address, self._services)
            self._pages[page.token] = page

    def __enter__(self) -> Self:
        """Start with no page."""
        return self

    def __exit__(self, *_: object) -> None:
        """End everything that was started for pages."""
        self._services.__exit__()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        from starlette.concurrency import run_in_threadpool
        from starlette.requests import Request
        from starlette.responses import PlainTextResponse

        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        page = self._pages.get(_token(request))
        response: ASGIApp
        if page is None:
            response = PlainTextResponse("Not this host.\n", 421)
        elif request.url.path.startswith(OWN):
            response = await _own(page, request)
        else:
            body = await _body(request, _LARGEST)
            page.requests += 1
            page.pending += 1
            try:
                response = await run_in_threadpool(answer, page, request, body)
            finally:
                page.pending -= 1
        await response(scope, receive, send)


def answer(page: LivePage, request: Request, body: bytes) -> Response:
    """Answer a request for something of a page's site."""
    from starlette.responses import Response

    route, here = page.opened.route if page.opened else None, f"http://{request.headers['host']}"
    if route is None:
        return Response("no such file", 404)
    url = urllib.parse.urlsplit(
        urllib.parse.urlunsplit(
            ("", "", request.scope["raw_path"].decode(), request.url.query, "")
        )
    )
    if isinstance(route, Folder):
        reply = read_file(route, request.method, url.path, request.headers.get("range", ""))
    else:
        headers = _forwarded(request.headers, here, route.origin, page.screen.locale)
        reply = forward(route, request.method, url, headers, body)
    return _changed(stilled(reply), route.origin, here)


def _forwarded(headers: Mapping[str, str], here: str, origin: str, locale: str) -> dict[str, str]:
    """Return the headers of a request as a capture's browser would send them to the site."""
    kept = {
        name: value.replace(here, origin)
        for name, value in headers.items()
        if name not in {"accept-encoding", "if-none-match", "if-modified-since"}
    }
    own = {"host": urllib.parse.urlsplit(origin).netloc, "accept-language": locale}
    return kept | own


def _changed(reply: HttpReply, origin: str, here: str) -> Response:
    """Return a reply whose site is here, and whose documents begin with our script."""
    from starlette.responses import Response

    content = b"".join(reply.chunks)
    kind = next((value for name, value in reply.headers if name.lower() == "content-type"), "")
    plain = not any(name.lower() == "content-encoding" for name, _ in reply.headers)
    if plain and _REWRITTEN.match(kind.lower()) and reply.status != PARTIAL:
        content = content.replace(origin.encode(), here.encode())
    if plain and kind.lower().startswith(("text/html", "application/xhtml")):
        content = _begun(content, f'<script src="{here}{OWN}script"></script>'.encode())
    response = Response(content, reply.status)
    for name, value in reply.headers:
        if name.lower() not in _DROPPED:
            response.headers.append(name, value.replace(origin, here))
    response.headers["Cache-Control"] = "no-store"
    response.headers["Content-Security-Policy"] = POLICY
    return response


def _begun(document: bytes, script: bytes) -> bytes:
    """
    Put a script where it runs before all others.

    >>> _begun(b"<html><head lang=en><p>", b"<script></script>")
    b'<html><head lang=en><script></script><p>'
    """
    for place in _PLACES:
        if found := place.search(document):
            return document[: found.end()] + script + document[found.end() :]
    return script + document


async def _own(page: LivePage, request: Request) -> Response:
    """Answer what our own script asks, and take what it tells."""
    import anyio
    from starlette.concurrency import run_in_threadpool
    from starlette.responses import JSONResponse, PlainTextResponse, Response

    what = request.url.path.removeprefix(OWN)
    if what == "script":
        return Response(page.script(), media_type="text/javascript; charset=utf-8")
    if what == "idle":
        with anyio.move_on_after(_REST_S):
            await _rested(page, request.url.query).wait()
        return Response(status_code=204)
    if what == "pending":
        return JSONResponse({"pending": page.pending, "total": page.requests})
    kinds: dict[str, type] = {"ready": ReadyPage, "heard": HeardActivation}
    if request.method != "POST" or what not in kinds:
        return PlainTextResponse("Not Found.\n", 404)
    try:
        report: Any = msgspec.json.decode(await _body(request, _LARGEST_REPORT), type=kinds[what])
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return PlainTextResponse("Bad Request.\n", 400)
    take = page.listener.rest if what == "ready" else page.listener.hear
    await run_in_threadpool(take, report)
    if what == "ready":
        _rested(page, request.url.query).set()
    return Response(status_code=204)


def _rested(page: LivePage, load: str) -> anyio.Event:
    """
    Return what is set once a load of the page is at rest.

    Whoever waits until a page has nothing left to fetch waits for that.
    """
    import anyio

    return page.rested.setdefault(load, anyio.Event())


async def _body(request: Request, most: int) -> bytes:
    from surefoot.loopback.guards import bounded

    return await bounded(request, most).body()


def _token(request: Request) -> str:
    return request.headers.get("host", "").partition(".localhost:")[0]
