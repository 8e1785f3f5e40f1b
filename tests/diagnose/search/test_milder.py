"""
Milder views: each changes the screen half as much, down to one that hardly changes it.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.edit import Crop, Paste, Zoom
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.diagnose.search.milder import milder_edit, milder_view
from surefoot.perturb.framing import place_on_desktop
from surefoot.perturb.views import background, crop
from surefoot.run.folders.folder import read_screens

SCREEN = Screen("s", "p", "x", "", 640, 400, 1.0, "web", "en", ())
CROPS = st.builds(
    Crop, st.integers(0, 300), st.integers(0, 190), st.integers(340, 640), st.integers(210, 400)
)


@given(CROPS)
def test_crops_end_at_the_whole(edit: Crop) -> None:
    """Halving a crop leaves it inside the picture and ends within ten steps."""
    steps = 0
    found: Crop | Paste | None = edit
    while found is not None:
        assert isinstance(found, Crop)
        assert found.left <= edit.left
        assert found.right >= edit.right
        assert found.right <= 640
        found = milder_edit(SCREEN, found)
        steps += 1
    assert steps < 10


@pytest.mark.parametrize("scale", [0.3, 0.7, 0.97, 1.0, 1.8])
def test_scales_end_at_one(scale: float) -> None:
    """Halfway to scale 1 comes near it within ten steps, from either side."""
    found: Crop | Paste | None = Paste("meadow", 0, 1920, 1080, 10, 50, scale)
    for _ in range(10):
        if found is None:
            break
        assert isinstance(found, Paste)
        last = found.scale
        found = milder_edit(SCREEN, found)
    assert found is None
    assert abs(1 - last) <= max(0.05, abs(1 - scale) / 2)


def test_views_are_drawn(bench: Path) -> None:
    """A milder crop shows more of the picture, a milder window is larger."""
    screen = read_screens(bench)[0]
    png = ObjectStore(bench).get(screen.image)
    cut, _ = crop(screen, png, Crop(100, 40, 600, 380))
    pasted, _ = background(screen, png, place_on_desktop(screen, 1, scales=(0.7, 0.7)))

    more, larger = milder_view(screen, png, cut), milder_view(screen, png, pasted)

    assert more is not None
    assert larger is not None
    assert (more[0].width, more[0].height) == (570, 370)
    assert more[0].variant == "crop"
    assert more[0].id != cut.id
    assert larger[0].scale == pytest.approx(0.85, abs=0.01)


def test_other_edits_have_no_milder_view(bench: Path) -> None:
    """A screen as captured, or changed in another way, stays as it is."""
    screen = read_screens(bench)[0]
    png = ObjectStore(bench).get(screen.image)
    zoomed = Screen("z", "p", "x", "", 9, 9, 1.0, "web", "en", (), edits=(Zoom(2.0),))

    assert milder_view(screen, png, screen) is None
    assert milder_view(screen, png, zoomed) is None
