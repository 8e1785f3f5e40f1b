"""
CPU seconds of ``train sft`` beside plain TRL: same data, same arguments, same weights at the end.

    python bench/training_speed.py [--steps 60] [--batch 16] [--rounds 4]

After a round that does not count, each trains the toy model by both, from loading to the saved
weights; who begins changes from round to round. The plain script is what TRL's documentation
shows: ``load_dataset`` on the parquet file of the layout ``trl``, and an ``SFTTrainer``. All is
on one thread. The weights must be the same to the bit, else the two did not do the same work.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from trl.trainer.sft_config import SFTConfig
from trl.trainer.sft_trainer import SFTTrainer

from datasets import load_dataset
from surefoot.core.canonical import sha256
from surefoot.models import FORMATS
from surefoot.models.weights.loading import load
from surefoot.train.data import build_data
from surefoot.train.fitting import Training, arguments, in_silence
from surefoot.train.layout import LAYOUTS
from surefoot.train.mixture import Mixture
from surefoot.train.recipe import recipe_named
from surefoot.train.sft import train_sft
from surefoot_studies.tiny.bench import write_clicks
from surefoot_studies.tiny.cli import WEIGHTS

LEAST = 0.95


def through(training: Training, data: Path, out: Path) -> None:
    """Train as ``surefoot train sft`` does."""
    train_sft(training, data, out)


def plain(training: Training, data: Path, out: Path) -> None:
    """Train as a script of TRL does."""
    local = load(training.model, device="cpu", dtype="auto")
    given: dict[str, Any] = arguments(training, out, local)
    trainer = SFTTrainer(
        model=local.model,
        args=SFTConfig(**given),
        train_dataset=load_dataset(
            "parquet",
            data_files=str(data / "trl" / "train.parquet"),
            split="train",
            cache_dir=str(out / "cache"),
        ),
        processing_class=local.processor,
    )
    trainer.train()
    trainer.save_model(str(out / "model"))


def main() -> None:
    """Print each round, and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=4)
    given = parser.parse_args()
    torch.set_num_threads(1)
    changes = {"max_steps": given.steps, "per_device_train_batch_size": given.batch}
    form = FORMATS.get("tiny")
    training = Training(WEIGHTS, recipe_named("sft", "sft", changes), form, device="cpu")
    with tempfile.TemporaryDirectory() as name, in_silence():
        folder = Path(name)
        bench = write_clicks(folder / "bench", screens=given.steps * given.batch // 4)
        build_data(
            [bench], folder / "data", form=form, mixture=Mixture(), layout=LAYOUTS.get("trl")
        )
        ways: list[Callable[[Training, Path, Path], None]] = [through, plain]
        ratios = []
        for number in range(given.rounds + 1):
            spent, weights = {}, set()
            for way in ways:
                out = folder / f"{way.__name__}-{number}"
                begun = time.process_time()
                with contextlib.redirect_stdout(io.StringIO()):  # TRL prints every step
                    way(training, folder / "data", out)
                spent[way] = time.process_time() - begun
                weights.add(sha256((out / "model" / "model.safetensors").read_bytes()))
            assert len(weights) == 1, "the two trained different weights"
            if number == 0:  # what is imported late is no part of either
                continue
            ratios.append(spent[plain] / spent[through])
            print(
                f"{ways[0].__name__} first: train sft {spent[through]:.2f} CPU s, plain TRL "
                f"{spent[plain]:.2f}, the same weights"
            )
            ways.reverse()
    print(f"throughput {statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})")
    assert statistics.median(ratios) >= LEAST


if __name__ == "__main__":
    main()
