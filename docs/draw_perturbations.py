# ruff: noqa: INP001, T201 - a script beside the pages that it draws for
"""
Draw every perturbation and mask small, on one real page, for docs/gallery.md.

    python docs/draw_perturbations.py [FOLDER]
    python docs/draw_perturbations.py --gallery [PAGE]    writes docs/gallery.md alone

The page is the index of startbootstrap-sb-admin-2 from npm. Pictures are reduced to three
eighths and to an 8-bit palette, and stay under 60 KB each; the same set-up draws the same bytes.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import get_args

from PIL import Image

from surefoot.capture.settings import Settings
from surefoot.capture.sources import list_addresses
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import Capture, capture, tree_digest
from surefoot.core.edit import Mask, MaskKind
from surefoot.core.perturbation import PERTURBATIONS, parse_variant
from surefoot.perturb.check import compare_screens
from surefoot.perturb.image.change import change_picture, split_edits
from surefoot.perturb.style import THEMES

PAGE = "npm:startbootstrap-sb-admin-2@4.1.4/index.html"
SEED = 3
SIZE = (480, 300)
WIDTH = 1280
COLOURS = (96, 24, 8)
LARGEST = 60_000

VARIANTS = (
    "original",
    *(f"style-{theme}" for theme in THEMES),
    *(f"style-cyberpunk:{level}" for level in ("colours", "fonts", "shapes")),
    "shuffle",
    "zoom:0.5",
    "zoom:0.7",
    "zoom:1.5",
    "transform-zoom:0.7",
    "text-size:paper",
    "text-size:1.5",
    "resize:0.25",
    "stretch:0.75",
    "letterbox:1x1",
    "cut",
    "background",
    "jpeg:10",
    "blur:3",
    "noise:50",
    "gamma:2",
    "grey",
    "protanopia",
    "deuteranopia",
    "tritanopia",
    "dark",
    "cursor:48",
    "banner",
    "popup",
)
MASKED = 5  # controls, spread over the page

MASKS = {
    "static": "white",
    "high-contrast": "the colour farthest from all that is shown",
    "membrane": "a smooth fill held by the colours around",
    "sides": "a smooth fill held by one colour a side",
    "median": "the median of the ring around",
    "mode": "the commonest colour of the ring around",
    "inpaint": "a piece from elsewhere that continues the texture",
}
GALLERY = """# Gallery

Every perturbation and mask on one real page, the index of `startbootstrap-sb-admin-2`.
The middle column is what to write after `--variants`.
Levels, sums and severities are in [perturbations](perturbations.md).
Written by `python docs/draw_perturbations.py --gallery`.

| picture | variant | what it does |
| --- | --- | --- |
"""


def small(png: bytes) -> bytes:
    """Return a picture reduced as far as the page's own, as an 8-bit PNG that is not too large."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    share = min(SIZE[0] / WIDTH, SIZE[0] / image.width)
    size = (round(image.width * share), round(image.height * share))
    reduced = image.resize(size, Image.Resampling.LANCZOS)
    return next(data for colour in COLOURS if len(data := spelt(reduced, colour)) <= LARGEST)


def spelt(image: Image.Image, colours: int) -> bytes:
    """Return a picture in so many colours as PNG."""
    reduced = image.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    data = io.BytesIO()
    reduced.save(data, "PNG", optimize=True)
    return data.getvalue()


def file_name(variant: str) -> str:
    """Return the name of a variant's picture."""
    return variant.replace(":", "-") + ".png"


def draw(folder: Path) -> None:
    """Capture the page under every variant and write the pictures."""
    (address,) = list_addresses(PAGE)
    settings = Settings()
    with Browser() as browser:
        original = capture(browser, address, settings)
        taken = {variant: drawn(browser, original, variant) for variant in VARIANTS}
    for variant, mask in (taken | masks(original)).items():
        data = small(mask.png)
        (folder / file_name(variant)).write_bytes(data)
        counts = compare_screens(original.screen, mask.screen)
        print(f"{variant}: {len(data)} bytes, {counts.hit} of {counts.targets} targets hit")


def drawn(browser: Browser, original: Capture, variant: str) -> Capture:
    """Capture the page of an original under one variant."""
    (address,) = list_addresses(PAGE)
    page, picture = split_edits(parse_variant(variant).edits(original.screen, SEED))
    if not picture:
        reference = tree_digest(original.screen)
        return capture(
            browser, address, Settings(), variant=variant, edits=page, reference=reference
        )
    return Capture(*change_picture(original.screen, original.png, picture, variant=variant))


def masks(original: Capture) -> dict[str, Capture]:
    """Mask some controls of a page with every kind of mask."""
    controls = [element for element in original.screen.elements if element.hit and element.group]
    boxes = tuple(control.box for control in controls[:: max(1, len(controls) // MASKED)])
    return {
        f"mask-{kind}": Capture(
            *change_picture(original.screen, original.png, (Mask(boxes, kind),), variant=kind)
        )
        for kind in get_args(MaskKind)
    }


def undrawn() -> set[str]:
    """Return the perturbations that no picture shows."""
    shown = {part.perturbation for text in VARIANTS for part in parse_variant(text).parts}
    return set(PERTURBATIONS.entries) - shown - {"style"}


def gallery() -> str:
    """Return the page that shows every picture beside what its variant is called and does."""
    rows = [
        f"| ![](perturbations/{file_name(text)}) | `{text}` | {said(text)} |" for text in VARIANTS
    ]
    rows += [
        f"| ![](perturbations/{file_name(f'mask-{kind}')}) | mask `{kind}` | {MASKS[kind]} |"
        for kind in get_args(MaskKind)
    ]
    return GALLERY + "\n".join(rows) + "\n"


def said(text: str) -> str:
    """Return what a variant does, in the words of its perturbation."""
    parts = parse_variant(text).parts
    return PERTURBATIONS.get(parts[0].perturbation).summary if parts else "the page as it is"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--gallery"]:
        pages = [Path(name) for name in sys.argv[2:]] or [Path(__file__).parent / "gallery.md"]
        pages[0].write_text(gallery(), encoding="utf-8")
        sys.exit()
    if undrawn():
        sys.exit(f"no picture for {', '.join(sorted(undrawn()))}")
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "perturbations"
    target.mkdir(parents=True, exist_ok=True)
    draw(target)
