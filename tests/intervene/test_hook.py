"""
The hook on a random Qwen3-VL and a random Qwen2.5-VL, exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.intervene.hook import injected, recorded, turned

if TYPE_CHECKING:
    import torch

LAYER = 1
WIDTH = 32
LENGTH = 7


def random_model(family: str) -> Any:  # noqa: ANN401 - a library's
    """Return a small model of a family with weights from a seed."""
    import torch
    from transformers import AutoConfig, AutoModelForImageTextToText

    words = {
        "vocab_size": 97, "hidden_size": WIDTH, "intermediate_size": 48, "num_hidden_layers": 4,
        "num_attention_heads": 4, "num_key_value_heads": 2, "initializer_range": 0.3,
        "rope_parameters": {"rope_type": "default", "rope_theta": 1e4, "mrope_section": [2, 1, 1]},
        "pad_token_id": 0, "eos_token_id": None,
    }  # fmt: skip
    sight: dict[str, Any] = {
        "depth": 1, "num_heads": 2, "patch_size": 14, "spatial_merge_size": 2,
        "hidden_size": 32, "intermediate_size": 48, "out_hidden_size": WIDTH,
    }  # fmt: skip
    if family == "qwen3_vl":
        words |= {"head_dim": 8}
        sight |= {"num_position_embeddings": 16, "deepstack_visual_indexes": [0]}
    config = AutoConfig.for_model(family, text_config=words, vision_config=sight)
    torch.manual_seed(5)
    model = AutoModelForImageTextToText.from_config(config).eval()
    model.generation_config.pad_token_id = 0
    model.generation_config.eos_token_id = None
    return model


@pytest.fixture(scope="module", params=["qwen3_vl", "qwen2_5_vl"])
def model(request: pytest.FixtureRequest) -> Any:  # noqa: ANN401 - a library's
    """Return a model of each family."""
    return random_model(request.param)


def prompts() -> dict[str, torch.Tensor]:
    """Return three prompts of different lengths, padded on the left."""
    import torch

    drawn = torch.randint(5, 90, (3, LENGTH), generator=torch.Generator().manual_seed(2))
    counts = torch.ones_like(drawn)
    for row, short in enumerate((0, 2, 4)):
        drawn[row, :short] = 0
        counts[row, :short] = 0
    return {"input_ids": drawn, "attention_mask": counts}


def directions(states: torch.Tensor) -> torch.Tensor:
    """Return vectors that hang on each row's own state."""
    return states.roll(3, dims=-1) * 1.5


def generated(model: Any, given: dict[str, torch.Tensor], tokens: int = 4) -> Any:  # noqa: ANN401
    """Generate greedily, with all hidden states and scores."""
    import torch

    with torch.inference_mode():
        return model.generate(
            **given,
            max_new_tokens=tokens,
            do_sample=False,
            output_hidden_states=True,
            output_logits=True,
            return_dict_in_generate=True,
        )


def layer_of(model: Any, number: int = LAYER) -> Any:  # noqa: ANN401
    """Return a decoder layer."""
    return model.model.language_model.layers[number]


def hooks(model: Any) -> int:  # noqa: ANN401
    """Count what hangs on any decoder layer."""
    return sum(len(layer._forward_hooks) for layer in model.model.language_model.layers)  # noqa: SLF001


@pytest.mark.parametrize("at", ["last-prompt", "first-token"])
def test_nothing_added_changes_nothing(model: Any, at: Any) -> None:  # noqa: ANN401
    """With strength 0, and with vectors of zero, every number is the same to the bit."""
    import torch

    plain = generated(model, prompts())

    with injected(layer_of(model), directions, alpha=0.0, at=at) as none:
        off = generated(model, prompts())
    with injected(layer_of(model), torch.zeros_like, alpha=0.7, at=at):
        zero = generated(model, prompts())

    assert none == []
    for other in (off, zero):
        assert torch.equal(plain.sequences, other.sequences)
        for one, two in zip(plain.logits, other.logits, strict=True):
            assert torch.equal(one, two)


@pytest.mark.parametrize(("at", "step"), [("last-prompt", 0), ("first-token", 1)])
def test_it_changes_one_position_of_one_layer_once(model: Any, at: Any, step: int) -> None:  # noqa: ANN401
    """The state turns and keeps its length, at the place that is named and nowhere before."""
    import torch

    plain = generated(model, prompts())
    calls: list[Any] = []

    def watched(states: torch.Tensor) -> torch.Tensor:
        calls.append(states)
        return directions(states)

    with injected(layer_of(model), watched, alpha=0.5, at=at) as told:
        changed = generated(model, prompts())

    assert len(calls) == 1
    assert torch.equal(calls[0], plain.hidden_states[0][LAYER + 1][:, -1])
    assert len(told) == 3
    for earlier in range(step):
        for one, two in zip(
            plain.hidden_states[earlier], changed.hidden_states[earlier], strict=True
        ):
            assert torch.equal(one, two)
    before, after = plain.hidden_states[step], changed.hidden_states[step]
    for number in range(LAYER + 1):
        assert torch.equal(before[number], after[number])
    one, two = before[LAYER + 1], after[LAYER + 1]
    assert torch.equal(one[:, :-1], two[:, :-1])
    expected = turned(one[:, -1], 0.5 * directions(calls[0]))
    assert torch.equal(expected, two[:, -1])
    lengths = one[:, -1].norm(dim=-1)
    assert ((two[:, -1].norm(dim=-1) / lengths - 1).abs() < 1e-6).all()
    for row, length in zip(told, lengths.tolist(), strict=True):
        assert row.length == pytest.approx(length)
        assert 1 < row.angle < 90
    for number in range(LAYER + 2, len(before)):
        moved = (before[number] != after[number]).any(dim=-1)
        assert moved[:, -1].all()
        assert not moved[:, :-1].any()


