"""
The how-tos of a first hour: every command runs, in its order, as it stands there.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from surefoot_studies.tiny.bench import write_clicks
from surefoot_studies.tiny.cli import WEIGHTS

DOCS: Final = Path(__file__).parents[2] / "docs"


def commands(page: str) -> list[list[str]]:
    """Return the commands of a how-to, each as its words."""
    blocks = re.findall(
        r"^```console\n(.*?)^```", (DOCS / page).read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    return [shlex.split(line) for block in blocks for line in block.splitlines()]


def run(command: list[str], folder: Path, *more: str) -> str:
    """Run a command of a how-to in a folder; fail with what it said if it does."""
    done = subprocess.run(
        [sys.executable, "-m", *command, *more],
        check=False,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, f"{shlex.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.timeout(1800)
def test_a_researchers_hour(tmp_path: Path) -> None:
    """Eight real pages become a LaTeX table, a report, causes and a data set, all consistent."""
    outputs = {tuple(words): run(words, tmp_path) for words in commands("hour-research.md")}

    table = (tmp_path / "out" / "table.tex").read_text("utf-8")
    assert r"\begin{tabular}" in table
    assert "ocr" in table
    assert (tmp_path / "out" / "report.html").is_file()
    assert list((tmp_path / "out" / "tables").glob("*.csv"))
    assert list((tmp_path / "out" / "dataset").rglob("*.parquet"))
    (scored,) = [text for words, text in outputs.items() if words[1] == "score"]
    first = scored.splitlines()[0]
    assert "ocr" in first
    assert "interval" in first


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.timeout(1800)
def test_a_trainers_hour(tmp_path: Path) -> None:
    """A toy that reads drawn pictures alone goes the whole way, and its report compares both."""
    pytest.importorskip("trl")
    shutil.copytree(WEIGHTS, tmp_path / "models" / "mine")
    steps = {
        # The toy reads neither real buttons, as a check has them, nor dark pictures.
        "run": ("--format", "tiny", "--no-self-check", "--keep-going"),
        "diagnose": ("--format", "tiny", "--no-self-check", "--budget", "40"),
        "data": ("--format", "tiny"),
        "sft": ("--format", "tiny", "--set", "max_steps=4"),
    }
    for words in commands("hour-training.md"):
        kind = words[2] if words[1] == "train" else words[1]
        if kind == "run" and not (tmp_path / "drawn").exists():
            for seed, name in enumerate(("bench", "fresh", "held", "drawn")):
                shutil.rmtree(tmp_path / "out" / name, ignore_errors=True)
                write_clicks(
                    tmp_path / "out" / name,
                    seed=seed,
                    screens=24,
                    variants=("original", "dark-ground"),
                )
            (tmp_path / "drawn").touch()
        run(words, tmp_path, *steps.get(kind, ()))

    page = (tmp_path / "out" / "mended.html").read_text("utf-8")
    assert "before" in page
    assert "after" in page
