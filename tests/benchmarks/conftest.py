"""
A screen drawn without a browser: a heading, a toolbar of icons, a form and a list of links.
"""

from __future__ import annotations

import io
from pathlib import Path

import msgspec
import pytest
from PIL import Image, ImageDraw, ImageFont

from surefoot.capture.settings import Settings
from surefoot.core.canonical import sha256
from surefoot.core.geometry import Box
from surefoot.core.ledger import Ledger
from surefoot.core.screen import Element, Screen
from surefoot.core.store import ObjectStore
from surefoot.run.folders.folder import export

SIZE = (640, 420)
FONT = 18


def _control(name: str, role: str, words: str, box: Box, **more: str) -> Element:
    line = Box.from_xywh(box.left + 8, box.top + 4, 9.0 * len(words) + 6, 24)
    return Element(
        name, role, box, name=words, name_from="content", name_boxes=(line,), text=words,
        text_boxes=(line,), font_px=18.0, parent="root", visible_fraction=1.0, hits=(True,) * 5,
        attributes={"tag": role, **more},
    )  # fmt: skip


def _elements() -> tuple[Element, ...]:
    whole = Box(0.0, 0.0, float(SIZE[0]), float(SIZE[1]))
    tools = ("Copy", "Paste", "Delete")
    links = ("Report", "Reports by year", "Archive", "Contact")
    found = [
        Element("root", "main", whole, visible_fraction=1.0),
        _control("title", "heading", "Clipboard", Box(20, 20, 220, 52)),
        *(
            _control(tool.lower(), "button", tool, Box.from_xywh(20 + 120 * at, 70, 104, 34),
                     background="drawn")
            for at, tool in enumerate(tools)
        ),
        _control("city", "text", "City", Box(20, 140, 80, 170)),
        Element(
            "field", "textbox", Box(90, 138, 330, 172), name="City", name_from="label",
            name_boxes=(Box(28, 144, 70, 168),), parent="root", visible_fraction=1.0,
            hits=(True,) * 5, attributes={"tag": "input", "editable": "true"},
        ),
        *(
            _control(f"link{at}", "link", link, Box.from_xywh(20, 210 + 44 * at, 200, 32))
            for at, link in enumerate(links)
        ),
        _control("gone", "button", "Gone", Box.from_xywh(600, 400, 104, 34)),
    ]  # fmt: skip
    cut = msgspec.structs.replace(found[-1], visible_fraction=0.23, hits=(False,) * 5)
    return (*found[:-1], cut)


@pytest.fixture(scope="session")
def drawn_page() -> tuple[Screen, bytes]:
    """Return the screen and its picture."""
    image = Image.new("RGB", SIZE, "#ffffff")
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(FONT)
    for element in _elements():
        if element.role in ("button", "textbox"):
            pen.rectangle(element.box.as_tuple(), outline="#000000", fill="#dde4ee", width=2)
        if element.text:
            corner = (element.box.left + 10, element.box.top + 5)
            pen.text(corner, element.text, fill="#000000", font=font)
    file = io.BytesIO()
    image.save(file, "PNG")
    png = file.getvalue()
    screen = Screen(
        "drawn", "site/form.html", "folder:site#form.html", sha256(png), *SIZE, 1.0, "web",
        "en-US", _elements(), title="Clipboard tools", site="site",
    )  # fmt: skip
    return screen, png


@pytest.fixture(scope="module")
def drawn_screens(
    drawn_page: tuple[Screen, bytes], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Write the drawn page as a finished folder of screens."""
    folder = tmp_path_factory.mktemp("drawn") / "screens"
    screen, png = drawn_page
    plan = {"kind": "screens", "settings": msgspec.to_builtins(Settings()), "renderer": {}}
    with Ledger.open(folder, plan):
        ObjectStore(folder).put(png)
        export(folder, "screens", {"screens.jsonl": [screen]})
    return folder
