"""
What an intervention came to: rates before and after, paired changes, and the share of the gap.

Every number is clustered by groups of screens. A gain is one that is more than chance, more than
either control gives, and more than the nearest items' own answers tell; anything less is called
none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec
import numpy as np

from surefoot.intervene.items import ReasoningMode
from surefoot.intervene.retrieval import CONTROLS, DirectionKind
from surefoot.intervene.search import ChosenSetting, SearchProtocol
from surefoot.intervene.steering import InjectionPlace
from surefoot.score.stats.arrays import Floats
from surefoot.score.stats.clusters import (
    ANY,
    RATE,
    ClusterEstimate,
    intervals,
    quotient_of_ratios,
    ratio,
    sum_by_cluster,
)
from surefoot.score.stats.intervals import Interval
from surefoot.score.stats.multiplicity import holm
from surefoot.score.stats.paired import PairedChange, paired_change

BEFORE: Final = "before"
ENGLISH_ROW: Final = "english"
NEIGHBOURS: Final = "neighbours"  # what most of the nearest items have as their right label
STEERED: Final[tuple[DirectionKind, ...]] = ("xli", *CONTROLS)
LEVEL: Final = 0.05
_CONTROL_NAMES: Final[Mapping[str, str]] = {
    **{kind: f"the {kind} vectors" for kind in CONTROLS},
    NEIGHBOURS: "the answers of the nearest items",
}
OVER: Final = "groups of screens"


class SteeredItem(msgspec.Struct, frozen=True):
    """
    Say which conditions of an item were answered rightly in one language.

    ``english`` among the conditions is the same item in English, with nothing added.
    """

    pair: str
    language: str
    dimension: str
    cluster: str
    right: dict[str, bool]


class SteeredRate(msgspec.Struct, frozen=True):
    """Hold the share of right answers under a condition; ``dimension`` "" is all of them."""

    language: str
    dimension: str
    condition: str
    n: int
    rate: float
    interval: Interval | None


class SteeredChange(msgspec.Struct, frozen=True):
    """
    Hold how much better ``condition`` is than ``against`` on the same items.

    ``won`` and ``lost`` count items that are right in one of both alone. ``p_holm`` is corrected
    for the languages (or, within a language, for the dimensions).
    """

    language: str
    dimension: str
    condition: str
    against: str
    n: int
    change: float
    interval: Interval | None
    won: int
    lost: int
    p: float
    p_holm: float


class GapShare(msgspec.Struct, frozen=True):
    """
    Hold which share of the gap to English a condition brings back.

    None where there is no gap to close: English is no better.
    """

    language: str
    condition: str
    gap: float
    gap_interval: Interval | None
    share: float | None
    interval: Interval | None


class InjectedSizes(msgspec.Struct, frozen=True):
    """
    Hold means over what was added: the state's length, the added one, and the turn in degrees.
    """

    language: str
    condition: str
    n: int
    length: float
    added: float
    angle: float


class LanguageVerdict(msgspec.Struct, frozen=True):
    """Say whether there is a gain in a language, and why not."""

    language: str
    gain: bool
    why: str


class InterventionResults(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold all that is told of an intervention; ``protocol`` stands above every table.

    ``dimensions`` are those of the items in each language, in the order of their states.
    """

    model: str
    protocol: SearchProtocol
    at: InjectionPlace
    top_k: int
    chosen: tuple[ChosenSetting, ...]
    items: int
    clusters: int
    rates: tuple[SteeredRate, ...]
    changes: tuple[SteeredChange, ...]
    shares: tuple[GapShare, ...]
    sizes: tuple[InjectedSizes, ...]
    verdicts: tuple[LanguageVerdict, ...]
    dimensions: dict[str, tuple[str, ...]] = {}
    reasoning: ReasoningMode = "off"


def results_of(  # noqa: PLR0913 - what results are of, all by name
    items: Iterable[SteeredItem],
    *,
    model: str,
    protocol: SearchProtocol,
    at: InjectionPlace,
    top_k: int,
    chosen: Sequence[ChosenSetting],
    sizes: Sequence[InjectedSizes] = (),
    reasoning: ReasoningMode = "off",
) -> InterventionResults:
    """Return the results of items that were asked in every condition that one of them was."""
    rows = tuple(items)
    languages = sorted({row.language for row in rows})
    conditions = tuple(dict.fromkeys(name for row in rows for name in row.right))
    changes = _all_changes(rows, languages, conditions)
    return InterventionResults(
        model=model,
        protocol=protocol,
        at=at,
        top_k=top_k,
        chosen=tuple(chosen),
        items=len({row.pair for row in rows}),
        clusters=len({row.cluster for row in rows}),
        rates=tuple(
            _rate(part, name)
            for language in languages
            for part in _parts(rows, language)
            for name in conditions
        ),
        changes=changes,
        shares=tuple(
            _share([row for row in rows if row.language == language], name)
            for language in languages
            for name in conditions
            if name not in {BEFORE, ENGLISH_ROW}
        ),
        sizes=tuple(sizes),
        verdicts=tuple(_verdict(language, changes) for language in languages),
        dimensions={
            language: tuple(row.dimension for row in rows if row.language == language)
            for language in languages
        },
        reasoning=reasoning,
    )


