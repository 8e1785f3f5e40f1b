"""
Tests of bringing a page to rest.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from surefoot.capture.captured import Captured
from surefoot.core.edit import AddStyle

pytestmark = pytest.mark.browser

# A chart's way: an observer hears of a new width, and draws in the page's next frame.
OBSERVER = """
<div id=chart style="width:200px;height:20px"><button>none</button></div>
<script>
const chart = document.getElementById("chart");
new ResizeObserver(([entry]) => {
  const width = Math.round(entry.contentRect.width);
  requestAnimationFrame(() => setTimeout(() => {
    chart.firstElementChild.textContent = `drawn at ${width}`;
  }, 100));
}).observe(chart);
</script>
"""


def _drawn(captured: Captured) -> str:
    return next(each.text for each in captured.screen.elements if each.role == "button")


def test_observers_have_been_heard_before_the_clock_runs(
    shot: Callable[..., Captured],
) -> None:
    """What a page draws because its size changed under an edit is part of the capture."""
    wider = AddStyle("#chart { width: 300px !important; }")

    assert _drawn(shot(OBSERVER)) == "drawn at 200"
    assert [_drawn(shot(OBSERVER, [wider])) for _ in range(3)] == ["drawn at 300"] * 3
