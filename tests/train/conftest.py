"""
The toy model, drawn screens to learn from, and a way to train in a process of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from surefoot.core.canonical import digest
from surefoot.core.question import Question
from surefoot.models.opening import FORMATS
from surefoot.run.folders.folder import read_questions
from surefoot.train.data import build_data
from surefoot.train.examples import TrainingExample, example_of
from surefoot.train.layout import LAYOUTS
from surefoot.train.mixture import Draw, Mixture
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


MakeData = Callable[..., Path]
MakeExample = Callable[..., TrainingExample]
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


@pytest.fixture(scope="session")
def drawn_bench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a BENCH of two clicks on each of four drawn screens, light and dark."""
    folder = tmp_path_factory.mktemp("drawn") / "bench"
    return write_clicks(folder, seed=3, screens=4, clicked=2, variants=("original", "dark-ground"))


@pytest.fixture
def make_data(drawn_bench: Path, tmp_path: Path) -> MakeData:
    """Return what writes a DATA of all examples in a layout, a quarter or so for validation."""

    def make(layout: str, name: str = "data", form: str = "qwen3-vl") -> Path:
        build_data(
            [drawn_bench],
            tmp_path / name,
            form=FORMATS.get(form),
            mixture=Mixture((Draw(),)),
            layout=LAYOUTS.get(layout),
            validation=0.3,
            seed=2,
        )
        return tmp_path / name

    return make


@pytest.fixture
def make_example(drawn_bench: Path) -> MakeExample:
    """Return what makes an example of a question with other fields, from a source."""
    first = read_questions(drawn_bench)[0]

    def make(source: str = "bench", form: str = "qwen3-vl", **fields: object) -> TrainingExample:
        question: Question = msgspec.structs.replace(
            first, id=digest([source, repr(sorted(fields.items()))])[:20], **fields
        )
        return example_of(question, FORMATS.get(form), source)

    return make
