"""
Tests of the drawn figures.
"""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.report.html.figures import (
    Axis,
    HeatCell,
    IntervalRow,
    StackedRow,
    forest_plot,
    heat_map,
    level_plot,
    stacked_bars,
)

_TEXT = st.text(
    alphabet=st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"),
    max_size=20,
)
_POINTS = st.floats(-100, 100)


def desk(drawn: str) -> ET.Element:
    """Return the drawing of a figure that is made for a desk."""
    found = ET.fromstring(drawn).find("div[@class='on-desk']/svg")
    assert found is not None
    return found


@st.composite
def _rows(draw: st.DrawFn) -> IntervalRow:
    low, change, high = sorted(draw(st.tuples(_POINTS, _POINTS, _POINTS)))
    return IntervalRow(draw(_TEXT), change, (low, high), clear=draw(st.booleans()))


@given(st.lists(_rows(), max_size=6))
def test_forest_plot_is_well_formed_for_any_label(rows: list[IntervalRow]) -> None:
    """Both drawings are well-formed XML with one mark a row, whatever the labels hold."""
    root = ET.fromstring(forest_plot(rows, title="<&>"))

    for drawing in root.findall("div/svg"):
        assert len(rows) == len(drawing.findall(".//rect[@class='mark']"))


def test_forest_plot_keeps_marks_inside_their_whiskers() -> None:
    """The mark lies between the ends of the whisker, and all lie inside the plot."""
    root = desk(forest_plot([IntervalRow("a", -9.5, (-31.0, 2.0))], title="t"))

    whisker = root.find(".//line[@class='whisker']")
    mark = root.find(".//rect[@class='mark']")
    assert whisker is not None
    assert mark is not None
    low, high = float(whisker.attrib["x1"]), float(whisker.attrib["x2"])
    assert 250 <= low <= float(mark.attrib["x"]) + 5 <= high <= 680


@pytest.mark.parametrize(
    ("change", "clear", "tone"), [(-5.0, True, "loss"), (5.0, True, "gain"), (5.0, False, "open")]
)
def test_forest_plot_colours_only_what_is_clear(
    change: float,
    clear: bool,
    tone: str,
) -> None:
    """A change is drawn as loss or gain only where it is more than chance."""
    row = IntervalRow("a", change, (change - 4, change + 4), clear=clear)
    root = ET.fromstring(forest_plot([row], title="t"))

    assert root.find(f".//g[@class='{tone}']") is not None


def test_heat_map_tells_an_empty_cell_from_a_zero() -> None:
    """A cell in which nothing was asked is drawn unlike a rate of zero."""
    cells = {("row", "b"): HeatCell(0.0, "0 %")}
    svg = heat_map(["row"], ["a", "b"], cells, title="t", absent="not asked")
    root = desk(svg)

    assert len(root.findall(".//g[@class='heat absent']")) == 1
    assert len(root.findall(".//g[@class='heat light']")) == 1


def test_an_axis_says_which_side_is_worse() -> None:
    """Where growth is a loss, a change above zero is drawn as one."""
    svg = forest_plot(
        [IntervalRow("a", 5.0, (1.0, 9.0), clear=True)], title="t", axis=Axis("px <", "right")
    )
    root = ET.fromstring(svg)

    assert root.find(".//g[@class='loss']") is not None
    assert "px &lt;" in svg
    assert {"-10", "0", "+10"} <= {one.text for one in root.iter("text")}


@pytest.mark.parametrize(
    ("value", "top", "last"),
    [(0.0, 0.0, "1"), (0.31, 0.0, "0.5"), (7.0, 0.0, "10"), (0.2, 1, "1")],
)
def test_levels_reach_to_a_round_end(value: float, top: float, last: str) -> None:
    """The axis ends at 1, 2 or 5 times a power of ten, or where it was told to."""
    rows = [IntervalRow("a", value, None)]
    root = desk(level_plot(rows, title="t", axis=Axis("x"), top=top))
    ticks = [element.text for element in root.findall(".//text[@class='tick']")]

    assert (ticks[0], ticks[4]) == ("0", last)
    assert f"{value:.2f} (no interval)" in ET.tostring(root, encoding="unicode")


def test_the_words_of_an_axis_stand_apart_from_its_numbers() -> None:
    """A line of words and the numbers above it have more than a line of 16 px between them."""
    root = desk(level_plot([IntervalRow("a", 0.2, None)], title="t", axis=Axis("words")))
    *numbers, words = root.findall(".//text[@class='tick']")

    assert words.text == "words"
    assert float(words.attrib["y"]) - float(numbers[0].attrib["y"]) > 16