def _parts(rows: Sequence[SteeredItem], language: str) -> list[list[SteeredItem]]:
    """Return all items of a language, then those of each dimension where there are several."""
    own = [row for row in rows if row.language == language]
    dimensions = sorted({row.dimension for row in own})
    parts = [[row for row in own if row.dimension == name] for name in dimensions]
    whole = [msgspec.structs.replace(row, dimension="") for row in own]
    return [whole, *(parts if len(parts) > 1 else [])]


def _rate(rows: Sequence[SteeredItem], name: str) -> SteeredRate:
    found = ratio(*_named(rows, name))
    first = rows[0]
    return SteeredRate(
        first.language,
        first.dimension,
        name,
        len(rows),
        float(found.value[0]),
        _interval(found, RATE),
    )


def _all_changes(
    rows: Sequence[SteeredItem], languages: Sequence[str], conditions: Sequence[str]
) -> tuple[SteeredChange, ...]:
    others = [name for name in conditions if name not in {BEFORE, ENGLISH_ROW}]
    pairs = [(name, BEFORE) for name in others]
    pairs += [("xli", name) for name in others if name != "xli"]
    found: list[SteeredChange] = []
    parts = {language: _parts(rows, language) for language in languages}
    for name, against in pairs:
        found += _corrected([_change(parts[item][0], name, against) for item in languages])
        for language in languages:
            found += _corrected([_change(part, name, against) for part in parts[language][1:]])
    return tuple(found)


def _change(rows: Sequence[SteeredItem], name: str, against: str) -> SteeredChange:
    found = _paired(rows, name, against)
    won = sum(row.right[name] and not row.right[against] for row in rows)
    lost = sum(row.right[against] and not row.right[name] for row in rows)
    first = rows[0]
    return SteeredChange(
        first.language,
        first.dimension,
        name,
        against,
        len(rows),
        found.mean,
        found.interval(),
        won,
        lost,
        found.p,
        found.p,
    )


def _paired(rows: Sequence[SteeredItem], name: str, against: str) -> PairedChange:
    """Compare the same items under two conditions."""
    changes = np.array([float(row.right[name]) - row.right[against] for row in rows])
    _, home = np.unique([row.cluster for row in rows], return_inverse=True)
    return paired_change(changes, home, 1.0, over=OVER)


def _corrected(changes: Sequence[SteeredChange]) -> list[SteeredChange]:
    adjusted = holm([change.p for change in changes])
    return [
        msgspec.structs.replace(change, p_holm=p)
        for change, p in zip(changes, adjusted, strict=True)
    ]


def _share(rows: Sequence[SteeredItem], name: str) -> GapShare:
    before, after, english = (_named(rows, item) for item in (BEFORE, name, ENGLISH_ROW))
    gap = _paired(rows, ENGLISH_ROW, BEFORE)
    wide = gap.mean
    closed = (after[0] - before[0], before[1])
    found = quotient_of_ratios(closed, (english[0] - before[0], before[1]))
    share = float(found.value[0]) if wide > 0 else None
    return GapShare(
        rows[0].language,
        name,
        wide,
        gap.interval(),
        share,
        None if share is None else _interval(found, ANY),
    )


def _verdict(language: str, changes: Sequence[SteeredChange]) -> LanguageVerdict:
    own = {
        change.against: change
        for change in changes
        if change.language == language and not change.dimension and change.condition == "xli"
    }
    doubts = [
        f"no better than {against if against == BEFORE else _CONTROL_NAMES[against]} "
        f"({100 * change.change:+.1f} points, p = {change.p_holm:.2g})"
        for against, change in own.items()
        if against in {BEFORE, *_CONTROL_NAMES}
        and not (change.change > 0 and change.p_holm < LEVEL)
    ]
    return LanguageVerdict(language, not doubts, "; ".join(doubts))


def _named(rows: Sequence[SteeredItem], name: str) -> tuple[Floats, Floats]:
    """Return the right answers under a condition, and all, of each cluster."""
    values = np.array([[float(row.right[name]), 1.0] for row in rows])
    summed = sum_by_cluster([row.cluster for row in rows], values)
    return summed[:, :1], summed[:, 1:]


def _interval(found: ClusterEstimate, bounds: tuple[float, float]) -> Interval | None:
    return intervals(found, bounds, over=OVER)[0]
