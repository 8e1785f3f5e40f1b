"""
The format of the toy model: Qwen3-VL's, with the few coordinates that it has words for.
"""

from __future__ import annotations

from typing import Final

import msgspec

from surefoot.models.format import Format
from surefoot.models.formats.qwen3_vl import QWEN3_VL
from surefoot.models.spelling import ReplySpelling
from surefoot_studies.tiny.recipe import TINY


def nearest(number: float, grid: int) -> int:
    """
    Return the coordinate that is said of a number: the middle of its cell of the grid.

    >>> nearest(531.0, 40), nearest(1000.0, 40)
    (540, 980)
    """
    cells = len(range(grid // 2, 1000, grid))
    return min(max(round((number - grid // 2) / grid), 0), cells - 1) * grid + grid // 2


class GridSpelling(ReplySpelling, frozen=True, kw_only=True):
    """Spell coordinates to the nearest of a grid, in thousandths."""

    grid: int

    def _number(self, value: float) -> str:
        return str(nearest(value, self.grid))


def _on_grid(spelling: ReplySpelling | None) -> GridSpelling:
    return GridSpelling(**msgspec.structs.asdict(spelling or ReplySpelling()), grid=TINY.grid)


TINY_FORMAT: Final[Format] = msgspec.structs.replace(
    QWEN3_VL,
    name="tiny",
    summary="the studies' toy model: Qwen3-VL's call, coordinates to the nearest of a grid",
    models=(),
    writes=_on_grid(QWEN3_VL.writes),
)
