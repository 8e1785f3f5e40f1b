"""
Tests of the drawn figures.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.report.figures import ForestRow, HeatCell, forest_plot, heat_map

_TEXT = st.text(
    alphabet=st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"),
    max_size=20,
)
_POINTS = st.floats(-100, 100)


@st.composite
def _rows(draw: st.DrawFn) -> ForestRow:
    low, change, high = sorted(draw(st.tuples(_POINTS, _POINTS, _POINTS)))
    return ForestRow(draw(_TEXT), change, low, high)


@given(st.lists(_rows(), max_size=6))
def test_forest_plot_is_well_formed_for_any_label(rows: list[ForestRow]) -> None:
    """A forest plot is well-formed XML with one mark a row, whatever the labels hold."""
    root = ET.fromstring(forest_plot(rows, title="<&>"))

    assert len(rows) == len(root.findall(".//rect[@class='mark']"))


def test_forest_plot_keeps_marks_inside_their_whiskers() -> None:
    """The mark lies between the ends of the whisker, and all lie inside the plot."""
    root = ET.fromstring(forest_plot([ForestRow("a", -9.5, -31.0, 2.0)], title="t"))

    whisker = root.find(".//line[@class='whisker']")
    mark = root.find(".//rect[@class='mark']")
    assert whisker is not None
    assert mark is not None
    low, high = float(whisker.attrib["x1"]), float(whisker.attrib["x2"])
    assert 250 <= low <= float(mark.attrib["x"]) + 5 <= high <= 680


@pytest.mark.parametrize(
    ("low", "high", "tone"), [(-9.0, -1.0, "loss"), (1.0, 9.0, "gain"), (-1.0, 1.0, "open")]
)
def test_forest_plot_colours_only_what_the_interval_proves(
    low: float, high: float, tone: str
) -> None:
    """A change is drawn as loss or gain only where its interval leaves out zero."""
    root = ET.fromstring(forest_plot([ForestRow("a", (low + high) / 2, low, high)], title="t"))

    assert root.find(f".//g[@class='{tone}']") is not None


def test_heat_map_tells_an_empty_cell_from_a_zero() -> None:
    """A cell in which nothing was asked is drawn unlike a rate of zero."""
    cells = [[HeatCell(None, "not asked"), HeatCell(0.0, "0 %")]]
    root = ET.fromstring(heat_map(["row"], ["a", "b"], cells, title="t"))

    assert len(root.findall(".//g[@class='heat absent']")) == 1
    assert len(root.findall(".//g[@class='heat light']")) == 1
