"""
All scores of runs over forms: by agent, by what the form asks, and by how it was shown.
"""

from __future__ import annotations

import collections
import statistics
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec
import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.forms.scoring.cases import CONDITIONS, Aspect, Case, check_distinct
from surefoot.forms.scoring.changes import Change, changes
from surefoot.forms.scoring.descriptions import Overlap, overlap
from surefoot.forms.scoring.episodes import (
    EpisodeScore,
    FieldRate,
    Level,
    Misplacement,
    misplacements,
    rates,
)
from surefoot.forms.scoring.fields import FieldScore
from surefoot.forms.scoring.shares import Share, share
from surefoot.score.stats.clusters import few_clusters
from surefoot.score.stats.intervals import CONFIDENCE

__all__ = [
    "EVERYBODY",
    "AgentScore",
    "Cut",
    "Distances",
    "FormsSummary",
    "Strayed",
    "summarise_forms",
]

EVERYBODY: Final = "all agents"


class Distances(msgspec.Struct, frozen=True):
    """
    Say how near the nearest click came to each field's control, in pixels of the picture.

    ``n`` fields had a click on their page; 0 is a click inside, ``inside`` counts those.
    """

    n: int
    inside: int
    median: float
    upper: float


class Strayed(msgspec.Struct, frozen=True):
    """
    Count values of one kind of field that were found in another kind.

    ``asked`` counts the fields of the first kind that had a value to fill in.
    """

    agent: str
    value_of: str
    found_in: str
    count: int
    asked: int


