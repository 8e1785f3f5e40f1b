"""
Where real X events go: the rows of a native list, the names of keys, and the calibration.
"""

from __future__ import annotations

from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Page

from surefoot.core.errors import CaptureError
from surefoot.forms.driver.actions import KEYS
from surefoot.forms.driver.screen import X11Screen
from surefoot.forms.driver.touch import calibrate, key_chord, rows_of

VALUES = st.lists(st.text(max_size=3), min_size=1, max_size=20).map(tuple)


@given(
    values=VALUES, tall=st.integers(14, 60), left=st.integers(-50, 900), top=st.integers(0, 900)
)
def test_rows_share_a_list_evenly(values: tuple[str, ...], tall: int, left: int, top: int) -> None:
    """Rows follow one another within the border, in the order of the options."""
    rows = rows_of((left, top, left + 90, top + 2 + tall * len(values)), values, 0)
    assert tuple(row.value for row in rows) == values
    assert [row.box[1] for row in rows] == [top + 1 + tall * at for at in range(len(values))]
    assert rows[-1].box[3] == top + 1 + tall * len(values)
    assert [row.chosen for row in rows] == [True] + [False] * (len(values) - 1)


def test_a_list_that_scrolls_has_no_rows() -> None:
    """Where all options would have to be thinner than text, none is told where it lies."""
    assert rows_of((0, 0, 90, 402), tuple(map(str, range(40))), 0) == ()


def test_every_key_has_a_name_in_x() -> None:
    """Names of the browser's are translated, but for those that are the same in X."""
    same = {"Tab", "Delete", "End", "Escape", "Home", "Insert"} | {f"F{n}" for n in range(1, 13)}
    for name in KEYS:
        chord = key_chord(name)
        assert chord == name if name in same else chord != name


class Crooked:
    """A screen and its page in one: clicks arrive elsewhere the farther down they are."""

    def __init__(self, slope: float, arrives: bool = True) -> None:  # noqa: FBT002
        self.slope, self.arrives = slope, arrives
        self.met: list[float] | None = None

    def click(self, x: int, y: int) -> None:
        """Let the page meet the click, or not."""
        self.met = [x - 4, round((y - 87) * self.slope)] if self.arrives else None

    def evaluate(self, script: str) -> list[float] | None:
        """Answer what the calibration asks."""
        if "innerWidth" in script:
            return [4, 85, 1280, 800]
        return self.met

    def wait_for_timeout(self, _: float) -> None:
        """Wait for nothing."""


def test_a_click_that_arrives_where_it_was_aimed_is_believed() -> None:
    """One click tells where the page lies, two pixels from where the browser thinks."""
    desk = Crooked(1.0)
    assert calibrate(cast("Page", desk), cast("X11Screen", desk)) == (4, 87)


def test_a_crooked_screen_is_refused() -> None:
    """A second click that misses its aim, as on a magnified screen, says where it went."""
    desk = Crooked(1.25)
    with pytest.raises(CaptureError, match="arrived at 1240, ") as refused:
        calibrate(cast("Page", desk), cast("X11Screen", desk))
    assert refused.value.reason == "calibration"


def test_a_screen_without_events_is_refused() -> None:
    """Where no click ever arrives, that is said, after the time that a window may take."""
    desk = Crooked(1.0, arrives=False)
    with pytest.raises(CaptureError, match="none arrived"):
        calibrate(cast("Page", desk), cast("X11Screen", desk), patience=0.0)
