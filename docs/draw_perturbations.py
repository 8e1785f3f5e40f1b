# ruff: noqa: INP001, T201 - a script beside the pages that it draws for
"""
Draw every perturbation small, on one real page, for docs/perturbations.md.

    python docs/draw_perturbations.py [FOLDER]

The page is the index of startbootstrap-sb-admin-2 from npm. Pictures are quartered, reduced
to an 8-bit palette and stay under 60 KB each; the same set-up draws the same bytes.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image

from surefoot.capture.browser import Browser
from surefoot.capture.page import Captured, capture, tree_digest
from surefoot.capture.settings import Settings
from surefoot.capture.sources import list_addresses
from surefoot.perturb.check import compare_screens
from surefoot.perturb.style import THEMES
from surefoot.perturb.variants import PERTURBATIONS, parse_variant

PAGE = "npm:startbootstrap-sb-admin-2@4.1.4/index.html"
SEED = 3
SIZE = (480, 300)
COLOURS = 96
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
)


def small(png: bytes) -> bytes:
    """Return a picture at the size of the docs, as an 8-bit PNG."""
    image = Image.open(io.BytesIO(png)).convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)
    reduced = image.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
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
        for variant in VARIANTS:
            taken = drawn(browser, original, variant)
            data = small(taken.png)
            if len(data) > LARGEST:
                sys.exit(f"{variant}: {len(data)} bytes are more than {LARGEST}")
            (folder / file_name(variant)).write_bytes(data)
            counts = compare_screens(original.screen, taken.screen)
            print(f"{variant}: {len(data)} bytes, {counts.hit} of {counts.targets} targets hit")


def drawn(browser: Browser, original: Captured, variant: str) -> Captured:
    """Capture the page of an original under one variant."""
    (address,) = list_addresses(PAGE)
    edits = parse_variant(variant).edits(original.screen, SEED)
    reference = tree_digest(original.screen)
    return capture(browser, address, Settings(), variant=variant, edits=edits, reference=reference)


def undrawn() -> set[str]:
    """Return the perturbations that no picture shows."""
    shown = {part.perturbation for text in VARIANTS for part in parse_variant(text).parts}
    return set(PERTURBATIONS.entries) - shown - {"style"}


if __name__ == "__main__":
    if undrawn():
        sys.exit(f"no picture for {', '.join(sorted(undrawn()))}")
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "perturbations"
    target.mkdir(parents=True, exist_ok=True)
    draw(target)
