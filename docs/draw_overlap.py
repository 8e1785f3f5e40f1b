# ruff: noqa: INP001 - a script beside the page that it draws for
"""
Draw what IoU and BCP are: predicted boxes over a target, with both numbers as they are scored.

    python docs/draw_overlap.py docs/overlap.svg
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from surefoot.core.geometry import Box

TARGET: Final = Box(40, 50, 140, 90)
PREDICTED: Final = {
    "most of it": Box(50, 46, 146, 88),
    "around it": Box(10, 20, 170, 120),
    "a part of it": Box(44, 54, 84, 86),
    "its neighbour": Box(100, 66, 190, 106),
    "another place": Box(110, 100, 190, 126),
}
WIDTH: Final = 210
HEIGHT: Final = 180


def rectangle(box: Box, style: str) -> str:
    """Return a box as SVG."""
    place = f'x="{box.left:g}" y="{box.top:g}" width="{box.width:g}" height="{box.height:g}"'
    return f'<rect {place} fill="none" {style}/>'


def case(at: int, words: str, box: Box) -> str:
    """Draw one predicted box over the target, and say what it scores."""
    center = box.center
    told = f"IoU {TARGET.iou(box):.2f}, BCP {int(TARGET.contains(center))}"
    parts = (
        rectangle(TARGET, 'stroke="#12a150" stroke-width="3"'),
        rectangle(box, 'stroke="#d62728" stroke-width="2" stroke-dasharray="5 3"'),
        f'<circle cx="{center.x:g}" cy="{center.y:g}" r="4" fill="#d62728"/>',
        f'<text x="10" y="148">{words}</text>',
        f'<text x="10" y="168">{told}</text>',
    )
    return f'<g transform="translate({WIDTH * at} 0)">{"".join(parts)}</g>'


def drawing() -> str:
    """Return the whole drawing as SVG."""
    cases = "\n".join(case(at, *item) for at, item in enumerate(PREDICTED.items()))
    size = f'width="{WIDTH * len(PREDICTED)}" height="{HEIGHT}"'
    style = 'font-family="sans-serif" font-size="15" fill="#222222"'
    sheet = '<rect width="100%" height="100%" fill="#ffffff" stroke="none"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>{sheet}\n{cases}\n</svg>\n'


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(drawing(), encoding="utf-8")
