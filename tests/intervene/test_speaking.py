"""
A model in a folder, read and steered through the same doors that it is asked through.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.perturbation import ORIGINAL
from surefoot.core.store import ObjectStore
from surefoot.intervene.application import apply_settings, read_results
from surefoot.intervene.items import parallel_items, turn_of
from surefoot.intervene.memory import build_memory
from surefoot.intervene.search import search_settings
from surefoot.intervene.speaking import LocalSteerable, open_steerable
from surefoot.intervene.steering import PromptTurn, SingleFloats, Steering, kept_length
from surefoot.models.weights.loading import load
from surefoot.run.asking.runs import open_run
from tests.models.weights.conftest import save_random


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a random Qwen3-VL."""
    return save_random(tmp_path_factory.mktemp("model") / "random", "qwen3_vl", patch=16)


@pytest.fixture(scope="module")
def model(folder: Path) -> LocalSteerable:
    """Return a random Qwen3-VL from its folder."""
    return open_steerable(f"hf:{folder}", device="cpu")


@pytest.fixture(scope="module")
def turns(benches: dict[str, Path]) -> list[PromptTurn]:
    """Return some prompts about pictures."""
    bench = benches["validation"]
    items = parallel_items(bench)[:5]
    return [turn_of(item.questions["fr"], ObjectStore(bench).get) for item in items]


def pushed(states: SingleFloats) -> SingleFloats:
    """Return vectors that hang on each row alone."""
    return np.roll(states, 5, axis=1) * 2


def test_states_and_replies_are_those_of_each_alone(
    model: LocalSteerable, turns: list[PromptTurn]
) -> None:
    """What is read of a batch, and replied under steering, is what each prompt has alone."""
    steering = Steering(1, 0.6, "last-prompt", pushed)
    states = model.states(turns, [0, 2])
    replies = model.replies(turns, max_tokens=4, steering=steering)

    assert states.shape == (5, 2, 64)
    for at, turn in enumerate(turns):
        np.testing.assert_allclose(
            model.states([turn], [0, 2])[0], states[at], rtol=1e-3, atol=1e-3
        )
        (alone,) = model.replies([turn], max_tokens=4, steering=steering)
        assert alone.reply.text == replies[at].reply.text
        own, whole = alone.injected, replies[at].injected
        assert own is not None
        assert whole is not None
        assert own.angle == pytest.approx(whole.angle, abs=0.01)


def test_what_is_steered_is_what_was_read(model: LocalSteerable, turns: list[PromptTurn]) -> None:
    """The states that vectors are asked for are those that memories keep."""
    seen: list[SingleFloats] = []

    def watched(states: SingleFloats) -> SingleFloats:
        seen.append(states)
        return np.zeros_like(states)

    plain = model.replies(turns, max_tokens=3)
    steered = model.replies(turns, max_tokens=3, steering=Steering(1, 1.0, "last-prompt", watched))

    assert [one.reply for one in plain] == [one.reply for one in steered]
    np.testing.assert_array_equal(seen[0], model.states(turns, [1])[:, 0])
    (first,) = model.replies(
        turns[:1], max_tokens=1, steering=Steering(1, 0.6, "last-prompt", pushed)
    )
    assert first.injected is not None
    state = model.states(turns[:1], [1])[:, 0]
    after = kept_length(state, np.float32(0.6) * pushed(state))
    cosine = float((state * after).sum() / np.linalg.norm(state) / np.linalg.norm(after))
    assert first.injected.angle == pytest.approx(np.degrees(np.arccos(cosine)), abs=0.01)


def test_a_layer_that_is_not_there_is_refused(
    model: LocalSteerable, turns: list[PromptTurn]
) -> None:
    """A layer beyond the last is an error that names the last."""
    with pytest.raises(InvalidInputError, match=f"0 to {model.layers - 1}"):
        model.states(turns, [model.layers])


def test_all_steps_run_on_a_folder(
    model: LocalSteerable, benches: dict[str, Path], tmp_path: Path
) -> None:
    """Memory, choice and test run on weights of a folder; random ones gain nothing."""
    memory, search = tmp_path / "memory", tmp_path / "search"
    bench = benches["validation"]
    build_memory(bench, model, memory, layers=[1], share=0.4)
    search_settings(memory, bench, model, search, alphas=(0.1,), at="first-token", max_tokens=3)
    apply_settings(memory, search, bench, model, tmp_path / "out", max_tokens=3)

    results = read_results(tmp_path / "out")
    assert not results.verdicts[0].gain
    assert results.at == "first-token"
    assert {one.condition for one in results.sizes} == {"xli", "random", "shuffled"}
    added = [round(one.added, 4) for one in results.sizes]
    assert len(set(added)) == 1


def test_every_condition_asks_to_reason_first(
    folder: Path, benches: dict[str, Path], tmp_path: Path
) -> None:
    """The tokens that the model reads ask to reason under each condition; a table comes out."""
    local = load(folder, device="cpu")
    model, bench = LocalSteerable(local, "random"), benches["validation"]
    memory, search = tmp_path / "memory", tmp_path / "search"
    build_memory(bench, model, memory, layers=[1], share=0.4, reasoning="on")
    search_settings(memory, bench, model, search, alphas=(0.1,), max_tokens=1)
    apply_settings(memory, search, bench, model, tmp_path / "plain", max_tokens=1)
    heard: list[str] = []

    def listen(_: object, __: object, given: dict[str, object]) -> None:
        heard.extend(local.tokenizer.batch_decode(given["input_ids"]))

    local.model.register_forward_pre_hook(listen, with_kwargs=True)
    apply_settings(memory, search, bench, model, tmp_path / "out", max_tokens=1, reasoning="on")

    run = open_run(tmp_path / "out" / "xli")
    texts = Counter((one.cell.variant, one.instruction.text) for one in run.questions)
    # In French: before, with three kinds of vectors, and for the state; in English twice.
    words = "First say in one or two sentences what you see."
    assert all(words in prompt for prompt in heard)
    assert {
        (language, text): sum(f"\n{text}\n" in prompt for prompt in heard)
        for language, text in texts
    } == {key: count * (2 if key[0] == ORIGINAL else 5) for key, count in texts.items()}
    assert (run.reasoning, len(run.answers)) == ("on", len(run.questions))
    page = (tmp_path / "out" / "results.md").read_text("utf-8")
    table = page.partition("## Before and after, %")[2].partition("##")[0]
    assert "Every question asks to reason first." in page
    assert [row.split(" | ")[:2] for row in table.strip().splitlines()[4:]] == [
        ["| fr", "before"],
        ["| fr", "xli"],
    ]
