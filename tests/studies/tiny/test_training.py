"""
Training from nothing: a few steps of a very small model.
"""

from __future__ import annotations

import functools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot_studies.tiny.building import patches
from surefoot_studies.tiny.drawing import draw, picture
from surefoot_studies.tiny.examples import BatchMaker
from surefoot_studies.tiny.recipe import DrawnRecipe
from surefoot_studies.tiny.training import CURVE, Learner, read_curve, set_up, train_in

train = functools.partial(train_in, held_out=2)
# What a machine for training alone does not have.
ELSEWHERE = """
import sys
import surefoot_studies.tiny.cli, surefoot_studies.tiny.saving, surefoot_studies.tiny.training
found = {"playwright", "tesserocr", "duckdb", "pyarrow", "torch"} & {*sys.modules}
sys.exit(", ".join(found) or 0)
"""


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Compute with one thread, which is as fast for weights so few."""
    import torch

    before = torch.get_num_threads()
    set_up(1)
    yield
    set_up(before)


def test_steps_lower_the_loss_and_a_seed_repeats_them(speck: DrawnRecipe, tmp_path: Path) -> None:
    """Two runs of one seed have the same losses, which fall, and another seed has others."""
    import torch

    one, points = train(speck, tmp_path / "one", point_every=4, guess_every=24)
    _, again = train(speck, tmp_path / "two", point_every=4, guess_every=24)
    other = Learner(msgspec.structs.replace(speck, seed=1))

    assert [point.loss for point in points] == [point.loss for point in again]
    assert points[-1].guesses == again[-1].guesses
    assert points[-1].loss < 0.6 * points[0].loss
    assert one.step == speck.plan.steps
    assert not torch.equal(other.model.lm_head.weight, one.model.lm_head.weight)


def test_a_run_that_was_stopped_ends_as_one_that_was_not(
    speck: DrawnRecipe, tmp_path: Path
) -> None:
    """Stopped after some steps and begun again, it has the weights of a run in one go."""
    import torch

    whole, _ = train(speck, tmp_path / "whole", point_every=6)
    train(speck, tmp_path / "parts", point_every=6, minutes=1e-9)
    rest, points = train(speck, tmp_path / "parts", point_every=6)

    assert [point.step for point in points] == [1, 6, 12, 18, 24]
    assert [*read_curve(tmp_path / "parts" / CURVE)] == points
    for name, weight in whole.model.state_dict().items():
        assert torch.equal(weight, rest.model.state_dict()[name]), name


def test_another_recipe_does_not_go_on(speck: DrawnRecipe, tmp_path: Path) -> None:
    """A folder in which one recipe was begun refuses another."""
    train(speck, tmp_path, minutes=1e-9)

    with pytest.raises(InvalidInputError, match="a checkpoint of this recipe"):
        train(msgspec.structs.replace(speck, seed=1), tmp_path)


def test_batches_are_the_same_in_another_process(speck: DrawnRecipe, tmp_path: Path) -> None:
    """Drawn ahead by a worker, batches give the losses that those drawn here give."""
    short = msgspec.structs.replace(
        speck, plan=msgspec.structs.replace(speck.plan, steps=3, batch=2)
    )
    _, here = train(short, tmp_path / "here", point_every=1)
    _, there = train(short, tmp_path / "there", point_every=1, workers=1)

    assert [point.loss for point in here] == [point.loss for point in there]


def test_pictures_are_seen_as_the_family_sees_them(speck: DrawnRecipe) -> None:
    """The patches of a batch are those of the family's own image processor."""
    import torch
    from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import (
        Qwen2VLImageProcessorPil,
    )

    images = [picture(draw(seed, speck.layout)) for seed in range(3)]
    batch = BatchMaker(speck, Learner(speck).tokenizer).step(0)
    family = Qwen2VLImageProcessorPil(
        patch_size=16,
        merge_size=2,
        temporal_patch_size=2,
        image_mean=[0.5] * 3,
        image_std=[0.5] * 3,
        size={"shortest_edge": 1024, "longest_edge": 1 << 20},
    )
    pixels = torch.stack(
        [
            torch.frombuffer(bytearray(image.tobytes()), dtype=torch.uint8).view(64, 64, 3)
            for image in images
        ]
    )
    seen = family(images, return_tensors="pt")["pixel_values"]

    assert torch.allclose(seen, patches(pixels, 16), atol=1e-6)
    assert batch.pixels.shape == (speck.plan.batch, 64, 64, 3)


def test_training_needs_no_browser_ocr_or_database() -> None:
    """Neither the verbs nor the modules that train import one, and torch only when they run."""
    ended = subprocess.run([sys.executable, "-c", ELSEWHERE], capture_output=True, check=False)

    assert (ended.returncode, ended.stderr.decode()) == (0, "")