def test_levels_lie_between_their_ends() -> None:
    """The mark lies on its whisker, and a greater number further to the right."""
    rows = [IntervalRow("a", 0.2, (0.1, 0.4)), IntervalRow("b", 0.3, (0.2, 0.9))]
    root = desk(level_plot(rows, title="t", axis=Axis("x")))
    marks = [float(element.attrib["x"]) + 5 for element in root.findall(".//rect[@class='mark']")]
    lines = [
        (float(element.attrib["x1"]), float(element.attrib["x2"]))
        for element in root.findall(".//line[@class='whisker']")
    ]

    assert marks[0] < marks[1]
    assert all(low < at < high <= 680 for at, (low, high) in zip(marks, lines, strict=True))


@pytest.mark.parametrize("place", ["on-desk", "on-phone"])
def test_long_words_go_on_in_the_next_line(place: str) -> None:
    """No letter of a label, a head or a caption is lost, and no line is wider than its place."""
    label = "a model with a very long name " * 4 + "w" * 99
    drawn = forest_plot([IntervalRow(label, 1.0, (0.0, 2.0))], title="t")
    found = ET.fromstring(drawn).findall(f"div[@class='{place}']//text[@class='label']")

    assert "".join(line.text or "" for line in found).replace(" ", "") == label.replace(" ", "")
    assert len(found) > 1
    assert all(7 * len(line.text or "") <= 430 for line in found)


def test_columns_without_room_go_on_below() -> None:
    """Captions of twenty columns stand side by side without touching, in several bands."""
    columns = [f"variant {at}" for at in range(20)]
    cells = {("row", column): HeatCell(0.5, "100.0 %") for column in columns}

    root = desk(heat_map(["row"], columns, cells, title="t"))

    boxes = [(group[0].get("y", ""), float(group[0].get("x", "0"))) for group in root.findall("g")]
    assert len(boxes) == len(columns)
    bands = {y: sorted(x for own, x in boxes if own == y) for y, _ in boxes}
    assert len(bands) > 1
    steps = (b - a for row in bands.values() for a, b in itertools.pairwise(row))
    assert min(steps) > 7 * len("100.0 %")


def test_stacked_bars_are_as_wide_as_their_shares() -> None:
    """Parts of a bar follow each other without gap and make up the whole; no row has the last."""
    rows = [StackedRow("a", (3, 1, 0), "4 of 9"), StackedRow("b", (0, 2, 0))]

    root = desk(stacked_bars(rows, ["left", "right", "none"], title="t"))

    bars = [
        (float(box.get("y", "0")), float(box.get("x", "0")), float(box.get("width", "0")))
        for box in root.iter("rect")
        if box.get("height") == "21"
    ]
    first, second = (
        sorted(bar for bar in bars if bar[0] == y) for y in sorted({bar[0] for bar in bars})
    )
    assert first[0][2] == pytest.approx(3 * first[1][2], abs=0.2)
    assert first[1][1] == pytest.approx(first[0][1] + first[0][2], abs=0.2)
    assert second[0][2] == pytest.approx(first[0][2] + first[1][2], abs=0.2)
    assert "none" not in "".join(root.itertext())


def luminance(colour: Sequence[float]) -> float:
    """Return the relative luminance of red, green and blue in [0, 1], as WCAG 2.2 defines it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def channels(colour: str) -> list[float]:
    """Return red, green and blue of #rgb or #rrggbb."""
    digits = colour.strip("#")
    wide = digits if len(digits) == 6 else "".join(2 * digit for digit in digits)
    return [int(wide[at : at + 2], 16) / 255 for at in (0, 2, 4)]


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_words_in_cells_stand_out(scheme: int) -> None:
    """On the colour of any rate, by day and by night, words have a contrast of 4.5 at least."""
    style = resources.files("surefoot.report.html").joinpath("templates/report.css").read_text()
    paper, cell = (re.findall(rf"--{name}: (#\w+)", style)[scheme] for name in ("paper", "cell"))
    (fill,) = re.findall(r"\.heat rect { fill: (#\w+)", style)
    (white,) = re.findall(r"\.heat\.dark text { fill: (#\w+)", style)
    rates = [at / 100 for at in range(101)]
    cells = {("row", str(rate)): HeatCell(rate, "") for rate in rates}
    groups = desk(heat_map(["row"], list(map(str, rates)), cells, title="t")).findall("g")

    assert len(groups) == len(rates)
    for group in groups:
        share = float(group[0].attrib["fill-opacity"])
        ground = luminance(
            [
                share * a + (1 - share) * b
                for a, b in zip(channels(fill), channels(paper), strict=True)
            ]
        )
        words = luminance(channels(white if group.attrib["class"] == "heat dark" else cell))
        assert (max(ground, words) + 0.05) / (min(ground, words) + 0.05) >= 4.5
