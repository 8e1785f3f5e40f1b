"""
A run of a model on this machine: what cannot be loaded is told first, and its speed is kept.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.models import Options
from surefoot.run.asking.run import ask_model
from surefoot_studies.tiny.bench import write_clicks
from surefoot_studies.tiny.cli import WEIGHTS

pytest.importorskip("torch")

MODEL = f"hf:{WEIGHTS}"


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return clicks on two drawn screens."""
    return write_clicks(tmp_path_factory.mktemp("drawn") / "click", screens=2)


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(
    ("options", "told"),
    [
        (Options(adapter="/nowhere"), "adapter_config"),
        (Options(dtype="float16", device="cpu"), "float16"),
        (Options(quantization="4bit", device="cpu"), "GPU"),
    ],
)
def test_what_cannot_be_loaded_begins_no_run(
    bench: Path, tmp_path: Path, options: Options, told: str, check: bool
) -> None:
    """A wrong adapter, dtype or quantization is one error, and there is no folder of a run."""
    with pytest.raises(InvalidInputError, match=told):
        ask_model(bench, MODEL, tmp_path / "run", options=options, check=check)

    assert not (tmp_path / "run").exists()


def test_speed_is_said_and_kept(bench: Path, tmp_path: Path) -> None:
    """Device, seconds, tokens and memory are said at the end, and stand in the run's folder."""
    out = tmp_path / "run"
    said = ask_model(bench, MODEL, out, options=Options(device="cpu"), check=False)
    kept = json.loads((out / "speed.json").read_bytes())

    assert "qwen3-vl-tiny ran on cpu in float32" in said.lines[0]
    assert kept["questions"] == said.tally.total
    assert kept["seconds_a_question"] > 0
    assert kept["tokens_a_second"] > 0
    assert kept["memory_bytes"] > 100_000_000

    again = ask_model(bench, MODEL, out, options=Options(device="cpu"), check=False)
    assert not any("ran on" in line for line in again.lines)
