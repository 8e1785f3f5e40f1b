"""
The committed weights: a small model that knows what it was taught, whoever asks it.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from surefoot.core.store import ObjectStore
from surefoot.models import Options, open_model
from surefoot.run.folders.folder import read_questions
from surefoot_studies.tiny.bench import write_choices, write_clicks
from surefoot_studies.tiny.cli import WEIGHTS
from surefoot_studies.tiny.measuring import MeasuredReply, PlainModel, replies
from surefoot_studies.tiny.prompting import Prompter
from surefoot_studies.tiny.recipe import TINY, recipe_named
from tests.models.weights.asking import answers

SEED = 5  # of screens on which nothing was chosen
LEAST_CLICKS = 0.5  # who clicks any one figure has 0.36
LEAST_ENGLISH = 0.6  # of four options


@pytest.fixture(scope="module")
def benches(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return clicks and choices on 24 screens each."""
    out = tmp_path_factory.mktemp("drawn")
    clicked = write_clicks(out / "click", seed=SEED, screens=24)
    return clicked, write_choices(out / "test", "test", seed=SEED, screens=24)


@pytest.fixture(scope="module")
def found(benches: tuple[Path, Path]) -> tuple[list[MeasuredReply], list[MeasuredReply]]:
    """Return what the committed model replies to clicks and to choices, by a plain loop."""
    model = PlainModel(WEIGHTS, TINY.speaks)
    clicked, chosen = (list(replies(model, bench)) for bench in benches)
    return clicked, chosen


def test_the_weights_are_few() -> None:
    """All files together have under 5 MB, and the recipe is the one of the name."""
    assert sum(path.stat().st_size for path in WEIGHTS.iterdir()) < 5_000_000
    assert recipe_named(str(WEIGHTS / "recipe.json")) == TINY


def test_prompts_are_still_those_that_were_learnt() -> None:
    """What is fixed in today's prompts is one token each: a changed prompt needs new weights."""
    model = PlainModel(WEIGHTS, TINY.speaks)
    for part in Prompter(TINY.speaks, TINY.layout, TINY.grid).fixed():
        assert len(model.tokenizer(part)["input_ids"]) == 1


def test_clicks_are_above_chance(found: tuple[list[MeasuredReply], list[MeasuredReply]]) -> None:
    """On screens of another seed it hits more than who clicks any one figure."""
    clicked, _ = found

    assert sum(one.right for one in clicked) / len(clicked) > LEAST_CLICKS


def test_english_is_above_chance_and_above_the_others(
    found: tuple[list[MeasuredReply], list[MeasuredReply]],
) -> None:
    """On screens of another seed it chooses rightly in English, more often than elsewhere."""
    _, chosen = found
    shares = {}
    for language in ("en", "fr", "zh"):
        own = [one.right for one in chosen if one.question.instruction.language == language]
        shares[language] = sum(own) / len(own)

    assert shares["en"] > LEAST_ENGLISH
    assert shares["en"] > max(shares["fr"], shares["zh"])


def test_a_run_gets_the_replies_of_a_plain_loop(
    benches: tuple[Path, Path], found: tuple[list[MeasuredReply], list[MeasuredReply]]
) -> None:
    """`hf:` says of every drawn screen what the family's own classes say without Surefoot."""
    options = Options(device="cpu", dtype="float32", concurrency=8)
    for bench, plain in zip(benches, found, strict=True):
        store = ObjectStore(bench)
        asked = [(one, store.get(one.image)) for one in read_questions(bench)]
        model = open_model(f"hf:{WEIGHTS}", format_name=TINY.speaks, options=options)
        said = asyncio.run(answers(model, asked))

        assert [one.raw for one in said] == [one.text for one in plain]
        assert [one.parsed for one in said] == [one.parsed for one in plain]