class AgentScore(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold what one agent came to, or all of them.

    ``asked`` counts fields with something to fill in, ``unasked`` those to be left alone,
    of which ``collateral`` were not. ``right`` is the share of episodes that were wholly
    right, ``pages`` of pages; ``published`` the looser measure of the paper: every value
    mentioned, and ``clicked_all`` every field clicked.
    """

    agent: str
    episodes: int
    forms: int
    asked: int
    unasked: int
    levels: tuple[FieldRate, ...]
    right: Share
    pages: Share
    accepted: Share
    published: Share
    clicked_all: Share
    collateral: int
    refusals: int
    corrections: int
    ended: dict[str, int]
    descriptions: Overlap | None
    distances: Distances | None
    strayed: int


class Cut(msgspec.Struct, frozen=True):
    """
    Hold an agent's rates where the forms, or how they were shown, have one property.

    ``by``: "kind", "fields" (their number), "types" (number of kinds), "pages", "form", or a
    condition; these are descriptions, without a test. ``right``, ``published`` and
    ``clicked_all`` are shares of episodes as in AgentScore; of a kind, they are about that
    kind's fields alone: all submitted, all mentioned, all clicked.
    """

    by: str
    agent: str
    value: str
    rates: tuple[FieldRate, ...]
    right: Share
    published: Share
    clicked_all: Share


class FormsSummary(msgspec.Struct, frozen=True, kw_only=True):
    """Hold all scores, with the rulers that they share; ``warnings`` belong beside them."""

    confidence: float
    episodes: int
    forms: int
    agents: tuple[AgentScore, ...]
    cuts: tuple[Cut, ...]
    changes: tuple[Change, ...]
    strayed: tuple[Strayed, ...]
    misplaced: dict[str, tuple[Misplacement, ...]]
    warnings: tuple[str, ...]

    def cut(self, by: str) -> tuple[Cut, ...]:
        """Return the cuts by one property, agents one after the other."""
        return tuple(each for each in self.cuts if each.by == by)


def summarise_forms(results: Iterable[Case]) -> FormsSummary:
    """
    Compute every score of attempts at forms.

    Intervals take forms as independent. Raises InvalidInputError without an attempt, and
    for two of one agent at one instance under the same conditions.
    """
    cases = list(results)
    if not cases:
        raise InvalidInputError("at least one form that was filled in", found="none")
    check_distinct(cases)
    by_agent: dict[str, list[Case]] = {}
    for case in cases:
        by_agent.setdefault(case.score.agent, []).append(case)
    groups = sorted(by_agent.items())
    everybody = [(EVERYBODY, cases)] if len(groups) > 1 else []
    forms = collections.Counter(case.score.form for case in cases)
    few = few_clusters(np.array(list(forms.values())), over="forms")
    return FormsSummary(
        confidence=CONFIDENCE,
        episodes=len(cases),
        forms=len(forms),
        agents=tuple(_agent(name, group) for name, group in (*groups, *everybody)),
        cuts=tuple(cut for name, group in groups for cut in _cuts(name, group)),
        changes=changes(cases),
        strayed=tuple(each for name, group in groups for each in _strayed(name, group)),
        misplaced={
            name: found
            for name, group in groups
            if (found := misplacements(each.score for each in group))
        },
        warnings=(few,) if few else (),
    )


def _agent(name: str, cases: Sequence[Case]) -> AgentScore:
    scores = [case.score for case in cases]
    fields = [each for score in scores for each in score.fields]
    return AgentScore(
        agent=name,
        episodes=len(scores),
        forms=len({score.form for score in scores}),
        asked=sum(each.asked for each in fields),
        unasked=sum(not each.asked for each in fields),
        levels=rates(scores, _always(name)),
        right=_share(scores, lambda score: score.right),
        pages=_pages(scores),
        accepted=_share(scores, lambda score: score.accepted),
        published=_all(scores, "mentioned"),
        clicked_all=_all(scores, "clicked"),
        collateral=sum(each.collateral for each in fields),
        refusals=sum(score.refusals for score in scores),
        corrections=sum(score.corrections for score in scores),
        ended=dict(sorted(collections.Counter(each.ended for each in scores).items())),
        descriptions=overlap([pair for score in scores for pair in score.descriptions]),
        distances=_distances(each for each in fields if each.asked),
        strayed=sum(bool(each.found_in) for each in fields),
    )


def _share(scores: Sequence[EpisodeScore], holds: Callable[[EpisodeScore], bool]) -> Share:
    return _some(share((score.form, holds(score)) for score in scores))


def _all(scores: Sequence[EpisodeScore], level: Level) -> Share:
    """Return the share of episodes in which every field that is asked for reached a level."""
    return _share(scores, lambda s: all(getattr(f, level) for f in s.fields if f.asked))


def _pages(scores: Sequence[EpisodeScore]) -> Share:
    """Return the share of pages whose every field holds what it should once handed in."""
    found = [
        (score.form, all(_well(each) for each in score.fields if each.page == page))
        for score in scores
        for page in sorted({each.page for each in score.fields})
    ]
    return _some(share(found))


def _well(field: FieldScore) -> bool:
    return field.submitted if field.asked else not field.collateral


def _some(found: Share | None) -> Share:
    if found is None:
        raise InvalidInputError("forms with fields", found="none")
    return found


def _distances(fields: Iterable[FieldScore]) -> Distances | None:
    found = sorted(each.distance for each in fields if each.distance is not None)
    if not found:
        return None
    upper = found[min(len(found) - 1, int(0.9 * len(found)))]
    return Distances(len(found), sum(each == 0 for each in found), statistics.median(found), upper)


def _cuts(name: str, cases: Sequence[Case]) -> Iterable[Cut]:
    scores = [case.score for case in cases]
    by_kind = rates(scores, lambda _score, field: field.kind.value)
    for kind in dict.fromkeys(each.group for each in by_kind):
        found = tuple(each for each in by_kind if each.group == kind)
        only = [each for each in (_only(score, kind) for score in scores) if each.fields]
        shares = (_all(only, level) for level in ("submitted", "mentioned", "clicked"))
        yield Cut("kind", name, kind, found, *shares)
    for by, value in _PROPERTIES.items():
        yield from _cut(name, cases, by, value)
    for aspect in CONDITIONS[1:]:
        yield from _cut(name, cases, aspect, _naming(aspect))


def _cut(name: str, cases: Sequence[Case], by: str, value: Callable[[Case], str]) -> Iterable[Cut]:
    groups: dict[str, list[EpisodeScore]] = {}
    for case in cases:
        groups.setdefault(value(case), []).append(case.score)
    for at in sorted(groups, key=_in_order):
        scores = groups[at]
        found = rates(scores, _always(at))
        right = _share(scores, lambda score: score.right)
        published, clicked = (_all(scores, level) for level in ("mentioned", "clicked"))
        yield Cut(by, name, at, found, right, published, clicked)


def _only(score: EpisodeScore, kind: str) -> EpisodeScore:
    """Return an episode with only the fields of one kind that are asked for."""
    fields = tuple(each for each in score.fields if each.asked and each.kind.value == kind)
    return msgspec.structs.replace(score, fields=fields)


def _always(name: str) -> Callable[[EpisodeScore, FieldScore], str]:
    return lambda _score, _field: name


def _naming(aspect: Aspect) -> Callable[[Case], str]:
    return lambda case: case.named(aspect)


def _in_order(text: str) -> tuple[int, str]:
    return (int(text) if text.isdigit() else -1, text)


def _strayed(name: str, cases: Sequence[Case]) -> Iterable[Strayed]:
    counts: collections.Counter[tuple[str, str]] = collections.Counter()
    asked: collections.Counter[str] = collections.Counter()
    for case in cases:
        kinds = {each.field: each.kind.value for each in case.score.fields}
        for field in case.score.fields:
            asked[field.kind.value] += field.asked
            counts.update((field.kind.value, kinds[other]) for other in field.found_in)
    for (value_of, found_in), count in sorted(counts.items()):
        yield Strayed(name, value_of, found_in, count, asked[value_of])


_PROPERTIES: Final[dict[str, Callable[[Case], str]]] = {
    "fields": lambda case: str(len(case.score.fields)),
    "types": lambda case: str(len({each.kind for each in case.score.fields})),
    "pages": lambda case: str(len({each.page for each in case.score.fields})),
    "form": lambda case: case.score.form,
}
