"""
How boxes fit, as pictures.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from surefoot.report.answers.overlap_figures import histogram_figure, threshold_figure
from surefoot.score.boxes import Histogram


def test_figures_are_drawn_to_scale() -> None:
    """The highest bar fills its panel, and a curve runs through its shares."""
    found = Histogram(4, 8, (0.0, 0.5, 1.0), (2, 1))
    drawing = ET.fromstring(histogram_figure([("a <b>", found)], title="t"))
    heights = [float(element.attrib["height"]) for element in drawing.iter("rect")]
    assert heights == pytest.approx([65, 32.5, 16.25, 130, 130, 65], abs=0.1)
    curve = threshold_figure([("a & b", (1.0, 0.5)), ("c", (1.0, 0.5))], (0.0, 1.0), title="t")
    first, second = list(ET.fromstring(curve).iter("polyline"))
    assert first.attrib["points"] == second.attrib["points"] == "130.0,14.0 690.0,134.0"
