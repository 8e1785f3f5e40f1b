"""
Rows that were measured elsewhere.
"""

from __future__ import annotations

import numpy as np

from surefoot.score.conditions.rows import Condition, measured_rows
from surefoot.score.conditions.scores import score_rows
from surefoot.score.metric import GivenMetric


def test_what_was_measured_elsewhere_is_scored_by_its_names() -> None:
    """Elements, clusters and traits are told apart by name, and numbers stand by their size."""
    metric = GivenMetric(name="length", title="", summary="")
    numbers = [1.0, 0.0, np.nan, 1.0]
    conditions = [Condition(model) for model in ("b", "a", "a", "b")]
    rows = measured_rows(
        conditions, [("x", 1), ("x", 2), "y", ("x", 1)], ["q", "p", "p", "p"],
        {"length": numbers}, {"size": ["10", "9", "10", ""]}, unit="forms",
    )  # fmt: skip

    assert [one.model for one in rows.conditions] == ["a", "b"]
    assert (rows.elements, rows.clusters, len(rows)) == (3, 2, 4)
    assert rows.element.tolist() == [0, 1, 2, 0]
    assert rows.traits["size"].names == ("", "9", "10")
    assert np.array_equal(rows.measure(metric, slice(1, None)), numbers[1:], equal_nan=True)
    scores = score_rows(rows, metric, np.array(numbers), "size")
    assert [(one.model, one.value, one.n) for one in scores] == [
        ("a", "9", 1), ("a", "10", 0), ("b", "10", 1),
    ]  # fmt: skip
