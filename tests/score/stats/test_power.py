"""
Detectable effects against published figures and a simulation.
"""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.contingency_tables import mcnemar as reference

from surefoot.core.errors import InvalidInputError
from surefoot.score.stats.power import minimum_detectable_effect, pairs_needed


@pytest.mark.parametrize(("discordance", "points"), [(0.1, 4.5), (0.2, 6.3), (0.3, 7.8)])
def test_390_pairs_see_the_tabulated_effects(discordance: float, points: float) -> None:
    """At 390 pairs and power 0.8 the effects are 4.5, 6.3 and 7.8 points."""
    assert round(100 * minimum_detectable_effect(390, discordance), 1) == points


@pytest.mark.parametrize(("discordance", "pairs"), [(0.1, 1959), (0.2, 3919), (0.3, 5879)])
def test_two_points_need_the_tabulated_pairs(discordance: float, pairs: int) -> None:
    """Two points need about 1,959, 3,919 and 5,879 pairs, to a third of a percent."""
    assert pairs_needed(0.02, discordance) == pytest.approx(pairs, rel=3e-3)


@pytest.mark.parametrize("discordance", [0.05, 0.2, 0.6])
@pytest.mark.parametrize("pairs", [50, 429, 20_000])
def test_effect_and_pairs_invert_each_other(discordance: float, pairs: int) -> None:
    """The pairs needed for the detectable effect are the pairs it was computed for."""
    effect = minimum_detectable_effect(pairs, discordance)
    if effect < discordance:
        assert pairs_needed(effect, discordance) == pytest.approx(pairs, abs=1)


def test_a_simulation_finds_the_effect_with_the_power() -> None:
    """Of simulated studies with the detectable effect about 80 % reject, uncorrected."""
    random = np.random.default_rng(5)
    pairs, discordance = 800, 0.2
    effect = minimum_detectable_effect(pairs, discordance)
    chances = [(discordance + effect) / 2, (discordance - effect) / 2, 1 - discordance]
    flips = random.multinomial(pairs, chances, size=2000)[:, :2]
    found = [
        reference([[0, b], [c, 0]], exact=False, correction=False).pvalue < 0.05 for b, c in flips
    ]
    assert np.mean(found) == pytest.approx(0.8, abs=0.03)


def test_an_effect_never_exceeds_the_discordance() -> None:
    """With one pair the effect is bounded by what can flip."""
    assert minimum_detectable_effect(1, 0.3) == 0.3


def test_impossible_designs_are_refused() -> None:
    """No pairs, a discordance over 1, and an effect over the discordance raise."""
    with pytest.raises(InvalidInputError, match="at least one pair"):
        minimum_detectable_effect(0, 0.1)
    with pytest.raises(InvalidInputError, match="discordance in"):
        minimum_detectable_effect(10, 1.1)
    with pytest.raises(InvalidInputError, match="effect <= discordance"):
        pairs_needed(0.3, 0.2)
