"""
More than three million answers are scored in bounded memory, by shards as by the whole run.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any, Final

import pytest

MODELS: Final = 4
QUESTIONS: Final = 780_000
MOST_GIB: Final = 1.0


def load_script() -> Any:  # noqa: ANN401 - a module has no type of its own
    """Import the script that writes and scores runs of any size."""
    path = Path(__file__).parents[2] / "bench" / "score_scale.py"
    spec = importlib.util.spec_from_file_location("score_scale", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.long
@pytest.mark.timeout(900)
def test_answers_that_fit_no_table_take_bounded_memory_and_shards_the_same_bits(
    tmp_path: Path,
) -> None:
    """The peak of memory is measured; three shards of each run give the JSON of the runs."""
    scale = load_script()
    runs = scale.make(tmp_path / "whole", MODELS, QUESTIONS)
    whole, peak = scale.score(runs, tmp_path / "whole.json")
    for run in runs:  # room for the shards, which are of the same benchmark
        Path(run, "answers.jsonl").unlink()
    shards = scale.make(tmp_path / "shards", MODELS, QUESTIONS, 3)

    assert json.loads(whole)["answers"] == MODELS * QUESTIONS
    assert peak < MOST_GIB
    assert scale.score(shards, tmp_path / "shards.json")[0] == whole
