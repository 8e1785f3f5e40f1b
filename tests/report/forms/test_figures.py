"""
Lines of rates over a count.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from surefoot.report.forms.figures import RateCurve, line_plot

RATES = st.floats(0, 1)
POINTS = st.lists(st.tuples(st.integers(1, 40), RATES, RATES, RATES), min_size=1, max_size=5)


@given(st.lists(POINTS, min_size=1, max_size=7))
def test_every_point_lies_inside_the_drawing(
    found: list[list[tuple[int, float, float, float]]],
) -> None:
    """Whatever the counts, marks and lines stay in the view, higher rates above lower ones."""
    lines = [RateCurve(f"a<{n}>", tuple(sorted(points))) for n, points in enumerate(found)]
    drawing = ET.fromstring(line_plot(lines, title="t", axis="fields"))
    _, _, width, height = map(float, (drawing.get("viewBox") or "").split())
    for line, path in zip(lines, drawing.iter("polyline"), strict=True):
        places = [
            tuple(map(float, each.split(","))) for each in (path.get("points") or "").split()
        ]
        assert all(0 <= x <= width and 0 <= y <= height for x, y in places)
        ordered = sorted(zip((rate for _, rate, _, _ in line.points), places, strict=True))
        heights = [place[1] for _, place in ordered]
        assert heights == sorted(heights, reverse=True)
