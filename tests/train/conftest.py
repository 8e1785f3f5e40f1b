"""
The toy model, drawn screens to learn from, and a way to train in a process of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from surefoot.models.opening import FORMATS
from surefoot.train.data import build_data
from surefoot.train.layout import LAYOUTS
from surefoot.train.mixture import Mixture
from surefoot_studies.tiny.bench import write_clicks
from surefoot_studies.tiny.cli import WEIGHTS

pytest.importorskip("trl")


@pytest.fixture(scope="session")
def clicks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a BENCH of clicks on eight drawn screens, on light and on dark ground."""
    folder = tmp_path_factory.mktemp("clicks") / "bench"
    return write_clicks(folder, seed=7, screens=8, variants=("original", "dark-ground"))


@pytest.fixture(scope="session")
def data(clicks: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the examples of all these clicks."""
    out = tmp_path_factory.mktemp("data") / "data"
    form, layout = FORMATS.get("tiny"), LAYOUTS.get("trl")
    build_data([clicks], out, form=form, mixture=Mixture(), layout=layout)
    return out


TrainProcess = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def sft() -> TrainProcess:
    """Return a way to begin `surefoot train sft` on the toy model, one thread a process."""

    def begin(
        data: Path, out: Path, *arguments: str, processes: int = 1
    ) -> subprocess.Popen[bytes]:
        launcher = [sys.executable, "-m"]
        if processes > 1:
            launcher += ["torch.distributed.run", "--nproc_per_node", str(processes), "-m"]
        given = [word for argument in arguments for word in ("--set", argument)]
        return subprocess.Popen(
            [
                *(*launcher, "surefoot", "train", "sft", f"hf:{WEIGHTS}", str(data)),
                *("--format", "tiny", "--device", "cpu", "--out", str(out), *given),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""},
        )

    return begin
