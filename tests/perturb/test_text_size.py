"""
Text sizes follow the paper's rule or a bare factor.
"""

from __future__ import annotations

from collections.abc import Callable

from surefoot.core.edit import ScaleText
from surefoot.core.screen import Screen
from surefoot.perturb.text_size import TEXT_SIZE


def test_the_papers_level_is_the_default(screen_of: Callable[..., Screen]) -> None:
    """Without a level text shrinks to max(0.8 f, 11 px)."""
    assert TEXT_SIZE.edits(screen_of({}), 0) == (ScaleText(0.8, floor=11.0),)


def test_the_other_levels_are_factors_from_08_to_20(screen_of: Callable[..., Screen]) -> None:
    """Every level but the paper's is its own factor, without a floor."""
    labels = sorted(set(TEXT_SIZE.levels) - {"paper"}, key=float)

    assert (labels[0], labels[-1]) == ("0.8", "2")
    for label in labels:
        assert TEXT_SIZE.edits(screen_of({}), 0, label) == (ScaleText(float(label)),)


def test_the_floor_makes_the_papers_level_no_stronger_than_its_factor() -> None:
    """The severity of "paper" does not exceed that of 0.8."""
    assert TEXT_SIZE.levels["paper"] <= TEXT_SIZE.levels["0.8"]
