"""
Metrics: what one must have, and a page that lists them all.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Point
from surefoot.score.metric import METRICS, Metric, Ruler
from surefoot.score.outcomes import Record, tabulate

PAGE = Path(__file__).parents[2] / "docs" / "metrics.md"


def test_the_page_lists_every_metric() -> None:
    """The table of docs/metrics.md has each metric of the registry as it describes itself."""
    text = PAGE.read_text("utf-8")
    table = text[text.index("## All metrics") : text.index("A benchmark names its *scoring*")]
    rows = [
        tuple(cell.strip() for cell in line.strip("|").split("|"))
        for line in re.findall(r"^\| `.*\|$", table, re.MULTILINE)
    ]

    assert rows == [
        (
            f"`{name}`",
            (one := METRICS.get(name)).summary,
            one.unit or "1",
            "higher" if one.higher_is_better else "lower",
            one.reference,
        )
        for name in sorted(METRICS.entries)
    ]


def test_a_metric_is_computed_somehow(record: Callable[..., Record]) -> None:
    """A metric without a function is refused, and so is a table that was made without one."""
    facts = {
        "name": "speed", "version": 1, "title": "speed", "summary": "", "unit": "",
        "higher_is_better": True, "bounds": (0.0, 1.0), "reference": "",
    }  # fmt: skip
    with pytest.raises(InvalidInputError, match="measure or column"):
        Metric(**facts)  # type: ignore[arg-type]
    speed = Metric(**facts, measure=lambda _question, _answer: 1.0)  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="a table with the metric 'speed'"):
        speed.values(tabulate([record(Point(1.0, 1.0))]), Ruler())
