"""
What every way of training shares: a model that learns, a trainer that goes on, what comes out.

The trainer is TRL's. What is ours is that nothing is cut, that a batch without anything to
learn is an error, and that a training that was killed goes on from its last whole checkpoint.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec

from surefoot.core.canonical import canonical_json, readable_json
from surefoot.core.errors import InvalidInputError, MissingComponentError
from surefoot.core.files import write_atomic
from surefoot.core.ledger import Ledger
from surefoot.core.store import ObjectStore
from surefoot.models.format import ChatMessages, Format
from surefoot.models.spaces import ResizeRule
from surefoot.models.weights.folder import fingerprint
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Tally
from surefoot.run.folders.folder import export, manifest_digest
from surefoot.train.examples import TrainingExample, read_examples
from surefoot.train.layouts.trl import turns
from surefoot.train.recipe import Lora, TrainingRecipe

if TYPE_CHECKING:
    from surefoot.models.weights.loading import LocalModel

CURVE: Final = "curve.jsonl"
SPENT: Final = "training.json"
CHECKPOINTS: Final = "checkpoints"
STATE: Final = "trainer_state.json"
SAVED_EVERY: Final = 50  # steps
ONE_PROCESS: Final = 1
ExamplesBySplit: TypeAlias = Mapping[str, Sequence[TrainingExample]]


class Training(msgspec.Struct, frozen=True):
    """Say what is trained: a model's folder, an adapter to begin with, a recipe, a format."""

    model: Path
    recipe: TrainingRecipe
    form: Format
    adapter: str = ""
    device: str = "auto"
    dtype: str = "auto"
    seed: int = 0

    def plan(self, data: str) -> dict[str, object]:
        """Return all that the weights follow from, besides versions and threads."""
        return {
            "kind": "trained-model",
            "model": fingerprint(self.model),
            "adapter": fingerprint(Path(self.adapter)) if self.adapter else "",
            "data": data,
            "format": self.form.identity(),
            "recipe": msgspec.to_builtins(self.recipe),
            "dtype": self.dtype,
            "seed": self.seed,
        }


class TrainingCost(msgspec.Struct, frozen=True):
    """
    Hold what a training took, over all its beginnings: seconds are of the first process's CPU.

    Memory is that of the first process at the end.
    """

    examples: dict[str, int]
    processes: int
    steps: int
    tokens: int
    cpu_seconds: float
    memory_bytes: int


@contextlib.contextmanager
def in_silence() -> Iterator[None]:
    """Keep what libraries say of each other, and their progress, off the screen for a block."""
    from surefoot.models.weights.loading import quietly

    with warnings.catch_warnings(), quietly():
        warnings.simplefilter("ignore", FutureWarning)
        warnings.simplefilter("ignore", UserWarning)
        yield


def require_trl() -> None:
    """Raise MissingComponentError where TRL is not installed."""
    try:
        import trl  # noqa: F401 - asked for, not used
    except ImportError as error:
        raise MissingComponentError(
            "the package trl", found=error, remedy="run pip install 'surefoot[train]'"
        ) from error


def world_size() -> int:
    """Return how many processes train together, as torchrun says."""
    return int(os.environ.get("WORLD_SIZE", ONE_PROCESS))


def is_first() -> bool:
    """Tell whether this process is the one that writes."""
    return os.environ.get("RANK", "0") == "0"


def load_to_train(training: Training) -> LocalModel:
    """
    Load the model, its processor set to the format's resize, and freeze what stays as it is.

    Raises as ``load`` does.
    """
    import torch

    from surefoot.models.weights.loading import load
    from surefoot.models.weights.processing import set_resize_rule

    if torch.cuda.is_available():  # "cuda" is a GPU of this process's own
        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
    local = load(
        training.model,
        device=training.device,
        dtype=training.dtype,
        quantization=training.recipe.quantization,
        adapter=training.adapter,
    )
    if isinstance(rule := training.form.space.resize, ResizeRule):
        set_resize_rule(local.processor, rule)
    if "vision" in training.recipe.frozen:
        for name, weight in local.model.named_parameters():
            if _sees(name):
                weight.requires_grad_(requires_grad=False)
    return local


def lora_config(model: Any, lora: Lora) -> Any:  # noqa: ANN401 - a library's
    """
    Return PEFT's configuration of an adapter on a model.

    Raises InvalidInputError for layers that are not "all", "decoder" or "last N".
    """
    from peft import LoraConfig

    return LoraConfig(
        r=lora.r,
        lora_alpha=lora.alpha,
        lora_dropout=lora.dropout,
        target_modules=linear_layers(model, lora.layers),
        task_type="CAUSAL_LM",
    )


