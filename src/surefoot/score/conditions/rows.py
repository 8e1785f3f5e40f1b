"""
Rows that can be compared: under which condition each stands, and what it has in common.

A row is one thing measured once: an answer to a question, a field of a form. The engine of
scores and comparisons knows rows alone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, TypeAlias

import msgspec
import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.core.perturbation import ORIGINAL, OVER, variant_over, without_base
from surefoot.score.metric import Metric, Ruler
from surefoot.score.outcomes import Outcomes, Status
from surefoot.score.stats.arrays import Bools, Floats, Ints, Labels, combine, renumber

DIRECT: Final = "direct"
Measure: TypeAlias = Callable[[Metric, Ints | slice], Floats]


class Condition(msgspec.Struct, frozen=True, order=True):
    """
    Name a model and the cell that it was asked in.

    Where conditions are crossed, ``over`` is the base of the variant: what else was done to the
    screen, "original" for nothing; "" where nothing is crossed.
    """

    model: str
    reasoning: bool = False
    instruction: str = ""
    variant: str = ""
    over: str = ""

    def part(self, name: str) -> str:
        """
        Return one part: of a variant over a base what is not the base.

        >>> crossed = Condition("ocr", variant="theme+static", over="theme")
        >>> crossed.part("variant"), crossed.part("over")
        ('static', 'theme')
        """
        if name == "variant":
            return without_base(self.variant, self.over)
        return str(getattr(self, name))

    def with_part(self, name: str, value: str) -> Condition:
        """
        Return the condition with another value of one part, all else alike.

        >>> Condition("ocr", variant="theme+static", over="theme").with_part("over", "original")
        Condition(model='ocr', reasoning=False, instruction='', variant='static', over='original')
        """
        if name == "reasoning":
            return msgspec.structs.replace(self, reasoning=value == str(True))
        if name == "variant":
            value = variant_over(self.over or ORIGINAL, value)
        if name == OVER:
            own = variant_over(value or ORIGINAL, self.part("variant"))
            return msgspec.structs.replace(self, variant=own, over=value)
        return msgspec.structs.replace(self, **{name: value})

    @property
    def named(self) -> dict[str, Any]:
        """Return the parts that name it, of which the variant tells the base."""
        return {name: getattr(self, name) for name in self.__struct_fields__ if name != OVER}


class TableFrame(msgspec.Struct, frozen=True, eq=False):
    """
    Say how rows are numbered that are a part of a table.

    ``clusters`` are the names of all, sorted, and ``traits`` those of each trait's values.
    ``present`` are, for each trait, the codes of the conditions with its values that occur: the
    condition's place times the number of names, plus the value's.
    """

    conditions: tuple[Condition, ...]
    clusters: tuple[str, ...]
    traits: Mapping[str, tuple[str, ...]]
    present: Mapping[str, Ints]


class Rows(msgspec.Struct, frozen=True, eq=False, dict=True):
    """
    Hold rows by what they are compared by, all columns (rows,) and codes from 0.

    ``condition`` are places in ``conditions``. ``element`` is what has one value of a
    metric under a condition, and never lies in two clusters; ``same`` is what was asked,
    the same under every condition in which it was asked alike. ``unit`` says what the
    clusters are. ``traits`` are further properties to break scores down by, "" where unknown.
    ``repeated`` tells the rows of what was asked several times under one condition,
    ``answered`` those that were not lost, ``lost`` the kinds of loss that are
    counted beside a score. ``measure`` computes a metric for a selection of rows, which are
    in order. ``dealt`` is true where a design dealt each element a part of the conditions.
    ``frame`` is that of the table of which the rows are a part, None of a table by itself.
    """

    conditions: tuple[Condition, ...]
    condition: Ints
    element: Ints
    same: Ints
    cluster: Ints
    unit: str
    traits: dict[str, Labels]
    repeated: Bools
    answered: Bools
    lost: dict[str, Bools]
    measure: Measure
    dealt: bool = False
    frame: TableFrame | None = None

    def __len__(self) -> int:
        return len(self.condition)

    def columns(self, trait: str = "") -> tuple[tuple[str, ...], Ints, Ints]:
        """
        Return a trait's names, the codes of its columns in the table, and each row's column.

        A column is a condition with a value of the trait, and its code the condition's place
        times the number of names, plus the value's. Without the trait conditions are columns.
        """
        names: tuple[str, ...] = ("",)
        code = self.condition
        if trait in self.traits:
            names = self.traits[trait].names
            code = combine(code, self.traits[trait].codes, len(names))
        if self.frame is None:
            return names, *renumber(code, len(self.conditions) * len(names))
        present = self.frame.present[trait if trait in self.traits else ""]
        return names, present, np.searchsorted(present, code).astype(np.int32)

    @cached_property
    def kept(self) -> dict[Hashable, Any]:
        """Keep what others make of the rows once and look at again."""
        return {}

    @cached_property
    def clusters(self) -> int:
        """Count the clusters of the table."""
        if self.frame is not None:
            return len(self.frame.clusters)
        return int(self.cluster.max(initial=-1)) + 1

    @cached_property
    def elements(self) -> int:
        """Count the elements."""
        return int(self.element.max(initial=-1)) + 1

    @cached_property
    def questions(self) -> int:
        """Count what was asked, once for all conditions in which it was asked alike."""
        return int(self.same.max(initial=-1)) + 1

    @cached_property
    def home(self) -> Ints:
        """Return (elements,): the cluster that each element lies in."""
        home = np.zeros(self.elements, dtype=self.cluster.dtype)
        home[self.element] = self.cluster
        return home


def conditions(outcomes: Outcomes) -> tuple[tuple[Condition, ...], Ints]:
    """
    Return the conditions that occur, sorted with the original first, and each row's.

    >>> from surefoot.score.outcomes import tabulate
    >>> conditions(tabulate([]))[0]
    ()
    """
    asked = outcomes.asked
    columns = (outcomes.model.names, asked.instruction.names, asked.variant.names)
    shape = (*(len(names) or 1 for names in columns), 2)
    cell = np.ravel_multi_index(
        (asked.instruction.codes, asked.variant.codes, asked.reasoning.astype(np.int64)),
        shape[1:],
    )
    size = int(np.prod(shape[1:]))
    codes = combine(outcomes.model.codes, cell.astype(np.int32)[outcomes.question], size)
    present, row = renumber(codes, shape[0] * size)
    over = {name: asked.over.get(name, ORIGINAL if asked.over else "") for name in columns[2]}
    found = [
        Condition(columns[0][m], bool(r), columns[1][i], columns[2][v], over[columns[2][v]])
        for m, i, v, r in zip(*np.unravel_index(present, shape), strict=True)
    ]
    order = sorted(range(len(found)), key=lambda index: rank_of(found[index]))
    rank = np.argsort(np.array(order, dtype=np.int64)).astype(np.int32)
    return tuple(found[index] for index in order), rank[row]


def rank_of(condition: Condition) -> tuple[str, bool, str, bool, str]:
    """Return what conditions are sorted by: within a model's kinds the original comes first."""
    first = condition.variant != ORIGINAL
    return (
        condition.model,
        condition.reasoning,
        condition.instruction,
        first,
        condition.variant,
    )


