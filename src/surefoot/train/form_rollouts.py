"""
Training by live forms: a model fills one in, call by call, and is rewarded by the form's score.

TRL lets the model call tools until it calls none (``environment_factory``), learns its own
tokens and not those of the pictures that come back. Prompts, actions, pages and scores are those
of ``surefoot forms run --policy step --actions qwen``; the turns are one chat here.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from PIL import Image

from surefoot.core.errors import CaptureError, InvalidInputError
from surefoot.core.question import Unparsed
from surefoot.environments.gymnasium import FormEnv, Seen
from surefoot.forms.desk.application import serve_desk
from surefoot.forms.desk.cases import Offer
from surefoot.forms.driver.agent import FormTask
from surefoot.forms.driver.language import ACTION_LANGUAGES
from surefoot.forms.driver.limits import EpisodeLimits
from surefoot.forms.driver.observation import Observation
from surefoot.forms.scoring.episodes import EpisodeScore
from surefoot.models.format import ChatMessages
from surefoot.models.spaces import Space
from surefoot.run.engine.outcome import Outcome
from surefoot.run.forms.building import FormBench, read_forms
from surefoot.run.forms.models import in_pixels
from surefoot.run.forms.prompts import FormPrompt
from surefoot.train.fitting import (
    ExamplesBySplit,
    Training,
    arguments,
    configured,
    is_first,
    lora_config,
    train,
)
from surefoot.train.recipe import FormPages
from surefoot.train.reward import REWARDS, ReplyReward

if TYPE_CHECKING:
    from surefoot.models.weights.loading import LocalModel

LANGUAGE: Final = ACTION_LANGUAGES.get("qwen")
Content: TypeAlias = list[dict[str, Any]]


class FormRollout:
    """
    Fill in forms by a tool, each in a browser of its own; TRL resets one for every attempt.

    TRL takes each public method but ``reset`` for a tool. ``words`` spells a page's words so
    that none is a token of control.
    """

    def __init__(
        self,
        desk: str,
        space: Space,
        pages: FormPages,
        agent: str = "training",
        words: Callable[[str], str] = str,
    ) -> None:
        self.env = FormEnv(
            desk=desk,
            actions=LANGUAGE.name,
            width=pages.width,
            height=pages.height,
            limits=EpisodeLimits(replies=pages.replies),
            level=pages.level,
            agent=agent,
        )
        self._space, self._pages, self._words = space, pages, words
        self._over = False
        self._failed: CaptureError | None = None

    def reset(self, form: str, instance: int, seed: int, **_: object) -> Content:
        """Open an episode; return its picture and its task, as a model is told of both."""
        seen, _ = self.env.reset(seed=seed, options={"form": form, "instance": instance})
        self._over, self._failed = False, None
        task = FormTask(seen["paper"], files=tuple(seen["files"]))
        return self._shown(seen, told(task, self._space, self._pages).user)

    def computer_use(  # noqa: PLR0913, PLR0917 - the arguments of Qwen's tool
        self,
        action: str,
        coordinate: list[float] | None = None,
        start_coordinate: list[float] | None = None,
        text: str | None = None,
        keys: list[str] | None = None,
        pixels: float | None = None,
        time: float | None = None,
        file: str | None = None,
        status: str | None = None,
    ) -> Content:
        """
        Use the mouse and the keyboard on the form.

        Args:
            action: What to do, such as left_click, type, key, scroll, next_page or submit_form.
            coordinate: The place [x, y].
            start_coordinate: The place [x, y] that a drag begins at.
            text: The text to type.
            keys: The keys to press together.
            pixels: How far to scroll, above 0 for up.
            time: The seconds to wait.
            file: The name of the file to upload.
            status: How it ended, for terminate.
        """
        if self._over:
            return [{"type": "text", "text": "The form is closed."}]
        given = {
            "action": action,
            "coordinate": coordinate,
            "start_coordinate": start_coordinate,
            "text": text,
            "keys": keys,
            "pixels": pixels,
            "time": time,
            "file": file,
            "status": status,
        }
        named = {name: value for name, value in given.items() if value is not None}
        size = self._pages.width, self._pages.height
        read = [
            in_pixels(unparsed, self._space, *size)
            for unparsed in LANGUAGE.read(json.dumps(named))
        ]
        calls = [LANGUAGE.write(click) for click in read if not isinstance(click, Unparsed)]
        try:
            seen, _, ended, cut, info = self.env.step("\n".join(calls))
        except CaptureError as error:  # TRL would say it to the model, and go on
            self._failed = error
            raise
        self._over = ended or cut
        wrong = [unparsed.why for unparsed in read if isinstance(unparsed, Unparsed)] + info[
            "refused"
        ]
        return self._shown(seen, "; ".join(wrong) or "Done.")

    @property
    def score(self) -> EpisodeScore:
        """Return the score as it stands; raises CaptureError where the browser failed."""
        if self._failed is not None:
            raise self._failed
        return self.env.score()

    def _shown(self, seen: Seen, words: str) -> Content:
        picture = Image.fromarray(seen["screenshot"])
        return [
            {"type": "image", "image": picture},
            {"type": "text", "text": self._words(words)},
        ]


def told(task: FormTask, space: Space, pages: FormPages) -> ChatMessages:
    """Return what a model is told of a form, as ``surefoot forms run`` tells it."""
    seen = Observation(b"", pages.width, pages.height, 1)
    return FormPrompt(task, "step", LANGUAGE, space).messages(seen)


def episodes_of(built: FormBench, space: Space, pages: FormPages) -> Iterator[dict[str, object]]:
    """Yield the episodes of a folder as TRL's rows, each beginning with the system's words."""
    system = told(FormTask(""), space, pages).system
    turns = [
        {"role": role, "content": [{"type": "text", "text": words}]}
        for role, words in (("system", system), ("user", ""))
    ]
    for form in built.forms:
        for index in range(built.instances):
            yield {"prompt": turns, "form": form.id, "instance": index, "seed": built.seed}


def train_on_forms(
    training: Training, bench: Path, out: Path, *, say: Callable[[str], None] = lambda _: None
) -> Outcome:
    """
    Train a model by the scores of the forms that it fills in, on what ``forms build`` wrote.

    Each attempt of a group has a browser; OUT/desk has what came of the last ones. Raises as
    ``train_grpo`` does, and InvalidInputError for a reward that judges no forms, or a model
    whose chat template calls no tools.
    """
    recipe, pages, space = training.recipe, training.recipe.forms, training.form.space
    rewards = [REWARDS.get(reward.name) for reward in recipe.rewards]
    if not rewards or any(item.of_form is None for item in rewards):
        judging = [name for name, entry in REWARDS.entries.items() if entry.of_form is not None]
        raise InvalidInputError(
            "tables [[rewards]] that judge forms in the recipe",
            found=", ".join(item.name for item in rewards) or "none",
            remedy="choose of " + ", ".join(judging),
        )
    built = read_forms(bench)
    with contextlib.ExitStack() as stack:
        folder = out / f"desk{'' if is_first() else os.environ['RANK']}"
        desk = stack.enter_context(serve_desk(folder, Offer(built.forms)))
        opened = itertools.count(1)

        def trainer_of(local: LocalModel, parts: ExamplesBySplit) -> Any:  # noqa: ANN401
            from trl.trainer.grpo_config import GRPOConfig
            from trl.trainer.grpo_trainer import GRPOTrainer

            from datasets import Dataset
            from surefoot.models.weights.generating import plain_words

            def rollout() -> Any:  # noqa: ANN401 - TRL's protocol
                agent = f"rollout-{next(opened)}"
                one = FormRollout(desk, space, pages, agent, lambda text: plain_words(local, text))
                stack.callback(one.env.close)
                return one

            usual = {"max_tool_calling_iterations": pages.replies}
            weights = {"reward_weights": [reward.weight for reward in recipe.rewards]}
            config = configured(GRPOConfig, usual | arguments(training, out, local) | weights)
            try:
                return GRPOTrainer(
                    model=local.model,
                    reward_funcs=[_judged_by(item) for item in rewards],
                    args=config,
                    train_dataset=Dataset.from_list(list(parts["train"])),
                    processing_class=local.processor,
                    peft_config=lora_config(local.model, recipe.lora) if recipe.lora else None,
                    environment_factory=rollout,
                )
            except ValueError as error:
                raise InvalidInputError(
                    "a model whose chat template calls tools, in a way that TRL knows",
                    found=str(error)[:300],
                    remedy="take one that was trained to call tools, such as Qwen3-VL",
                ) from error

        rows = list(episodes_of(built, space, pages))
        names = [f"{reward.name}@{reward.version}" for reward in rewards]
        return train(training, bench, out, trainer_of, say=say, rewards=names, episodes=rows)


def _judged_by(reward: ReplyReward) -> Callable[..., list[float]]:
    """Return a reward as TRL calls it, by the name in its logs."""

    def judge(*, environments: list[FormRollout], **_: object) -> list[float]:
        assert reward.of_form is not None  # noqa: S101 - refused before
        return [reward.of_form(environment.score) for environment in environments]

    judge.__name__ = reward.name
    return judge
