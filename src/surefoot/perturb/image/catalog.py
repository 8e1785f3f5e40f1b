"""
The perturbations of pictures: for any screen, also one that has no live interface.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from surefoot.core.edit import Crop, Edit, Filter, FilterKind, Letterbox, Notice, Pointer, Resize
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.perturbation import Perturbation
from surefoot.core.screen import INTERACTIVE_ROLES, Screen
from surefoot.core.seeds import random_source
from surefoot.perturb.framing import place_on_desktop
from surefoot.perturb.image.notice import PATTERNS
from surefoot.perturb.zoom import factor_levels, factor_severity, factor_titles

STEPS: Final = 24  # places along each axis that are tried
SHARES: Final = {"0.25": 0.25, "0.5": 0.5, "0.75": 0.75, "1": 1.0}
TENTHS: Final = {f"{tenth / 10:g}": tenth / 10 for tenth in range(1, 11)}
FACTORS: Final = (0.25, 0.5, 0.75, 1.5, 2.0)
STRETCHES: Final = (0.75, 0.8, 0.9, 1.1, 1.25, 1.33)
# Width and height of each aspect; the severity is the share of bars around 16 x 10.
ASPECTS: Final = {"16x9": (16, 9), "4x3": (4, 3), "21x9": (21, 9), "1x1": (1, 1), "9x16": (9, 16)}
# Share of the picture's width and height that a notice takes.
BANNERS: Final = {"small": (0.4, 0.06), "medium": (0.55, 0.08), "large": (0.75, 0.11)}
POPUPS: Final = {"small": (0.2, 0.2), "medium": (0.3, 0.28), "large": (0.42, 0.38)}
POINTERS: Final = {"16": 16, "24": 24, "48": 48, "96": 96}


def freest_place(screen: Screen, size: tuple[int, int], seed: int, *, edges: bool = False) -> Box:
    """
    Return a place of a width and height, in whole pixels, over as few controls as possible.

    Places lie on a grid of 24 by 24 over the picture; with ``edges`` only those at
    its top and bottom are tried. What counts is the number of controls (what can be acted on,
    and takes a click) that a place touches, then how many elements with words;
    ``seed`` draws among equals. Raises InvalidInputError for a size that does not fit.
    """
    width, height = size
    if not (0 < width <= screen.width and 0 < height <= screen.height):
        raise InvalidInputError(
            f"a size that fits {screen.width} x {screen.height}", found=f"{width} x {height}"
        )
    lefts = np.unique(np.linspace(0, screen.width - width, STEPS).round())
    tops = np.unique(np.linspace(0, screen.height - height, STEPS).round())
    tops = tops[[0, -1]] if edges else tops
    corners = np.stack(np.meshgrid(lefts, tops), axis=-1).reshape(-1, 2)
    touched = _touched(screen, corners, size, controls=True)
    worded = _touched(screen, corners, size, controls=False)
    rank = touched * (1 + len(screen.elements)) + worded
    free = np.flatnonzero(rank == rank.min()).tolist()
    left, top = corners[random_source(seed, "place").choice(free)]
    return Box.from_xywh(float(left), float(top), float(width), float(height))


def _touched(
    screen: Screen, corners: np.ndarray, size: tuple[int, int], *, controls: bool
) -> np.ndarray:
    """Count, for each corner of a place (n x 2), the elements that it touches."""
    boxes = [
        element.box.as_tuple()
        for element in screen.elements
        if element.visible_fraction > 0
        and (
            element.role in INTERACTIVE_ROLES and element.hit
            if controls
            else bool(element.text_boxes)
        )
    ]
    sides = np.array(boxes).reshape(-1, 4)
    first, last = corners[:, None, :], corners[:, None, :] + np.array(size)
    apart = (last <= sides[:, :2]) | (first >= sides[:, 2:])
    found: np.ndarray = (~apart.any(axis=2)).sum(axis=1)
    return found


def _filter(
    name: FilterKind,
    summary: str,
    levels: dict[str, float],
    default: str,
    title: Callable[[str], str],
    *,
    seeded: bool = False,
) -> Perturbation:
    """Describe a filter whose levels are its amounts, given with their severities."""

    def draw(screen: Screen, seed: int, level: str) -> tuple[Edit, ...]:
        drawn = random_source(seed, name, screen.page).randrange(1 << 32) if seeded else 0
        return (Filter(name, float(level), drawn),)

    return Perturbation(
        name=name,
        version=1,
        summary=summary,
        titles={level: title(level) for level in levels},
        levels=levels,
        default=default,
        draw=draw,
        seeded=seeded,
        picture=True,
    )


def _percent(words: str) -> Callable[[str], str]:
    """Title shares by the words and their percentage."""
    return lambda level: f"{words} {100 * float(level):.0f} %"


def _resize(_screen: Screen, _seed: int, level: str) -> tuple[Edit, ...]:
    return (Resize(float(level), float(level)),)


def _stretch(_screen: Screen, _seed: int, level: str) -> tuple[Edit, ...]:
    return (Resize(float(level), 1.0),)


def _letterbox(screen: Screen, _seed: int, level: str) -> tuple[Edit, ...]:
    across, down = ASPECTS[level]
    longest = max(screen.width, screen.height)
    unit = longest / max(across, down)
    return (Letterbox(max(1, round(across * unit)), max(1, round(down * unit))),)


def _cut(screen: Screen, seed: int, level: str) -> tuple[Edit, ...]:
    draw = random_source(seed, "cut", screen.page)
    wide, high = (max(1, round(float(level) * side)) for side in (screen.width, screen.height))
    left, top = draw.randint(0, screen.width - wide), draw.randint(0, screen.height - high)
    return (Crop(left, top, left + wide, top + high),)


def _background(screen: Screen, seed: int, level: str) -> tuple[Edit, ...]:
    return (place_on_desktop(screen, seed, scales=(float(level), float(level))),)


def _cursor(screen: Screen, seed: int, level: str) -> tuple[Edit, ...]:
    height = min(screen.height, max(1, round(POINTERS[level] * screen.scale)))
    place = freest_place(screen, (min(height, screen.width), height), seed)
    return (Pointer(int(place.left), int(place.top), height),)


def _banner(screen: Screen, seed: int, level: str) -> tuple[Edit, ...]:
    width, height = _size(screen, BANNERS[level])
    place = freest_place(screen, (width, height), seed, edges=True)
    pattern = random_source(seed, "banner", screen.page).randrange(PATTERNS)
    return (Notice("banner", pattern, *map(int, place.as_tuple())),)


def _popup(screen: Screen, seed: int, level: str) -> tuple[Edit, ...]:
    place = freest_place(screen, _size(screen, POPUPS[level]), seed)
    pattern = random_source(seed, "popup", screen.page).randrange(PATTERNS)
    return (Notice("popup", pattern, *map(int, place.as_tuple())),)


def _size(screen: Screen, shares: tuple[float, float]) -> tuple[int, int]:
    across, down = shares
    return max(1, round(across * screen.width)), max(1, round(down * screen.height))


def _bars(across: int, down: int) -> float:
    """Return the share of an aspect that is bars around a picture of 16 x 10."""
    ratio = (across / down) / (16 / 10)
    return round(1 - min(ratio, 1 / ratio), 4)


def _areas(shares: dict[str, tuple[float, float]]) -> dict[str, float]:
    return {name: round(across * down, 4) for name, (across, down) in shares.items()}


JPEG = _filter(
    "jpeg",
    "compressed as JPEG of a quality",
    {f"{quality}": round(1 - quality / 100, 2) for quality in (90, 75, 60, 50, 40, 30, 20, 10, 5)},
    "40",
    lambda level: f"JPEG quality {level}",
)
BLUR = _filter(
    "blur",
    "a Gaussian blur, its standard deviation in pixels",
    {"0.5": 0.125, "1": 0.25, "1.5": 0.375, "2": 0.5, "3": 0.75, "4": 1.0},
    "2",
    lambda level: f"blur {level} px",
)
NOISE = _filter(
    "noise",
    "Gaussian noise, its standard deviation in steps of 8 bits",
    {"5": 0.1, "10": 0.2, "20": 0.4, "35": 0.7, "50": 1.0},
    "20",
    lambda level: f"noise of {level} steps",
    seeded=True,
)
GAMMA = _filter(
    "gamma",
    "brighter (under 1) or darker (above 1) middle tones, by an exponent",
    {
        f"{power:g}": round(factor_severity(power), 4)
        for power in sorted((0.5, 0.67, 0.8, 1.25, 1.5, 2.0), key=factor_severity)
    },
    "1.5",
    lambda level: f"{'darker' if float(level) > 1 else 'brighter'} tones (gamma {level})",
)
GREY = _filter(
    "grey",
    "a share of the colour taken out, by luminance",
    SHARES,
    "1",
    _percent("colour less by"),
)
PROTANOPIA = _filter(
    "protanopia",
    "as seen without red cones, by severity",
    TENTHS,
    "1",
    _percent("red-blind sight"),
)
DEUTERANOPIA = _filter(
    "deuteranopia",
    "as seen without green cones, by severity",
    TENTHS,
    "1",
    _percent("green-blind sight"),
)
TRITANOPIA = _filter(
    "tritanopia",
    "as seen without blue cones, by severity",
    TENTHS,
    "1",
    _percent("blue-blind sight"),
)
DARK = _filter(
    "dark",
    "under a black sheet of an opacity",
    {"0.2": 0.2, "0.4": 0.4, "0.6": 0.6, "0.8": 0.8},
    "0.6",
    _percent("darkened by"),
)
RESIZE = Perturbation(
    name="resize",
    version=1,
    summary="another resolution: both sides by a factor",
    titles=factor_titles("resolution", FACTORS),
    levels={label: round(value / 2, 4) for label, value in factor_levels(FACTORS).items()},
    default="0.5",
    draw=_resize,
    seeded=False,
    picture=True,
)
STRETCH = Perturbation(
    name="stretch",
    version=1,
    summary="another aspect: the width alone by a factor",
    titles=factor_titles("width", STRETCHES),
    levels=factor_levels(STRETCHES),
    default="0.8",
    draw=_stretch,
    seeded=False,
    picture=True,
)
LETTERBOX = Perturbation(
    name="letterbox",
    version=1,
    summary="fitted between black bars into another aspect, the longer side kept",
    titles={name: f"black bars to {across}:{down}" for name, (across, down) in ASPECTS.items()},
    levels={name: _bars(*aspect) for name, aspect in ASPECTS.items()},
    default="1x1",
    draw=_letterbox,
    seeded=False,
    picture=True,
)
CUT = Perturbation(
    name="cut",
    version=1,
    summary="a part of a share of both sides, drawn by the seed",
    titles=factor_titles("part of both sides", (0.9, 0.75, 0.6, 0.5)),
    levels={"0.9": 0.19, "0.75": 0.4375, "0.6": 0.64, "0.5": 0.75},
    default="0.75",
    draw=_cut,
    picture=True,
)
BACKGROUND = Perturbation(
    name="background",
    version=1,
    summary="in a window on a desktop, at a scale",
    titles=factor_titles("window on a desktop at", (1.0, 0.85, 0.7, 0.5)),
    levels={"1": 0.25, "0.85": 0.4, "0.7": 0.6, "0.5": 1.0},
    default="0.7",
    draw=_background,
    picture=True,
)
CURSOR = Perturbation(
    name="cursor",
    version=1,
    summary="a mouse pointer over as few controls as possible, its height in CSS pixels",
    titles={level: f"mouse pointer {level} px" for level in POINTERS},
    levels={"16": 0.1, "24": 0.2, "48": 0.5, "96": 1.0},
    default="24",
    draw=_cursor,
    picture=True,
)
BANNER = Perturbation(
    name="banner",
    version=1,
    summary="a notification at the top or bottom, over as few controls as possible",
    titles={size: f"{size} notification" for size in BANNERS},
    levels=_areas(BANNERS),
    default="medium",
    draw=_banner,
    picture=True,
)
POPUP = Perturbation(
    name="popup",
    version=1,
    summary="a small window with a message, over as few controls as possible",
    titles={size: f"{size} pop-up window" for size in POPUPS},
    levels=_areas(POPUPS),
    default="medium",
    draw=_popup,
    picture=True,
)