def rows_of(outcomes: Outcomes, ruler: Ruler, frame: TableFrame | None = None) -> Rows:
    """
    Lay out a table of answers, an element being a pair.

    Of a question that was asked several times every metric is the mean over its samples, on
    the row of the first, and NaN on the others: so questions are counted, and not samples.
    Clusters are those of the table's unit. What is the same is the trait "said" within an
    element, where the table has it, else the element. With a ``frame`` rows are numbered by it,
    as a part of a table. Raises InvalidInputError for an element in two clusters.
    """
    found, condition = conditions(outcomes)
    asked, question = outcomes.asked, outcomes.question
    element = _sorted_codes(asked.pair, question)
    cluster = element if asked.unit == "element" else _sorted_codes(asked.cluster, question)
    wording, same = asked.traits.get("said"), element
    if wording is not None:
        codes = combine(element, wording.codes[question], len(wording.names))
        same = np.unique(codes, return_inverse=True)[1].astype(np.int32)
    traits = outcomes.traits
    if frame is not None:
        place = {item: at for at, item in enumerate(frame.conditions)}
        condition = np.array([place[item] for item in found], dtype=np.int32)[condition]
        found = frame.conditions
        cluster = _coded_as(frame.clusters, asked.cluster.take(question)).codes
        traits = {name: _coded_as(names, traits[name]) for name, names in frame.traits.items()}
    rows = Rows(
        conditions=found,
        condition=condition,
        element=element,
        same=same,
        cluster=cluster,
        unit=asked.cluster_noun,
        traits=traits,
        repeated=_repeated(outcomes),
        answered=outcomes.answered,
        lost={
            "unparsed": outcomes.status == Status.UNPARSED,
            "refused": outcomes.status == Status.REFUSAL,
            "failed": outcomes.status == Status.FAILED,
        },
        measure=lambda metric, rows: _measure(metric, outcomes.take(rows), ruler),
        dealt=asked.dealt,
        frame=frame,
    )
    if not np.array_equal(rows.home[element], cluster):
        raise InvalidInputError("each pair in one cluster", found="a pair in two")
    return rows


