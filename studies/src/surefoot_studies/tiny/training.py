"""
Training from nothing: a model learns drawn screens step by step, and goes on after a kill.

The weights follow from the recipe, the libraries and the number of threads: a step's examples
are drawn from its number, so that a run that was stopped ends where one that was not does.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from surefoot.core.canonical import canonical_json, decode, digest, readable_json
from surefoot.core.children import environment_of_children
from surefoot.core.errors import InvalidInputError
from surefoot.core.files import write_atomic
from surefoot_studies.tiny.building import fresh_model
from surefoot_studies.tiny.examples import BatchMaker, ExampleBatch
from surefoot_studies.tiny.guessing import guess, validation
from surefoot_studies.tiny.prompting import Prompter
from surefoot_studies.tiny.recipe import CurvePoint, DrawnRecipe
from surefoot_studies.tiny.tokenizing import train_tokenizer

if TYPE_CHECKING:
    from surefoot_studies.tiny.examples import Tensor, Tensors


CURVE: Final = "curve.jsonl"
CHECKPOINT: Final = "checkpoint.pt"
RECIPE: Final = "recipe.json"
MATRIX: Final = 2  # dimensions of what Muon takes
TABLES: Final = ("embed_tokens.weight", "pos_embed.weight", "lm_head.weight")
CLIP: Final = 1.0
AHEAD: Final = 3  # batches that each worker may be ahead
LEAST_RATE: Final = 0.02  # of the full one, at the end


class Learner:
    """Hold a model, its tokenizer and its optimisers, and take steps."""

    def __init__(self, recipe: DrawnRecipe, device: str = "cpu") -> None:
        import torch

        self.recipe = recipe
        self.step = 0
        self.prompter = Prompter(recipe.speaks, recipe.layout, recipe.grid)
        self.tokenizer = train_tokenizer(self.prompter, recipe.vocabulary)
        torch.manual_seed(recipe.seed)
        self.model = fresh_model(recipe.size, self.tokenizer).to(device)
        self.batches = BatchMaker(recipe, self.tokenizer)
        self.device = device
        self._image = self.tokenizer.convert_tokens_to_ids("<|image_pad|>")
        plan = recipe.plan
        inner = {
            name: weight
            for name, weight in self.model.named_parameters()
            if weight.ndim == MATRIX and not name.endswith(TABLES)
        }
        others = [item for name, item in self.model.named_parameters() if name not in inner]
        self.optimisers = (
            torch.optim.Muon([*inner.values()], lr=plan.rate, weight_decay=plan.decay),
            torch.optim.AdamW(others, lr=plan.slow, betas=(0.9, 0.98), weight_decay=0.0),
        )

    def on_device(self, batch: ExampleBatch) -> tuple[Tensors, Tensor]:
        """Return what the model takes of a batch, and what it is to learn."""
        return batch.on(self.device, self.recipe, self._image)

    def learn(self, batch: ExampleBatch) -> float:
        """Take one step; return its loss, summed over a reply's tokens."""
        import torch

        plan = self.recipe.plan
        given, wanted = self.on_device(batch)
        for optimiser, rate in zip(self.optimisers, (plan.rate, plan.slow), strict=True):
            for group in optimiser.param_groups:
                group["lr"] = rate * self._share()
        self.model.train()
        with self._numbers():
            states = self.model.model(**given).last_hidden_state[:, :-1]
            wanted = wanted[:, 1:]
            learnt = wanted >= 0
            logits = self.model.lm_head(states[learnt])
        loss = torch.nn.functional.cross_entropy(logits.float(), wanted[learnt], reduction="sum")
        loss = loss / plan.batch
        self.model.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
        for optimiser in self.optimisers:
            optimiser.step()
        self.step += 1
        return float(loss.detach())

    def state(self) -> dict[str, object]:
        """Return all that the next step depends on."""
        return {
            "recipe": digest(self.recipe),
            "step": self.step,
            "model": self.model.state_dict(),
            "optimisers": [optimiser.state_dict() for optimiser in self.optimisers],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state; raises InvalidInputError for one of another recipe."""
        if state["recipe"] != digest(self.recipe):
            raise InvalidInputError(
                "a checkpoint of this recipe",
                found="one of another",
                remedy="name another folder, or the recipe that it was begun with",
            )
        self.model.load_state_dict(state["model"])
        for optimiser, kept in zip(self.optimisers, state["optimisers"], strict=True):
            optimiser.load_state_dict(kept)
        self.step = state["step"]

    def _share(self) -> float:
        """Return the share of the full rate: it rises at first, and falls in the second half."""
        plan = self.recipe.plan
        rising = min(1.0, (self.step + 1) / max(1, plan.warmup))
        falling = min(1.0, 2 * (1 - self.step / plan.steps))
        return rising * max(LEAST_RATE, falling)

    def _numbers(self) -> contextlib.AbstractContextManager[object]:
        import torch

        if self.device == "cpu":
            return contextlib.nullcontext()
        numbers: contextlib.AbstractContextManager[object] = torch.autocast("cuda", torch.bfloat16)
        return numbers


def set_up(threads: int) -> None:
    """Choose how many threads compute; another number gives other last digits."""
    import torch

    torch.set_num_threads(threads)


def train_in(  # noqa: PLR0913 - one argument an option
    recipe: DrawnRecipe,
    out: Path,
    *,
    device: str = "cpu",
    minutes: float = 0.0,
    keep_every: float = 120.0,
    point_every: int = 50,
    guess_every: int = 250,
    workers: int = 0,
    held_out: int = 64,
    say: Callable[[CurvePoint], None] = lambda _: None,
) -> tuple[Learner, list[CurvePoint]]:
    """
    Train a model in the folder ``out``, or go on there; return it with its curve.

    A checkpoint is kept every ``keep_every`` seconds and at the end, the curve in
    ``curve.jsonl`` with guesses on ``held_out`` screens. Batches are drawn here, or ahead in so
    many ``workers``. After ``minutes`` above 0 it stops where it is. Raises InvalidInputError
    for a folder in which another recipe was begun.
    """
    learner, points = _begun(recipe, out, device)
    began, kept, held = (
        time.monotonic(),
        time.monotonic(),
        list(validation(learner.prompter, held_out)),
    )
    spent = (points[-1].seconds if points else 0.0) - time.process_time()
    losses: list[float] = []
    for batch in _batches(learner, workers):
        losses.append(learner.learn(batch))
        over = bool(minutes) and time.monotonic() - began > 60 * minutes
        last = over or learner.step == recipe.plan.steps
        if learner.step % point_every == 0 or last:
            guessed = learner.step % guess_every == 0 or last
            points.append(
                CurvePoint(
                    learner.step,
                    round(sum(losses) / len(losses), 4),
                    round(time.process_time() + spent, 1),
                    guess(learner, held) if guessed else None,
                )
            )
            losses.clear()
            say(points[-1])
            if last or time.monotonic() - kept > keep_every:
                _keep(learner, points, out)
                kept = time.monotonic()
        if over:
            break
    return learner, points


def _batches(learner: Learner, workers: int) -> Iterator[ExampleBatch]:
    """Yield the batches of all steps that are left, each drawn from its number alone."""
    steps = range(learner.step, learner.recipe.plan.steps)
    if not workers:
        yield from map(learner.batches.step, steps)
        return
    spawning = multiprocessing.get_context("spawn")
    with environment_of_children(), ProcessPoolExecutor(workers, mp_context=spawning) as pool:
        ahead: deque[Future[ExampleBatch]] = deque()
        for step in steps:
            ahead.append(pool.submit(learner.batches.step, step))
            if len(ahead) > AHEAD * workers:
                yield ahead.popleft().result()
        yield from (future.result() for future in ahead)


def _begun(recipe: DrawnRecipe, out: Path, device: str) -> tuple[Learner, list[CurvePoint]]:
    import torch

    learner = Learner(recipe, device)
    out.mkdir(parents=True, exist_ok=True)
    if (out / CHECKPOINT).is_file():
        learner.restore(torch.load(out / CHECKPOINT, map_location=device, weights_only=True))
        return learner, [point for point in read_curve(out / CURVE) if point.step <= learner.step]
    write_atomic(out / RECIPE, readable_json(recipe))
    return learner, []


def read_curve(path: Path) -> Iterator[CurvePoint]:
    """Yield the points of a curve."""
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        yield decode(line, CurvePoint, what=f"line {number} of {path}")


def _keep(learner: Learner, points: list[CurvePoint], out: Path) -> None:
    """Write the curve, then the checkpoint that it leads to, which takes its name when whole."""
    import torch

    write_atomic(out / CURVE, b"".join(canonical_json(point) + b"\n" for point in points))
    partial = out / f".{CHECKPOINT}.partial"
    torch.save(learner.state(), partial)
    os.replace(partial, out / CHECKPOINT)  # noqa: PTH105 - the one name for it
