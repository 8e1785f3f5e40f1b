"""
The counts of the overview and of a comparison are those of the answers.
"""

from __future__ import annotations

from surefoot.view.counting import compare_models, count_models, values_of
from surefoot.view.looking import LookedAt
from surefoot.view.table import AnswerOutcome


def test_counts_add_up(looked_at: LookedAt) -> None:
    """A model's counts over the variants add up to its counts over all."""
    for whole, *parts in count_models(looked_at.table):
        assert whole.variant == ""
        assert [part.variant for part in parts] == ["original", "style", "zoom:1.5"]
        assert whole.asked == sum(part.asked for part in parts) == 36
        assert whole.hits == sum(part.hits for part in parts)
        assert whole.by_outcome["refused"] == sum(part.by_outcome["refused"] for part in parts)


def test_a_comparison_counts_every_question_once(looked_at: LookedAt) -> None:
    """Both, only one, only the other and neither are all questions that both replied to."""
    table = looked_at.table
    replied = int((table.outcome[1] != AnswerOutcome.FAILED).sum())
    hits = (table.outcome == AnswerOutcome.HIT).sum(axis=1).tolist()
    whole, *parts = compare_models(table, 0, 1)

    counts = (whole.both, whole.only_first, whole.only_second, whole.neither)
    assert counts == (hits[1], replied - hits[1], 0, 0)
    assert whole.rates == (100.0, 100 * hits[1] / replied)
    for column in ("variant", "kind", "size"):
        own = [part for part in parts if part.column == column]
        assert sum(part.shared for part in own) == replied < 36
        assert [part.value for part in own] == [name for name, _ in values_of(table, column)]
