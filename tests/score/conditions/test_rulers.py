"""
What is the ruler's: rates counted by hand at each tolerance, and weighed by sizes.
"""

from __future__ import annotations

from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Answer, Cell, Question
from surefoot.score.conditions.rulers import ruler_rates, size_parts, standardised_rate
from surefoot.score.conditions.scores import Score
from surefoot.score.metric import Ruler
from surefoot.score.outcomes import Record, tabulate


def share(size: str, n: int, amount: float | None, variant: str = "original") -> Score:
    """Return the score of one size of targets."""
    return Score(
        metric="hit", model="m", reasoning=False, instruction="direct", variant=variant,
        trait="size", value=size, n=n, total=n * (amount or 0.0), rows=n, clusters=1,
        amount=amount, interval=None,
    )  # fmt: skip


def test_standardising_weighs_rates_by_other_counts() -> None:
    """Rates 1 and 0 of two bins, weighed 1 to 3, give a quarter; what has no rate is left out."""
    shares = [share("large", 1, 1.0), share("small", 1, 0.0), share("tiny", 0, None)]
    weights = [share("large", 1, 0.0), share("small", 3, 0.0), share("tiny", 9, 0.0)]

    assert standardised_rate(shares, weights) == 0.25
    assert standardised_rate(shares, []) is None


def test_what_goes_with_size_is_told_of_variants_with_other_sizes() -> None:
    """Of a fall from a half to an eighth a quarter goes with size; equal sizes are no matter."""
    original = [share("large", 4, 1.0), share("small", 4, 0.0)]
    zoomed = [share("large", 2, 0.5, "zoom"), share("small", 6, 0.0, "zoom")]
    styled = [share("large", 4, 0.5, "style"), share("small", 4, 0.0, "style")]

    (found,) = size_parts([*original, *zoomed, *styled])

    assert (found.variant, found.original, found.weighed, found.after) == (
        "zoom", 0.5, 0.25, 0.125,
    )  # fmt: skip


def clicked(model: str, number: int, x: float) -> Record:
    """Return a click beside a box of 10 x 10 at the origin."""
    words = Instruction("x", "en", "direct", "high", Expression(), "t")
    question = Question(
        f"q{number}", f"p{number}", "a", Cell("original", "direct"), "s", "", 100, 100, words,
        Box(0, 0, 10, 10),
    )  # fmt: skip
    return model, question, Answer(question.id, "", Point(x, 5.0))


def test_a_wider_ruler_can_turn_the_order_of_models() -> None:
    """A model that misses by 8 px hits within 20 px in all, one that misses by 50 px never."""
    table = tabulate([
        *(clicked("near", number, 18.0) for number in range(4)),
        *(clicked("wild", number, 5.0 if number else 60.0) for number in range(4)),
    ])  # fmt: skip

    near, wild = ruler_rates(table, Ruler(tolerance=16))

    assert near.rates == {"0": 0.0, "4": 0.0, "16": 1.0, "20": 1.0}
    assert wild.rates == dict.fromkeys(("0", "4", "16", "20"), 0.75)
    assert [(near.ranks[name], wild.ranks[name]) for name in ("0", "20")] == [(2, 1), (1, 2)]
