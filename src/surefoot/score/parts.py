"""
A table in parts: what all parts have in common, so that their sums mean the same and merge.

Each element lies whole in one part. A part's rows are then numbered as those of the whole table
are, also where some of its conditions, clusters or values of traits do not occur in it.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np

from surefoot.score.conditions.rows import Condition, TableFrame, conditions, rank_of
from surefoot.score.metric import METRICS, Ruler
from surefoot.score.outcomes import Occurring, Outcomes
from surefoot.score.scoring import Scoring
from surefoot.score.stats.arrays import Ints, Labels, combine
from surefoot.score.stats.units import Population, Unit

_ANYTHING = Occurring(
    answered=True, failed=True, unanswerable=True, points=frozenset(), boxes=frozenset()
)


class TableFacts(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold what occurs in a table, or in a part of it; facts of parts merge by ``|``.

    ``present`` are the values of each trait with their conditions, and ``names`` the order of
    those that have one. ``pages``, ``sites`` and ``elements`` are those with an answer, the last
    a count. ``known`` are the metrics that say something.
    """

    occurring: Occurring
    present: Mapping[str, frozenset[tuple[Condition, str]]]
    names: Mapping[str, tuple[str, ...]]
    clusters: frozenset[str]
    sites: frozenset[str]
    pages: frozenset[str]
    elements: int
    known: frozenset[str]
    site_noun: str
    dealt: bool
    repeated: bool
    clicks: bool

    def __or__(self, other: TableFacts) -> TableFacts:
        """Return the facts of two parts that share no element."""
        return TableFacts(
            occurring=self.occurring | other.occurring,
            present={name: item | other.present[name] for name, item in self.present.items()},
            names=self.names,
            clusters=self.clusters | other.clusters,
            sites=self.sites | other.sites,
            pages=self.pages | other.pages,
            elements=self.elements + other.elements,
            known=self.known | other.known,
            site_noun=self.site_noun,
            dealt=self.dealt or other.dealt,
            repeated=self.repeated or other.repeated,
            clicks=self.clicks or other.clicks,
        )

    def population(self, unit: Unit) -> Population:
        """Count what the answers are about."""
        return Population(
            unit=unit,
            elements=self.elements,
            pages=len(self.pages),
            sites=len(self.sites),
            site_noun=self.site_noun,
        )

    @property
    def frame(self) -> TableFrame:
        """Return how rows of any part are numbered."""
        found = tuple(sorted({condition for condition, _ in self.present[""]}, key=rank_of))
        place = {condition: at for at, condition in enumerate(found)}
        traits = {
            trait: self.names.get(trait) or tuple(sorted({value for _, value in values}))
            for trait, values in self.present.items()
            if trait
        }
        present: dict[str, Ints] = {"": np.arange(len(found))}
        for trait, names in traits.items():
            value_of = {name: at for at, name in enumerate(names)}
            codes = (
                place[condition] * len(names) + value_of[value]
                for condition, value in self.present[trait]
            )
            present[trait] = np.array(sorted(codes), dtype=np.int64)
        clusters = tuple(sorted(self.clusters))
        return TableFrame(conditions=found, clusters=clusters, traits=traits, present=present)


def facts_of(outcomes: Outcomes, scoring: Scoring) -> TableFacts:
    """Return what occurs in a table, or a part of one, that a scoring looks at."""
    asked, question = outcomes.asked, outcomes.question
    found, condition = conditions(outcomes)
    present = {"": frozenset((item, "") for item in found)}
    for trait in dict.fromkeys(
        (*scoring.slices, *(contrast.varies for contrast in scoring.contrasts))
    ):
        if trait not in asked.traits:
            continue
        labels = asked.traits[trait]
        codes = np.unique(combine(condition, labels.codes[question], len(labels.names)))
        pairs = (divmod(code, len(labels.names)) for code in codes.tolist())
        present[trait] = frozenset((found[at], labels.names[value]) for at, value in pairs)
    answered = question[outcomes.answered]
    # Whatever another part may have: that a metric says nothing is told once all is summed up.
    table = msgspec.structs.replace(outcomes, whole=_ANYTHING)
    metrics = [METRICS.get(name) for name in scoring.metrics]
    return TableFacts(
        occurring=outcomes.occurring,
        present=present,
        names={name: asked.traits[name].names for name in scoring.derive if name in present},
        clusters=_names(asked.cluster, question),
        sites=_names(asked.site, answered),
        pages=_names(asked.home, answered),
        elements=len(np.unique(asked.pair.codes[answered])),
        known=frozenset(
            metric.name for metric in metrics if not np.isnan(metric.values(table, Ruler())).all()
        ),
        site_noun=asked.site_noun,
        dealt=asked.dealt,
        repeated=bool((outcomes.sample > 1).any()),
        clicks=bool(asked.for_place[question].any()),
    )


def _names(labels: Labels, question: Ints) -> frozenset[str]:
    return frozenset(labels.names[code] for code in np.unique(labels.codes[question]))
