"""
Supervised training of the toy model: it learns, goes on after a kill, and in two processes.
"""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from surefoot.core.canonical import sha256
from surefoot.core.errors import InvalidInputError
from surefoot.core.seeds import random_source
from surefoot.models.opening import FORMATS
from surefoot.train.fitting import Training, read_curve
from surefoot.train.recipe import recipe_named
from surefoot.train.sft import train_sft
from surefoot_studies.tiny.cli import WEIGHTS

STEPS = ("max_steps=8", "save_steps=2", "per_device_train_batch_size=4", "learning_rate=5e-4")
Begin = Callable[..., Any]


def weights(out: Path) -> str:
    """Return the hash of the trained weights."""
    return sha256((out / "model" / "model.safetensors").read_bytes())


def losses(out: Path) -> list[tuple[int, float]]:
    """Return the loss of each step, from the curve."""
    return [
        (line["step"], line["loss"]) for line in read_curve(out / "curve.jsonl") if "loss" in line
    ]


def test_an_adapter_learns_and_can_be_asked(data: Path, tmp_path: Path) -> None:
    """In six steps the loss falls; the adapter merged replies as the adapter does."""
    # The same command again takes no seventh step.
    import torch

    from surefoot.models.weights.loading import load

    lora = tmp_path / "lora.toml"
    lora.write_text(
        'method = "sft"\n[trainer]\nmax_steps = 6\nlearning_rate = 5e-3\n'
        'per_device_train_batch_size = 8\nlr_scheduler_type = "constant"\n'
        "[lora]\nr = 8\nalpha = 8\n"
    )
    recipe = recipe_named(str(lora), "sft")
    out = tmp_path / "out"
    train_sft(Training(WEIGHTS, recipe, FORMATS.get("tiny"), device="cpu"), data, out)
    curve = losses(out)
    assert curve[-1][1] < curve[0][1] - 1
    files = out / "adapter" / "adapter_model.safetensors", out / "curve.jsonl"
    ended = [file.read_bytes() for file in files]
    train_sft(Training(WEIGHTS, recipe, FORMATS.get("tiny"), device="cpu"), data, out)
    assert [file.read_bytes() for file in files] == ended
    assert json.loads((out / "training.json").read_bytes())["steps"] == 6

    plain, merged = load(WEIGHTS), load(WEIGHTS, adapter=out / "adapter")
    from peft import PeftModel

    warnings.simplefilter("ignore", FutureWarning)  # peft's own, about transformers
    beside = PeftModel.from_pretrained(plain.model, str(out / "adapter")).eval()
    tokens = torch.arange(40)[None] + 20
    with torch.inference_mode():
        one, other = (model(input_ids=tokens).logits for model in (beside, merged.model))
    assert float((one - other).abs().max()) < 1e-4 * max(1.0, float(one.abs().max()))


def test_it_stops_early_with_the_best_weights(
    make_data: Callable[..., Path], data: Path, tmp_path: Path
) -> None:
    """At a rate that ruins a model it ends after three worse evaluations, the best one kept."""
    # A kill between two of these changes nothing; without examples to stop by it does not begin.
    split = make_data("trl", form="tiny")
    changes = {"eval_steps": 1, "learning_rate": 5e-2, "max_steps": 9, "save_total_limit": 1}
    preset = recipe_named("sft", "sft", changes | {"per_device_train_batch_size": 4})
    recipe = msgspec.structs.replace(preset, early_stop=3)
    training = Training(WEIGHTS, recipe, FORMATS.get("tiny"), device="cpu")

    def killed(line: str) -> None:
        if line.startswith(f"step {ends}/"):
            raise KeyboardInterrupt

    train_sft(training, split, tmp_path / "whole")
    curve = read_curve(tmp_path / "whole" / "curve.jsonl")
    found = [line["eval_loss"] for line in curve if "eval_loss" in line]
    best, ends = found.index(min(found)) + 1, len(found)
    assert ends == best + 3 < 9
    kept = tmp_path / "whole" / "checkpoints" / f"checkpoint-{best}" / "model.safetensors"
    assert sha256(kept.read_bytes()) == weights(tmp_path / "whole")

    with pytest.raises(KeyboardInterrupt):
        train_sft(training, split, tmp_path / "again", say=killed)
    for _ in range(2):  # the second time there is nothing to do
        train_sft(training, split, tmp_path / "again")
    assert losses(tmp_path / "again") == losses(tmp_path / "whole")
    assert weights(tmp_path / "again") == weights(tmp_path / "whole")

    with pytest.raises(InvalidInputError, match="to stop by"):
        train_sft(training, data, tmp_path / "none")


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_killed_training_ends_in_the_same_weights(
    data: Path, tmp_path: Path, sft: Begin
) -> None:
    """Killed at two random moments, given again: the same losses and weights, to the bit."""
    whole = tmp_path / "whole"
    assert sft(data, whole, *STEPS).wait(600) == 0
    source = random_source(3, "kills")
    for number in range(2):
        out = tmp_path / f"killed-{number}"
        process = sft(data, out, *STEPS)
        kill_at = source.randrange(1, 8)
        while process.poll() is None:
            if len(losses(out)) >= kill_at:
                process.kill()
                break
            time.sleep(0.01)
        process.wait()
        assert sft(data, out, *STEPS).wait(600) == 0
        assert weights(out) == weights(whole)
        assert losses(out) == losses(whole)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_two_processes_train_as_one_does(data: Path, tmp_path: Path, sft: Begin) -> None:
    """Four and four examples in two processes give the losses and weights of eight in one."""
    from safetensors.torch import load_file

    single, double = tmp_path / "one", tmp_path / "two"
    steps = ("max_steps=4", "learning_rate=5e-4", "save_steps=100")
    assert sft(data, single, *steps, "per_device_train_batch_size=8").wait(600) == 0
    both = sft(data, double, *steps, "per_device_train_batch_size=4", processes=2)
    assert both.wait(600) == 0
    assert json.loads((double / "training.json").read_bytes())["processes"] == 2
    for (_, one), (_, two) in zip(losses(single), losses(double), strict=True):
        assert two == pytest.approx(one, rel=1e-5)
    first, second = (load_file(out / "model" / "model.safetensors") for out in (single, double))
    for name, tensor in first.items():
        assert float((tensor - second[name]).abs().max()) < 1e-4
