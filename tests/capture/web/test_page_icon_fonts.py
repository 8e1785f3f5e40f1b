"""
What draws icons with a font of its own keeps it under a theme, and is mended as words are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from surefoot.capture.address import Address
from surefoot.capture.captured import Capture
from surefoot.capture.settings import Settings
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.settle import settle
from surefoot.capture.web.world import World
from surefoot.core.edit import AddStyle, EnforceContrast
from surefoot.core.pictures import pixels_of
from surefoot.refer.scene.legible import contrast_in

pytestmark = pytest.mark.browser
STYLE: Final = r"""<style>
@font-face { font-family: "Brought"; src: url(none.woff) }
body { font-family: sans-serif }
.b, .own::before { font-family: Brought } .p::before { content: "\f015" }
.a::after { content: "\e900" } .l::before { content: "k" } .w::before { content: "New" }
</style>"""
# Each is one node, and whether it draws an icon with its own font.
NODES: Final = {
    "<i>&#xf015;</i>": True,
    "<span> &#xe8b8; </span>": True,
    "<b>&#xf0001;</b>": True,
    "<em class=p></em>": True,
    "<div class=a></div>": True,
    "<i class='b l'></i>": True,
    "<i class=b>k</i>": True,
    "<span style='display:inline-block;width:16px;overflow:hidden'>receipt_long</span>": True,
    "<i>K</i>": False,
    "<i class=b>Keep</i>": False,
    "<span>receipt_long</span>": False,
    "<i class=w></i>": False,
    "<i class='own p'></i>": False,  # named on ::before, where no theme reaches it
    "<b></b>": False,
}


def test_nodes_that_draw_icons_keep_their_font(
    browser: Browser, address: Callable[..., Address]
) -> None:
    """A glyph without a letter or for a word, or a letter of an own font, is an icon."""
    rows = "".join(f"<section>{html}</section>" for html in NODES)
    with browser.visit(address(STYLE + rows), Settings(width=400, height=600)) as visit:
        world = World(visit.page)
        settle(visit, world)
        world.call(int, "keepIconFonts")
        kept = visit.page.evaluate(
            "Array.from(document.querySelectorAll('section > *'), (node) => node.style.fontFamily)"
        )

    assert [bool(family) for family in kept] == list(NODES.values())


FADED: Final = {
    "glyph before": "<style>i::before{content:'X';font:40px sans-serif}</style><i></i>",
    "glyph after": "<style>i::after{content:'X';font:40px sans-serif}</style><i></i>",
    "filled": "<svg width=40 height=40 fill=currentColor><path d='M5 5h30v30h-30z'/></svg>",
    "named colour": "<svg width=40 height=40><rect x=5 y=5 width=30 height=30 fill='#eee'/></svg>",
    "stroked": "<svg width=40 height=40 fill=none stroke='#eee' stroke-width=6>"
    "<path d='M5 5h30v30h-30z'/></svg>",
}


@pytest.mark.parametrize("case", FADED)
def test_icons_are_mended_as_words_are(shot: Callable[..., Capture], case: str) -> None:
    """An icon that a theme left pale on white has contrast after the edit."""
    page = f"<body style='margin:10px;color:#eee;background:white'>{FADED[case]}"
    before, after = (
        contrast_in(pixels_of(shot(page, edits=edits).png)[10:60, 10:60])
        for edits in ([], [AddStyle("b{}"), EnforceContrast(4.5)])
    )

    assert before < 2
    assert after >= 4


def test_a_drawing_of_many_colours_stays(shot: Callable[..., Capture]) -> None:
    """What has more than one colour is a picture, and is not recoloured."""
    page = (
        "<svg width=40 height=40><rect width=20 height=40 fill='#eee'/>"
        "<rect x=20 width=20 height=40 fill='#edd'/></svg>"
    )
    assert shot(page).png == shot(page, [AddStyle("b{}"), EnforceContrast(4.5)]).png