def linear_layers(model: Any, which: str) -> list[str]:  # noqa: ANN401 - a library's
    """
    Return the names of the linear layers that an adapter is put on, in the model's order.

    The head that writes tokens is none of them. Raises InvalidInputError for other words.
    """
    import torch

    names = [
        name
        for name, module in model.named_modules()
        if isinstance(module, torch.nn.Linear) and not name.endswith("lm_head")
    ]
    decoder = [name for name in names if not _sees(name)]
    kind, _, count = which.partition(" ")
    if which == "all":
        return names
    if which == "decoder":
        return decoder
    if kind == "last" and count.isdecimal() and 0 < int(count) <= len(decoder):
        return decoder[-int(count) :]
    raise InvalidInputError(
        f"layers as all, decoder, or 'last N' with N up to {len(decoder)}", found=f"'{which}'"
    )


def dataset_of(
    examples: Sequence[TrainingExample], pictures: Path, local: LocalModel, *, replies: bool = True
) -> Any:  # noqa: ANN401 - a library's
    """
    Return the examples as TRL reads them, pictures by their paths; ``id`` names each.

    Tokens of control in words, as a page may have put them there, are spelled so that they stay
    words, as they are when the model is asked.
    """
    from datasets import Dataset, Features, Image, List, Value
    from surefoot.models.weights.generating import plain_words

    store = ObjectStore(pictures)
    part = {"type": Value("string"), "text": Value("string")}
    turn = List({"role": Value("string"), "content": List(part)})
    columns: dict[str, Any] = {"id": Value("string"), "prompt": turn, "images": List(Image())}
    rows = []
    for example in examples:
        messages_of_example = example.messages
        messages = ChatMessages(
            messages_of_example.system,
            plain_words(local, messages_of_example.user),
            messages_of_example.image_first,
        )
        images = example.question.images
        row: dict[str, Any] = {
            "id": example.id,
            "prompt": turns(messages, len(images)),
            "images": [str(store.path(image)) for image in images],
        }
        if replies:
            reply = [{"type": "text", "text": example.completion}]
            row["completion"] = [{"role": "assistant", "content": reply}]
        rows.append(row)
    if replies:
        columns["completion"] = turn
    return Dataset.from_list(rows, features=Features(columns))


class LearningCollator:
    """Collate as TRL does, and refuse a batch in which no token is learned."""

    def __init__(self, collate: Callable[[Any], Any]) -> None:
        self.collate = collate

    def __call__(self, examples: Any) -> Any:  # noqa: ANN401 - a library's
        """Return a batch; raises InvalidInputError where nothing in it is learned."""
        batch = self.collate(examples)
        labels = batch.get("labels")
        if labels is not None and not bool((labels >= 0).any(dim=1).all()):
            raise InvalidInputError(
                "a reply to learn in every example",
                found="one whose tokens were all cut or masked",
                remedy="raise max_length, or leave it out: nothing is cut then",
            )
        return batch


def arguments(training: Training, out: Path, local: LocalModel) -> dict[str, Any]:
    """Return the trainer's arguments: the recipe's, over what a vision-language model needs."""
    on_cpu = local.device == "cpu"
    usual: dict[str, Any] = {
        "output_dir": str(out / CHECKPOINTS),
        "use_cpu": on_cpu,
        "bf16": not on_cpu and local.dtype == "bfloat16",
        "gradient_checkpointing": not on_cpu,
        "seed": training.seed,
        "data_seed": training.seed,
        "report_to": [],
        "logging_steps": 1,
        "save_strategy": "steps",
        "save_steps": SAVED_EVERY,
        "save_total_limit": 2,
        "disable_tqdm": True,
        "dataloader_num_workers": 0,
    }
    if on_cpu and world_size() > ONE_PROCESS:
        usual["ddp_backend"] = "gloo"
    if training.recipe.method == "sft":
        usual["max_length"] = None
    if training.recipe.early_stop:
        usual |= _stopping_early(training.recipe.trainer)
        if training.recipe.method == "grpo":  # its loss says nothing of how good replies are
            usual |= {"metric_for_best_model": "eval_reward", "greater_is_better": True}
    _refuse_absent(training.recipe.trainer.get("report_to", ()))
    return usual | training.recipe.trainer


