"""
A recipe of a few steps on very small screens.
"""

from __future__ import annotations

import pytest

from surefoot_studies.tiny.drawing import DrawnLayout
from surefoot_studies.tiny.recipe import DrawnRecipe, LearningPlan, ModelSize


@pytest.fixture(scope="session")
def speck() -> DrawnRecipe:
    """Return a recipe that is learnt in seconds, and teaches little."""
    return DrawnRecipe(
        "speck",
        layout=DrawnLayout(width=64, height=64, fewest=2, most=2, smallest=16, largest=20),
        size=ModelSize(
            hidden=32,
            layers=2,
            heads=2,
            head_dim=16,
            inner=48,
            seen_hidden=32,
            seen_layers=1,
            seen_heads=2,
            seen_inner=48,
            positions=4,
        ),
        plan=LearningPlan(steps=24, batch=4, warmup=4),
    )
