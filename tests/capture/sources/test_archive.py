"""
An archive's parts become the page that it was: whole, still and with its controls alive.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from surefoot.capture.address import Address
from surefoot.capture.settings import Settings
from surefoot.capture.sources import list_addresses
from surefoot.capture.sources.archive import unpack
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import capture

ORIGIN: Final = "http://mhtml-x.localhost"
HOME: Final = "https://shop.example/a/cart?x=1"
PARTS: Final = (
    ("text/css", "cid:css-1@mhtml.blink", "", "b{}"),
    ("image/png", "https://shop.example/a/i.png?s=1&t=2", "", "x"),
    ("image/png", "https://cdn.example/j.png", "", "x"),
    ("text/html", "", "<frame-9@mhtml.blink>", "<p>in a frame</p>"),
)


def archive(page: str, parts: tuple[tuple[str, str, str, str], ...] = PARTS) -> bytes:
    """Return an archive of a page and its parts."""
    lines = [f"Snapshot-Content-Location: {HOME}"]
    lines += ['Content-Type: multipart/related; boundary="b"', ""]
    for kind, location, named, content in (("text/html", HOME, "", page), *parts):
        lines += ["--b", f"Content-Type: {kind}"]
        lines += [f"Content-Location: {location}"] if location else []
        lines += [f"Content-ID: {named}"] if named else []
        lines += ["", content]
    return "\r\n".join([*lines, "--b--", ""]).encode()


# What stands in the page, and what is served in its place.
REFERENCES: Final = {
    "<link rel=x href='cid:css-1@mhtml.blink'>": '<link rel=x href="{}/part-1.css">',
    '<img src="https://shop.example/a/i.png?s=1&amp;t=2">': '<img src="{}/part-2.png">',
    "<img src='i.png?s=1&amp;t=2'>": '<img src="{}/part-2.png">',
    "<img src='/a/i.png?s=1&amp;t=2'>": '<img src="{}/part-2.png">',
    "<img src='//cdn.example/j.png'>": '<img src="{}/part-3.png">',
    "<iframe src='cid:frame-9@mhtml.blink'></iframe>": '<iframe src="{}/part-4.html"></iframe>',
    "<img srcset='i.png?s=1&amp;t=2 1x, https://cdn.example/j.png 2x'>": '<img srcset="'
    '{}/part-2.png 1x, {}/part-3.png 2x">',
    "<b style='background:url(&quot;https://cdn.example/j.png&quot;)'></b>": "<b style="
    "'background:url(&quot;{}/part-3.png&quot;)'></b>",
    "<style>b{background:url(i.png?s=1&t=2)}</style>": "<style>b{{background:url({}/part-2.png)}}"
    "</style>",
    "<svg><use href='https://cdn.example/j.png#a'/></svg>": '<svg><use href="{}/part-3.png#a"/>'
    "</svg>",
    "<img src='absent.png'>": '<img src="absent.png">',
    "<a href='https://cdn.example/j.png'>j</a>": "<a href='https://cdn.example/j.png'>j</a>",
    "<template shadowmode=open>x</template>": "<template shadowrootmode=open>x</template>",
    "<meta http-equiv=refresh content='0;url=x'>": '<meta data-was=""  http-equiv=refresh '
    "content='0;url=x'>",
}  # fmt: skip


@pytest.mark.parametrize("reference", REFERENCES)
def test_what_is_referred_to_is_served(tmp_path: Path, reference: str) -> None:
    """Parts are found by their address, whole or relative, and by their name."""
    assert unpack(archive(f"<head></head>{reference}"), tmp_path, ORIGIN)
    written = (tmp_path / "index.html").read_text("latin-1")

    assert written.partition("</head>")[2].strip() == REFERENCES[reference].format(ORIGIN, ORIGIN)


def test_a_sheet_refers_to_what_lies_beside_it(tmp_path: Path) -> None:
    """An address in a sheet is relative to the sheet, and to the page where it has no place."""
    sheets = (
        ("text/css", "https://cdn.example/css/s.css", "", "@import 'more.css';b{c:url(../j.png)}"),
        ("text/css", "https://cdn.example/css/more.css", "", "i{}"),
        ("text/css", "cid:css-7@mhtml.blink", "", "b{c:url('i.png?s=1&t=2')}"),
    )
    unpack(archive("<p>", (*PARTS, *sheets)), tmp_path, ORIGIN)

    assert (tmp_path / "part-5.css").read_text().strip() == (
        f"@import '{ORIGIN}/part-6.css';b{{c:url({ORIGIN}/part-3.png)}}"
    )
    assert (tmp_path / "part-7.css").read_text().strip() == (f"b{{c:url('{ORIGIN}/part-2.png')}}")


def test_bytes_of_other_scripts_survive(tmp_path: Path) -> None:
    """Letters of any script stay the bytes that they were."""
    unpack(archive("<p>Übersicht 概要 ภาพรวม</p>"), tmp_path, ORIGIN)
    assert "Übersicht 概要 ภาพรวม" in (tmp_path / "index.html").read_text("utf-8")


def test_an_archive_without_a_page_has_none(tmp_path: Path) -> None:
    """Pictures alone are no page."""
    whole = archive("").replace(b"text/html", b"image/png")
    assert not unpack(whole, tmp_path, ORIGIN)


LIVE: Final = """<html lang=en><head><link rel=stylesheet href=s.css></head><body>
<h1>Cart</h1><form><label>Mail <input value=x></label><button>Send</button>
<select aria-label=Size><option>S<option selected>M</select><textarea aria-label=Note></textarea>
<input type=checkbox checked aria-label=Tick><input type=radio aria-label=One>
<input type=range aria-label=Loud><input type=file aria-label=Scan><button disabled>Pay</button>
<fieldset disabled><input aria-label=Off></fieldset></form><a href=x>Back</a>
<details open><summary>More</summary>words</details>
<iframe srcdoc="<button>In a frame</button>"></iframe>
<div id=o></div><div id=c></div><img src=i.svg alt=Box width=30 height=30>
<script>o.attachShadow({mode: "open"}).innerHTML = "<button>Open</button>";
c.attachShadow({mode: "closed"}).innerHTML = "<button>Closed</button>";</script></body>"""
DRAWING: Final = "<svg xmlns='http://www.w3.org/2000/svg'><rect width='30' height='30'/></svg>"


@pytest.mark.browser
def test_an_archive_is_the_page_that_was_saved(
    browser: Browser, address: Callable[..., Address], tmp_path: Path
) -> None:
    """The same page, live and as Chromium's own archive of it, has the same elements."""
    sheet = "button{background:#cde;border:1px solid;color:#123}"
    settings = Settings(width=400, height=600)
    live = address(LIVE, s__css=sheet, i__svg=DRAWING)
    with browser.visit(live, settings) as visit:
        session = visit.page.context.new_cdp_session(visit.page)
        saved = session.send("Page.captureSnapshot")["data"]
    file = tmp_path / "cart.mhtml"
    file.write_bytes(saved.encode())
    first = capture(browser, live, settings)
    second = capture(browser, list_addresses(str(file))[0], settings)

    assert [(item.role, item.name, item.box, item.states) for item in second.screen.elements] == [
        (item.role, item.name, item.box, item.states) for item in first.screen.elements
    ]
    assert second.png == first.png
    assert second.screen.missing == {}
