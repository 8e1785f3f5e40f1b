"""
Attacks on what a page is made of: servers that fail at times, a network that dies meanwhile.

Server and browser are real. What a page shows when all goes well is captured first; a capture
under attack shows the same picture, or what the page always lacks and says so, or it fails and
names the address. A picture that silently lacks something has broken the promise.
"""

from __future__ import annotations

import contextlib
import http.server
import io
import os
import signal
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple, Self

import psutil
from PIL import Image

from attacks.attack import Attack, Trial
from surefoot.capture.captured import Capture
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address, list_addresses
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import capture
from surefoot.core.edit import AddStyle
from surefoot.core.errors import CaptureError
from surefoot.core.ledger import Failure
from surefoot.core.screen import Screen
from surefoot.core.seeds import random_source
from surefoot.core.store import ObjectStore
from surefoot.run.building.capturing import capture_screens
from surefoot.run.folders.folder import read_screens

SMALL: Final = Settings(width=400, height=300)
VARIANT: Final = (AddStyle("body { letter-spacing: 1px }"),)
FONTS: Final = Path("/usr/share/fonts")
PAGE: Final = b"""<!doctype html><meta charset=utf-8><title>Parts</title>
<link rel=stylesheet href=styles.css><script src=script.js></script>
<h1>Parts of a page</h1><button>Save</button>
<img src=picture.png width=40 height=30><iframe src=frame.html width=90 height=60></iframe>
<img src=http://elsewhere.example/counter.gif><script type=module src=module.js></script>"""
CSS: Final = b"""@import "imported.css"; @font-face { font-family: Own; src: url(font.ttf); }
h1 { font-family: Own; color: #a00; } body { background: url(background.png); }"""
SCRIPT: Final = b"""addEventListener("load", () => {
  setTimeout(() => document.body.append(Object.assign(new Image(), { src: "late.png" })), 100);
  fetch("data.json").then((got) => got.ok ? got.json() : "no data")
    .then((words) => document.body.append(words), () => document.body.append("no data"));
});"""
HTML: Final = "text/html"
# A server that is at a loss, and one that says what will be true tomorrow too.
PASSING: Final = ("500", "503", "429", "cut", "reset", "empty")
LASTING: Final = ("404", "403", "a page instead")
# Another page in a frame, and words for a script, are content and no failure.
CONTENT: Final = {("frame.html", LASTING[2]), ("data.json", LASTING[2])}
SCHEDULES: Final[Mapping[str, Callable[[int], bool]]] = {
    "at every second visit": lambda visit: visit % 2 == 0,
    "at every other visit from the first on": lambda visit: visit % 2 == 1,
    "at the first visit": lambda visit: visit == 1,
    "after the first visit": lambda visit: visit > 1,
    "always": lambda _: True,
}


class Part(NamedTuple):
    """What a page asks for beside itself."""

    kind: str
    content: bytes


def parts() -> dict[str, Part]:
    """Return all that the page is made of, by name."""
    fonts = sorted(FONTS.rglob("*.ttf"))
    return {
        "styles.css": Part("text/css", CSS),
        "imported.css": Part("text/css", b"button { background: #0a0; padding: 8px }"),
        "script.js": Part("text/javascript", SCRIPT),
        "module.js": Part("text/javascript", b"document.body.append('a module')"),
        "font.ttf": Part("font/ttf", fonts[0].read_bytes()),
        "picture.png": Part("image/png", picture("navy")),
        "background.png": Part("image/png", picture("wheat")),
        "late.png": Part("image/png", picture("teal")),
        "frame.html": Part(HTML, b"<p>framed <img src=framed.png>"),
        "framed.png": Part("image/png", picture("crimson")),
        "data.json": Part("application/json", b'"some data"'),
    }


def picture(color: str) -> bytes:
    """Return a small picture of a colour as PNG bytes."""
    made = io.BytesIO()
    Image.new("RGB", (24, 24), color).save(made, "PNG")
    return made.getvalue()


class ResourceServer:
    """
    Serve the page on loopback and disturb one of its parts; a context manager.

    ``disturb(visit)`` tells whether the visit of this number, from 1, is disturbed;
    ``before`` is called instead of a fault where one is given.
    """

    def __init__(
        self,
        part: str = "",
        way: str = "",
        disturb: Callable[[int], bool] = lambda _: False,
        before: Callable[[], None] | None = None,
    ) -> None:
        self.part, self.way, self.disturb, self.before = part, way, disturb, before
        self.parts = parts()
        self.visits = 0
        self.disturbed = 0
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """Answer for the server."""

            def do_GET(self) -> None:
                """Serve the page or a part of it."""
                outer.answer(self)

            def log_message(self, *_: object) -> None:
                """Stay quiet."""

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def address(self) -> Address:
        """Return the page's address."""
        return list_addresses(f"http://127.0.0.1:{self._server.server_port}/")[0]

    def answer(self, handler: http.server.BaseHTTPRequestHandler) -> None:
        """Answer one request, or break it as was asked."""
        name = handler.path.lstrip("/").partition("?")[0]
        if not name:
            self.visits += 1
            self.send(handler, 200, HTML, PAGE)
        elif name not in self.parts:
            self.send(handler, 404, "text/plain", b"no such file")
        elif name == self.part and self.disturb(self.visits):
            self.disturbed += 1
            if self.before is None:
                self.fail(handler, self.parts[name])
                return
            self.before()
            with contextlib.suppress(OSError):
                self.send(handler, 200, *self.parts[name])
        else:
            self.send(handler, 200, *self.parts[name])

    def fail(self, handler: http.server.BaseHTTPRequestHandler, part: Part) -> None:
        """Give no good answer."""
        if self.way.isdigit():
            self.send(handler, int(self.way), HTML, b"<p>not now")
        elif self.way == "a page instead":
            self.send(handler, 200, HTML, b"<!doctype html><p>please log in")
        elif self.way == "cut":
            half = part.content[: len(part.content) // 2]
            self.send(handler, 200, part.kind, half, length=len(part.content))
        elif self.way == "reset":
            linger = struct.pack("ii", 1, 0)
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            handler.connection.close()
        handler.close_connection = True

    def send(
        self,
        handler: http.server.BaseHTTPRequestHandler,
        status: int,
        kind: str,
        content: bytes,
        length: int | None = None,
    ) -> None:
        """Send a reply that says to have a length, its own where none is given."""
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(content) if length is None else length))
        handler.end_headers()
        handler.wfile.write(content)


