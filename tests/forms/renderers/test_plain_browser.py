"""
The plain renderer in Chromium: what a pointer and a keyboard do to its fields.
"""

from __future__ import annotations

import json
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import FilePayload, Page, Route, sync_playwright

from surefoot.capture.chromium import launch
from surefoot.forms.renderers import plain
from surefoot.forms.rendering import PageState, Rendering
from surefoot.forms.specification import Form

ORIGIN: Final = "http://127.0.0.1:1"
SHARED: Final = Path(plain.__file__).parent / "shared"
POLICY: Final = {"Content-Security-Policy": "default-src 'self'"}
FILE: Final[FilePayload] = {"name": "a.pdf", "mimeType": "application/pdf", "buffer": b"%PDF"}

pytestmark = pytest.mark.browser


class Site:
    """Serve the documents and files of the plain renderer to one page, and keep its posts."""

    def __init__(self, page: Page, form: Form) -> None:
        self.page = page
        self.form = form
        self.document = ""
        self.events: list[dict[str, object]] = []
        self.posted = ""
        self.complaints: list[str] = []
        page.on("console", lambda said: self.complaints.append(said.text))
        page.route("**/*", self._answer)

    def show(self, rendering: Rendering, state: PageState) -> None:
        """Open one page of the form."""
        self.document = plain.document(self.form, rendering, state)
        self.events.clear()
        self.posted = ""
        self.page.goto(f"{ORIGIN}{state.base}")

    def click(self, selector: str) -> None:
        """Click the centre of an element with the mouse, as an agent does."""
        found = self.page.locator(selector)
        found.scroll_into_view_if_needed()
        box = found.bounding_box()
        assert box is not None
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def _answer(self, route: Route) -> None:
        path = urllib.parse.urlsplit(route.request.url).path
        if path.startswith("/assets/"):
            _, _, renderer, name = path.split("/")
            folder = SHARED if renderer == "shared" else plain.PLAIN.assets
            assert folder is not None
            route.fulfill(path=folder / name)
        elif path.endswith("/events"):
            self.events += json.loads(route.request.post_data or "")
            route.fulfill(status=204)
        else:
            self.posted = route.request.post_data or ""
            content = "text/html; charset=utf-8"
            route.fulfill(body=self.document, content_type=content, headers=POLICY)


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """Lend one page of one Chromium to all tests."""
    with sync_playwright() as playwright:
        browser = launch(playwright, "http://127.0.0.1:9")
        yield browser.new_page(viewport={"width": 1000, "height": 700})
        browser.close()


@pytest.fixture(scope="module")
def site(page: Page, every_kind: Form) -> Site:
    """Lend the site of the form with every kind of field."""
    return Site(page, every_kind)


@pytest.mark.parametrize(
    "rendering",
    [
        Rendering(theme="clear"),
        Rendering(theme="enterprise", layout="dense", direction="rtl"),
    ],
)
def test_each_kind_is_answered_by_mouse_and_keyboard(site: Site, rendering: Rendering) -> None:
    """Correct clicks and typing fill every kind of field in, and each change is told once."""
    site.show(rendering, PageState("/r/T/"))
    page = site.page

    site.click("[data-control=drop_down]")
    site.click("[data-field=drop_down] [data-option=opt-b]")
    site.click("[data-field=radio] [data-option=opt-c]")
    site.click("[data-field=multi_choice] [data-option=opt-c]")
    site.click("[data-field=multi_choice] [data-option=opt-a]")
    site.click("[data-control=date]")
    page.keyboard.type("03142026")
    with page.expect_file_chooser() as chooser:
        site.click("[data-field=file] .button")
    chooser.value.set_files(FILE)
    site.click("[data-control=string]")
    page.keyboard.type("Ann")
    with page.expect_navigation():
        page.keyboard.press("Enter")

    assert site.complaints == []
    last = {each["field"]: (each["kind"], each["value"]) for each in site.events}
    assert last == {
        "drop_down": ("change", "opt-b"),
        "radio": ("change", "opt-c"),
        "multi_choice": ("change", "opt-a,opt-c"),
        "date": ("change", "2026-03-14"),
        "file": ("upload", "a.pdf"),
        "string": ("change", "Ann"),
    }
    assert _posted(site, "action") == ["next"]
    assert _posted(site, "drop_down") == ["opt-b"]
    assert _posted(site, "multi_choice") == ["opt-a", "opt-c"]
    assert 'name="file"; filename="a.pdf"' in site.posted


def test_marks_lie_where_a_person_clicks(site: Site) -> None:
    """In the table layout, too, each control's box is inside its field's and can be hit."""
    site.show(Rendering(theme="vintage", layout="table"), PageState("/r/T/"))

    stray = site.page.evaluate(
        """() => [...document.querySelectorAll("[data-control]")].flatMap((control) => {
             control.scrollIntoView({ block: "center" });
             const box = control.getBoundingClientRect();
             const x = box.x + box.width / 2, y = box.y + box.height / 2;
             const hit = document.elementFromPoint(x, y).closest("[data-control]");
             return hit === control ? [] : [control.dataset.control];
           })"""
    )

    assert stray == []
    assert site.complaints == []


def _posted(site: Site, name: str) -> list[str]:
    parts = site.posted.split(f'name="{name}"\r\n\r\n')[1:]
    return [part.split("\r\n", 1)[0] for part in parts]
