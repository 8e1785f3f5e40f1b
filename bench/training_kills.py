"""
Kill ``surefoot train sft`` with SIGKILL at random steps, and give the same command again.

    python bench/training_kills.py [--count 20] [--steps 24] [--save-every 5]

Each training of the toy model ends at another step, at a random moment of it, thus also while a
checkpoint is written. What it comes to must be what a training comes to that nothing ended: the
same losses, the same number of tokens, the same weights, to the bit.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from surefoot.core.canonical import sha256
from surefoot.core.seeds import random_source
from surefoot.models import FORMATS
from surefoot.train.data import build_data
from surefoot.train.fitting import CURVE, read_curve
from surefoot.train.layout import LAYOUTS
from surefoot.train.mixture import Mixture
from surefoot_studies.tiny.bench import write_clicks
from surefoot_studies.tiny.cli import WEIGHTS

A_STEP: Final = 0.25  # seconds that a step takes about


def begin(data: Path, out: Path, steps: int, save_every: int) -> subprocess.Popen[bytes]:
    """Begin a training in a process of its own, on one thread."""
    given = {
        "max_steps": steps,
        "save_steps": save_every,
        "per_device_train_batch_size": 4,
        "learning_rate": 5e-4,
    }
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "surefoot", "train", "sft", f"hf:{WEIGHTS}", str(data)),
            *("--format", "tiny", "--device", "cpu", "--out", str(out)),
            *(word for name, value in given.items() for word in ("--set", f"{name}={value}")),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )


def came_to(out: Path) -> tuple[str, list[tuple[float, float, float]]]:
    """Return the hash of the weights, and each step with its loss and the tokens so far."""
    curve = [(line["step"], line["loss"], line["num_tokens"]) for line in read_curve(out / CURVE)]
    return sha256((out / "model" / "model.safetensors").read_bytes()), curve


def main() -> None:
    """Print each kill, and how many trainings ended as if nothing had been."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--steps", type=int, default=24)
    parser.add_argument("--save-every", type=int, default=5)
    given = parser.parse_args()
    source, same = random_source(0, "kills"), 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bench = write_clicks(folder / "bench", seed=7, screens=16)
        form, layout = FORMATS.get("tiny"), LAYOUTS.get("trl")
        build_data([bench], folder / "data", form=form, mixture=Mixture(), layout=layout)

        def ended(out: Path) -> subprocess.Popen[bytes]:
            return begin(folder / "data", out, given.steps, given.save_every)

        assert ended(folder / "whole").wait() == 0
        whole = came_to(folder / "whole")
        for number, step in enumerate(source.sample(range(1, given.steps), given.count)):
            out = folder / f"killed-{number}"
            process = ended(out)
            while process.poll() is None and len(read_curve(out / CURVE)) < step:
                time.sleep(0.01)
            time.sleep(A_STEP * source.random())
            process.kill()
            killed = process.wait() == -signal.SIGKILL
            there = sorted(path.name for path in (out / "checkpoints").glob("checkpoint-*"))
            assert ended(out).wait() == 0
            equal = killed and came_to(out) == whole
            same += equal
            print(
                f"killed after step {step} "
                f"({', '.join(there) or 'no checkpoint'}): {'the same' if equal else 'OTHERS'}",
                flush=True,
            )
    print(f"{same} of {given.count} trainings ended in the same losses, tokens and weights")
    assert same == given.count


if __name__ == "__main__":
    main()
