"""
Supervised training: the right reply is learned, token by token, and nothing else of the chat.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from surefoot.run.engine.outcome import Outcome
from surefoot.train.fitting import (
    ExamplesBySplit,
    LearningCollator,
    Training,
    arguments,
    configured,
    dataset_of,
    lora_config,
    train,
)

if TYPE_CHECKING:
    from surefoot.models.weights.loading import LocalModel


def train_sft(
    training: Training, data: Path, out: Path, *, say: Callable[[str], None] = lambda _: None
) -> Outcome:
    """
    Train a model on the replies of a DATA, and write it to OUT/model or OUT/adapter.

    Raises as ``train`` does, and InvalidInputError for an argument that TRL does not take.
    """

    def trainer_of(local: LocalModel, parts: ExamplesBySplit) -> Any:  # noqa: ANN401
        from trl.trainer.sft_config import SFTConfig
        from trl.trainer.sft_trainer import SFTTrainer

        recipe = training.recipe
        sets = {split: dataset_of(examples, data, local) for split, examples in parts.items()}
        trainer = SFTTrainer(
            model=local.model,
            args=configured(SFTConfig, arguments(training, out, local)),
            train_dataset=sets["train"],
            eval_dataset=sets.get("validation"),
            processing_class=local.processor,
            peft_config=lora_config(local.model, recipe.lora) if recipe.lora else None,
        )
        trainer.data_collator = LearningCollator(trainer.data_collator)
        return trainer

    return train(training, data, out, trainer_of, say=say)
