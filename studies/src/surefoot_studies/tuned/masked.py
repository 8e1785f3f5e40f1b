"""
Hidden Forms' manifold gain, taken apart: the space, the boxes, and what masks teach.

The toy model first learns to answer in boxes, in thousandths of the picture, as a model comes
from its maker. Then it is asked where a covered figure is, in pixels of an enlarged picture, and
four ways are compared: as it is, with its run calibrated, trained on boxes in that space without
a mask, and trained on masks.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from surefoot.core.question import Answer, Question, Refusal, Unparsed
from surefoot.models.format import Format
from surefoot.models.formats.qwen3_vl import QWEN3_VL
from surefoot.models.formats.qwen25_vl import read
from surefoot.models.reading import Place
from surefoot.models.spaces import resized_pixels
from surefoot.models.spelling import SIDES
from surefoot.run.folders.folder import read_questions
from surefoot.score.boxes import best_iou
from surefoot.score.calibration import Calibration, calibrate
from surefoot.score.hits import judge
from surefoot.score.stats.arrays import Floats
from surefoot.score.stats.paired import paired_change
from surefoot.train.mixture import Draw, Mixture
from surefoot.train.recipe import TrainingRecipe
from surefoot_studies.tiny.bench import write_clicks
from surefoot_studies.tiny.cli import WEIGHTS
from surefoot_studies.tiny.drawing import MASKS
from surefoot_studies.tiny.prompting import CALL
from surefoot_studies.tiny.recipe import TINY
from surefoot_studies.tiny.spoken import GridSpelling
from surefoot_studies.tuned.fitting import answers_of, learned

TIMES: Final = 6  # by how much pictures are enlarged whose pixels are asked for
PIXELS: Final = TIMES**2 * TINY.layout.width * TINY.layout.height


class CentredSpelling(GridSpelling, frozen=True, kw_only=True):
    """Spell a box as its centre, its width and its height."""

    def place(self, numbers: Sequence[float]) -> str:
        """Spell the four sides of a box."""
        left, top, right, bottom = numbers
        return super().place(((left + right) / 2, (top + bottom) / 2, right - left, bottom - top))


def read_centred(text: str) -> Place | Refusal | Unparsed:
    """
    Read a call of Qwen3-VL's whose coordinate has a box's centre, width and height.

    >>> read_centred('<tool_call>{"name": "computer_use", "arguments": '
    ...              '{"action": "left_click", "coordinate": [500, 260, 180, 100]}}</tool_call>')
    Place(numbers=(410.0, 210.0, 590.0, 310.0))
    """
    found = read(text)
    if not isinstance(found, Place) or len(found.numbers) != len(SIDES):
        return found
    across, down, wide, tall = found.numbers
    half = abs(wide) / 2, abs(tall) / 2
    return Place((across - half[0], down - half[1], across + half[0], down + half[1]))


SPOKEN: Final[Format] = msgspec.structs.replace(
    QWEN3_VL,
    name="tiny-boxes",
    models=(),
    read=read_centred,
    writes=CentredSpelling(
        box=CALL[1].join(("{left}", "{top}", "{right}", "{bottom}")).join((CALL[0], CALL[2])),
        grid=TINY.grid,
    ),
)
ASKED: Final[Format] = msgspec.structs.replace(
    SPOKEN, name="tiny-enlarged-boxes", space=resized_pixels(32, PIXELS, 100 * PIXELS)
)
VARIANTS: Final = ("original", *MASKS)
WAYS: Final = ("untrained", "calibrated, untrained", "boxes without masks", "masks")
METRICS: Final = ("iou", "bcp")
LEVEL: Final = 0.05


class MaskedScore(msgspec.Struct, frozen=True):
    """Hold the mean IoU and BCP of one way under one variant."""

    way: str
    variant: str
    iou: float
    bcp: float


class MaskedStep(msgspec.Struct, frozen=True):
    """Hold what one way adds to the one before it under a mask, simultaneous at 95 %."""

    way: str
    mask: str
    metric: str
    change: float
    low: float
    high: float


class MaskedStudy(msgspec.Struct, frozen=True):
    """Hold what each way came to, what it added, and what was spent on it (CPU seconds)."""

    elements: int
    scores: tuple[MaskedScore, ...]
    steps: tuple[MaskedStep, ...]
    rule: Calibration
    seconds: dict[str, float]
    examples: int
    updates: int


def study_masks(out: Path, *, seed: int, screens: int, steps: int) -> MaskedStudy:
    """
    Train and ask the four ways; what is finished below ``out`` is not done again.

    ``screens`` are measured on, a click each; each training has so many ``steps`` of 16, and sees
    every example about twice.
    """
    examples = max(1, 15 * steps // 4)  # screens, two clicks on each
    held = write_clicks(out / "held", seed=seed + 1, screens=screens, clicked=1, variants=VARIANTS)
    fitted = write_clicks(
        out / "fitted", seed=seed + 2, screens=screens, clicked=1, variants=MASKS
    )
    recipe = TrainingRecipe(
        "sft",
        trainer={
            "max_steps": steps,
            "learning_rate": 7e-4,
            "per_device_train_batch_size": 16,
            "save_steps": steps,
        },
    )
    seconds, models = {}, {"untrained": out / "untrained" / "trained" / "model"}
    even = tuple(
        Draw(count=max(1, 2 * examples // len(MASKS)), variants=(mask,)) for mask in MASKS
    )
    plans = (
        ("untrained", WEIGHTS, SPOKEN, ("original",), Mixture(), 3),
        ("boxes without masks", models["untrained"], ASKED, ("original",), Mixture(), 4),
        ("masks", models["untrained"], ASKED, MASKS, Mixture(even), 4),
    )
    for way, begin, form, variants, mixture, number in plans:
        folder = out / way.replace(" ", "-")
        source = write_clicks(
            out / f"learned-{number}-{variants[0]}",
            seed=seed + number,
            screens=examples,
            clicked=2,
            variants=variants,
        )
        seconds[way] = learned(
            folder, begin, recipe, [source], mixture=mixture, form=form, seed=seed
        )
        models[way] = folder / "trained" / "model"
    questions = read_questions(held)
    found = {
        way: answers_of(model, held, out / f"{way}.jsonl", ASKED) for way, model in models.items()
    }
    rule = calibrate(
        read_questions(fitted),
        answers_of(models["untrained"], fitted, out / "fitted.jsonl", ASKED),
        model="untrained",
        overlap=True,
        seed=seed,
    )
    sizes = {question.id: (question.width, question.height) for question in questions}
    found["calibrated, untrained"] = [
        msgspec.structs.replace(
            answer, parsed=rule.rule.place(answer.parsed, *sizes[answer.question])
        )
        for answer in found["untrained"]
    ]
    values = {way: _values(questions, found[way]) for way in WAYS}
    return MaskedStudy(
        elements=screens,
        scores=tuple(_scores(questions, values)),
        steps=tuple(_steps(questions, values)),
        rule=rule,
        seconds=seconds,
        examples=2 * examples,
        updates=steps,
    )


def _values(questions: Sequence[Question], answers: Sequence[Answer]) -> dict[str, Floats]:
    """Return the IoU and the BCP of each question."""
    replied = {answer.question: answer for answer in answers}
    hits = judge(questions, answers)
    return {
        "iou": np.array([best_iou(question, replied[question.id]) for question in questions]),
        "bcp": np.array([float(hits[question.id]) for question in questions]),
    }


def _scores(
    questions: Sequence[Question], values: Mapping[str, Mapping[str, Floats]]
) -> Iterator[MaskedScore]:
    for way in WAYS:
        for variant in VARIANTS:
            rows = np.array([question.cell.variant == variant for question in questions])
            iou, bcp = (float(values[way][metric][rows].mean()) for metric in METRICS)
            yield MaskedScore(way, variant, iou, bcp)


def _steps(
    questions: Sequence[Question], values: Mapping[str, Mapping[str, Floats]]
) -> Iterator[MaskedStep]:
    level = LEVEL / (len(MASKS) * len(METRICS) * (len(WAYS) - 1))
    for mask, (before, way), metric in itertools.product(MASKS, itertools.pairwise(WAYS), METRICS):
        rows = np.array([question.cell.variant == mask for question in questions])
        home = np.arange(int(rows.sum()))  # a click a screen
        change = paired_change((values[way][metric] - values[before][metric])[rows], home, 1.0)
        interval = change.interval(1 - level)
        low, high = (interval.low, interval.high) if interval else (-1.0, 1.0)
        yield MaskedStep(way, mask, metric, change.mean, low, high)
