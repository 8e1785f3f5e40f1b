"""
Supervised training: the right reply is learned, token by token, and nothing else of the chat.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import Ledger
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Tally
from surefoot.run.folders.folder import export, manifest_digest
from surefoot.train.examples import TrainingExample, read_examples
from surefoot.train.fitting import (
    LearningCollator,
    Training,
    arguments,
    configured,
    dataset_of,
    fit,
    in_silence,
    is_first,
    load_to_train,
    lora_config,
    require_trl,
    save,
)


def train_sft(
    training: Training, data: Path, out: Path, *, say: Callable[[str], None] = lambda _: None
) -> Outcome:
    """
    Train a model on the replies of a DATA, and write it to OUT/model or OUT/adapter.

    Given again after a kill it goes on from the last checkpoint, to the same weights. Raises
    MissingComponentError without TRL, and InvalidInputError for data without examples, or an
    argument that TRL does not take.
    """
    require_trl()
    examples = read_examples(data)
    learned = [example for example in examples if example.split == "train"]
    if not learned:
        raise InvalidInputError(f"examples to learn in {data}", found="none")
    plan = training.plan(manifest_digest(data, "training-data"))
    if not is_first():
        with in_silence():
            _train(training, examples, data, out, say)
        return Outcome(out, Tally(total=1, done=1))
    with Ledger.open(out, plan), in_silence():
        folder = _train(training, examples, data, out, say)
        export(out, "trained-model", {})
    return Outcome(out, Tally(total=1, done=1), (), (f"wrote {folder}",))


def _train(
    training: Training,
    examples: Sequence[TrainingExample],
    data: Path,
    out: Path,
    say: Callable[[str], None],
) -> Path:
    from transformers import EarlyStoppingCallback
    from trl.trainer.sft_config import SFTConfig
    from trl.trainer.sft_trainer import SFTTrainer

    local = load_to_train(training)
    recipe = training.recipe
    parts: dict[str, Any] = {
        split: dataset_of([one for one in examples if one.split == split], data, local)
        for split in {one.split for one in examples}
    }
    trainer = SFTTrainer(
        model=local.model,
        args=configured(SFTConfig, arguments(training, out, local)),
        train_dataset=parts["train"],
        eval_dataset=parts.get("validation"),
        processing_class=local.processor,
        peft_config=lora_config(local.model, recipe.lora) if recipe.lora else None,
    )
    trainer.data_collator = LearningCollator(trainer.data_collator)
    if recipe.early_stop:
        trainer.add_callback(EarlyStoppingCallback(recipe.early_stop))
    fit(trainer, out, say=say)
    return save(trainer, local, out, training)
