"""
Reinforcement by groups of replies (GRPO): a reply better than its siblings becomes likelier.

The trainer is TRL's. Each reply is read as ``surefoot run`` reads it, cut where a run cuts it,
and judged by the recipe's rewards.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.core.question import Parsed, Question, Unparsed
from surefoot.models.format import Format
from surefoot.models.model import parsed_reply
from surefoot.models.reading import writable
from surefoot.run.engine.outcome import Outcome
from surefoot.run.folders.folder import is_kind
from surefoot.train.examples import TrainingExample
from surefoot.train.fitting import (
    CURVE,
    ExamplesBySplit,
    Training,
    arguments,
    configured,
    dataset_of,
    lora_config,
    read_curve,
    train,
)
from surefoot.train.reward import REWARDS, ReplyReward

if TYPE_CHECKING:
    from surefoot.models.weights.loading import LocalModel

MOST_UNREAD: Final = 64  # replies in a row


class ReplyReader:
    """
    Read the replies of a model in training to the questions of examples.

    ``ends`` are the tokens that end a reply, and ``limit`` is the most tokens of one, 0 for
    the format's own.
    """

    def __init__(
        self,
        examples: Sequence[TrainingExample],
        form: Format,
        decode: Callable[[Sequence[int]], str],
        ends: Sequence[int],
        limit: int = 0,
    ) -> None:
        self.questions = {example.id: example.question for example in examples}
        self.form = form
        self.decode = decode
        self.ends = ends
        self.limit = limit
        self.unread = 0

    def limit_of(self, example: str) -> int:
        """Return the most tokens of a reply to an example's question."""
        reasoning = self.questions[example].cell.reasoning
        return self.limit or self.form.tokens(reasoning=reasoning)

    def read(self, example: str, tokens: Sequence[int]) -> Parsed:
        """Return what a reply says; one without an end within its limit is cut, as in a run."""
        question = self.questions[example]
        limit = self.limit_of(example)
        end = next((at for at, token in enumerate(tokens[:limit]) if token in self.ends), None)
        text = writable(self.decode(tokens[: limit if end is None else end]))
        return parsed_reply(text, question, self.form, cut=end is None)

    def refuse_unread(self, tokens: Sequence[int], parsed: Parsed) -> None:
        """Raise InvalidInputError where so many replies in a row could not be read."""
        if not isinstance(parsed, Unparsed):
            self.unread = 0
            return
        self.unread += 1
        if self.unread >= MOST_UNREAD:
            raise InvalidInputError(
                f"replies in the format '{self.form.name}'",
                found=f"{self.unread} in a row that are none, the last of them "
                f"{self.decode(tokens)!a:.200} ({parsed.why})",
                remedy="name the format that the model speaks, or train it on replies first",
            )


def train_grpo(
    training: Training, data: Path, out: Path, *, say: Callable[[str], None] = lambda _: None
) -> Outcome:
    """
    Train a model by the rewards of its replies to the questions of a DATA, as ``train_sft`` does.

    DATA may be what ``forms build`` wrote as well; the model then fills in forms.
    Raises as ``train`` does, UnknownNameError for a reward that there is not, and
    InvalidInputError for a recipe without rewards, a question that none of them judges, replies
    that are none, or an argument that TRL does not take.
    """
    if is_kind(data, "form-bench"):
        from surefoot.train.form_rollouts import train_on_forms

        return train_on_forms(training, data, out, say=say)
    recipe = training.recipe
    rewards = [REWARDS.get(reward.name) for reward in recipe.rewards]
    if not rewards or "reward_weights" in recipe.trainer:
        raise InvalidInputError(
            "tables [[rewards]] with name and weight in the recipe",
            found="reward_weights in [trainer]" if rewards else "none",
            remedy="choose of " + ", ".join(REWARDS.entries),
        )

    def trainer_of(local: LocalModel, parts: ExamplesBySplit) -> Any:  # noqa: ANN401
        from trl.trainer.grpo_config import GRPOConfig
        from trl.trainer.grpo_trainer import GRPOTrainer

        reader = ReplyReader(
            [example for examples in parts.values() for example in examples],
            training.form,
            functools.partial(local.tokenizer.decode, skip_special_tokens=True),
            _ends(local),
            recipe.trainer.get("max_completion_length", 0),
        )
        _refuse_unjudged(reader.questions, rewards)
        usual = {"max_completion_length": max(map(reader.limit_of, reader.questions))}
        weights = {"reward_weights": [reward.weight for reward in recipe.rewards]}
        config = configured(GRPOConfig, usual | arguments(training, out, local) | weights)
        _refuse_unaligned(config)
        sets = {
            split: dataset_of(examples, data, local, replies=False)
            for split, examples in parts.items()
        }
        return GRPOTrainer(
            model=local.model,
            reward_funcs=[_judged_by(item, reader, at == 0) for at, item in enumerate(rewards)],
            args=config,
            train_dataset=sets["train"],
            eval_dataset=sets.get("validation"),
            processing_class=local.processor,
            peft_config=lora_config(local.model, recipe.lora) if recipe.lora else None,
        )

    names = [f"{reward.name}@{reward.version}" for reward in rewards]
    outcome = train(training, data, out, trainer_of, say=say, rewards=names)
    return msgspec.structs.replace(outcome, lines=(*outcome.lines, _told(read_curve(out / CURVE))))


