"""
One form with a field of every kind and hostile words, and a site that shows it.
"""

from __future__ import annotations

import json
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
import pytest
from playwright.sync_api import FilePayload, Route, sync_playwright
from playwright.sync_api import Page as BrowserPage

from surefoot.capture.web.chromium import launch
from surefoot.capture.web.room import Room
from surefoot.forms.renderers import plain
from surefoot.forms.rendering import RENDERERS, PageState, Rendering
from surefoot.forms.specification import LANGUAGES, Field, Form, Kind, Option, Page, Words
from surefoot.loopback.policy import STYLE_NONCE

HOSTILE: Final = """</script><img src=x onerror="alert(1)">'{{ 7 * 7 }}&amp;"""
ORIGIN: Final = "http://127.0.0.1:1"
SHARED: Final = Path(plain.__file__).parent / "shared"
POLICY: Final = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:;"
    " style-src 'self' 'nonce-nonce-of-the-test'"
}
CHOICES: Final = {Kind.DROP_DOWN, Kind.RADIO, Kind.MULTI_CHOICE}


def words(text: str) -> Words:
    """Say the same in every language, told apart by the language's name."""
    return {language: f"{text} [{language}]" for language in LANGUAGES}


def field(kind: Kind) -> Field:
    """Make a field of a kind; its English label is hostile."""
    options = tuple(Option(f"opt-{item}", words(f"Option {item} {HOSTILE}")) for item in "abc")
    return Field(
        id=kind.value.replace("-", "_"),
        kind=kind,
        label=words(f"{kind.value} {HOSTILE}"),
        fill="text.comments",
        help=words("Help") if kind is Kind.STRING else {},
        required=kind is not Kind.DESCRIPTION,
        options=options if kind in CHOICES else (),
        accepts=(".pdf", ".png") if kind is Kind.FILE else (),
        lowest=1_000_000 if kind is Kind.NUMBER else None,
    )


@pytest.fixture(scope="session")
def every_kind() -> Form:
    """Lend a form of one page with a field of every kind, and a second page of two fields."""
    inner = Option("inner", words("Inner"), when={"radio": ("opt-a",)})
    outer = Option("outer", words("Outer"), when={"radio": ("opt-b",)})
    later = Field("later", Kind.DROP_DOWN, words("Later"), "option", options=(outer, inner))
    note = msgspec.structs.replace(field(Kind.STRING), id="note")
    return Form(
        id="every_kind",
        code="X1",
        domain="tests",
        title=words(f"Every kind {HOSTILE}"),
        introduction=words("Introduction"),
        pages=(
            Page(words("First"), tuple(field(kind) for kind in Kind)),
            Page(words("Second"), (later, note)),
        ),
    )


class Site:
    """Serve the documents and files of all renderers to one page, and keep what it sends."""

    def __init__(self, page: BrowserPage, form: Form) -> None:
        self.page = page
        self.form = form
        self.document = ""
        self.events: list[dict[str, object]] = []
        self.posted = ""
        self.submitted: dict[str, object] = {}
        self.refusals: dict[str, str] = {}
        self.complaints: list[str] = []
        self.holding = False
        self.held: list[Route] = []
        page.on("console", lambda said: self.complaints.append(said.text))
        page.route("**/*", self._answer)

    def show(self, rendering: Rendering, state: PageState) -> None:
        """Open one page of the form."""
        self.document = RENDERERS.get(rendering.renderer).document(self.form, rendering, state)
        self.events.clear()
        self.complaints.clear()
        self.posted = ""
        self.page.goto(f"{ORIGIN}{state.base}")

    def click(self, selector: str) -> None:
        """Click the centre of an element with the mouse, as an agent does."""
        found = self.page.locator(selector)
        found.scroll_into_view_if_needed()
        box = found.bounding_box()
        assert box is not None
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def choose(self, selector: str, name: str) -> None:
        """Click what opens the file chooser, and choose a file."""
        with self.page.expect_file_chooser() as chooser:
            self.click(selector)
        file: FilePayload = {"name": name, "mimeType": "application/pdf", "buffer": b"%PDF"}
        chooser.value.set_files(file)

    def let_arrive(self) -> None:
        """Answer the upload that was held back."""
        self.held.pop().fulfill(json={"name": "a.pdf", "sha256": "0" * 64})

    def posted_texts(self, name: str) -> list[str]:
        """Return the texts of one name in the body that a plain form posted."""
        parts = self.posted.split(f'name="{name}"\r\n\r\n')[1:]
        return [part.split("\r\n", 1)[0] for part in parts]

    def _answer(self, route: Route) -> None:
        path = urllib.parse.urlsplit(route.request.url).path
        if path.startswith("/assets/"):
            _, _, renderer, name = path.split("/", 3)
            folder = SHARED if renderer == "shared" else RENDERERS.get(renderer).assets
            assert folder is not None
            route.fulfill(path=folder / name)
        elif path.endswith("/events"):
            told = json.loads(route.request.post_data or "")
            self.events += [event for event in told if event["kind"] != "open"]
            route.fulfill(status=204)
        elif "/upload/" in path and self.holding:
            self.held.append(route)
        elif "/upload/" in path:
            route.fulfill(json={"name": "a.pdf", "sha256": "0" * 64})
        elif "/turn/" in path:
            route.fulfill(json={"done": False})
        elif path.endswith("/submit"):
            self.submitted = json.loads(route.request.post_data or "")
            said = {"errors": self.refusals} if self.refusals else {"done": True}
            route.fulfill(status=422 if self.refusals else 200, json=said)
        else:
            self.posted = route.request.post_data or ""
            content = "text/html; charset=utf-8"
            body = self.document.replace(STYLE_NONCE, "nonce-of-the-test")
            route.fulfill(body=body, content_type=content, headers=POLICY)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserPage]:
    """Lend one page of one Chromium to all tests."""
    with sync_playwright() as playwright:
        room = Room(tmp_path_factory.mktemp("room"))
        browser, _ = launch(playwright, "http://127.0.0.1:9", room)
        yield browser.new_page(viewport={"width": 1000, "height": 700})
        browser.close()


@pytest.fixture(scope="module")
def site(page: BrowserPage, every_kind: Form) -> Site:
    """Lend the site of the form with every kind of field."""
    return Site(page, every_kind)
