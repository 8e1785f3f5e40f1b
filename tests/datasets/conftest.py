"""
Where real data from outside lies, and records made by hand.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

LineMaker = Callable[..., bytes]


@pytest.fixture(scope="session")
def published_folder() -> Path:
    """Return the folder of GUI-Perturbed's published files; skip where it is absent."""
    beside = Path(__file__).parents[2].parent / "shared" / "data"
    folder = Path(os.environ.get("SUREFOOT_SHARED_DATA", beside)) / "gui_perturbed"
    if not (folder / "predictions.jsonl.gz").exists():
        pytest.skip("the published files are absent; set SUREFOOT_SHARED_DATA to their folder")
    return folder


def make_line(**changes: object) -> bytes:
    """Spell one valid record as JSON, with some fields changed."""
    record: dict[str, object] = {
        "model": "gta1",
        "reasoning": False,
        "instruction_type": "direct",
        "variant": "original",
        "split": "test",
        "task_id": "task",
        "step_index": 3,
        "instruction": "Click on 'May' button",
        "raw_prediction": "(683,324)",
        "box_xywh": [657, 300.5, 44, 42],
        "seconds": 2.3,
    }
    return json.dumps(record | changes).encode()


@pytest.fixture
def line() -> LineMaker:
    """Make one line of the published file."""
    return make_line
