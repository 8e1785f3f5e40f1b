"""
A fix is said to help where it does, and hardly ever where nothing does.
"""

from __future__ import annotations

import itertools
from random import Random
from typing import Final

import pytest

from surefoot.core.seeds import random_source
from surefoot.score.fixes import FixCount, judge_fixes, swap_test

ANSWERS: Final = 6


def product(
    random: Random, kinds: dict[str, tuple[float, float]], controls: int, rate: float
) -> list[FixCount]:
    """
    Return counts of missed controls, each hit at a ``rate`` of its own by chance.

    ``kinds`` have the rates with a fix, and with the fix elsewhere.
    """

    def hits(share: float) -> tuple[int, int]:
        return sum(random.random() < share for _ in range(ANSWERS)), ANSWERS

    found = []
    for control in range(controls):
        again = hits(rate)
        for kind, (fixed, elsewhere) in kinds.items():
            found.append(FixCount(str(control), kind, hits(fixed), again, hits(elsewhere)))
    return found


@pytest.mark.parametrize("gains", [(1, 0.5, -0.25, 1), (1, 1, 1, 1, 0, -1), (0.25, -0.5)])
def test_the_test_counts_swaps(gains: tuple[float, ...]) -> None:
    """The p is the share of all swaps of whole controls whose sum is as large."""
    sums = [
        sum(sign * gain for sign, gain in zip(signs, gains, strict=True))
        for signs in itertools.product((1, -1), repeat=len(gains))
    ]

    expected = sum(found >= sum(gains) for found in sums) / len(sums)

    assert swap_test(gains) == pytest.approx(expected)


def test_many_controls_are_drawn_as_they_are_counted() -> None:
    """Swaps that are drawn give the p of swaps that are counted."""
    gains = [1.0] * 10 + [-1.0] * 4
    counted, drawn = swap_test(gains), swap_test([*gains, 1e-12])

    assert drawn == pytest.approx(counted, abs=0.01)


def test_nothing_helps_where_nothing_does() -> None:
    """Where edits do nothing, and misses come back by themselves, hardly anything is told."""
    random = random_source(1, "fixes")
    kinds = dict.fromkeys(("label", "size", "contrast", "spacing"), (0.5, 0.5))

    wronged = sum(
        any(one.helps for one in judge_fixes(product(random, kinds, 8, 0.5))) for _ in range(400)
    )

    assert wronged <= 6


def test_what_any_edit_does_is_no_help() -> None:
    """An edit that brings back what the same edit at other controls does is not recommended."""
    random = random_source(2, "fixes")
    kinds = {"size": (1.0, 1.0), "contrast": (0.9, 0.9)}

    wronged = sum(
        any(one.helps for one in judge_fixes(product(random, kinds, 12, 0.0))) for _ in range(100)
    )

    assert wronged <= 5


def test_what_helps_comes_first() -> None:
    """The edit that helps is found, and comes before the one that does nothing."""
    counts = product(
        random_source(3, "fixes"), {"spacing": (0.1, 0.1), "size": (0.95, 0.1)}, 8, 0.1
    )

    first, second = judge_fixes(counts)

    assert (first.kind, first.helps, second.helps) == ("size", True, False)
    assert first.back == 8


def test_what_helps_is_in_the_order_in_which_to_make_it() -> None:
    """An edit comes later than one of fewer controls, if others have brought its own back."""
    back = {"label": range(12), "text": range(2, 12), "size": range(12, 20), "rename": ()}
    counts = [
        FixCount(str(control), kind, (3 * (control in own), 3), (0, 3), (0, 3))
        for kind, own in back.items()
        for control in range(20)
    ]

    found = judge_fixes(counts)

    assert [one.kind for one in found] == ["label", "size", "text", "rename"]
    assert [one.helps for one in found] == [True, True, True, False]
    assert [one.more for one in found] == [12, 8, 0, 0]
    assert [one.adds for one in found] == [True, True, False, False]


def test_what_adds_nothing_comes_after_what_does() -> None:
    """An edit that helps adds something only if it is proven where those before it do not help."""
    back = {"label": range(20), "text": range(8, 22), "size": range(22, 28)}
    counts = [
        FixCount(str(control), kind, (3 * (control in own), 3), (0, 3), (0, 3))
        for kind, own in back.items()
        for control in range(30)
    ]

    found = judge_fixes(counts)

    assert [(one.kind, one.helps, one.more, one.adds) for one in found] == [
        ("label", True, 20, True),
        ("size", True, 6, True),
        ("text", True, 2, False),
    ]
    assert found[1].p_more == 1 / 64
    assert found[2].p_more == 1 / 4


def test_too_few_controls_prove_nothing() -> None:
    """Four controls that all come back are too few, and do not count as a kind that was tried."""
    few = product(random_source(4, "fixes"), {"label": (1.0, 0.0)}, 4, 0.0)
    many = product(random_source(5, "fixes"), {"size": (1.0, 0.0)}, 5, 0.0)

    found = {one.kind: one for one in judge_fixes([*few, *many])}

    assert (found["label"].helps, found["label"].needed) == (False, 6)
    assert (found["size"].helps, found["size"].adjusted) == (True, 1 / 32)