def network_services(root: int) -> list[psutil.Process]:
    """Return the network services of all browsers that a process has started."""
    found = []
    for process in psutil.Process(root).children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if any("NetworkService" in word for word in process.cmdline()):
                found.append(process)
    return found


Shots = tuple[Capture | CaptureError, ...]


def shots(browser: Browser, address: Address) -> Shots:
    """Capture the original and, where that went well, one variant of it."""
    try:
        original = capture(browser, address, SMALL)
    except CaptureError as error:
        return (error,)
    shown = original.screen
    try:
        return original, capture(
            browser, address, SMALL, variant="spaced", edits=VARIANT, original=shown
        )
    except CaptureError as error:
        return original, error


def flaky(seed: int, number: int, _folder: Path) -> Iterator[Trial]:
    """Capture a page and its variant from a server that fails one part in one way."""
    chance = random_source(seed, "attack", "flaky")
    names = sorted(parts())
    with Browser() as browser:
        with ResourceServer() as sound:
            whole = shots(browser, sound.address)
        lacking: dict[tuple[str, str], Shots] = {}
        for at in range(number):
            part = names[at % len(names)]
            ways = PASSING + LASTING
            way = chance.choice([way for way in ways if (part, way) not in CONTENT])
            when = chance.choice(list(SCHEDULES))
            with ResourceServer(part, way, SCHEDULES[when]) as server:
                seen = shots(browser, server.address)
            if way in LASTING and (part, way) not in lacking:
                with ResourceServer(part, way, SCHEDULES["always"]) as server:
                    lacking[part, way] = shots(browser, server.address)
            wrong = judge(part, way, when, seen, whole, lacking.get((part, way), ()))
            yield Trial(f"{part}: {way} {when}", not wrong, wrong)


def judge(
    part: str,
    way: str,
    when: str,
    seen: Shots,
    whole: Shots,
    lacking: Shots,
) -> str:
    """Say what is wrong with what came of a disturbed page, "" where nothing is."""
    for step, (got, good) in enumerate(zip(seen, whole, strict=False)):
        which = ("original", "variant")[step]
        if isinstance(got, CaptureError):
            if way in LASTING and when == "always":
                return f"the {which} of a page that always lacks it failed: {got}"
            if f"/{part}" not in str(got):
                return f"the {which} failed without its address: {got}"
            return ""
        lacks = any(place.endswith(f"/{part}") for place in missing(got.screen))
        first = seen[0]
        lacked = isinstance(first, Capture) and any(
            place.endswith(f"/{part}") for place in missing(first.screen)
        )
        if lacks != lacked:
            return "the variant lacks what the original had, or has what it lacked"
        expected = lacking[step] if lacks and step < len(lacking) else good
        if not isinstance(expected, Capture) or got.png != expected.png:
            return f"another picture of the {which}, silently"
    return ""


def missing(screen: Screen) -> Mapping[str, str]:
    """Return what a screen says its page lacked."""
    return screen.missing


def killed_network(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    """Kill the network service while a part of the page is on its way."""
    chance = random_source(seed, "attack", "network")
    names = sorted(parts())
    with ResourceServer() as sound, Browser() as browser:
        (whole, _) = shots(browser, sound.address)
    for at in range(number):
        part = chance.choice(names)
        how = chance.choice((signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM))

        def kill(how: signal.Signals = how) -> None:
            for service in network_services(os.getpid()):
                with contextlib.suppress(psutil.Error):
                    service.send_signal(how)

        with ResourceServer(part, "", lambda visit: visit == 1, before=kill) as server:
            outcome = capture_screens([server.address.spec], folder / str(at), SMALL, workers=1)
            name = f"{how.name} while {part} is on its way"
            if not server.disturbed:
                yield Trial(name, held=False, seen="the service was not killed")
                continue
        wrong = judge_killed(part, outcome.failures, folder / str(at), whole)
        yield Trial(name, not wrong, wrong)


def judge_killed(
    part: str, failures: tuple[Failure, ...], folder: Path, whole: Capture | CaptureError
) -> str:
    """Say what is wrong with a capture whose network was killed, "" where nothing is."""
    if failures:
        return f"not tried again: {failures[0].reason}: {failures[0].message}"
    (screen,) = read_screens(folder)
    png = ObjectStore(folder).get(screen.image)
    if not isinstance(whole, Capture) or png != whole.png:
        return f"another picture, silently, without {part}"
    return ""


ATTACKS: Final = (
    Attack(
        name="flaky-resources",
        promise="A resource that failed to load is part of what was seen",
        does="A server fails one style sheet, script, font, picture, frame or reply in one of "
        "nine ways at some visits",
        trials=flaky,
        many=11,
        whole=110,
    ),
    Attack(
        name="killed-network-service",
        promise="A resource that failed to load is part of what was seen",
        does="Chromium's network service is killed while a part of the page is on its way",
        trials=killed_network,
        many=3,
        whole=12,
    ),
)
