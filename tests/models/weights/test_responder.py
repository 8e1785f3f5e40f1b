"""
A folder as a model of `surefoot run`: requests one by one, answered together.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError, ModelError
from surefoot.core.question import Answer, Choice
from surefoot.models import Options, open_model
from surefoot.models.model import Model
from surefoot.models.spaces import ResizeRule
from tests.models.weights.asking import answers, asked
from tests.models.weights.conftest import save_llava

pytest.importorskip("torch")


@pytest.mark.parametrize("temperature", [0.0, 0.8])
def test_questions_are_answered_as_each_alone(
    folders: dict[str, Path], temperature: float
) -> None:
    """Eight in a batch or one by one: the same replies, letters' probabilities among them."""

    def model(concurrency: int) -> Model:
        options = Options(
            concurrency=concurrency, max_tokens=6, temperature=temperature, device="cpu"
        )
        return open_model(f"hf:{folders['qwen3_vl']}", options=options)

    together = asyncio.run(answers(model(8), asked(10)))
    alone = asyncio.run(answers(model(1), asked(10)))

    assert [item.raw for item in together] == [item.raw for item in alone]
    assert [item.usage for item in together] == [item.usage for item in alone]
    for one, other in zip(together, alone, strict=True):
        assert one.probabilities == pytest.approx(other.probabilities, abs=1e-4)


def test_another_family_answers_with_a_format_that_is_named(tmp_path: Path) -> None:
    """LLaVA's folder, of another maker's processor, replies alike in batches and one by one."""
    folder = save_llava(tmp_path / "some-llava")

    def replies(concurrency: int) -> list[str]:
        options = Options(concurrency=concurrency, max_tokens=6, device="cpu")
        model = open_model(f"hf:{folder}", format_name="json", options=options)
        return [item.raw for item in asyncio.run(answers(model, asked(6)))]

    together = replies(4)
    assert together == replies(1)
    assert len(set(together)) == 6


def test_speed_and_memory_are_told(folders: dict[str, Path]) -> None:
    """After a run a person knows device, dtype, seconds, tokens and memory."""
    model = open_model(f"hf:{folders['qwen2_vl']}", options=Options(max_tokens=3, device="cpu"))
    assert model.notes() == []

    async def ask() -> list[str]:
        await model.answer(*asked(1)[0])
        return model.notes()

    [note] = asyncio.run(ask())
    for part in ("on cpu in float32", "s a question", "tokens a second", "GB of memory"):
        assert part in note


def test_a_bad_picture_fails_its_question_alone(folders: dict[str, Path]) -> None:
    """What is no picture is told of; the model goes on answering others."""
    model = open_model(f"hf:{folders['qwen3_vl']}", options=Options(max_tokens=3, device="cpu"))
    [(good, image)] = asked(1)

    async def ask() -> Answer:
        with pytest.raises(ModelError) as raised:
            await model.answer(good, b"no picture")
        assert raised.value.reason == "bad-image"
        return await model.answer(good, image)

    assert not isinstance(asyncio.run(ask()).parsed, Choice)


def test_another_event_loop_can_ask_again(folders: dict[str, Path]) -> None:
    """A model that was asked in one loop answers in the next, as in a notebook."""
    model = open_model(f"hf:{folders['qwen3_vl']}", options=Options(max_tokens=3, device="cpu"))
    first, second = (asyncio.run(answers(model, asked(2))) for _ in range(2))
    assert [item.raw for item in first] == [item.raw for item in second]


def test_pictures_are_resized_as_the_format_reckons(folders: dict[str, Path]) -> None:
    """A format's limits count, not the folder's; one of another family's grid is refused."""
    options = Options(max_tokens=2, device="cpu")
    small = asked(1)[0]
    model = open_model(f"hf:{folders['qwen2_5_vl']}", format_name="ui-tars-1.5", options=options)

    async def ask(model: Model) -> Answer:
        return await model.answer(*small)

    wide, tall = model.format.space.shown(small[0].width, small[0].height)
    assert asyncio.run(ask(model)).usage.prompt_tokens > wide * tall / 28**2
    wrong = open_model(f"hf:{folders['qwen3_vl']}", format_name="gta1", options=options)
    wrong.responder.resize_as(ResizeRule(32, 4096, 10**6))  # type: ignore[attr-defined]
    with pytest.raises(InvalidInputError, match="multiples of 32"):
        asyncio.run(ask(wrong))
