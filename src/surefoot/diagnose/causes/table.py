"""
Answers as a table: for each atom of a slice, which questions it holds of.

An atom is a feature that a question has or lacks, or a measure at or above a bound or below it;
a slice is one atom, or up to three together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec
import numpy as np

from surefoot.diagnose.features.feature import USUAL, Measure, Tag
from surefoot.diagnose.features.vocabulary import MEASURES, tag_of, words_of
from surefoot.diagnose.search.arms import Arm, ArmResult
from surefoot.score.stats.arrays import Bools, Floats, Ints

AND: Final = " & "
ONE: Final = re.compile(r"\b(1 (?:other |small )?\w+)s\b")  # of what is counted
BOUNDS: Final = 24  # of a measure that are tried
SAME: Final = 0.6  # phi, from which on two classes go together


class Atom(msgspec.Struct, frozen=True, order=True):
    """
    Name a feature that is there or not, or a measure on one side of a bound.

    >>> Atom("words", least=13.0).words, Atom("side", below=26.0).key
    ('instructions of 13 words or more', 'side<26')
    >>> Atom("shared-words", least=1.0).words
    'targets that share a word of their name with 1 other or more'
    """

    name: str
    least: float | None = None
    below: float | None = None
    lacks: bool = False

    @property
    def key(self) -> str:
        """Return the atom as code."""
        if self.least is not None:
            return f"{self.name}>={self.least:g}"
        if self.below is not None:
            return f"{self.name}<{self.below:g}"
        return f"not {self.name}" if self.lacks else self.name

    @property
    def side(self) -> str:
        """Return on which side of its bound it holds: "least", "below", or "" without any."""
        return "least" if self.least is not None else "" if self.below is None else "below"

    @property
    def feature(self) -> Tag[Any] | Measure[Any]:
        """Return the entry of the vocabulary that it is made of."""
        return MEASURES.get(self.name) or tag_of(self.name)

    @property
    def of_element(self) -> bool:
        """Tell whether it is known of an element without an instruction about it."""
        return self.feature.of_element

    @property
    def is_length(self) -> bool:
        """Tell whether it is in pixels, so that another size of the picture changes it."""
        return isinstance(self.feature, Measure) and self.feature.is_length

    @property
    def words(self) -> str:
        """Return the atom in words."""
        if self.least is not None:
            return ONE.sub(r"\1", MEASURES[self.name].least.format(f"{self.least:g}"))
        if self.below is not None:
            return ONE.sub(r"\1", MEASURES[self.name].below.format(f"{self.below:g}"))
        return words_of(self.name, lacks=self.lacks)

    @property
    def plain(self) -> int:
        """Return how plain it is: 0 what anybody sees, up to 3. What is lacking is less plain."""
        return self.feature.plain + (self.lacks and self.name not in MEASURES)

    @property
    def advice(self) -> str:
        """Return the name of what can be done about it."""
        known = self.feature
        if isinstance(known, Tag):
            return USUAL if self.lacks else known.do
        return known.do or (known.least_do if self.side == "least" else known.below_do)

    def holds(self, features: Sequence[str], measures: dict[str, float]) -> bool:
        """Tell whether the atom holds of a question."""
        if self.least is None and self.below is None:
            return (self.name in features) != self.lacks
        number = measures.get(self.name)
        if number is None:
            return False
        return number >= self.least if self.least is not None else number < (self.below or 0.0)


class Slice(msgspec.Struct, frozen=True, order=True):
    """Hold one atom, or several that hold together."""

    atoms: tuple[Atom, ...]

    @property
    def key(self) -> str:
        """Return the slice as code."""
        return AND.join(atom.key for atom in self.atoms)

    @property
    def names(self) -> frozenset[str]:
        """Return the features and measures that it is about."""
        return frozenset(atom.name for atom in self.atoms)

    @property
    def words(self) -> str:
        """Return the slice in words."""
        return ", with ".join(atom.words for atom in self.atoms)

    def holds(self, features: Sequence[str], measures: dict[str, float]) -> bool:
        """Tell whether a question is in the slice."""
        return all(atom.holds(features, measures) for atom in self.atoms)


def slice_of(key: str) -> Slice:
    """
    Read a slice's key.

    >>> slice_of("side<26 & not role:link").words
    'targets with a side under 26 px, with targets of other roles than link'
    """
    return Slice(tuple(_atom(part) for part in key.split(AND) if part))


def _atom(key: str) -> Atom:
    name, found, number = key.partition(">=")
    if found and name in MEASURES:
        return Atom(name, least=float(number))
    name, found, number = key.partition("<")
    if found and name in MEASURES:
        return Atom(name, below=float(number))
    return Atom(key.removeprefix("not "), lacks=key.startswith("not "))


class AnswerTable(msgspec.Struct, frozen=True, eq=False):
    """
    Hold answers as columns: failed (0 or 1), site and element by number, blind chance to miss.

    ``pillar`` is the number of the benchmark that asked. ``inside`` is (answers, atoms);
    ``numbers`` are the measures, NaN where there is none.
    """

    failed: Floats
    site: Ints
    element: Ints
    blind: Floats
    atoms: tuple[Atom, ...]
    inside: Bools
    pillar: Ints
    numbers: dict[str, Floats] = {}

    def bounded(self, name: str) -> Iterator[Atom]:
        """Yield a measure at and below each of its bounds."""
        numbers = self.numbers[name]
        for bound in _between(numbers[~np.isnan(numbers)], MEASURES[name].step):
            yield Atom(name, least=bound)
            yield Atom(name, below=bound)

    def holds(self, atom: Atom) -> Bools:
        """Tell of which answers an atom holds."""
        if atom.name not in self.numbers:
            return self.inside[:, self.atoms.index(atom)]
        least = -np.inf if atom.least is None else atom.least
        below = np.inf if atom.below is None else atom.below
        found: Bools = (self.numbers[atom.name] >= least) & (self.numbers[atom.name] < below)
        return found

    def meets(self, atoms: Iterable[Atom]) -> Bools:
        """Tell of which answers several atoms hold together."""
        found: Bools = np.logical_and.reduce([self.holds(atom) for atom in atoms])
        return found

    @property
    def sites(self) -> int:
        """Count the sites."""
        return int(self.site.max(initial=-1)) + 1


def table_of(answers: Sequence[ArmResult]) -> AnswerTable:
    """Lay answers out with the plainest atom of each class that has some and lacks others."""
    asked = [answer.arm for answer in answers]
    plainest: dict[bytes, tuple[Atom, Bools]] = {}  # of those that hold of the same answers
    for atom, column in _atoms(asked):
        key = column.tobytes()
        if min(column.sum(), (~column).sum()) > 0 and (
            key not in plainest or atom.plain < plainest[key][0].plain
        ):
            plainest[key] = atom, column
    atoms = [atom for atom, _ in plainest.values()]
    columns = [column for _, column in plainest.values()]
    _, site = np.unique([arm.question.cluster for arm in asked] or [""], return_inverse=True)
    _, element = np.unique([arm.question.pair for arm in asked] or [""], return_inverse=True)
    _, pillar = np.unique([arm.pillar for arm in asked] or [""], return_inverse=True)
    return AnswerTable(
        failed=np.array([answer.failed for answer in answers], dtype=np.float64),
        site=site[: len(asked)].astype(np.int64),
        element=element[: len(asked)].astype(np.int64),
        blind=np.array([_blind(answer) for answer in answers], dtype=np.float64),
        atoms=tuple(atoms),
        inside=np.array(columns, dtype=bool).reshape(len(columns), len(asked)).T,
        pillar=pillar[: len(asked)].astype(np.int64),
        numbers={name: _numbers(asked, name) for name in MEASURES},
    )


def phi_of(inside: Bools, mask: Bools) -> Floats:
    """Return the phi coefficient of each column with a class; 0 where either has no spread."""
    own, marks = inside - inside.mean(axis=0), mask - mask.mean()
    spread = np.sqrt((own**2).sum(axis=0) * (marks**2).sum())
    found: Floats = np.where(spread > 0, (marks @ own) / np.where(spread > 0, spread, 1.0), 0.0)
    return found


def _numbers(asked: Sequence[Arm], name: str) -> Floats:
    return np.array([arm.measures.get(name, np.nan) for arm in asked], dtype=np.float64)


def _blind(answer: ArmResult) -> float:
    """Return how often a click anywhere in the picture would miss."""
    question = answer.arm.question
    return 1 - min(question.truth.area / max(question.width * question.height, 1), 1.0)


def _atoms(asked: Sequence[Arm]) -> Iterator[tuple[Atom, Bools]]:
    features = [set(arm.features) for arm in asked]
    for name in sorted(set().union(*features)) if features else ():
        column = np.array([name in own for own in features], dtype=bool)
        yield Atom(name), column
        yield Atom(name, lacks=True), ~column
    for name, measure in MEASURES.items():
        numbers = _numbers(asked, name)
        for bound in _bounds(numbers[~np.isnan(numbers)], measure.step):
            yield Atom(name, least=bound), numbers >= bound
            yield Atom(name, below=bound), numbers < bound


def _bounds(numbers: Floats, step: float) -> list[float]:
    """Return bounds between the numbers: all where they are few, else at even shares."""
    distinct = _between(numbers, step)
    if len(distinct) <= BOUNDS:
        return distinct
    shares = np.linspace(0, 1, BOUNDS + 2)[1:-1]
    return _between(np.quantile(numbers, [0.0, *shares]), step)


def _between(numbers: Floats, step: float) -> list[float]:
    """Return numbers rounded to a step, each once and the least left out."""
    distinct = np.unique(np.round(numbers / step) * step)[1:]
    return [round(float(bound), 6) for bound in distinct]
