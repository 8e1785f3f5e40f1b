"""
Flips counted by hand and against a loop.
"""

from __future__ import annotations

import numpy as np

from surefoot.score.flips import count_flips, flip_rate, net_change


def test_flips_are_those_of_a_loop() -> None:
    """Counts of random columns equal a loop's, missing answers and absent pairs included."""
    random = np.random.default_rng(4)
    before, after = (random.integers(-2, 2, size=(200, 3)).astype(np.int8) for _ in range(2))
    flips = count_flips(before, after)
    for column in range(3):
        pairs = list(zip(before[:, column].tolist(), after[:, column].tolist(), strict=True))
        known = [pair for pair in pairs if min(pair) >= 0]
        assert int(flips.b[column]) == known.count((1, 0))
        assert int(flips.c[column]) == known.count((0, 1))
        assert int(flips.both[column]) == known.count((1, 1))
        assert int(flips.neither[column]) == known.count((0, 0))
        asked = [pair for pair in pairs if max(pair) > -2]
        assert int(flips.unmatched[column]) == len(asked) - len(known)
        assert int(flips.difference[:, column].sum()) == known.count((0, 1)) - known.count((1, 0))


def test_rates_of_flips() -> None:
    """Flips add up and changes cancel out."""
    assert (flip_rate(3, 1, 8), net_change(3, 1, 8)) == (0.5, -0.25)
