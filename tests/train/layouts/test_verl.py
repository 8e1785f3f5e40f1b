"""
verl's and EasyR1's file, read by the steps of their own loaders.
"""

from __future__ import annotations

import re

import msgspec
import pytest
from PIL import Image

from surefoot.core.geometry import Point
from surefoot.core.question import Answer, Question
from surefoot.models import FORMATS
from surefoot.score.hits import is_hit
from surefoot.train.examples import read_examples
from tests.train.conftest import MakeData


def test_both_loaders_read_every_example(make_data: MakeData) -> None:
    """Prompts and problems split at the marks, as the loaders do; pictures come decoded."""
    datasets = pytest.importorskip("datasets")
    data = make_data("verl")
    examples = [example for example in read_examples(data) if example.split == "train"]
    cache = str(data / "cache")
    rows = datasets.Dataset.from_parquet(str(data / "verl" / "train.parquet"), cache_dir=cache)
    for row, example in zip(rows, examples, strict=True):
        question = example.question
        parts = re.split("(<image>|<video>)", row["prompt"][-1]["content"])
        assert parts == ["", "<image>", example.messages.user]
        system, user = row["problem"].split("<image>")
        assert (system.strip(), user) == (example.messages.system, example.messages.user)
        assert all(isinstance(picture, Image.Image) for picture in row["images"])
        assert [p.size for p in row["images"]] == [(question.width, question.height)]
        assert row["data_source"] == "surefoot/bench"
        assert row["reward_model"]["style"] == "rule"
        assert row["extra_info"]["answer"] == example.completion
    assert [row["extra_info"]["index"] for row in rows] == sorted(
        {row["extra_info"]["index"] for row in rows}
    )


def test_a_reward_scores_by_the_question(make_data: MakeData) -> None:
    """The right reply hits what ``ground_truth`` and EasyR1's ``answer`` hold, the edge misses."""
    datasets = pytest.importorskip("datasets")
    data = make_data("verl")
    form = FORMATS.get("qwen3-vl")
    rows = datasets.Dataset.from_parquet(
        str(data / "verl" / "train.parquet"), cache_dir=str(data / "cache")
    )
    for row in rows:
        assert row["answer"] == row["reward_model"]["ground_truth"]
        question = msgspec.json.decode(row["answer"], type=Question)
        size = question.width, question.height
        replies = (row["extra_info"]["answer"], form.write(Point(0.0, 0.0), *size))
        answers = (Answer(question.id, reply, form.parse(reply, *size)) for reply in replies)
        assert [is_hit(question, answer) for answer in answers] == [True, False]
