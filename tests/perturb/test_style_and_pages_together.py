"""
Every theme on two pages in a browser: seen to be different, readable, and still usable.
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from surefoot.capture.captured import Capture
from surefoot.capture.settings import Settings
from surefoot.capture.sources import list_addresses
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import capture
from surefoot.core.geometry import Box
from surefoot.core.perturbation import parse_variant
from surefoot.perturb.check import compare_screens
from surefoot.perturb.style import THEMES

PAGES = sorted((Path(__file__).parent / "pages").glob("*.html"))
SETTINGS = Settings(width=1100, height=800)
READABLE_PX = 12.0
SEED = 20

pytestmark = [pytest.mark.browser, pytest.mark.slow]
Pixels = NDArray[np.float64]


@pytest.fixture(scope="module")
def originals(browser: Browser) -> dict[Path, Capture]:
    """Capture both pages as they are."""
    return {path: shot(browser, path) for path in PAGES}


def shot(browser: Browser, path: Path, original: Capture | None = None, name: str = "") -> Capture:
    """Capture a page, under a variant of its original where one is given."""
    edits = parse_variant(name).edits(original.screen, SEED) if original else ()
    reference = original.screen if original else None
    (address,) = list_addresses(str(path))
    return capture(browser, address, SETTINGS, variant=name, edits=edits, original=reference)


def pixels_of(png: bytes) -> Pixels:
    """Return an image as rows x columns x 3 channels in 0-255."""
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"), dtype=np.float64)


def luminances(pixels: Pixels) -> Pixels:
    """Return relative luminance by the formula of WCAG 2.2, written out once more."""
    share = pixels / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    weights = np.array([0.2126, 0.7152, 0.0722])
    return np.asarray(linear @ weights)


def measured_contrast(pixels: Pixels, box: Box) -> float:
    """Return the contrast of a box's commonest colour with its farthest one."""
    left, top, right, bottom = (round(side) for side in box.as_tuple())
    inside = pixels[top:bottom, left:right].reshape(-1, 3)
    colours, counts = np.unique(inside, axis=0, return_counts=True)
    light = luminances(colours) + 0.05
    ground = light[counts.argmax()]
    return float(np.maximum(light / ground, ground / light).max())


def text_contrasts(taken: Capture) -> dict[str, float]:
    """Measure every visible text line of a readable size; keys say which."""
    pixels, bounds = pixels_of(taken.png), taken.screen.bounds
    return {
        f"{taken.screen.variant} {element.text[:30]!r} {line}": measured_contrast(pixels, line)
        for element in taken.screen.elements
        if element.font_px >= READABLE_PX and element.visible_fraction > 0.99
        for line in element.text_boxes
        if line.intersection(bounds) == line
    }


@pytest.mark.parametrize("theme", THEMES)
def test_a_theme_restyles_pages_and_leaves_them_readable_and_usable(
    browser: Browser, originals: dict[Path, Capture], theme: str
) -> None:
    """At least 99 % of the texts have 4.5:1 in the pixels, and no target is lost or covered."""
    contrasts: dict[str, float] = {}
    for path, original in originals.items():
        taken = shot(browser, path, original, f"style-{theme}")
        contrasts |= text_contrasts(taken)
        changed = np.abs(pixels_of(taken.png) - pixels_of(original.png)).max(axis=2) > 2
        survival = compare_screens(original.screen, taken.screen)
        assert changed.mean() > 0.1
        assert survival.targets > 10
        # Spacing may push a target out of the window: it is hidden then, not lost.
        assert (survival.lost, survival.missed) == ((), ())
    faint = {where: round(value, 2) for where, value in contrasts.items() if value < 4.5}

    assert len(contrasts) > 60
    assert len(faint) <= 0.01 * len(contrasts), faint


def test_the_measure_finds_faint_text(originals: dict[Path, Capture]) -> None:
    """On the untouched pages the measure reports texts that are in fact too faint."""
    contrasts = {
        where: value
        for original in originals.values()
        for where, value in text_contrasts(original).items()
    }

    assert any("in 31 halls" in where and value < 3 for where, value in contrasts.items())
    assert any("Bring a proof" in where and value < 3 for where, value in contrasts.items())


@pytest.mark.parametrize("name", ["style", "precision", "text_shrink", "zoom:1.5", "shuffle"])
def test_variants_give_the_same_bytes_and_lose_no_target(
    browser: Browser, originals: dict[Path, Capture], name: str
) -> None:
    """Two captures of one variant are equal, and what it still shows it lets be clicked."""
    path = PAGES[0]
    first = shot(browser, path, originals[path], name)
    again = shot(browser, path, originals[path], name)
    survival = compare_screens(originals[path].screen, first.screen)

    assert first.png == again.png
    assert first.screen.elements == again.screen.elements
    assert (survival.lost, survival.missed) == ((), ())