@pytest.mark.parametrize("at", ["last-prompt", "first-token"])
def test_a_batch_is_as_each_of_it_alone(model: Any, at: Any) -> None:  # noqa: ANN401
    """Rows of a batch, padded on the left, come to what they come to alone."""
    import torch

    given = prompts()
    with injected(layer_of(model), directions, alpha=0.4, at=at) as together:
        whole = generated(model, given)

    for row in range(3):
        start = int((given["attention_mask"][row] == 0).sum())
        alone = {name: value[row : row + 1, start:] for name, value in given.items()}
        with injected(layer_of(model), directions, alpha=0.4, at=at) as own:
            single = generated(model, alone)
        assert torch.equal(single.sequences[0, -4:], whole.sequences[row, -4:])
        for one, two in zip(single.logits, whole.logits, strict=True):
            torch.testing.assert_close(one[0], two[row], rtol=1e-3, atol=1e-4)
        assert own[0].angle == pytest.approx(together[row].angle, abs=1e-2)


def test_each_generation_has_its_own(model: Any) -> None:  # noqa: ANN401
    """Within one block every generation is added to once."""
    import torch

    with injected(layer_of(model), directions, alpha=0.4, at="first-token") as told:
        first = generated(model, prompts())
        second = generated(model, prompts())

    assert len(told) == 6
    assert torch.equal(first.sequences, second.sequences)
    assert told[:3] == told[3:]


def raising(states: torch.Tensor) -> torch.Tensor:
    """Fail as whatever finds vectors may fail."""
    raise ArithmeticError(f"{len(states)} states")


@pytest.mark.parametrize(
    ("wrong", "error"),
    [(raising, ArithmeticError), (lambda states: states[:, :3], InvalidInputError)],
)
def test_nothing_is_left_after_an_exception(
    model: Any,  # noqa: ANN401
    wrong: Callable[[torch.Tensor], torch.Tensor],
    error: type[Exception],
) -> None:
    """After an error within a block the model is as it was, and bears no hook."""
    import torch

    plain, before = generated(model, prompts()), hooks(model)

    with pytest.raises(error), injected(layer_of(model), wrong, alpha=0.4):
        generated(model, prompts())

    assert hooks(model) == before
    assert torch.equal(plain.logits[0], generated(model, prompts()).logits[0])


def test_states_are_recorded_as_they_are(model: Any) -> None:  # noqa: ANN401
    """What is recorded of several layers is what the library itself tells of them."""
    import torch

    before = hooks(model)
    with recorded([layer_of(model, 0), layer_of(model, 2)]) as found:
        whole = generated(model, prompts())

    assert hooks(model) == before
    for number, kept in zip((0, 2), found, strict=True):
        assert torch.equal(torch.cat(kept), whole.hidden_states[0][number + 1][:, -1])


def test_a_place_has_one_of_two_names(model: Any) -> None:  # noqa: ANN401
    """Another place to add at is refused, and the two are named."""
    wrong: Any = "last"
    with (
        pytest.raises(UnknownNameError, match="last-prompt"),
        injected(layer_of(model), directions, alpha=1.0, at=wrong),
    ):
        pass


def test_half_precision_is_turned_in_single() -> None:
    """States of 16 bits are added to in 32, and come back in 16."""
    import torch

    layer = torch.nn.Identity()
    states = torch.randn(2, 5, 64, generator=torch.Generator().manual_seed(1)).bfloat16()

    with injected(layer, directions, alpha=0.3):
        found = layer(states)

    last = states[:, -1].float()
    assert found.dtype == torch.bfloat16
    assert torch.equal(found[:, -1], turned(last, 0.3 * directions(last)).bfloat16())
    assert torch.equal(found[:, :-1], states[:, :-1])
    assert not torch.equal(found[:, -1], states[:, -1])


def test_a_state_that_would_vanish_stays() -> None:
    """A step that leads to zero is not taken: zero has no direction to keep a length in."""
    import torch

    states = torch.tensor([[3.0, 4.0], [3.0, 4.0]])

    found = turned(states, torch.tensor([[-3.0, -4.0], [3.0, 4.0]]))

    assert torch.equal(found, states)
