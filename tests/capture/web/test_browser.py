"""
The browser itself: hermetic, the same at each visit, whole after a kill, never orphaned.
"""

from __future__ import annotations

import http.server
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import msgspec
import psutil
import pytest

from surefoot.capture.settings import Limits, Settings
from surefoot.capture.sources import Address, list_addresses
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.visit import Visit
from surefoot.core.errors import CaptureError

pytestmark = pytest.mark.browser

Write = Callable[..., Address]
FAST: Final = Settings(width=400, height=300, limits=Limits(navigation_s=5, unit_s=20))

LEAKS: Final = """
<link rel=stylesheet href=http://CANARY/style.css>
<link rel=prefetch href=http://CANARY/prefetch>
<link rel=preconnect href=http://CANARY>
<link rel=dns-prefetch href=//CANARY>
<img src=http://CANARY/img><iframe src=http://CANARY/iframe></iframe>
<script src=http://CANARY/script.js></script>
<object data=http://CANARY/object></object><video src=http://CANARY/video></video>
<script>
  const quietly = (call) => { try { call(); } catch (error) { document.title += '!'; } };
  quietly(() => fetch('http://CANARY/fetch', {mode: 'no-cors'}).catch(() => 0));
  quietly(() => navigator.sendBeacon('http://CANARY/beacon', 'x'));
  quietly(() => new WebSocket('ws://CANARY/socket'));
  quietly(() => new EventSource('http://CANARY/events'));
  quietly(() => new Worker('worker.js'));
  quietly(() => navigator.serviceWorker.register('service.js').catch(() => 0));
  quietly(() => { const x = new XMLHttpRequest(); x.open('GET', 'http://CANARY/xhr'); x.send(); });
  quietly(() => {
    const peer = new RTCPeerConnection({iceServers: [{urls: 'stun:UDP'}]});
    peer.createDataChannel('x');
    peer.createOffer().then((offer) => peer.setLocalDescription(offer));
  });
  quietly(() => new WebTransport('https://CANARY/transport'));
</script>
"""
WORKER: Final = "fetch('http://CANARY/from-worker', {mode: 'no-cors'}).catch(() => 0);"


class Canary(http.server.BaseHTTPRequestHandler):
    """Note whatever arrives."""

    hits: list[str]
    sent: Callable[[str], tuple[int, str]]

    def do_GET(self) -> None:
        """Note a request and answer it as the test said."""
        type(self).hits.append(self.path)
        status, body = type(self).sent(self.path)
        self.send_response(status)
        if 300 <= status < 400:
            self.send_header("Location", body)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        """Stay quiet."""


def serve(sent: Callable[[str], tuple[int, str]]) -> tuple[http.server.HTTPServer, list[str]]:
    """Start a canary on a free port of loopback."""
    hits: list[str] = []
    handler = type("Handler", (Canary,), {"hits": hits, "sent": staticmethod(sent)})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, hits


@pytest.fixture
def canary() -> Iterator[tuple[str, list[str]]]:
    """Lend a server on loopback that notes every request."""
    server, hits = serve(lambda _: (200, "<title>canary</title>"))
    yield f"127.0.0.1:{server.server_port}", hits
    server.shutdown()
    server.server_close()


def test_page_reaches_no_network(
    browser: Browser, address: Write, canary: tuple[str, list[str]]
) -> None:
    """Nothing that a page can start reaches a server beside its own origin, by TCP or UDP."""
    name, hits = canary
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.bind(("127.0.0.1", 0))
        udp.settimeout(0.1)
        leaks = LEAKS.replace("UDP", f"127.0.0.1:{udp.getsockname()[1]}").replace("CANARY", name)
        worker = WORKER.replace("CANARY", name)
        page = address(leaks, worker__js=worker, service__js=worker)
        with browser.visit(page, FAST) as visit:
            visit.page.wait_for_timeout(1500)
            visit.verify()
            assert visit.page.evaluate("document.images.length") == 1
        with pytest.raises(TimeoutError):
            udp.recv(10)
    assert hits == []
    refused = "\n".join(browser.refused)
    kinds = ["style.css", "img", "iframe", "script.js", "object", "fetch", "beacon"]
    assert [kind for kind in kinds if f"{name}/{kind}" not in refused] == []
    assert f"CONNECT {name}" in refused


def test_web_page_reaches_its_own_origin_only(
    browser: Browser, canary: tuple[str, list[str]]
) -> None:
    """A page of a live server loads parts of its own origin and no other's."""
    name, hits = canary
    html = f"<title>live</title><img src=/own.png><img src=http://{name}/other.png>"
    server, own_hits = serve(lambda _: (200, html))
    (page,) = list_addresses(f"http://127.0.0.1:{server.server_port}/start?a=b")
    with browser.visit(page, FAST) as visit:
        assert visit.page.title() == "live"
    server.shutdown()
    server.server_close()
    assert {"/start?a=b", "/own.png"} <= set(own_hits)
    assert hits == []


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (500, "broken", "http-status"),
        (404, "absent", "http-status"),
        (302, "http://CANARY/away", "navigated-away"),
    ],
)
def test_wrong_reply_is_a_failure(
    browser: Browser, canary: tuple[str, list[str]], status: int, body: str, reason: str
) -> None:
    """An error status, or a redirect to another origin, is no page to capture."""
    name, hits = canary
    server, _ = serve(lambda _: (status, body.replace("CANARY", name)))
    (page,) = list_addresses(f"http://127.0.0.1:{server.server_port}/")
    with pytest.raises(CaptureError) as caught, browser.visit(page, FAST):
        pass
    server.shutdown()
    server.server_close()
    assert caught.value.reason == reason
    assert hits == []