def _stopping_early(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what keeps the best weights: a checkpoint at every evaluation, patience in each."""
    steps = given.get("eval_steps", given.get("save_steps", SAVED_EVERY))
    if given.get("save_steps", steps) != steps:
        raise InvalidInputError(
            f"save_steps of {steps}, as eval_steps, for the best weights to be there at the end",
            found=given["save_steps"],
        )
    return {
        "load_best_model_at_end": True,
        "restore_callback_states_from_checkpoint": True,
        "eval_strategy": "steps",
        "eval_steps": steps,
        "save_steps": steps,
    }


def _refuse_absent(report_to: str | Sequence[str]) -> None:
    """Raise MissingComponentError where the losses are to be reported to what is not there."""
    from transformers.integrations import get_available_reporting_integrations as available

    wanted = {report_to} if isinstance(report_to, str) else set(report_to)
    if absent := wanted - {"all", "none", *available()}:
        raise MissingComponentError(
            "what report_to names", found=f"no {', '.join(sorted(absent))}", remedy="install it"
        )


def configured(kind: Callable[..., Any], given: Mapping[str, Any]) -> Any:  # noqa: ANN401
    """Return TRL's configuration; raises InvalidInputError for an argument that it refuses."""
    try:
        return kind(**given)
    except (TypeError, ValueError) as error:
        raise InvalidInputError(
            "arguments of TRL's configuration in the recipe's table [trainer]",
            found=str(error)[:300],
            remedy="look them up in TRL's documentation",
        ) from error


def train(
    training: Training,
    data: Path,
    out: Path,
    trainer_of: Callable[[LocalModel, ExamplesBySplit], Any],
    *,
    say: Callable[[str], None],
    rewards: Sequence[str] = (),
    episodes: Sequence[Any] = (),
) -> Outcome:
    """
    Train with the trainer that ``trainer_of`` makes of a model and of examples by split.

    ``episodes`` stand for the examples where DATA has forms.

    Given again after a kill it goes on from the last checkpoint, to the same weights. Raises
    MissingComponentError without TRL, and InvalidInputError for data without examples.
    """
    require_trl()
    parts: dict[str, list[Any]] = {"train": list(episodes)} if episodes else {}
    for example in () if episodes else read_examples(data):
        parts.setdefault(example.split, []).append(example)
    if "train" not in parts:
        raise InvalidInputError(f"examples to learn in {data}", found="none")
    if training.recipe.early_stop and "validation" not in parts:
        raise InvalidInputError(
            f"examples to stop by in {data}",
            found="none for validation",
            remedy="write them with `surefoot train data --validation 0.1`",
        )
    plan = training.plan(manifest_digest(data, "form-bench" if episodes else "training-data"))
    plan |= {"rewards": list(rewards)} if rewards else {}
    with Ledger.open(out, plan) if is_first() else contextlib.nullcontext(), in_silence():
        local = load_to_train(training)
        trainer = trainer_of(local, parts)
        if training.recipe.early_stop:
            from transformers import EarlyStoppingCallback

            trainer.add_callback(EarlyStoppingCallback(training.recipe.early_stop))
        fit(trainer, out, say=say)
        folder = save(trainer, local, out, training)
        if is_first():
            export(out, "trained-model", {})
    return Outcome(out, Tally(total=1, done=1), (), (f"wrote {folder}",))


def fit(trainer: Any, out: Path, *, say: Callable[[str], None] = lambda _: None) -> None:  # noqa: ANN401
    """Train to the end, from the last whole checkpoint where there is one, writing the curve."""
    from transformers import PrinterCallback, TrainerCallback, TrainerState

    last = last_checkpoint(out / CHECKPOINTS)
    begun = int(last.name.partition("-")[2]) if last else 0
    curve = out / CURVE
    kept = [line for line in read_curve(curve) if line["step"] <= begun]
    if is_first():
        write_atomic(curve, b"".join(canonical_json(line) + b"\n" for line in kept))
    spent = last_of(kept, "seconds") - time.process_time()
    trainer._total_train_tokens = int(last_of(kept, "num_tokens"))  # noqa: SLF001 - a kill's loss

    class Curve(TrainerCallback):  # type: ignore[misc]
        def on_log(self, _args, state, _control, logs=None, **_rest) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN003
            if not state.is_world_process_zero or not logs or "train_runtime" in logs:
                return
            seconds = round(spent + time.process_time(), 1)
            line = {"step": state.global_step, "seconds": seconds, **logs}
            with curve.open("ab") as file:
                file.write(canonical_json(line) + b"\n")
            loss = logs.get("loss", logs.get("eval_loss"))
            reward = ""
            if "reward" in logs:
                alike = logs["frac_reward_zero_std"]
                reward = f"  reward {logs['reward']:.3f}, {alike:.0%} of groups without spread"
            if loss is not None:
                say(f"step {state.global_step:,}/{state.max_steps:,}  loss {loss:.4f}{reward}")

    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(Curve())
    state = TrainerState.load_from_json(str(last / STATE)) if last else trainer.state
    stopped = state.stateful_callbacks.get("TrainerControl", {}).get("args", {})
    ended = state.global_step >= state.max_steps or stopped.get("should_training_stop")
    if last is None or not ended:
        _shuffle_as_if_never_stopped(trainer, int(state.epoch or 0))
        trainer.train(resume_from_checkpoint=str(last) if last else None)
        return
    # Transformers would take one step more than there are.
    best = state.best_model_checkpoint if trainer.args.load_best_model_at_end else None
    trainer._load_from_checkpoint(best or str(last))  # noqa: SLF001 - nothing public does
    trainer.state = state


def _shuffle_as_if_never_stopped(trainer: Any, epochs: int) -> None:  # noqa: ANN401 - a library's
    """
    Draw the orders of the epochs that are over, where the trainer would draw the first again.

    TRL's sampler draws the order of each epoch from a generator that no checkpoint keeps.
    Transformers' own samplers draw it from the number of the epoch.
    """
    from trl.trainer.utils import RepeatSampler

    made = trainer._get_train_sampler  # noqa: SLF001 - nothing public does

    def advanced(*given: Any) -> Any:  # noqa: ANN401
        sampler = made(*given)
        if isinstance(sampler, RepeatSampler):
            for _ in range(epochs):
                next(iter(sampler), None)
        return sampler

    trainer._get_train_sampler = advanced  # noqa: SLF001


def last_checkpoint(folder: Path) -> Path | None:
    """Return the last checkpoint that is whole; what a kill left half written is removed."""
    found = sorted(folder.glob("checkpoint-*"), key=lambda path: int(path.name.partition("-")[2]))
    for path in reversed(found):
        state = path / STATE  # the last file of a checkpoint, however many devices write it
        if state.is_file() and state.read_bytes().endswith(b"}\n"):
            return path
        shutil.rmtree(path)
    return None


def read_curve(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a curve; a line that a kill cut short is none."""
    lines = path.read_bytes().split(b"\n")[:-1] if path.is_file() else []
    found = []
    for line in lines:
        try:
            found.append(msgspec.json.decode(line))
        except msgspec.DecodeError:
            break
    return found


def save(trainer: Any, local: LocalModel, out: Path, training: Training) -> Path:  # noqa: ANN401
    """Write the trained model's folder, or its adapter, beside the checkpoints."""
    kind = "adapter" if training.recipe.lora else "model"
    folder = out / kind
    if backend := getattr(local.processor.tokenizer, "backend_tokenizer", None):
        backend.no_padding()  # the last batch's, which would be saved with the model
        backend.no_truncation()
    trainer.save_model(str(folder))
    if is_first():
        if kind == "model":
            local.processor.save_pretrained(folder)
        write_atomic(out / "recipe.json", readable_json(training.recipe))
        write_atomic(out / SPENT, readable_json(_spent(trainer, read_curve(out / CURVE))))
    return folder


def _spent(trainer: Any, curve: Sequence[Mapping[str, float]]) -> TrainingCost:  # noqa: ANN401
    import psutil

    sets = {"train": trainer.train_dataset, "validation": trainer.eval_dataset}
    return TrainingCost(
        examples={name: len(rows) for name, rows in sets.items() if rows is not None},
        processes=world_size(),
        steps=trainer.state.global_step,
        tokens=int(last_of(curve, "num_tokens")),
        cpu_seconds=last_of(curve, "seconds"),
        memory_bytes=psutil.Process().memory_info().rss,
    )


def last_of(curve: Sequence[Mapping[str, float]], name: str) -> float:
    """Return a number of a curve's last line that has it, 0 where none has."""
    return next((line[name] for line in reversed(curve) if name in line), 0)


def trained_model(model: str, out: Path) -> tuple[str, str]:
    """Return how the model that was trained in a folder is asked: its spec, and its adapter."""
    adapter = out / "adapter"
    return (model, str(adapter)) if adapter.is_dir() else (f"hf:{out / 'model'}", "")


def _sees(name: str) -> bool:
    return any(
        part in name.split(".") for part in ("visual", "vision_tower", "vision_model", "merger")
    )
