"""
Print screens a minute of an exploration beside bare Playwright that clicks the same things.

Bare means: the entry page loaded in a fresh context from the same running application, the same
points clicked and the same words typed, a screenshot, and nothing known of what is on it. One
browser, one after the other, in one run. Every state is visited as often as the exploration did.
"""

from __future__ import annotations

import contextlib
import socket
import socketserver
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, ViewportSize, sync_playwright

from surefoot.capture.applications.installing import RECIPES, install
from surefoot.capture.applications.running import run
from surefoot.capture.settings import Settings
from surefoot.capture.web import chromium
from surefoot.capture.web.acting import reachable_point
from surefoot.capture.web.room import Room
from surefoot.core.canonical import decode
from surefoot.core.screen import Screen
from surefoot.exploration.records import ExploredState, Transition
from surefoot.run.building.exploring import ExploreOptions, explore_sources
from surefoot.run.folders.folder import read_screens

SETTINGS = Settings()
OPTIONS = ExploreOptions(budget=20, depth=1)
CHUNK = 65_536


def main(name: str) -> None:
    """Explore an application, click the same things bare, and print both rates."""
    install(RECIPES.get(name), print)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        begun = time.monotonic()
        outcome = explore_sources([f"app:{name}"], out, SETTINGS, OPTIONS, workers=1)
        ours = 60 * outcome.tally.total / (time.monotonic() - begun)
        bare = 60 / bare_seconds(name, out)
    print(f"{name}: {outcome.lines[0]}")
    print(f"explored: {ours:.1f} screens a minute, starts and exports included")
    print(f"bare Playwright, the same clicks: {bare:.1f} screens a minute")
    print(f"ratio: {ours / bare:.2f}")


def bare_seconds(name: str, explored: Path) -> float:
    """Return the mean seconds of a visit: every entry page, and every action from it."""
    states = {state.page: state for state in _states(explored)}
    screens = {screen.page: screen for screen in read_screens(explored)}
    visits: list[tuple[ExploredState, Transition | None]] = [
        (state, None) for state in states.values() if not state.actions
    ]
    visits += [(states[item.state], item) for item in _transitions(explored)]
    size: ViewportSize = {"width": SETTINGS.width, "height": SETTINGS.height}
    with (
        tempfile.TemporaryDirectory() as folder,
        run(RECIPES.get(name)) as application,
        _reached(application.ready()) as origin,
        sync_playwright() as playwright,
    ):
        browser, _ = chromium.launch(playwright, "direct://", Room(Path(folder)))
        begun = time.monotonic()
        for state, transition in visits:
            page = browser.new_context(viewport=size).new_page()
            page.goto(origin + state.spec.removeprefix(f"app:{name}"))
            if transition is not None:
                _act(page, transition, screens[state.page])
            page.screenshot()
            page.context.close()
        taken = time.monotonic() - begun
        browser.close()
    return taken / len(visits)


def _act(page: Page, transition: Transition, screen: Screen) -> None:
    for action in transition.actions:
        element = screen.element(action.element)
        point = reachable_point(element) if element else None
        if action.kind in {"click", "type"} and point is not None:
            page.mouse.click(point.x, point.y)
        if action.kind == "type":
            page.keyboard.press("Control+A")
            page.keyboard.insert_text(action.text)
        elif action.kind == "press":
            page.keyboard.press(action.text)
    with contextlib.suppress(Exception):
        page.wait_for_load_state("networkidle", timeout=5000)


def _states(folder: Path) -> list[ExploredState]:
    lines = (folder / "states.jsonl").read_bytes().splitlines()
    return [decode(line, ExploredState, what="a state") for line in lines]


def _transitions(folder: Path) -> list[Transition]:
    lines = (folder / "transitions.jsonl").read_bytes().splitlines()
    return [decode(line, Transition, what="a transition") for line in lines]


@contextlib.contextmanager
def _reached(listener: str) -> Iterator[str]:
    """Lend an origin of this machine for the socket that an application listens on."""

    class Handler(socketserver.BaseRequestHandler):
        """Carry bytes both ways."""

        def handle(self) -> None:
            """Connect, and carry until one side ends."""
            with socket.socket(socket.AF_UNIX) as inside:
                inside.connect(listener)
                threading.Thread(target=_carry, args=(self.request, inside), daemon=True).start()
                _carry(inside, self.request)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def _carry(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(CHUNK):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "datasette")
