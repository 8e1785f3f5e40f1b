"""
Boxes masked together: how many, which, and always the target.
"""

from __future__ import annotations

from collections import Counter
from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.benchmarks.hiding import companions
from surefoot.core.errors import InvalidInputError


@given(count=st.integers(1, 60), place=st.integers(0, 59), seed=st.integers(0, 9999))
def test_a_fifth_with_the_target_among_them(count: int, place: int, seed: int) -> None:
    """The number is a fifth, halves rounded up, at least one; order and ids are the screen's."""
    ids = [f"e{number}" for number in range(count)]
    target = ids[place % count]
    found = companions(ids, target, seed)
    fifth = int((Decimal(count) / 5).quantize(Decimal(1), ROUND_HALF_UP))
    assert len(found) == max(1, fifth)
    assert target in found
    assert list(found) == [item for item in ids if item in found]
    assert companions(ids, target, seed) == found


def test_all_others_are_drawn_alike() -> None:
    """Over many seeds each of nine others comes along about as often as the rest."""
    ids = [f"e{number}" for number in range(10)]
    drawn = Counter(companion for seed in range(1800) for companion in companions(ids, "e0", seed))
    assert drawn.pop("e0") == 1800
    assert len(drawn) == 9
    assert all(140 < count < 260 for count in drawn.values())


def test_every_box_may_be_asked_for() -> None:
    """A share of 1 masks the whole screen."""
    assert companions(["a", "b", "c"], "b", 0, share=1.0) == ("a", "b", "c")


@pytest.mark.parametrize(
    ("ids", "target", "share"),
    [(["a"], "b", 0.2), (["a", "a"], "a", 0.2), (["a", "b", "b"], "a", 0.2), (["a"], "a", 0.0),
     (["a"], "a", 1.1), (["a"], "a", float("nan"))],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(ids: list[str], target: str, share: float) -> None:
    """An unknown target, a repeated id and a share that is none are the caller's mistakes."""
    with pytest.raises(InvalidInputError):
        companions(ids, target, 1, share=share)
