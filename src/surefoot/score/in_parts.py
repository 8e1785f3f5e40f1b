"""
A table that is scored in parts, of which one at a time is held: as many answers as there are.

Each element lies whole in one part. Every part comes to sums, which add up without rounding, so
the scores are to the last bit those of the table at once, whatever the parts.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.score.conditions.rows import TableFrame, rows_of
from surefoot.score.metric import Ruler
from surefoot.score.outcomes import Outcomes
from surefoot.score.parts import TableFacts, facts_of
from surefoot.score.scoring import Scoring
from surefoot.score.stats.keyed import KeyedSums
from surefoot.score.stats.units import Unit
from surefoot.score.summary import Summary, check_once, summarise_table
from surefoot.score.tally import MergedSums, RowSums

Parts: TypeAlias = Callable[[], Iterable[Outcomes]]
MOST_CELLS: Final = 10_000_000  # clusters times columns of scores, of 24 bytes and more each


class PartSums:
    """
    Hold what some parts of a table come to; sums of other parts of it merge.

    ``facts`` are those of the whole table, under a ``unit``.
    """

    def __init__(self, scoring: Scoring, ruler: Ruler, unit: Unit, facts: TableFacts) -> None:
        self.scoring = scoring
        self.ruler = ruler
        self.unit = unit
        self.facts = facts
        self.frame: TableFrame = facts.frame
        self.tally: MergedSums | None = None
        self.details: dict[str, KeyedSums] = {}

    def add(self, part: Outcomes) -> None:
        """
        Add the sums of a part.

        Raises InvalidInputError for an element asked twice where the scoring does not allow that.
        """
        table = sampled(part, self.unit, self.facts)
        rows = rows_of(table, self.ruler, self.frame)
        check_once(table, rows, self.scoring)
        none = rows_of(table.take(slice(0)), self.ruler, self.frame)
        self._add(MergedSums(RowSums(rows, self.scoring, known=self.facts.known), none))
        for name, detail in self.scoring.summed.items():
            self._put(name, detail.count(table, self.ruler))

    def merge(self, other: PartSums) -> None:
        """Add what other parts of the same table come to."""
        if other.tally is not None:
            self._add(copy.deepcopy(other.tally))
        for name, sums in other.details.items():
            self._put(name, sums)

    def summary(self) -> Summary:
        """Return what the sums come to; raises InvalidInputError where there is no part."""
        if self.tally is None:
            raise InvalidInputError("at least one question to score", found="none")
        details = {
            name: self.scoring.summed[name].tell(sums, self.ruler)
            for name, sums in self.details.items()
        }
        return summarise_table(
            self.tally,
            self.scoring,
            self.ruler,
            details,
            self.facts.population(self.unit),
            clicks=self.facts.clicks,
        )

    def _add(self, tally: MergedSums) -> None:
        if self.tally is None:
            self.tally = tally
        else:
            self.tally.merge(tally)

    def _put(self, name: str, sums: KeyedSums) -> None:
        self.details.setdefault(name, KeyedSums(sums.width)).merge(sums)


def summarise_parts(
    parts: Parts, scoring: Scoring, ruler: Ruler | None = None, *, unit: Unit = "site"
) -> tuple[Summary, list[str]] | None:
    """
    Compute the scores of a table in parts, no more than one of which is held at a time.

    ``parts`` are gone through twice. Every number is to the last bit that of ``summarise``;
    details that are no sums are left out, and named beside. None where sums do not tell all that
    the scoring wants, or there are too many clusters for them. Raises InvalidInputError as
    ``summarise`` does.
    """
    facts = facts_of_parts(parts(), scoring, unit)
    if not fits(facts, scoring, unit):
        return None
    sums = PartSums(scoring, ruler or Ruler(), unit, facts)
    for part in parts():
        if len(part):
            sums.add(part)
    return sums.summary(), left_out(facts, scoring)


def facts_of_parts(parts: Iterable[Outcomes], scoring: Scoring, unit: Unit) -> TableFacts:
    """Return the facts of a table in parts; raises InvalidInputError for an empty one."""
    found: TableFacts | None = None
    for part in parts:
        if len(part):
            own = facts_of(sampled(part, unit), scoring)
            found = own if found is None else found | own
    if found is None:
        raise InvalidInputError("at least one question to score", found="none")
    return found


def fits(facts: TableFacts, scoring: Scoring, unit: Unit) -> bool:
    """
    Tell whether sums tell all that a scoring wants of a table, and are not too many.

    A design's effects are fitted to rows, and the sample of one site is one of its elements,
    which are too many clusters; so are those of ``unit`` in a large table.
    """
    one = unit == "site" and len(facts.sites) == 1
    columns = sum(map(len, facts.present.values()))
    few = columns * len(facts.clusters) <= MOST_CELLS
    return scoring.in_parts and few and not (facts.dealt or one)


def left_out(facts: TableFacts, scoring: Scoring) -> list[str]:
    """Name what is no sum, and not told of a table that is scored in parts."""
    names = [name for name in scoring.details if name not in scoring.summed]
    names += ["repeated samples"] * facts.repeated
    return [*names, *["modes of failure"] * scoring.modes]


def sampled(part: Outcomes, unit: Unit, facts: TableFacts | None = None) -> Outcomes:
    """Return a part as one of a sample of sites, pages or elements, of a table with facts."""
    asked = msgspec.structs.replace(part.asked, unit=unit)
    whole = facts.occurring if facts is not None else None
    return msgspec.structs.replace(part, asked=asked, whole=whole)
