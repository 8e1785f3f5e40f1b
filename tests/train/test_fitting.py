"""
What is trained: which layers an adapter is on, and which tokens are learned.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.models.opening import FORMATS
from surefoot.train.examples import read_examples
from surefoot.train.fitting import (
    LearningCollator,
    Training,
    dataset_of,
    last_checkpoint,
    linear_layers,
    load_to_train,
    lora_config,
)
from surefoot.train.recipe import recipe_named
from surefoot_studies.tiny.cli import WEIGHTS


def shape_of_7b() -> Any:  # noqa: ANN401 - a library's
    """Return Qwen2.5-VL-7B as UI-TARS-1.5-7B has it, without weights."""
    import torch
    from transformers import Qwen2_5_VLConfig, Qwen2_5_VLForConditionalGeneration

    words = {
        "hidden_size": 3584, "intermediate_size": 18944, "num_hidden_layers": 28,
        "num_attention_heads": 28, "num_key_value_heads": 4, "vocab_size": 152064,
        "tie_word_embeddings": False,
    }  # fmt: skip
    sight = {
        "depth": 32, "hidden_size": 1280, "intermediate_size": 3420, "num_heads": 16,
        "out_hidden_size": 3584,
    }  # fmt: skip
    config = Qwen2_5_VLConfig(text_config=words, vision_config=sight, tie_word_embeddings=False)
    with torch.device("meta"):
        return Qwen2_5_VLForConditionalGeneration(config)


@pytest.mark.parametrize(
    ("recipe", "trainable"),
    [("gui-perturbed", 3_481_600), ("gui-perturbed-all-layers", 20_185_088)],
)
def test_the_papers_adapter_has_as_many_weights(recipe: str, trainable: int) -> None:
    """GUI-Perturbed's 0.0420 % is an adapter on 32 layers; all layers would be 0.243 %."""
    from peft import get_peft_model

    warnings.simplefilter("ignore", FutureWarning)  # peft's own, about transformers
    model, lora = shape_of_7b(), recipe_named(recipe, "sft").lora
    assert lora is not None
    adapted = get_peft_model(model, lora_config(model, lora))
    learned, total = adapted.get_nb_trainable_parameters()
    assert (learned, total - learned) == (trainable, 8_292_166_656)


def test_layers_have_names_or_are_an_error() -> None:
    """The decoder's layers leave out what sees; more layers than there are is an error."""
    local = load_to_train(
        Training(WEIGHTS, recipe_named("sft", "sft"), FORMATS.get("tiny"), device="cpu")
    )
    everything, decoder = (linear_layers(local.model, name) for name in ("all", "decoder"))
    assert set(decoder) < set(everything)
    assert not any("visual" in name for name in decoder)
    assert linear_layers(local.model, "last 3") == decoder[-3:]
    for wrong in ("last 0", f"last {len(decoder) + 1}", "first 3", ""):
        with pytest.raises(InvalidInputError, match="layers as all, decoder"):
            linear_layers(local.model, wrong)


def test_the_reply_alone_is_learned_and_nothing_is_cut(data: Path) -> None:
    """The learned tokens are each reply and its end; every picture is there, whole."""
    from trl.trainer.sft_trainer import DataCollatorForVisionLanguageModeling

    training = Training(WEIGHTS, recipe_named("sft", "sft"), FORMATS.get("tiny"), device="cpu")
    local, examples = load_to_train(training), read_examples(data)[:5]
    rows = [dict(row) for row in dataset_of(examples, data, local)]
    collate = DataCollatorForVisionLanguageModeling(local.processor, completion_only_loss=True)
    batch = LearningCollator(collate)(rows)
    for example, labels in zip(examples, batch["labels"], strict=True):
        learned = local.tokenizer.decode(labels[labels >= 0])
        assert learned.removesuffix("\n") == f"{example.completion}<|im_end|>"
    image = local.tokenizer.convert_tokens_to_ids("<|image_pad|>")
    shown = int((batch["input_ids"] == image).sum())
    assert shown == int(batch["image_grid_thw"].prod(dim=1).sum()) // 4

    short = DataCollatorForVisionLanguageModeling(
        local.processor, max_length=30, completion_only_loss=True
    )
    with pytest.raises((InvalidInputError, ValueError)):
        LearningCollator(short)([dict(row) for row in dataset_of(examples, data, local)])


def test_a_half_written_checkpoint_is_none(tmp_path: Path) -> None:
    """What a kill left of a checkpoint is removed, and the one before it is taken."""
    for number, state in ((4, "{}\n"), (10, '{"epoch": 1'), (12, None)):
        folder = tmp_path / f"checkpoint-{number}"
        folder.mkdir()
        if state is not None:
            (folder / "trainer_state.json").write_text(state)
    found = last_checkpoint(tmp_path)
    assert found is not None
    assert found.name == "checkpoint-4"
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint-4"]
