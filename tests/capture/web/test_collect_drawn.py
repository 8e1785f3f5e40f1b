"""
A caption that is not drawn is not spelled: by style, by geometry, by what covers it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from surefoot.capture.captured import Capture
from surefoot.capture.settings import Settings

Shooter = Callable[..., Capture]
pytestmark = pytest.mark.browser
TALL: Final = Settings(width=400, height=600)

# Controls of one name element; what is not drawn of it is in the second table.
DRAWN: Final = {
    "plain": "<button>{}</button>",
    "shadow alone": "<button style='color:transparent;text-shadow:0 0 0 #123'>{}</button>",
    "gradient behind": "<button style='background:linear-gradient(red,blue);color:transparent;"
    "-webkit-background-clip:text'><b>{}</b></button>",
    "outline alone": "<button style='-webkit-text-fill-color:transparent;-webkit-text-stroke:"
    "1px #123'>{}</button>",
    "value": "<input type=submit value='{}'>",
    "placeholder": "<input placeholder='{}'>",
}
UNDRAWN: Final = {
    "fill": "<button style='-webkit-text-fill-color:transparent'>{}</button>",
    "transparent": "<button style='color:rgba(0,0,0,.01)'>{}</button>",
    "font": "<button style='font-size:0;width:40px;height:20px'>{}</button>",
    "indent": "<button style='text-indent:-999px;overflow:hidden;width:90px'>{}</button>",
    "value indent": "<input type=submit value='{}' style='text-indent:-999px;width:90px'>",
    "value color": "<input type=submit value='{}' style='color:transparent'>",
    "value font": "<input type=submit value='{}' style='font-size:0;width:90px;height:20px'>",
    "value cover": "<div style='position:relative'><input type=submit value='{}'><i style='"
    "position:absolute;inset:0;background:#eee'></i></div>",
    "placeholder color": "<input class=faint placeholder='{}'>",
    "placeholder gone": "<input class=gone placeholder='{}'>",
    "clip path": "<button><span style='clip-path:circle(0px at 50% 50%)'>{}</span></button>",
    "polygon": "<button><span style='display:inline-block;clip-path:polygon(0 0,0 0,0 0)'>{}"
    "</span></button>",
    "contained": "<button style='width:90px;height:22px;contain:paint'><span style='position:"
    "relative;left:150px'>{}</span></button>",
    "end covered": "<div style='position:relative;width:90px'><button style='width:90px'>{}"
    "</button><i style='position:absolute;left:60px;width:40px;top:0;bottom:0;background:#eee'>"
    "</i></div>",
}
STYLE: Final = (
    "<style>.faint::placeholder{color:transparent}.gone::placeholder{opacity:0}"
    "body>div{height:22px;font:13px monospace}</style>"
)


def spelled(found: Capture) -> set[str]:
    """Return the names of controls that the screen spells."""
    return {
        element.name
        for element in found.screen.elements
        if element.hits and element.name_boxes and element.role != "text"
    }


def test_what_is_not_drawn_is_not_spelled(shot: Shooter) -> None:
    """Every way to draw a caption spells it, and no way to hide one does."""
    names = {f"{name} name": html for name, html in (DRAWN | UNDRAWN).items()}
    page = STYLE + "".join(f"<div>{html.format(name)}</div>" for name, html in names.items())
    found = shot(page, settings=TALL)
    assert {element.name for element in found.screen.elements if element.hits} >= set(names)
    assert spelled(found) == {f"{name} name" for name in DRAWN}
