"""
States before and after as a drawing, one panel a language, in the colours of the reports.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from surefoot.core.errors import InvalidInputError
from surefoot.core.files import write_atomic
from surefoot.intervene.picture import PlacedStates

TONES: Final = {
    "english": "#1f5fbf",
    "before": "#b3261e",
    "xli": "#1b7a43",
    "random": "#e69f00",
    "shuffled": "#6b4c9a",
}
TITLES: Final = {"english": "English", "xli": "after"}
SIDE: Final = 320
EDGE: Final = 16
HEAD: Final = 40
FOOT: Final = 34
RADIUS: Final = 2.6
INK: Final = "#1b2330"
PAPER: Final = "#ffffff"


def write_picture(states: Sequence[PlacedStates], out: Path) -> None:
    """Write an SVG or a PNG, as the name ends; raises InvalidInputError for another ending."""
    if out.suffix not in {".svg", ".png"}:
        raise InvalidInputError("a file named .svg or .png", found=f"'{out.name}'")
    out.parent.mkdir(parents=True, exist_ok=True)
    data = draw_states(states).encode() if out.suffix == ".svg" else draw_png(states)
    write_atomic(out, data)


def draw_states(states: Sequence[PlacedStates]) -> str:
    """Return the SVG, with a title and a description for screen readers."""
    width, height = _size(states)
    title = "Hidden states before and after"
    described = "; ".join(f"{_head(state)}: {_distances(state)}" for state in states)
    body = [f'<rect width="{width}" height="{height}" fill="{PAPER}"/>']
    for at, state in enumerate(states):
        left = at * (SIDE + EDGE) + EDGE
        body.append(_text(left, 24, _head(state)))
        body.append(
            f'<rect x="{left}" y="{HEAD}" width="{SIDE}" height="{SIDE}" fill="none" '
            'stroke="#d5dbe3"/>'
        )
        for name, x, y in _marks(state, left):
            body.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}" fill="{TONES[name]}" '
                'fill-opacity="0.6"/>'
            )
    for at, name in enumerate(TONES):
        x, y = EDGE + at * 84, HEAD + SIDE + 22
        body.append(f'<circle cx="{x + 4}" cy="{y - 4}" r="4" fill="{TONES[name]}"/>')
        body.append(_text(x + 12, y, TITLES.get(name, name)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" aria-label="{title}"><title>{title}</title>'
        f"<desc>{escape(described)}</desc>{''.join(body)}</svg>\n"
    )


def draw_png(states: Sequence[PlacedStates], scale: int = 2) -> bytes:
    """Return the same as PNG bytes."""
    width, height = _size(states)
    image = Image.new("RGB", (width * scale, height * scale), PAPER)
    pen = ImageDraw.Draw(image, "RGBA")
    font = ImageFont.load_default(13 * scale)

    def say(x: float, y: float, words: str) -> None:
        pen.text((x * scale, (y - 12) * scale), words, fill=INK, font=font)

    def dot(x: float, y: float, radius: float, tone: str) -> None:
        ends = [(x - radius) * scale, (y - radius) * scale]
        pen.ellipse([*ends, (x + radius) * scale, (y + radius) * scale], fill=tone)

    for at, state in enumerate(states):
        left = at * (SIDE + EDGE) + EDGE
        say(left, 24, _head(state))
        corners = (left, HEAD, left + SIDE, HEAD + SIDE)
        pen.rectangle([side * scale for side in corners], outline="#d5dbe3")
        for name, x, y in _marks(state, left):
            dot(x, y, RADIUS, f"{TONES[name]}99")
    for at, name in enumerate(TONES):
        x, y = EDGE + at * 84, HEAD + SIDE + 22
        dot(x + 4, y - 4, 4, TONES[name])
        say(x + 12, y, TITLES.get(name, name))
    written = io.BytesIO()
    image.save(written, "PNG")
    return written.getvalue()


def _size(states: Sequence[PlacedStates]) -> tuple[int, int]:
    width = max(len(states) * (SIDE + EDGE) + EDGE, EDGE + len(TONES) * 84)
    return width, HEAD + SIDE + FOOT


def _head(one: PlacedStates) -> str:
    projection = "t-SNE" if one.told is None else f"PCA, {100 * one.told:.0f} % of the variance"
    return f"{one.language}, layer {one.layer}, strength {one.alpha:g} ({projection})"


def _distances(one: PlacedStates) -> str:
    """Say how far each condition's middle lies from that of English, in units of before's."""
    middle = {name: points.mean(axis=0) for name, points in one.points.items()}
    far = {name: float(np.linalg.norm(at - middle["english"])) for name, at in middle.items()}
    whole = far["before"] or 1.0
    distances = (f"{name} {far[name] / whole:.2f}" for name in far if name != "english")
    return f"distance of the middles from English, before being 1: {', '.join(distances)}"


def _marks(one: PlacedStates, left: float) -> list[tuple[str, float, float]]:
    whole = np.concatenate(list(one.points.values()))
    low, high = whole.min(axis=0), whole.max(axis=0)
    scale = (SIDE - 2 * EDGE) / max(float((high - low).max()), 1e-9)
    middle = (low + high) / 2
    found = []
    for name in TONES:
        places = (one.points[name] - middle) * scale + SIDE / 2
        found += [(name, left + float(x), HEAD + SIDE - float(y)) for x, y in places]
    return found


def _text(x: float, y: float, words: str) -> str:
    return (
        f'<text x="{x}" y="{y}" fill="{INK}" '
        f'style="font: 13px Inter, Noto Sans, system-ui, sans-serif">{escape(words)}</text>'
    )
