"""
What is called a gain.
"""

from __future__ import annotations

import pytest

from surefoot.core.seeds import random_source
from surefoot.intervene.results import InterventionResults, SteeredItem, results_of
from surefoot.intervene.tables import results_tables
from surefoot.score.scorings.multilingual import DIMENSIONS


def came_of(neighbours: float) -> InterventionResults:
    """Return results of 300 items: half right before, nine of ten after, in English all."""
    source = random_source(3, "items")

    def item(number: int) -> SteeredItem:
        after = source.random() < 0.9
        right = {
            "before": number % 2 == 0,
            "xli": after,
            "random": number % 2 == 0,
            "shuffled": source.random() < 0.25,
            "neighbours": after if neighbours == 1 else source.random() < neighbours,
            "english": True,
        }
        return SteeredItem(f"p{number}", "fr", "wf", f"screen{number}", right)

    return results_of(
        map(item, range(300)),
        model="m",
        protocol="held-out",
        at="last-prompt",
        top_k=5,
        chosen=(),
    )


@pytest.mark.parametrize(("neighbours", "gain"), [(0.25, True), (1.0, False)])
def test_what_the_nearest_items_answer_is_no_gain(neighbours: float, gain: bool) -> None:
    """Right wherever most of the nearest items' labels are right: none; far above them: a gain."""
    (verdict,) = came_of(neighbours).verdicts

    assert verdict.gain is gain
    assert ("the answers of the nearest items (+0.0 points" in verdict.why) is not gain


def test_table_3_has_each_language_before_and_after() -> None:
    """Of eight dimensions right before in the even ones, and after in all, stand the means."""
    items = [
        SteeredItem(
            f"{name}{at}", "fr", name, f"screen{at}",
            {"before": at % 2 == 0, "xli": True, "english": True},
        )
        for name in DIMENSIONS
        for at in range(4)
    ]  # fmt: skip
    found = results_of(items, model="m", protocol="held-out", at="last-prompt", top_k=5, chosen=())

    _, _, before, after = results_tables(found)["Before and after, %"].splitlines()

    assert before.split(" | ")[2:] == ["50.0"] * 8 + ["50.0 |"]
    assert after.split(" | ")[2:] == ["100.0"] * 8 + ["100.0 |"]
