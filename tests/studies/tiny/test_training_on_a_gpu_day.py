"""
The script for a day with a GPU, tried on the processor.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from surefoot.core.canonical import readable_json
from surefoot.core.children import child_environment
from surefoot_studies.tiny.recipe import DrawnRecipe

ROOT = Path(__file__).parents[3]


@pytest.mark.long
def test_a_finished_step_is_not_done_again(speck: DrawnRecipe, tmp_path: Path) -> None:
    """With tiny sizes the first step leaves a model and its mark; the second time it is kept."""
    short = msgspec.structs.replace(
        speck, plan=msgspec.structs.replace(speck.plan, steps=3, batch=2)
    )
    (tmp_path / "short.json").write_bytes(readable_json(short))
    given = {
        "DEVICE": "cpu",
        "WORKERS": "0",
        "MINUTES": "3",
        "READER": str(tmp_path / "short.json"),
        "PYTHON": sys.executable,
        "OMP_NUM_THREADS": "1",
    }
    said = []
    for _ in range(2):
        done = subprocess.run(
            [ROOT / "scripts" / "gpu_day.sh", tmp_path / "out"],
            env=child_environment(given),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        said.append(done.stdout)

    assert (tmp_path / "out" / "reader" / "model" / "model.safetensors").is_file()
    assert "step      3" in said[0]
    assert said[1] == "reader: done before\n"
