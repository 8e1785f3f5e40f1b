"""
TRL's file, read by ``datasets`` and collated by TRL itself on the toy model's processor.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.train.examples import read_examples
from tests.train.conftest import MakeData

ROOT = Path(__file__).parents[3]
WEIGHTS = ROOT / "studies/src/surefoot_studies/tiny/weights/qwen3-vl-tiny"


def test_trl_learns_the_reply_and_nothing_else(make_data: MakeData) -> None:
    """Collated by TRL, each row has its picture, and the labels are the reply with its end."""
    pytest.importorskip("torch")
    pytest.importorskip("trl")
    from trl.trainer.sft_trainer import DataCollatorForVisionLanguageModeling

    from datasets import Dataset
    from surefoot.models.weights.loading import load

    data = make_data("trl", form="tiny")
    examples = [example for example in read_examples(data) if example.split == "train"]
    rows = Dataset.from_parquet(str(data / "trl" / "train.parquet"), cache_dir=str(data / "cache"))
    processor = load(WEIGHTS, device="cpu").processor
    # As the trainer sets it where a data set has prompts.
    collate = DataCollatorForVisionLanguageModeling(processor, completion_only_loss=True)
    batch = collate(list(rows))
    assert len(batch["image_grid_thw"]) == len(examples)
    for labels, example in zip(batch["labels"], examples, strict=True):
        learned = processor.tokenizer.decode(labels[labels >= 0])
        assert learned == f"{example.completion}<|im_end|>\n"
