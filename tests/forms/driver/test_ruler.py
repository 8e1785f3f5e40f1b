"""
The ruler's ticks stand where its numbers say, and the picture keeps its size.
"""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from surefoot.core.errors import InvalidInputError
from surefoot.forms.driver.ruler import INK, draw_ruler


def picture(width: int = 640, height: int = 480) -> bytes:
    """Return a blue PNG."""
    stream = io.BytesIO()
    Image.new("RGB", (width, height), (20, 40, 200)).save(stream, "PNG")
    return stream.getvalue()


@pytest.mark.parametrize("every", [50, 100, 200])
def test_long_ticks_stand_at_their_distance(every: int) -> None:
    """Along both edges the long ticks begin at multiples of the distance and nowhere else."""
    drawn = np.asarray(Image.open(io.BytesIO(draw_ruler(picture(), every))))

    ink = (drawn == np.array(INK[:3])).all(axis=2)
    columns = np.flatnonzero(ink[:8].all(axis=0))
    rows = np.flatnonzero(ink[:, :8].all(axis=1))
    assert drawn.shape == (480, 640, 3)
    for found, length in ((columns, 640), (rows, 480)):
        near = {min(range(0, length + 1, every), key=lambda item: abs(item - at)) for at in found}
        assert near == set(range(every, length, every))
        assert all(min(at % every, -at % every) <= 1 for at in found)


def test_only_the_edges_are_drawn_on() -> None:
    """Away from the two bands the picture is as it was."""
    drawn = np.asarray(Image.open(io.BytesIO(draw_ruler(picture()))))

    assert (drawn[30:, 30:] == (20, 40, 200)).all()


def test_ticks_that_would_touch_are_refused() -> None:
    """A distance too small for its numbers is the caller's mistake."""
    with pytest.raises(InvalidInputError, match="20 pixels"):
        draw_ruler(picture(), 5)
