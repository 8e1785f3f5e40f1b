"""
What no seal stops is seen by a second visit, and refused with what differs.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from PIL import Image

from attacks.sources import READ, write_sources
from surefoot.capture.captured import Capture
from surefoot.capture.settings import Settings
from surefoot.capture.sources import list_addresses
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.twice import capture_twice, difference
from surefoot.core.errors import CaptureError

Shooter = Callable[..., Capture]
pytestmark = pytest.mark.browser
SMALL = Settings(width=400, height=300)
# What a page is told, on any machine and at any time.
TOLD = {
    "cores": "8",
    "memory": "8",
    "processor": "0",
    "heap of the console": "10000000 10000000",
    "storage": '{"quota":10737418240,"usage":0,"usageDetails":{}}',
    "battery": "1,true,0",
    "devices": "[]",
    "connection": "[0,10]",
    "a date's constructor": "2026-01-15T10:00:00.000Z",
    "a date's constructor's now": "1768471200000",
    "a date's class, called": "Thu Jan 15 2026 10:00:00 GMT+0000 (Coordinated Universal Time)",
    "a format's constructor": "0.000",
    "a mark": "0",
    "intersection": "0",
    "a transition's start": "0,0",
    "an event": "0",
    "observed navigation": "none",
    "observed paint": "none",
    "observed long-animation-frame": "none",
    "observed visibility-state": "none",
    "pressure": "none",
    "reports": "none",
}


def test_what_tells_time_and_machine_tells_what_it_always_tells(
    browser: Browser, tmp_path: Path
) -> None:
    """Clocks, observers and facts of the machine are the page's own, whatever ours are."""
    (address,) = list_addresses(write_sources(tmp_path, list(TOLD)))
    found = capture_twice(browser, address, Settings(width=900, height=1200))
    told = [element.text for element in found.screen.elements if element.role == "paragraph"]

    assert set(TOLD) <= set(READ)
    assert told == list(TOLD.values())


def test_a_subclass_of_a_date_has_its_own_constructor(shot: Shooter) -> None:
    """What a script makes of a date names its own class, and leaves that of dates alone."""
    found = shot(
        "<p id=p></p><script>function Mine() {} Mine.prototype = Object.create(Date.prototype);"
        "Mine.prototype.constructor = Mine;"
        "p.textContent = [new Mine().constructor === Mine, new Date().constructor === Date]"
        "</script>"
    )

    assert [one.text for one in found.screen.elements if one.text] == ["true,true"]


SVG = (
    "<svg xmlns='http://www.w3.org/2000/svg' width='60' height='40'><style>@keyframes k {"
    "from { fill: red } to { fill: blue } } rect { fill: lime; animation: k 0.7s infinite }"
    "</style><rect width='60' height='40'/></svg>"
)


def test_a_drawing_in_a_picture_stands_still(browser: Browser, tmp_path: Path) -> None:
    """A style sheet's animation in a file is off; in a data URL it is refused by its place."""
    (tmp_path / "a.svg").write_text(SVG)
    data = base64.b64encode(SVG.encode()).decode()
    (tmp_path / "index.html").write_text("<!doctype html><img alt=drawing src=a.svg>")
    (tmp_path / "other.html").write_text(
        f"<!doctype html><img alt=drawing src='data:image/svg+xml;base64,{data}'>"
    )
    file, inline = (
        list_addresses(str(tmp_path / name))[0] for name in ("index.html", "other.html")
    )
    found = capture_twice(browser, file, SMALL)
    path = tmp_path / "shot.png"
    path.write_bytes(found.png)
    with Image.open(path) as image:
        color = image.convert("RGB").getpixel((20, 20))

    assert color == (0, 255, 0)
    with pytest.raises(CaptureError, match=r"other pixels in 8, 8, 68, 48, where .*'drawing'"):
        capture_twice(browser, inline, SMALL)


def test_what_differs_is_named(shot: Shooter) -> None:
    """Elements, resources and pixels are told apart, and equal captures differ in nothing."""
    one, two = shot("<button>Save</button>"), shot("<button>Send</button>")
    red = shot("<button style='background: red'>Save</button>")
    lacking = msgspec.structs.replace(one.screen, missing={"/a.css": "404"})

    assert difference(one, one) == ""
    assert difference(one, two).startswith("other elements: button 'Send'")
    assert difference(one, msgspec.structs.replace(one, screen=lacking)) == "other resources"
    assert "where there is button 'Save'" in difference(
        one, msgspec.structs.replace(one, png=red.png)
    )
