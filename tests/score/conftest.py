"""
Questions, answers and tables made by hand or by chance, for scores.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from scipy.stats import t as student

from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Direction, Expression, Instruction
from surefoot.core.question import Answer, Cell, Parsed, Question
from surefoot.score.outcomes import Outcomes, Record, tabulate

RecordMaker = Callable[..., Record]
TableMaker = Callable[..., Outcomes]
VARIANTS = ("original", "zoom")


def make_record(  # noqa: PLR0913 - each is a column of the table
    parsed: Parsed | None,
    *,
    model: str = "model",
    pair: str = "a",
    cluster: str = "page",
    variant: str = "original",
    instruction: str = "direct",
    reasoning: bool = False,
    truth: Box = Box(100.0, 100.0, 140.0, 120.0),  # noqa: B008 - frozen
    direction: Direction | None = None,
    role: str = "button",
) -> Record:
    """Build one record about a 1000 x 500 picture; None is a failed unit."""
    cell = Cell(variant, instruction, reasoning)
    question = Question(
        id=f"{pair}/{variant}/{instruction}/{reasoning}",
        pair=pair,
        cluster=cluster,
        cell=cell,
        screen="screen",
        image="",
        width=1000,
        height=500,
        instruction=Instruction(
            text="Click",
            language="en",
            kind="relational" if instruction == "relational" else "direct",
            specificity="high",
            expression=Expression(direction=direction),
            target=pair,
        ),
        truth=truth,
        role=role,
    )
    return model, question, None if parsed is None else Answer(question.id, "", parsed)


def make_pairs(
    results: Sequence[tuple[str, bool, bool]], *, model: str = "model", truth: Box | None = None
) -> Outcomes:
    """Build a table of pairs from (cluster, hit in the original, hit in the zoom)."""
    box = truth or Box(100.0, 100.0, 140.0, 120.0)
    places = {True: box.center, False: Point(900.0, 400.0)}
    return tabulate(
        make_record(
            places[hit], model=model, pair=f"p{index}", cluster=cluster, variant=variant, truth=box
        )
        for index, (cluster, *both) in enumerate(results)
        for variant, hit in zip(VARIANTS, both, strict=True)
    )


def draw_pairs(seed: int, clusters: int, size: int) -> list[tuple[str, bool, bool]]:
    """Draw results of pairs whose clusters differ in difficulty and in what zoom does."""
    random = np.random.default_rng(seed)
    drawn = []
    for cluster in range(clusters):
        before, after = random.beta(2, 1), random.beta(1.5, 1)
        drawn += [
            (f"c{cluster:03}", bool(random.random() < before), bool(random.random() < after))
            for _ in range(size)
        ]
    return drawn


@pytest.fixture
def record() -> RecordMaker:
    """Make one record."""
    return make_record


@pytest.fixture
def pairs_table() -> TableMaker:
    """Make a table of pairs from their results."""
    return make_pairs


@pytest.fixture
def drawn_pairs() -> Callable[[int, int, int], list[tuple[str, bool, bool]]]:
    """Draw clustered results by a seed."""
    return draw_pairs


@pytest.fixture
def jackknife() -> Callable[[Sequence[Sequence[float]]], tuple[float, float]]:
    """Return the interval of a mean in [0, 1], group by group in a loop, by scipy's t."""
    return by_jackknife


def by_jackknife(groups: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Leave out one group after the other, and take t on the scale of log-odds."""
    every = [value for group in groups for value in group]
    mean = sum(every) / len(every)
    moves = []
    for group in range(len(groups)):
        rest = [value for at, others in enumerate(groups) if at != group for value in others]
        moves.append(sum(rest) / len(rest) - mean)
    error = math.sqrt(sum(move**2 for move in moves)) / (mean * (1 - mean))
    weights = [len(group) / len(every) for group in groups]
    levers = [weight**2 / (1 - weight) for weight in weights]
    pairs = 2 * sum(one * other for one, other in itertools.combinations(levers, 2))
    degrees = 1 / (sum(weight**2 for weight in weights) + pairs)
    reach = float(student.ppf(0.975, degrees)) * error
    odds = math.log(mean / (1 - mean))
    return 1 / (1 + math.exp(reach - odds)), 1 / (1 + math.exp(-reach - odds))
