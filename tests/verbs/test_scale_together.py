"""
The job files of docs/scale.md: their steps run as Slurm, Kubernetes and a matrix would run them.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from surefoot.run.folders.folder import read_manifest

DOC: Final = Path(__file__).parents[2] / "docs" / "scale.md"
PAGE: Final = "<!doctype html><html lang=en><title>{0}</title><h1>{0}</h1><button>{0}</button>"


def blocks(language: str) -> list[str]:
    """Return the fenced blocks of the page in a language."""
    return [part.split("```", 1)[0] for part in DOC.read_text().split(f"```{language}\n")[1:]]


def run(folder: Path, script: str, **variables: object) -> None:
    """Run a script as a job's shell does, and demand that it ends well."""
    shell = os.environ | {name: str(value) for name, value in variables.items()}
    shell["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{shell['PATH']}"
    ended = subprocess.run(
        ["sh", "-c", script], cwd=folder, env=shell, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr


@pytest.mark.long
@pytest.mark.timeout(900)
def test_the_job_files_give_what_one_machine_gives(tmp_path: Path) -> None:
    """A capture by the matrix, builds by both clusters, in two parts, are those of one machine."""
    (tmp_path / "dist").mkdir()
    for name in ("desk", "store", "till"):
        (tmp_path / "dist" / f"{name}.html").write_text(PAGE.format(name))
    build, matrix = blocks("yaml")
    steps = re.findall(r"- run: (surefoot (?:capture|merge) .+)", matrix)
    for part in (1, 2):
        run(tmp_path, steps[0].replace("${{ matrix.part }}", str(part)).replace("/4", "/2"))
    run(tmp_path, re.sub(r" out/screens-[34]", "", steps[1]))
    run(tmp_path, "surefoot capture folder:dist --out out/whole")
    assert read_manifest(tmp_path / "out/screens") == read_manifest(tmp_path / "out/whole")

    array, united = blocks("bash")
    for part in (1, 2):
        run(tmp_path, array, SLURM_ARRAY_TASK_ID=part, SLURM_ARRAY_TASK_COUNT=2)
    run(tmp_path, united)
    run(tmp_path, "mv out/bench out/slurm; rm -r out/bench-*")
    (pod,) = re.findall(r"- (surefoot build .+)", build)
    for index in (0, 1):
        run(tmp_path, pod.replace("/8", "/2"), JOB_COMPLETION_INDEX=index)
    run(tmp_path, united)
    run(tmp_path, "surefoot build perturbed --screens out/screens --out out/one")
    one = read_manifest(tmp_path / "out/one")
    assert read_manifest(tmp_path / "out/slurm") == one
    assert read_manifest(tmp_path / "out/bench") == one
