"""
Measure masks: how findable each kind's border is on real pages, and how fast each is made.

    python bench/masks.py SCREENS [PICTURES]

SCREENS is a folder that ``surefoot capture`` wrote. Each fully visible control of at most a
tenth of its picture is masked alone, in every kind; "unmasked" is the border of the control
itself. Findability is that of ``perturb.masks.findable``: 0 no step along the border, 0.5
the mean step of the page around it. Speeds are CPU time of one core on decoded pictures;
PNG coding stands beside them. With a folder PICTURES every kind is drawn there, too.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import get_args

import numpy as np

from surefoot.core.edit import Mask, MaskKind
from surefoot.core.pictures import Pixels
from surefoot.core.screen import INTERACTIVE_ROLES, Element, Screen
from surefoot.core.store import ObjectStore
from surefoot.perturb.masks.paint import findability, masked, paint
from surefoot.perturb.pixels import read_pixels, regions, spell_png
from surefoot.run.folders.folder import read_screens

KINDS: tuple[MaskKind, ...] = get_args(MaskKind)
LOW = ("membrane", "sides", "median", "mode", "inpaint")
RINGS = (1, 2, 4, 8)
LARGEST_SHARE = 0.1
A_SCREEN = 12
SECONDS = 1.0


def shots(folder: Path) -> list[tuple[Screen, Pixels]]:
    """Return the screens of a folder with their decoded pictures."""
    store = ObjectStore(folder)
    screens = read_screens(folder)
    return [
        (screen, read_pixels(store.get(screen.image), (screen.width, screen.height)))
        for screen in screens
    ]


def targets(screen: Screen) -> list[Element]:
    """Return at most 12 controls of a screen, spread evenly over it."""
    most = LARGEST_SHARE * screen.bounds.area
    found = [
        element
        for element in screen.elements
        if element.role in INTERACTIVE_ROLES and element.hit and element.visible_fraction == 1.0
        if 0 < element.box.area <= most
    ]
    return found[:: max(1, -(-len(found) // A_SCREEN))]


def found_by_border(pixels: Pixels, target: Element, kind: MaskKind | None, ring: int) -> float:
    """Return how findable one target's mask is; without a kind, the target itself."""
    boxes = (target.box,)
    (place,) = regions(boxes, pixels.shape)
    seen = pixels if kind is None else paint(pixels, Mask(boxes, kind, ring))
    return findability(seen, place, masked([place], pixels.shape))


def findable(pages: list[tuple[Screen, Pixels]]) -> None:
    """Print the findability of every kind, and of every ring where it matters."""
    wanted = [(pixels, target) for screen, pixels in pages for target in targets(screen)]
    print(f"findability on {len(wanted)} controls of {len(pages)} screens")
    print("mask             ring    mean  median    90 %  over 0.5")
    rows: list[tuple[MaskKind | None, int]] = [(None, 4), ("static", 4), ("high-contrast", 4)]
    rows += [(kind, ring) for kind in KINDS if kind in LOW for ring in RINGS]
    for kind, ring in rows:
        values = np.array([found_by_border(*item, kind, ring) for item in wanted])
        middle, high = np.percentile(values, (50, 90))
        share = (values > 0.5).mean()  # noqa: PLR2004 - as in the head of the table
        name = kind or "unmasked"
        print(f"{name:16} {ring:4} {values.mean():7.3f} {middle:7.3f} {high:7.3f} {share:8.1%}")


def speeds(pages: list[tuple[Screen, Pixels]]) -> None:
    """Print how many pictures a second of CPU time each kind masks, by number of boxes."""
    screen, pixels = pages[0]
    boxes = tuple(target.box for target in targets(screen))
    half = (screen.bounds.scaled(0.7),)
    high, wide = pixels.shape[:2]
    print(f"\nmasks a second of CPU time, {wide} x {high}, decoded")
    print(f"mask             1 box  {len(boxes)} boxes  half of the picture")
    for kind in KINDS:
        rates = [rate(paint, [(pixels, Mask(item, kind))]) for item in (boxes[:1], boxes, half)]
        print(f"{kind:14} {rates[0]:7.0f} {rates[1]:9.0f} {rates[2]:12.0f}")
    pngs = [spell_png(item) for _, item in pages]
    print(f"PNG encoding   {rate(spell_png, [(item,) for _, item in pages]):7.1f}")
    print(f"PNG decoding   {rate(read_pixels, [(png, (wide, high)) for png in pngs]):7.1f}")


def rate(work: Callable[..., object], calls: Iterable[tuple[object, ...]]) -> float:
    """Return calls a second of CPU time, after one round to warm up."""
    rounds = list(calls)
    for item in rounds:
        work(*item)
    began, count = time.process_time(), 0
    while time.process_time() - began < SECONDS:
        work(*rounds[count % len(rounds)])
        count += 1
    return count / (time.process_time() - began)


def draw(pages: list[tuple[Screen, Pixels]], folder: Path) -> None:
    """Write every screen under every kind of mask, every third target masked."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, (screen, pixels) in enumerate(pages):
        boxes = tuple(target.box for target in targets(screen)[::3])
        for kind in KINDS:
            picture = spell_png(paint(pixels, Mask(boxes, kind)))
            (folder / f"{number}-{kind}.png").write_bytes(picture)


if __name__ == "__main__":
    found = shots(Path(sys.argv[1]))
    findable(found)
    speeds(found)
    if len(sys.argv) > 2:  # noqa: PLR2004 - the second argument is optional
        draw(found, Path(sys.argv[2]))
