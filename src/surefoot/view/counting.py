"""
The numbers of the overview and of a comparison: counts of what the table holds, with links.
"""

from __future__ import annotations

import msgspec
import numpy as np

from surefoot.core.perturbation import ORIGINAL, variant_title
from surefoot.score.stats.arrays import Bools, Ints
from surefoot.view.table import REPLIED, AnswerOutcome, QuestionTable


class ModelCounts(msgspec.Struct, frozen=True):
    """
    Count what became of the questions put to one model under one variant, "" for all.

    Of those ``asked`` so many were ``answered``; ``lost`` are hits on the original alone. Of
    the questions of a variant, ``paired`` have a reply on the original too, and were hit
    ``before`` there and ``after`` here; ``against`` says what was shown there.
    """

    model: str
    variant: str
    asked: int
    answered: int
    hits: int
    lost: int
    by_outcome: dict[str, int]
    paired: int = 0
    before: int = 0
    against: str = ORIGINAL
    after: int = 0

    @property
    def rate(self) -> float:
        """Return the share of hits among the answers, in percent."""
        return 100 * self.hits / self.answered if self.answered else 0.0

    @property
    def rate_of_asked(self) -> float:
        """Return the share of hits among all questions asked, in percent."""
        return 100 * self.hits / self.asked if self.asked else 0.0


class PairCounts(msgspec.Struct, frozen=True):
    """Count how two models did on the questions that both replied to, under one condition."""

    column: str
    value: str
    shared: int
    both: int
    only_first: int
    only_second: int
    neither: int

    @property
    def rates(self) -> tuple[float, float]:
        """Return the share of hits of each, in percent."""
        if not self.shared:
            return 0.0, 0.0
        hits = (self.both + self.only_first, self.both + self.only_second)
        return 100 * hits[0] / self.shared, 100 * hits[1] / self.shared


def count_proofs_of(table: QuestionTable, bench: int) -> dict[str, int]:
    """Count the questions of a benchmark by what they rest on."""
    labels = table.labels["proof"].take(table.bench == bench)
    counts = np.bincount(labels.codes, minlength=len(labels.names))
    return {name: int(n) for name, n in zip(labels.names, counts, strict=True) if n}


def values_of(table: QuestionTable, column: str) -> list[tuple[str, int]]:
    """Return the values of a column that occur, with their counts; the original comes first."""
    labels = table.labels[column]
    counts = np.bincount(labels.codes, minlength=len(labels.names))
    found = [(name, int(n)) for name, n in zip(labels.names, counts, strict=True) if n and name]
    if column == "size":  # its names are in order
        return found
    return sorted(found, key=lambda item: (item[0] != ORIGINAL, item[0]))


def count_models(table: QuestionTable) -> list[list[ModelCounts]]:
    """Count each model's answers: over all, then under each variant."""
    variants = ["", *(name for name, _ in values_of(table, "variant"))]
    labels = table.labels["variant"]
    found = []
    for number, model in enumerate(table.models):
        cells = []
        for variant in variants:
            own = np.ones(len(table), dtype=np.bool_)
            if variant:
                own = labels.codes == labels.names.index(variant)
            outcome, flip = table.outcome[number, own], table.flip[number, own]
            count = {item.name.lower(): int((outcome == item).sum()) for item in AnswerOutcome}
            asked = int(own.sum()) - count["not_asked"]
            lost = int((flip == 1).sum())
            answered = asked - count["failed"]
            counts = ModelCounts(model, variant, asked, answered, count["hit"], lost, count)
            cells.append(_beside_original(table, number, own, counts) if variant else counts)
        found.append(cells)
    return found


def _beside_original(
    table: QuestionTable, model: int, own: Bools, counts: ModelCounts
) -> ModelCounts:
    """Tell how a variant's questions did on the original, where both have a reply."""
    if counts.variant == ORIGINAL:
        return counts
    outcome, at = table.outcome[model], table.before
    both = own & (at >= 0) & np.isin(outcome, REPLIED) & np.isin(outcome[at], REPLIED)
    base = table.outcomes.asked.over.get(counts.variant, ORIGINAL)
    return msgspec.structs.replace(
        counts,
        against=variant_title(ORIGINAL if base == counts.variant else base),
        paired=int(both.sum()),
        before=int((outcome[at[both]] == AnswerOutcome.HIT).sum()),
        after=int((outcome[both] == AnswerOutcome.HIT).sum()),
    )


def compare_models(table: QuestionTable, first: int, second: int) -> list[PairCounts]:
    """Compare two models on the questions that both replied to: all of them, then in parts."""
    one, other = table.outcome[first], table.outcome[second]
    shared = np.isin(one, REPLIED) & np.isin(other, REPLIED)
    found = [_pair("", "", one[shared], other[shared])]
    for column in ("variant", "kind", "size", "role"):
        labels = table.labels[column]
        for value, _ in values_of(table, column):
            own = shared & (labels.codes == labels.names.index(value))
            if own.any():
                found.append(_pair(column, value, one[own], other[own]))
    return found


def _pair(column: str, value: str, one: Ints, other: Ints) -> PairCounts:
    first, second = one == AnswerOutcome.HIT, other == AnswerOutcome.HIT
    return PairCounts(
        column,
        value,
        shared=len(one),
        both=int((first & second).sum()),
        only_first=int((first & ~second).sum()),
        only_second=int((~first & second).sum()),
        neither=int((~first & ~second).sum()),
    )
