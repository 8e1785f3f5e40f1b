"""
GUI-Perturbed's finding, that LoRA on perturbed data does not help, as the null to beat.

The paper's adapter lies on the last sixth of the linear layers and learns at 1e-5. Beside it stand
the same on all layers, and both at a rate at which the toy model learns, each on the four mixtures
of the paper's table 3, cut to a share and with as many steps as there.
"""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from surefoot.models.opening import FORMATS
from surefoot.run.folders.folder import read_questions
from surefoot.score.hits import judge
from surefoot.score.stats.arrays import Floats
from surefoot.score.stats.paired import paired_change
from surefoot.train.mixture import Mixture, mixture_named
from surefoot.train.recipe import Lora, recipe_named
from surefoot_studies.tiny.bench import write_clicks
from surefoot_studies.tiny.cli import WEIGHTS
from surefoot_studies.tuned.fitting import answers_of, learned

LOOKS: Final = 5  # draws of "style" that are learned from; another one is measured
CLICKED: Final = 3
BATCH: Final = 8
MOST: Final = 3250  # of an axis that a mixture draws from one look
LEARNED: Final = ("original", "style", "precision", "text_shrink")
AXES: Final = (*LEARNED, "dark-ground", "grey-ground", "small")
MIXTURES: Final = ("style", "text-shrink-precision", "all", "25k")
LEVEL: Final = 0.05


class TunedAdapter(msgspec.Struct, frozen=True):
    """Name a recipe for an adapter, the layers it lies on, and its rate."""

    name: str
    preset: str
    layers: str
    rate: float


# The last 32 of 196 linear layers are a sixth, and so are the last 5 of the toy model's 28.
ADAPTERS: Final = (
    TunedAdapter("last sixth, 1e-5", "gui-perturbed", "last 5", 1e-5),
    TunedAdapter("last sixth, 2e-3", "gui-perturbed", "last 5", 2e-3),
    TunedAdapter("all layers, 1e-4", "gui-perturbed-all-layers", "decoder", 1e-4),
    TunedAdapter("all layers, 2e-3", "gui-perturbed-all-layers", "decoder", 2e-3),
)


class TunedChange(msgspec.Struct, frozen=True):
    """
    Hold the hit rate under an axis before and after, and the change's simultaneous interval.
    """

    adapter: str
    mixture: str
    axis: str
    before: float
    change: float
    low: float
    high: float


class TunedStudy(msgspec.Struct, frozen=True):
    """Hold every change, and what was learned and spent (CPU seconds) by adapter and mixture."""

    screens: int
    changes: tuple[TunedChange, ...]
    examples: dict[str, int]
    seconds: dict[str, float]


def study_adapters(out: Path, *, seed: int, screens: int, share: float) -> TunedStudy:
    """
    Train each adapter on each mixture and ask it; what is finished is not done again.

    ``screens`` are measured on, a click each under every axis; ``share`` is what is taken of the
    paper's counts.
    """
    held = write_clicks(out / "held", seed=seed + 11, screens=screens, clicked=1, variants=AXES)
    mixtures = {name: cut(mixture_named(f"gui-perturbed-{name}"), share) for name in MIXTURES}
    sources = _sources(out, share, seed)
    before = _hits(out / "untrained.jsonl", held)
    level = LEVEL / (len(ADAPTERS) * len(MIXTURES) * len(AXES))
    changes, seconds = [], {}
    for adapter, (name, mixture) in itertools.product(ADAPTERS, mixtures.items()):
        folder = out / f"{adapter.preset}-{adapter.rate:g}-{name}"
        recipe = recipe_named(
            adapter.preset,
            "sft",
            {
                "learning_rate": adapter.rate,
                "per_device_train_batch_size": BATCH,
                "gradient_accumulation_steps": 1,
                "save_steps": 10_000,
            },
        )
        lora = msgspec.structs.replace(recipe.lora or Lora(), layers=adapter.layers)
        seconds[f"{adapter.name}, {name}"] = learned(
            folder,
            WEIGHTS,
            msgspec.structs.replace(recipe, lora=lora),
            sources,
            mixture=mixture,
            form=FORMATS.get("tiny"),
            seed=seed,
        )
        after = _hits(folder / "answers.jsonl", held, str(folder / "trained" / "adapter"))
        for axis in AXES:
            change = paired_change(after[axis] - before[axis], np.arange(screens), 1.0)
            interval = change.interval(1 - level)
            low, high = (interval.low, interval.high) if interval else (-1.0, 1.0)
            rate = float(before[axis].mean())
            changes.append(TunedChange(adapter.name, name, axis, rate, change.mean, low, high))
    counts = {name: sum(draw.count for draw in item.draw) for name, item in mixtures.items()}
    return TunedStudy(screens, tuple(changes), counts, seconds)


def cut(mixture: Mixture, share: float) -> Mixture:
    """
    Return a mixture with a share of its counts, one at least.

    >>> [draw.count for draw in cut(mixture_named("gui-perturbed-25k"), 1 / 1000).draw]
    [3, 16, 3, 3]
    """
    draws = tuple(
        msgspec.structs.replace(draw, count=max(1, round(share * draw.count)))
        for draw in mixture.draw
    )
    return msgspec.structs.replace(mixture, draw=draws)


def _sources(out: Path, share: float, seed: int) -> list[Path]:
    """Write as many screens in every look as the mixtures draw from; return their BENCHes."""
    screens = math.ceil(share * MOST / CLICKED) + 1
    return [
        write_clicks(
            out / f"look-{look}",
            seed=seed + 12,
            screens=screens,
            clicked=CLICKED,
            variants=LEARNED if look == 1 else ("style",),
            look=look,
        )
        for look in range(1, LOOKS + 1)
    ]


def _hits(out: Path, held: Path, adapter: str = "") -> dict[str, Floats]:
    """Ask a model once, and return its hits by axis, in the order of the screens."""
    answers = answers_of(WEIGHTS, held, out, FORMATS.get("tiny"), adapter=adapter)
    questions = read_questions(held)
    found = judge(questions, answers)
    by_axis: dict[str, dict[str, bool]] = {}
    for question in questions:
        by_axis.setdefault(question.cell.variant, {})[question.pair] = found[question.id]
    return {
        axis: np.array([float(hit) for _, hit in sorted(pairs.items())])
        for axis, pairs in by_axis.items()
    }
