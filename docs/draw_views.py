# ruff: noqa: INP001, T201 - a script beside the page that it draws for
"""
Draw the views of the benchmark sensitivity small, on one real page, for docs/sensitivity.md.

    python docs/draw_views.py [FOLDER]

The page is the index of startbootstrap-sb-admin-2 from npm. Pictures are reduced to an 8-bit
palette and stay under 60 KB each; the same set-up draws the same bytes.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image

from surefoot.capture.settings import Settings
from surefoot.capture.sources import list_addresses
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import Capture, capture
from surefoot.core.screen import Element
from surefoot.perturb.desktops.desktop import DESKTOPS
from surefoot.perturb.framing import crop_around, place_on_desktop
from surefoot.perturb.views import background, crop
from surefoot.report.audit import Mark, draw_marks

PAGE = "npm:startbootstrap-sb-admin-2@4.1.4/index.html"
TARGET = "Generate Report"
SEED = 3
WIDTH = 480
COLOURS = 96
LARGEST = 60_000
GREEN = "#12a150"


def small(png: bytes) -> bytes:
    """Return a picture at most as wide as the docs show it, as an 8-bit PNG."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    if image.width > WIDTH:
        size = (WIDTH, round(image.height * WIDTH / image.width))
        image = image.resize(size, Image.Resampling.LANCZOS)
    reduced = image.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    data = io.BytesIO()
    reduced.save(data, "PNG", optimize=True)
    return data.getvalue()


def views(captured: Capture) -> dict[str, bytes]:
    """Return the pictures of every view by name, the target marked."""
    screen, png = captured.screen, captured.png
    target = next(element for element in screen.elements if element.name == TARGET and element.hit)
    found = {"original": draw_marks(png, [mark(target)])}
    cut, data = crop(screen, png, crop_around(screen, target.id))
    found["crop"] = draw_marks(data, [mark(there(cut.elements, target))])
    for name in DESKTOPS:
        placed, data = background(screen, png, place_on_desktop(screen, SEED, desktop=name))
        found[name] = draw_marks(data, [mark(there(placed.elements, target))])
    return found


def mark(element: Element) -> Mark:
    """Return the frame around the target."""
    return Mark(element.box, GREEN, width=3)


def there(elements: tuple[Element, ...], target: Element) -> Element:
    """Return the target in a view."""
    return next(element for element in elements if element.id == target.id)


def draw(folder: Path) -> None:
    """Capture the page and write the pictures of its views."""
    (address,) = list_addresses(PAGE)
    with Browser() as browser:
        captured = capture(browser, address, Settings())
    for name, png in views(captured).items():
        data = small(png)
        if len(data) > LARGEST:
            sys.exit(f"{name}: {len(data)} bytes are more than {LARGEST}")
        (folder / f"{name}.png").write_bytes(data)
        print(f"{name}: {len(data)} bytes")


if __name__ == "__main__":
    target_folder = (
        Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "sensitivity"
    )
    target_folder.mkdir(parents=True, exist_ok=True)
    draw(target_folder)