def _judged_by(reward: ReplyReward, reader: ReplyReader, first: bool) -> Callable[..., Any]:  # noqa: FBT001
    """Return a reward as TRL calls it, by the name in its logs; the first counts what is read."""

    def judge(
        *,
        completion_ids: list[list[int]],
        log_metric: Callable[..., None],
        **columns: Any,  # noqa: ANN401
    ) -> list[float | None]:
        asked = list(zip(columns["id"], completion_ids, strict=True))
        replies = [reader.read(example, tokens) for example, tokens in asked]
        if first:
            for (_, tokens), parsed in zip(asked, replies, strict=True):
                reader.refuse_unread(tokens, parsed)
            unread = sum(isinstance(parsed, Unparsed) for parsed in replies)
            log_metric("unparsed", unread / len(replies))
        questions = [reader.questions[example] for example, _ in asked]
        return [reward.of(*pair) for pair in zip(questions, replies, strict=True)]

    judge.__name__ = reward.name
    return judge


def _ends(local: LocalModel) -> list[int]:
    """Return the tokens that end a reply in a run."""
    ends = local.model.generation_config.eos_token_id
    return ends if isinstance(ends, list) else [ends]


def _refuse_unjudged(questions: Mapping[str, Question], rewards: Sequence[ReplyReward]) -> None:
    judged = {kind for reward in rewards for kind in reward.asks}
    if unjudged := [name for name, question in questions.items() if question.asks not in judged]:
        raise InvalidInputError(
            "a reward for every question, of " + ", ".join(item.name for item in rewards),
            found=f"{len(unjudged)} that none judges, such as {unjudged[0]}",
            remedy="add the reward 'hit', which judges all",
        )


def _refuse_unaligned(config: Any) -> None:  # noqa: ANN401 - a library's
    """Refuse checkpoints between steps that share replies: those are lost in a kill."""
    shared = config.steps_per_generation * config.num_iterations
    steps = shared // config.gradient_accumulation_steps
    if steps > 1 and config.save_steps % steps:
        raise InvalidInputError(
            f"save_steps as a multiple of {steps}, the steps that learn from the same replies",
            found=f"{config.save_steps}",
            remedy="change it in the recipe's table [trainer]",
        )


def _told(curve: Sequence[Mapping[str, float]]) -> str:
    """Say how the reward went, and how much of the replies could teach nothing."""
    steps = [line for line in curve if "reward" in line]
    tenth = max(1, len(steps) // 10)

    def mean(name: str, lines: Sequence[Mapping[str, float]]) -> float:
        return sum(line[name] for line in lines) / len(lines)

    alike = mean("frac_reward_zero_std", steps)
    return (
        f"mean reward {mean('reward', steps[:tenth]):.3f} in the first {tenth} of {len(steps)} "
        f"steps, {mean('reward', steps[-tenth:]):.3f} in the last; {alike:.1%} of groups without "
        f"spread, {mean('unparsed', steps):.1%} of replies unparsed"
        + "; nothing was learned, since no group had a better reply"
        * (alike == 1)
    )