def _repeated(outcomes: Outcomes) -> Bools:
    again = outcomes.sample > 1
    key = combine(outcomes.model.codes, outcomes.first, len(outcomes.asked))
    return np.isin(key, key[again]) if again.any() else again


def _measure(metric: Metric, outcomes: Outcomes, ruler: Ruler) -> Floats:
    values = metric.values(outcomes, ruler)
    if not (outcomes.sample > 1).any():
        return values
    key = combine(outcomes.model.codes, outcomes.first, len(outcomes.asked))
    _, at, question = np.unique(key, return_index=True, return_inverse=True)
    known = ~np.isnan(values)
    count = np.bincount(question[known], minlength=len(at))
    total = np.bincount(question[known], weights=values[known], minlength=len(at))
    means = np.full(len(values), np.nan)
    means[at] = np.divide(total, count, where=count > 0, out=np.full(len(at), np.nan))
    return means


def measured_rows(
    conditions: Sequence[Condition],
    elements: Sequence[Hashable],
    clusters: Sequence[str],
    values: Mapping[str, Sequence[float] | Floats],
    traits: Mapping[str, Sequence[str]],
    *,
    same: Sequence[Hashable] | None = None,
    unit: str = "sites",
) -> Rows:
    """
    Lay out what was measured elsewhere: ``values`` by the name of a metric, NaN for nothing.

    All are (rows,). ``same`` tells what was measured alike under several conditions, the
    element without. ``unit`` is the plural of what the clusters are.
    """
    distinct = {condition: at for at, condition in enumerate(sorted(set(conditions)))}
    element = _numbered(elements)
    table = {name: np.asarray(numbers, dtype=np.float64) for name, numbers in values.items()}
    nothing = np.zeros(len(conditions), dtype=np.bool_)
    return Rows(
        conditions=tuple(distinct),
        condition=np.array([distinct[condition] for condition in conditions], dtype=np.int32),
        element=element,
        same=element if same is None else _numbered(same),
        cluster=_coded(clusters).codes,
        unit=unit,
        traits={name: _coded(words) for name, words in traits.items()},
        repeated=nothing,
        answered=~nothing,
        lost={"unparsed": nothing, "refused": nothing, "failed": nothing},
        measure=lambda metric, rows: table[metric.name][rows],
    )


def _numbered(keys: Sequence[Hashable]) -> Ints:
    """Return the number of each key, in the order in which they come."""
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(key, len(known)) for key in keys], dtype=np.int32)


def _coded(words: Sequence[str]) -> Labels:
    """Code words by their place in order, numbers by their size."""
    names = sorted(set(words), key=lambda word: (int(word) if word.isdigit() else -1, word))
    place = {name: at for at, name in enumerate(names)}
    return Labels(tuple(names), np.array([place[word] for word in words], dtype=np.int32))


def _coded_as(names: Sequence[str], labels: Labels) -> Labels:
    """Code the words of a column by their places among names."""
    place = {name: at for at, name in enumerate(names)}
    codes = np.array([place.get(name, -1) for name in labels.names], dtype=np.int32)
    return Labels(tuple(names), codes[labels.codes])


def _sorted_codes(labels: Labels, question: Ints) -> Ints:
    """Return each row's place among the sorted names that occur, whatever the rows' order."""
    ranks = np.argsort(np.argsort(np.array(labels.names, dtype=np.str_), kind="stable"))
    _, codes = renumber(ranks.astype(np.int32)[labels.codes][question], len(labels.names))
    return codes
