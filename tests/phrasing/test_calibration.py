"""
What a calibration says: the space, what it gives back, and when nothing can be said.
"""

from __future__ import annotations

import pytest

from surefoot.phrasing.calibration import calibration_sentence
from surefoot.score.calibration import Calibration, MetricChange, PlaceRule

HIT = MetricChange("hit", 0.012, 0.748, 0.70, 0.77)
CASES = {
    PlaceRule(): "Nothing says that m was read in the wrong space: no shift and no scale of its "
    "places, fitted on half of the sites, gains beyond chance (hit rate 1.2 % on the other half).",
    PlaceRule("scale", scale=(1.92, 1.08)): "m was read in the wrong space: a picture of "
    "1,920 x 1,080 pixels counts for it as 1,000 x 1,000, thousandths. Mended so, hit rate goes "
    "from 1.2 % to 74.8 % (+73.6 points, 95 % interval +70.0 to +77.0) on the half of the sites "
    "that nothing was fitted on (200 elements from 40 sites).",
    PlaceRule("shift", shift=(-0.02, 0.01), to_shares=True): "m was read in the wrong space: "
    "38.4 pixels too far right and 10.8 pixels too far up. Mended so,",
    PlaceRule("affine", scale=(2, 2), shift=(10, 4)): "m was read in the wrong space: a picture "
    "of 1,920 x 1,080 pixels counts for it as 960 x 540; 10.0 pixels too far left and 4.0 pixels "
    "too far up. Mended so,",
}


def found(rule: PlaceRule, places: int = 300) -> Calibration:
    """Return a calibration that came to a rule."""
    return Calibration(
        model="m",
        rule=rule,
        places=places,
        elements=200,
        clusters=40,
        over="sites",
        size=(1920, 1080),
        changes=(HIT,),
    )


@pytest.mark.parametrize("rule", CASES)
def test_the_sentence_names_the_space(rule: PlaceRule) -> None:
    """The size that a picture counts as, how far places are off, and what that gives back."""
    assert calibration_sentence(found(rule)).startswith(CASES[rule])


def test_too_few_places_are_said() -> None:
    """Where nothing could be fitted, nothing is called right or wrong."""
    assert calibration_sentence(found(PlaceRule(), 12)) == (
        "Whether m was read in the right space cannot be told: 12 answers with a place to fit "
        "on, 40 are needed."
    )
