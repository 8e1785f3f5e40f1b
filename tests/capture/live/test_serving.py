"""
Which screens are served alive, and what of a site comes through, without a browser.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import msgspec
import pytest

from surefoot.capture.live.serving import POLICY, LivePage, LivePages, why_not_served
from surefoot.capture.settings import Settings
from surefoot.core.edit import AddStyle, Filter, Reorder, Zoom
from surefoot.core.screen import Screen

PAGE = "<!doctype html><html><HEAD lang=en><title>x</title></head><script src=a.js></script>"


def screen(source: str, *edits: object, platform: str = "web") -> Screen:
    """Return a screen of a source under edits."""
    return Screen(
        "s",
        "p",
        source,
        "",
        1280,
        800,
        1.0,
        platform,
        "fr-FR",
        (),
        edits=tuple(edits),  # type: ignore[arg-type]
    )


@pytest.fixture
def page(tmp_path: Path) -> str:
    """Write a page; return its source."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "index.html").write_text(PAGE, "utf-8")
    (folder / "a.js").write_text("'http://folder-site.localhost/index.html'", "utf-8")
    (tmp_path / "secret.txt").write_text("no", "utf-8")
    return f"folder:{folder}#index.html"


def test_why_a_screen_is_not_served(page: str) -> None:
    """A picture's edit, a still, a live server, actions, a phone: each is named."""
    phone = Settings(device="phone")
    said = {
        why_not_served(
            screen(page, AddStyle("p{color:red}"), Zoom(1.5), Reorder("g", ())), Settings()
        ),
        why_not_served(screen(page, AddStyle("p{}"), Filter("blur", 1.0)), Settings()),
        why_not_served(screen(page), phone),
        why_not_served(screen("https://example.com/"), Settings()),
        why_not_served(screen(f"{page} >> click a-1"), Settings()),
        why_not_served(screen("desktop:x", platform="desktop"), Settings()),
        why_not_served(screen("folder:/nowhere#index.html"), Settings()),
    }

    assert said == {
        "",
        "its picture is changed (filter), and an agent looks at the page itself",
        "it is laid out for a device that is held in the hand",
        "it is a page of a live server, which others may change",
        "it is a state behind actions",
        "it is a screen of desktop, not a web page",
        "its source is not here",
    }


def test_what_comes_through(page: str) -> None:
    """A document begins with our script, addresses are of here, no path leads out of the site."""
    live = LivePage("0f", screen(page, AddStyle("p{color:red}")), Settings(), listener=None)  # type: ignore[arg-type]
    here = "http://0f.localhost:99"

    async def ask(pages: LivePages) -> tuple[list[httpx.Response], list[int]]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=pages)) as client:
            paths = ("index.html", "a.js", ".surefoot/script")
            found = [await client.get(f"{here}/{path}") for path in paths]
            elsewhere = (
                "http://00.localhost:99/index.html",
                "http://127.0.0.1:99/index.html",
                f"{here}/%2e%2e/secret.txt",
                f"{here}/.surefoot/else",
            )
            codes = [(await client.get(url)).status_code for url in elsewhere]
            bad = await client.post(f"{here}/.surefoot/heard", content=b"{}")
            return found, [*codes, bad.status_code]

    with LivePages() as pages:
        pages.add(live)
        (document, script, ours), codes = asyncio.run(ask(pages))

    own = f'<HEAD lang=en><script src="{here}/.surefoot/script"></script><title>'
    assert own in document.text
    assert document.headers["content-security-policy"] == POLICY
    assert script.text == f"'{here}/index.html'"
    assert "GIVEN;" not in ours.text
    assert "SEED" not in ours.text
    assert '"css":"p{color:red}"' in ours.text
    assert codes == [421, 421, 404, 404, 400]
    assert live.url(99) == f"{here}/index.html"


def test_a_zoom_is_a_smaller_window_of_larger_pixels(page: str) -> None:
    """The window that is told shows, at its scale, as many pixels as the picture has."""
    browser = LivePage("0f", screen(page, Zoom(1.5)), Settings(), listener=None).browser  # type: ignore[arg-type]

    assert msgspec.structs.astuple(browser) == (853, 533, 1.5, "fr-FR", "UTC")
