"""
The loop closed: a weakness is diagnosed, taught on fresh screens, mended, and no damage done.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import surefoot
from surefoot.run.folders.folder import read_questions
from surefoot.train.mended import table
from surefoot_studies.tiny.bench import write_clicks
from surefoot_studies.tiny.cli import WEIGHTS

BOTH = ("original", "dark-ground")


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_dark_grounds_are_mended(tmp_path: Path) -> None:
    """What fails on dark grounds is named, taught and mended, at under 5 points of the rest."""
    # The lower end of the gain is over 60 points, on screens that were never seen; the same
    # command asks and trains nothing anew.
    sizes = {"bench": (1, 80), "fresh": (2, 800), "held": (3, 160)}
    bench, fresh, held = (
        write_clicks(tmp_path / name, seed=seed, screens=screens, variants=BOTH)
        for name, (seed, screens) in sizes.items()
    )
    steps = {"max_steps": 200, "learning_rate": 7e-4, "per_device_train_batch_size": 16}
    given: dict[str, Any] = {
        "fresh": fresh,
        "measure": held,
        "out": tmp_path / "out",
        "format": "tiny",
        "count": 1600,
        "limit": 60,
        "device": "cpu",
        "max_tokens": 32,
        "self_check": False,
        "arguments": steps,
    }
    found = surefoot.train_loop(f"hf:{WEIGHTS}", bench, **given)

    (weakness,) = [
        one
        for one in surefoot.open_diagnosis(found.folder / "diagnosis").findings.profile
        if one.said
    ]
    assert "dark pictures" in weakness.words
    changes = {one.variant: one for one in found.conditions}
    assert changes["dark-ground"].before < 0.02
    assert changes["dark-ground"].low is not None
    assert changes["dark-ground"].low > 0.6
    assert changes["original"].change > -0.05
    assert found.conclusion.startswith("Training mended dark-ground (held) +")
    assert table(found.conditions) in (found.folder / "trained" / "README.md").read_text("utf-8")
    learned, scored = (
        {one.image for one in read_questions(folder)}
        for folder in (found.folder / "lesson" / "inside", held)
    )
    assert learned
    assert not learned & scored

    trained = (found.folder / "trained" / "model" / "model.safetensors").read_bytes()
    again = surefoot.train_loop(f"hf:{WEIGHTS}", bench, **given)
    assert again == found
    assert (found.folder / "trained" / "model" / "model.safetensors").read_bytes() == trained
