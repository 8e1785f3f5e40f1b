"""
Blind readers: they find what was planted to be found without looking, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from surefoot.benchmarks.dimensions.baselines import AskedOptions, Baseline, baselines

KEYS = ("one", "two", "three", "four")
Right = Callable[[int, list[int], str], int]
WORDS = ("apple", "pear", "plum", "fig")


def read(right: Right, count: int = 400, sites: int = 8) -> Baseline:
    """Return what is read of questions with shuffled options whose right one is chosen so."""
    random = np.random.default_rng(3)
    asked = []
    for number in range(count):
        order = random.permutation(4).tolist()
        word = WORDS[int(random.integers(4))]
        asked.append(
            AskedOptions(
                "d",
                f"site {number % sites}",
                f"Which {word} is it?",
                tuple(KEYS[at] for at in order),
                tuple(f"the {KEYS[at]} thing" for at in order),
                right(number, order, word),
            )
        )
    (found,) = baselines(asked)
    return found


def test_what_is_even_is_at_chance() -> None:
    """Where the right option is drawn, no reader is far from a quarter, and none leaks."""
    random = np.random.default_rng(5)
    found = read(lambda *_: int(random.integers(4)))
    assert (found.n, found.chance) == (400, 0.25)
    assert [found.position, found.majority, found.text] == pytest.approx([0.25] * 3, abs=0.08)
    assert found.leaks == ()


@pytest.mark.parametrize(
    ("right", "leaks"),
    [
        (lambda _number, _order, _word: 1, {"position"}),
        (lambda _number, order, _word: order.index(2), {"majority", "text"}),
        (lambda _number, order, word: order.index(WORDS.index(word)), {"text"}),
    ],
    ids=["place", "option", "words"],
)
def test_what_was_planted_is_found(right: Right, leaks: set[str]) -> None:
    """A right place, a right option, and one that the question's words give away."""
    found = read(right)
    assert leaks <= set(found.leaks)
    assert all(getattr(found, name) > 0.95 for name in leaks)


def test_what_only_the_own_site_tells_is_no_leak() -> None:
    """An application is never read by its own answers: what holds there alone helps nobody."""
    found = read(lambda number, order, _word: order.index(number % 4), sites=4)
    assert not {"majority", "text"} & set(found.leaks)


def test_a_tie_is_a_guess() -> None:
    """A single question tells its reader nothing, so a quarter of it is right."""
    only = AskedOptions("d", "s", "?", KEYS, KEYS, 2)
    (found,) = baselines([only])
    assert [found.position, found.majority, found.text] == [0.25] * 3
