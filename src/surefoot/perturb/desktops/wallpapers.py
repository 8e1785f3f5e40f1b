"""
Wallpapers: what lies behind everything on a desktop, drawn from formulas and a seed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["WALLPAPERS", "Wallpaper"]

Plane: TypeAlias = NDArray[np.float64]
Wallpaper: TypeAlias = Callable[[int, int, random.Random], NDArray[np.uint8]]


def _hills(width: int, height: int, draw: random.Random) -> NDArray[np.uint8]:
    """Draw a pale sky over four ridges, each nearer one darker."""
    _, down = _shares(width, height)
    picture = _blend("#8fc7e8", "#f4e9d8", np.clip(down * 1.5, 0, 1))
    for ridge, color in enumerate(("#9db9b5", "#6f9a92", "#447a70", "#25574f")):
        x = np.linspace(0, 1, width)
        waves = np.zeros(width)
        for order in range(1, 4):
            turns = x * draw.uniform(1.5, 3.5) * order + draw.random()
            waves += np.sin(turns * 2 * np.pi) * 0.05 / order
        top = 0.46 + 0.13 * ridge + waves
        edge = np.clip((down - top[None, :]) * height, 0, 1)
        picture = picture + (_color(color) - picture) * edge[..., None]
    return _bytes(picture)


def _dusk(width: int, height: int, draw: random.Random) -> NDArray[np.uint8]:
    """Draw an evening sky with a low sun and its glow."""
    across, down = _shares(width, height)
    lean = draw.uniform(-0.25, 0.25)
    slope = np.clip(down + lean * (across - 0.5), 0, 1)
    picture = _blend("#2a1b4f", "#e0655f", slope)
    x, y = draw.uniform(0.25, 0.75), draw.uniform(0.5, 0.7)
    away = np.hypot((across - x) * width / height, down - y)
    picture = picture + (_color("#ffc27a") - picture) * np.exp(-((away / 0.35) ** 2))[..., None]
    disc = np.clip((0.07 - away) * height, 0, 1)
    return _bytes(picture + (_color("#ffe9b8") - picture) * disc[..., None])


def _slate(width: int, height: int, draw: random.Random) -> NDArray[np.uint8]:
    """Draw a dark ground with faint slanting bands."""
    across, down = _shares(width, height)
    picture = _blend("#1f2933", "#3b4a5a", (across + down) / 2)
    turn = draw.uniform(0.4, 1.2)
    lines = np.sin((across * width / height * turn + down) * draw.uniform(14, 22))
    return _bytes(picture + 5 * np.clip(lines * 6, -1, 1)[..., None])


def _circles(width: int, height: int, draw: random.Random) -> NDArray[np.uint8]:
    """Draw large translucent discs on a light ground."""
    across, down = _shares(width, height)
    picture = _blend("#eef3f9", "#cfdcec", down)
    for color in ("#7aa2d6", "#f2b880", "#86c7b0", "#d78fa6", "#7aa2d6"):
        x, y, radius = draw.random(), draw.random(), draw.uniform(0.15, 0.45)
        away = np.hypot((across - x) * width / height, down - y)
        disc = np.clip((radius - away) * height, 0, 1) * 0.32
        picture = picture + (_color(color) - picture) * disc[..., None]
    return _bytes(picture)


def _waves(width: int, height: int, draw: random.Random) -> NDArray[np.uint8]:
    """Draw bands of teal that follow a slow curve."""
    across, down = _shares(width, height)
    bend = draw.uniform(0.06, 0.16) * np.sin((across * draw.uniform(0.8, 1.6) + down) * 2 * np.pi)
    level = np.clip(np.floor((down + bend) * 9) / 9, 0, 1)
    return _bytes(_blend("#0b5563", "#a8dbc5", level))


WALLPAPERS: Final[Mapping[str, Wallpaper]] = {
    "hills": _hills,
    "dusk": _dusk,
    "slate": _slate,
    "circles": _circles,
    "waves": _waves,
}


def _shares(width: int, height: int) -> tuple[Plane, Plane]:
    """Return each pixel's place across and down, from 0 to 1."""
    down, across = np.mgrid[0:height, 0:width].astype(np.float64)
    return across / width, down / height


def _color(text: str) -> Plane:
    return np.array([int(text[at : at + 2], 16) for at in (1, 3, 5)], dtype=np.float64)


def _blend(first: str, second: str, share: Plane) -> Plane:
    mixed: Plane = _color(first) + (_color(second) - _color(first)) * share[..., None]
    return mixed


def _bytes(picture: Plane) -> NDArray[np.uint8]:
    return np.clip(np.rint(picture), 0, 255).astype(np.uint8)
