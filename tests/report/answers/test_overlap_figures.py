"""
How boxes fit, as pictures.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from surefoot.report.answers.overlap_figures import histogram_figure
from surefoot.score.boxes import Histogram

DESK, PHONE = "div[@class='on-desk']/svg", "div[@class='on-phone']/svg"


def drawn_at(figure: str, place: str) -> ET.Element:
    """Return one of both drawings of a figure."""
    drawing = ET.fromstring(figure).find(place)
    assert drawing is not None
    return drawing


@pytest.mark.parametrize("place", [DESK, PHONE])
def test_bars_are_drawn_to_scale(place: str) -> None:
    """The highest bar of a panel fills it, and the others are as high as their counts."""
    found = Histogram(4, 8, (0.0, 0.5, 1.0), (2, 1))
    drawing = drawn_at(histogram_figure([("a <b>", found)], title="t"), place)

    heights = [float(element.attrib["height"]) for element in drawing.iter("rect")]

    assert heights == pytest.approx([65, 32.5, 16.25, 130, 130, 65], abs=0.1)
