"""
Lines through shares, as pictures.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from surefoot.report.html.curves import Curve, curve_plot

DESK, PHONE = "div[@class='on-desk']/svg", "div[@class='on-phone']/svg"


def drawn_at(figure: str, place: str) -> ET.Element:
    """Return one of both drawings of a figure."""
    drawing = ET.fromstring(figure).find(place)
    assert drawing is not None
    return drawing


@pytest.mark.parametrize(
    ("place", "points"), [(DESK, "130.0,14.0 690.0,134.0"), (PHONE, "48.0,14.0 342.0,134.0")]
)
def test_a_curve_runs_through_its_shares(place: str, points: str) -> None:
    """Curves of the same shares lie on each other, and their names do not."""
    curves = [Curve(name, ((0, 1.0), (1, 0.5))) for name in ("a & b", "c")]
    drawing = drawn_at(curve_plot(curves, (0, 1), title="t", words="x"), place)

    assert [line.attrib["points"] for line in drawing.iter("polyline")] == [points] * 2
    names = [float(text.attrib["y"]) for text in drawing.iterfind(".//text[@class='label']")]
    assert names[1] - names[0] >= 16


def test_numbers_stand_where_their_ticks_do() -> None:
    """A line that begins behind the first tick begins there; marks differ from line to line."""
    middle = ((6, 0.0), (8, 1.0))
    curves = [Curve(f"line {at}", middle, middle[:1]) for at in range(4)]
    drawing = drawn_at(curve_plot(curves, (4, 6, 8), title="t", words="<fields>"), DESK)

    ticks = {text.text: text.attrib["x"] for text in drawing.iterfind(".//text[@class='tick']")}
    assert (ticks["4"], ticks["6"], ticks["8"]) == ("130.0", "410.0", "690.0")
    lines = {line.attrib["points"] for line in drawing.iter("polyline")}
    assert lines == {"410.0,254.0 690.0,14.0"}
    round_, square = (
        [mark.attrib.get("style", "") for mark in drawing.iter(shape)]
        for shape in ("circle", "rect")
    )
    assert len(set(round_)) == len(set(square)) == 2


def test_a_single_number_is_drawn() -> None:
    """Where there is one tick alone its points stand at it, and nothing is divided by zero."""
    drawing = drawn_at(curve_plot([Curve("a", ((5, 0.5),))], (5,), title="t", words="x"), PHONE)

    assert [line.attrib["points"] for line in drawing.iter("polyline")] == ["48.0,134.0"]