@pytest.mark.parametrize(
    ("asked", "there", "same"),
    [
        ("/orders", "/basket", False),
        ("/orders", "/orders?next=1", False),
        ("/orders?page=2", "/orders", False),
        ("/", "/index.html", False),
        ("/orders", "/orders/", True),
        ("/orders", "/en/orders", True),
        ("/orders", "/de/orders", False),
    ],
)
def test_a_redirect_to_another_page_is_a_failure(
    browser: Browser, asked: str, there: str, same: bool
) -> None:
    """A slash, or the language asked for, makes no other page; anything else does, by name."""
    server, _ = serve(lambda path: (302, there) if path == asked else (200, "<p>There"))
    origin = f"http://127.0.0.1:{server.server_port}"
    (page,) = list_addresses(origin + asked)
    try:
        if same:
            with browser.visit(page, FAST) as visit:
                assert visit.page.inner_text("p") == "There"
        else:
            with pytest.raises(CaptureError) as caught, browser.visit(page, FAST):
                pass
            assert caught.value.reason == "navigated-away"
            assert f"{origin}{asked}" in caught.value.expected
            assert f"{origin}{there}" in caught.value.found
    finally:
        server.shutdown()
        server.server_close()


def test_closed_port_is_a_failure(browser: Browser) -> None:
    """A server that is not there is one failed page."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        (page,) = list_addresses(f"http://127.0.0.1:{closed.getsockname()[1]}/")
        with pytest.raises(CaptureError) as caught, browser.visit(page, FAST):
            pass
    assert caught.value.reason in {"http-status", "unreachable"}


def test_two_visits_see_the_same_world(browser: Browser, address: Write) -> None:
    """Time, its origin, chance, language and zone are the same at each load."""
    page = address(
        "<script>const draws = []; requestAnimationFrame((t) => draws.push(t));"
        "const seen = [Date.now(), performance.now(), Math.random(), navigator.language,"
        "Intl.DateTimeFormat().resolvedOptions().timeZone, document.lastModified, location.href,"
        "isSecureContext, matchMedia('(prefers-reduced-motion)').matches]</script>"
    )
    settings = msgspec.structs.replace(FAST, locale="fr-FR", timezone="Asia/Tokyo")
    seen = []
    for _ in range(2):
        with browser.visit(page, settings) as visit:
            visit.page.clock.run_for(100)
            seen.append(visit.page.evaluate("[...seen, ...draws]"))
    assert seen[0] == seen[1]
    assert seen[0][3:5] == ["fr-FR", "Asia/Tokyo"]
    assert seen[0][5] == "01/15/2026 19:00:00"
    assert seen[0][6] == "http://folder-site.localhost/index.html"
    assert seen[0][7:9] == [True, True]


def test_seed_changes_chance(browser: Browser, address: Write) -> None:
    """Another seed gives the page other random numbers."""
    page = address("<script>const drawn = Math.random()</script>")
    drawn = []
    for seed in (0, 1):
        settings = msgspec.structs.replace(FAST, seed=seed)
        with browser.visit(page, settings) as visit:
            drawn.append(visit.page.evaluate("drawn"))
    assert drawn[0] != drawn[1]
    assert all(0 <= number < 1 for number in drawn)


def test_browser_is_replaced_after_its_pages(address: Write, browser: Browser) -> None:
    """A worn browser gives way to a fresh one."""
    settings = msgspec.structs.replace(FAST, limits=Limits(pages_per_browser=1))
    page = address("<title>x</title>")
    processes = []
    for _ in range(2):
        with browser.visit(page, settings):
            processes.append(browser.pid)
    assert processes[0] != processes[1]
    assert not psutil.pid_exists(processes[0])


def test_killed_browser_is_no_fault_of_the_page(browser: Browser, address: Write) -> None:
    """A browser that dies under a visit gives 'browser-error', and the next visit is fine."""
    page = address("<title>x</title>")

    def die(visit: Visit) -> None:
        os.kill(browser.pid, signal.SIGKILL)
        while True:
            visit.page.evaluate("1")
            visit.verify()

    with pytest.raises(CaptureError) as caught, browser.visit(page, FAST) as visit:
        die(visit)
    assert caught.value.reason == "browser-error"
    with browser.visit(page, FAST) as visit:
        assert visit.page.title() == "x"


def test_identity_is_stable_and_names_the_renderer(browser: Browser) -> None:
    """Two readings of the identity are equal, and they name Chromium, fonts and platform."""
    assert browser.identity == browser.identity
    assert browser.identity["renderer"].startswith("chromium ")
    assert len(browser.identity["fonts"]) == 16


def test_error_of_the_caller_passes_through(browser: Browser, address: Write) -> None:
    """A mistake in the block is not taken for the page's."""
    with pytest.raises(ZeroDivisionError), browser.visit(address("<p>x</p>"), FAST):
        _ = 1 / 0


SCRIPT: Final = """
import sys, time
from surefoot.capture.web.browser import Browser
from surefoot.capture.settings import Settings
from surefoot.capture.sources import list_addresses
with Browser() as browser:
    with browser.visit(list_addresses(sys.argv[1])[0], Settings()):
        print("ready", flush=True)
        time.sleep(60)
"""


def test_no_browser_outlives_its_owner(tmp_path: Path) -> None:
    """Five seconds after the owner was killed, none of its processes is left."""
    page = tmp_path / "page.html"
    page.write_text("<title>x</title>")
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(page)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline().strip() == b"ready"
        family = psutil.Process(owner.pid).children(recursive=True)
        assert len(family) > 3
        os.kill(owner.pid, signal.SIGKILL)
    end = time.monotonic() + 5
    left = family
    while left and time.monotonic() < end:
        time.sleep(0.1)
        left = [item for item in left if item.is_running() and item.status() != "zombie"]
    assert left == []
