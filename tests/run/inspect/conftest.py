"""
A benchmark that our tasks take, and Inspect's own program with a provider that is offline.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from surefoot.core.ledger import Ledger
from surefoot.run.folders.folder import export, read_questions, read_screens

pytest.importorskip("inspect_ai", reason="the extra 'inspect' is not installed")
ROOT: Final = Path(__file__).parents[3]
OWN: Final = '[project.entry-points.inspect_ai]\nsurefoot = "surefoot.run.inspect.tasks"'
Evaluate = Callable[..., Path]


@pytest.fixture(scope="session")
def perturbed_bench(drawn: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the drawn BENCH as one that ``surefoot build perturbed`` might have written."""
    folder = tmp_path_factory.mktemp("perturbed") / "bench"
    with Ledger.open(folder, {"kind": "bench", "benchmark": "perturbed@1"}):
        shutil.copytree(drawn / "objects", folder / "objects")
        tables: dict[str, Any] = {
            "screens.jsonl": read_screens(drawn),
            "questions.jsonl": read_questions(drawn),
        }
        export(folder, "bench", tables, {})
    return folder


@pytest.fixture(scope="session")
def points(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the entry points of our tasks, as installed, and of the provider."""
    assert OWN in (ROOT / "pyproject.toml").read_text()
    facts = tmp_path_factory.mktemp("points") / "points-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: points\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(
        "[inspect_ai]\nsurefoot = surefoot.run.inspect.tasks\noffline = offline_api\n"
    )
    return facts.parent


@pytest.fixture(scope="session")
def evaluate(points: Path, tmp_path_factory: pytest.TempPathFactory) -> Evaluate:
    """Run ``inspect eval`` in a process of its own, and return the log that it wrote."""

    def run(
        task: str,
        *words: object,
        failing: str = "",
        folder: Path | None = None,
        **variables: str,
    ) -> Path:
        logs = tmp_path_factory.mktemp("logs")
        paths = (points, Path(__file__).parent, *sys.path)
        command = [
            *(sys.executable, "-m", "inspect_ai", "eval", task, *map(str, words)),
            *("--display", "none", "--no-log-images", "--log-dir", str(logs)),
        ]
        own = {"PYTHONPATH": os.pathsep.join(map(str, filter(None, paths)))}
        ended = subprocess.run(
            command,
            capture_output=True,
            text=True,
            env=os.environ | own | variables,
            cwd=folder,
            check=False,
        )
        printed = ended.stdout + ended.stderr
        if failing:
            assert failing in printed
            return logs
        (log,) = logs.glob("*.eval")
        assert ended.returncode == 0, printed
        return log

    return run


@pytest.fixture(scope="session")
def log(evaluate: Evaluate, perturbed_bench: Path) -> Path:
    """Return the log of the offline provider on the perturbed benchmark."""
    folder, name = perturbed_bench.parent, perturbed_bench.name
    words = ("-T", f"bench={name}", "-T", "format=json", "--model", "offline/gpt-json")
    return evaluate("surefoot/perturbed", *words, folder=folder)
