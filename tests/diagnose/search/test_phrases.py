"""
The table of phrases: all that is known of a question has its words, and an advice.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.diagnose.causes.confusions import CONFUSIONS
from surefoot.diagnose.causes.table import Atom
from surefoot.diagnose.search.phrases import CAUSES, FEATURES, MEASURES, advice
from surefoot.diagnose.search.pool import open_pool


def test_all_that_is_known_has_its_words(bench: Path) -> None:
    """No feature or measure of a question is missing from the table."""
    pool = open_pool(bench, bench, seed=0, most=24)
    arms = [arm for subject in pool.subjects() for arm in pool.arms(subject)]

    families = {name.partition(":")[0] for arm in arms for name in arm.features}
    measured = {name for arm in arms for name in arm.measures}

    assert families - FEATURES.keys() == set()
    assert measured - MEASURES.keys() == set()


@pytest.mark.parametrize("name", sorted({*MEASURES, *FEATURES}))
def test_either_side_has_an_advice(name: str) -> None:
    """What has, lacks, is above or below something names an advice that says what to do."""
    sides = (
        (Atom(name, least=1.0), Atom(name, below=1.0))
        if name in MEASURES
        else (Atom(f"{name}:x"), Atom(f"{name}:x", lacks=True))
    )

    for side in sides:
        told = advice(side.advice)
        assert any((told.data, told.asking, told.page))
        assert 0 <= side.plain <= 3
        assert "{" not in side.words


def test_every_mistake_has_an_advice() -> None:
    """Confusions, and what replies show, name an advice of the table."""
    assert {one.name for one in CONFUSIONS} <= CAUSES.keys()
    assert all(any((told.data, told.asking)) for told in map(advice, CAUSES.values()))
