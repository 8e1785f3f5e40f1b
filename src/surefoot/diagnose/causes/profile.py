"""
The weakness profile: what causes a model's failures, one finding a cause, and how sure that is.

Causes are looked for in three ways, from the most telling to the least, and what one of them
explains is no evidence for the next: in the replies (``replies``), in where clicks land
(``confusions``), and in which questions fail (``slices``). Sites are the clusters. Holm's
correction runs over the confusions as one family, and over what replies show; a slice is held
against the largest of all slices under the null. A click that the confusion with the largest
share explains is left out of the next one's count, and so on. The answers come from a search
that asks what fails; rates are those of what was asked, not of all that could be.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec
import numpy as np

from surefoot.core.question import Refusal, Unparsed
from surefoot.diagnose.causes.confusions import CONFUSIONS, Confusion, ConfusionEvidence, showings
from surefoot.diagnose.causes.replies import LABEL, ReplyCause, reply_causes
from surefoot.diagnose.causes.slices import excess, search_slices
from surefoot.diagnose.causes.table import AND, AnswerTable, Slice, slice_of, table_of
from surefoot.diagnose.findings import Profile, Weakness
from surefoot.diagnose.rates import MISSED
from surefoot.diagnose.search.arms import ArmResult
from surefoot.refer.scene.scenes import Scenes
from surefoot.score.conditions.rows import Condition, measured_rows
from surefoot.score.contrasts.comparisons import Comparison, Contrast, compare_rows, corrected
from surefoot.score.stats.arrays import Bools
from surefoot.score.stats.clusters import (
    CHANGE,
    difference_of_ratios,
    intervals,
    p_values,
    sum_by_cluster,
)
from surefoot.score.stats.intervals import CONFIDENCE

LEVEL: Final = 1 - CONFIDENCE
LEAST_SHOWN: Final = 5
LEAST_EFFECT: Final = 0.1
WITHOUT: Final = "without"
PERMUTED: Final = "permutations of sites, the largest of all slices"
REPAIRS: Final = frozenset({"step", "scale", LABEL})
MOST_SHOWN: Final = 40
NEARLY_ALL: Final = 0.8


def profile(
    answers: Iterable[ArmResult], scenes: Scenes, model: str, settled: Sequence[Weakness] = ()
) -> Profile:
    """
    Return what causes a model's failures: replies, confusions, slices.

    ``settled`` are those that were held to fresh questions already: what did not hold is not
    named again and takes no failures from others; slices that held stay as they are.

    What is named comes first, what explains most failures before the rest. A confusion or
    what replies show is named where its corrected p is under 0.05, its interval above 0, its
    effect at least 0.1, and 5 answers show it; a slice where it outlasts the search
    (``search_slices``).
    """
    known = [answer for answer in answers if answer.answered]
    return weaknesses(known, showings(CONFUSIONS, known, scenes), model, settled)


def weaknesses(
    known: Sequence[ArmResult],
    shown: Mapping[Confusion, list[ConfusionEvidence]],
    model: str,
    settled: Sequence[Weakness] = (),
) -> Profile:
    """Return what ``profile`` does, from answers and from what they say of each confusion."""
    failures = sum(answer.failed for answer in known) or 1
    replies = [(cause, _reply(cause, model, failures)) for cause in reply_causes(known)]
    corrected_replies = _without(_corrected([weakness for _, weakness in replies]), settled)
    replies = list(zip((cause for cause, _ in replies), corrected_replies, strict=True))
    repaired = {
        question
        for cause, weakness in replies
        if weakness.named and cause.name in REPAIRS
        for question in cause.explains
    }
    left = {
        confusion: [item for item in several if item.question not in repaired]
        for confusion, several in shown.items()
    }
    by_id = {answer.arm.question.id: answer for answer in known}
    confusions = _without(
        [
            _narrowed(weakness, left, by_id, failures, settled) if weakness.named else weakness
            for weakness in _corrected(
                [compare_confusion(*item, model, failures) for item in _explaining(left)]
            )
        ],
        settled,
    )
    confused = {
        evidence.question
        for confusion, several in left.items()
        for evidence in several
        if evidence.shown and confusion.name in {
            weakness.comparison.varies for weakness in confusions if weakness.named
        }
    }  # fmt: skip
    rest = [answer for answer in known if answer.arm.question.id not in repaired | confused]
    slices, unnameable, sliced = _slices(rest, model, failures, settled)
    lost = _unsliced(replies, sliced)
    explained_by = {cause.name: cause.explains for cause, _ in replies} | {
        confusion.name: frozenset(item.question for item in several if item.shown)
        for confusion, several in left.items()
    }
    found = [
        msgspec.structs.replace(weakness, pillars=_pillars(weakness, known, rest, explained_by))
        for weakness in (*lost, *confusions, *slices)
    ]
    found.sort(key=lambda one: (not one.named, -one.explains, one.comparison.value))
    explained = sum(weakness.explains for weakness in found if weakness.named)
    return Profile(tuple(found), unnameable, max(0.0, 1 - explained))


def _pillars(
    weakness: Weakness,
    known: Sequence[ArmResult],
    rest: Sequence[ArmResult],
    shown: Mapping[str, frozenset[str]],
) -> tuple[str, ...]:
    """
    Return the benchmarks in which a cause shows, none where there is one alone.

    A slice shows where it fails more often than what is without it, all that has it else;
    ``shown`` are the questions that show each of the others.
    """
    if len({answer.arm.pillar for answer in known}) == 1:
        return ()
    if not weakness.sliced:
        questions = shown[weakness.comparison.varies]
        pillars = {result.arm.pillar for result in known if result.arm.question.id in questions}
        return tuple(sorted(pillars))
    mask = _mask(rest, slice_of(weakness.comparison.value))
    failed = np.array([answer.failed for answer in rest], dtype=np.float64)
    pillar = np.array([answer.arm.pillar for answer in rest])
    having = sorted(set(pillar[mask].tolist()))
    more = []
    for name in having:
        inside, outside = mask & (pillar == name), ~mask & (pillar == name)
        if outside.any() and failed[inside].mean() - failed[outside].mean() >= LEAST_EFFECT:
            more.append(name)
    return tuple(more or having)


def _narrowed(
    weakness: Weakness,
    shown: Mapping[Confusion, list[ConfusionEvidence]],
    answers: Mapping[str, ArmResult],
    failures: int,
    settled: Sequence[Weakness],
) -> Weakness:
    """
    Say of a confusion where it is made, if a slice of what could show it has nearly all of it.

    What was said of it before stays, and what did not hold is not said again.
    """
    compared = weakness.comparison
    for item in settled:
        if item.said and item.comparison.varies == compared.varies:
            return msgspec.structs.replace(item, confirmed=None)
    (confusion,) = (item for item in shown if item.name == compared.varies)
    answers_here = [answers[evidence.question] for evidence in shown[confusion]]
    made = np.array([evidence.shown for evidence in shown[confusion]], dtype=np.float64)
    table = msgspec.structs.replace(table_of(answers_here), failed=made, blind=np.zeros(len(made)))
    where = [item for item, _ in search_slices(table).named][:1]
    if not where or made[_mask(answers_here, where[0])].sum() < NEARLY_ALL * made.sum():
        return weakness
    (part,) = where
    inside = _mask(answers_here, part)
    within = [evidence for evidence, holds in zip(shown[confusion], inside, strict=True) if holds]
    narrow = compare_confusion(confusion, within, compared.model, failures)
    value = f"{confusion.name}{AND}{part.key}"
    if not _large(narrow.comparison) or value in {
        item.comparison.value for item in settled if not item.said
    }:
        return weakness
    return msgspec.structs.replace(
        narrow,
        words=f"{confusion.words}, with {part.words}",
        comparison=msgspec.structs.replace(
            narrow.comparison,
            value=value,
            p=compared.p,
            p_holm=compared.p_holm,
            family=compared.family,
        ),
    )


def weakness_names(found: Iterable[Weakness]) -> tuple[str, ...]:
    """Return the words of the weaknesses that are named, and that held where that was tried."""
    return tuple(weakness.words for weakness in found if weakness.said)


def _without(found: Sequence[Weakness], settled: Sequence[Weakness]) -> list[Weakness]:
    """Name nothing that did not hold on fresh questions, nor a cause whose tests are spent."""
    dropped = {weakness.comparison.value for weakness in settled if not weakness.said}
    closed = {
        weakness.comparison.varies
        for weakness in settled
        if not weakness.said and weakness.is_spent
    }
    return [
        msgspec.structs.replace(
            weakness,
            named=weakness.named
            and weakness.comparison.value not in dropped
            and (weakness.sliced or weakness.comparison.varies not in closed),
        )
        for weakness in found
    ]


def _explaining(
    found: Mapping[Confusion, list[ConfusionEvidence]],
) -> list[tuple[Confusion, list[ConfusionEvidence]]]:
    """
    Order the confusions by the share of the answers that show them, the largest first.

    A click that one of them explains is no evidence for a later one: the largest control of
    a role may by chance be the first as well.
    """
    left, ordered = dict(found), []
    while left:
        first = max(left, key=lambda item: (_shown_share(left[item]), item.name))
        shown = {evidence.question for evidence in left[first] if evidence.shown}
        ordered.append((first, left.pop(first)))
        left = {
            name: [evidence for evidence in several if evidence.question not in shown]
            for name, several in left.items()
        }
    return ordered


def _shown_share(found: Sequence[ConfusionEvidence]) -> float:
    return sum(evidence.shown for evidence in found) / len(found) if found else 0.0


def _reply(cause: ReplyCause, model: str, failures: int) -> Weakness:
    """Tell what replies show as a weakness; one that is held against 0.1 by chance."""
    low = None if cause.interval is None else cause.interval.low
    return Weakness(
        words=cause.words,
        failed_with=len(cause.explains),
        n_with=cause.of,
        failed_without=0,
        n_without=0,
        named=low is not None and low > 0,
        explains=len(cause.explains) / failures,
        comparison=Comparison(
            metric="replies",
            contrast="reply",
            varies=cause.name,
            model=model,
            reasoning=False,
            instruction="",
            variant="",
            value=cause.name,
            baseline="none",
            n=cause.of,
            unmatched=0,
            clusters=cause.clusters,
            unparsed=0,
            before=0.0,
            after=cause.share,
            change=cause.share,
            interval=cause.interval,
            detectable=None,
            p=cause.p,
        ),
    )


def _unsliced(replies: Sequence[tuple[ReplyCause, Weakness]], sliced: set[str]) -> list[Weakness]:
    """Leave lost replies unnamed where named slices hold most of them: those are the cause."""
    return [
        msgspec.structs.replace(weakness, named=weakness.named and cause.name in REPAIRS)
        if len(cause.explains & sliced) >= len(cause.explains) / 2
        else weakness
        for cause, weakness in replies
    ]


def _slices(
    rest: Sequence[ArmResult], model: str, failures: int, settled: Sequence[Weakness]
) -> tuple[list[Weakness], tuple[str, ...], set[str]]:
    """
    Search for slices, and compare the failure rate in each to that without it.

    Besides, the words of what could not be named, and the questions in a named slice.
    """
    table = table_of(rest)
    known = [(slice_of(item.comparison.value), item) for item in settled if item.sliced]
    held = [
        (item, judged.comparison.p, _mask(rest, item)) for item, judged in known if judged.said
    ]
    # What a confusion explains is left out by now, so a slice may have nothing left.
    held = [(item, p, mask) for item, p, mask in held if mask.any() and not mask.all()]
    dropped = [item for item, judged in known if not judged.said]
    closed = [item for item, judged in known if not judged.said and judged.is_spent]
    found = search_slices(table, held=held, dropped=dropped, closed=closed)
    masks = [_mask(rest, item) for item, _ in found.named]
    explained = _explained(table, masks)
    named = [
        msgspec.structs.replace(
            compare_slice(rest, item, p, model, found.looked_at), explains=part / failures
        )
        for (item, p), part in zip(found.named, explained, strict=True)
    ]
    keys = {item.key for item, _ in found.named}
    others = [
        msgspec.structs.replace(compare_slice(rest, item, p, model, found.looked_at), named=False)
        for item, p in found.shown
        if item.key not in keys
    ]
    others.sort(key=lambda one: (one.comparison.p, -(one.comparison.change or 0.0)))
    sliced = {
        answer.arm.question.id
        for mask, weakness in zip(masks, named, strict=True)
        if weakness.named
        for answer, inside in zip(rest, mask, strict=True)
        if inside
    }
    unnameable = tuple(atom.words for atom in found.unnameable)
    return [*named, *others[:MOST_SHOWN]], unnameable, sliced


def _mask(rest: Sequence[ArmResult], one: Slice) -> Bools:
    held = [one.holds(answer.arm.features, answer.arm.measures) for answer in rest]
    return np.array(held, dtype=bool)


def _explained(table: AnswerTable, masks: Sequence[Bools]) -> list[float]:
    """Return how many failures each slice has beyond the others' rate, none of them twice."""
    taken = np.zeros(len(table.failed), dtype=bool)
    parts = []
    for mask in masks:
        parts.append(max(0.0, excess(table, mask & ~taken, masks)))
        taken |= mask
    return parts


def compare_slice(
    rest: Sequence[ArmResult], one: Slice, p: float | None, model: str, tests: int
) -> Weakness:
    """
    Compare the failure rate in a slice to that of all other answers, of the pillars that have it.

    ``p`` is that of the search which found it; without any it is that of the two rates alone.
    """
    pillars = {
        answer.arm.pillar for answer, holds in zip(rest, _mask(rest, one), strict=True) if holds
    }
    rest = [answer for answer in rest if answer.arm.pillar in pillars]
    mask = _mask(rest, one)
    failed = np.array([answer.failed for answer in rest], dtype=np.float64)
    rows = measured_rows(
        [Condition(model)] * len(rest),
        range(len(rest)),
        [answer.arm.question.cluster for answer in rest],
        {MISSED.name: failed},
        {"slice": [one.key if inside else WITHOUT for inside in mask]},
    )
    contrast = Contrast(name="feature", varies="slice", baseline=WITHOUT, paired=False)
    (compared,) = compare_rows(rows, {MISSED: failed}, contrast)
    if p is not None:
        compared = msgspec.structs.replace(compared, test=PERMUTED, p=p, p_holm=p, family=tests)
    return Weakness(
        words=f"fails more often with {one.words}{_mostly(rest, mask)}",
        failed_with=int(failed[mask].sum()),
        n_with=int(mask.sum()),
        failed_without=int(failed[~mask].sum()),
        n_without=int((~mask).sum()),
        named=True,
        comparison=compared,
    )


def _mostly(rest: Sequence[ArmResult], mask: Bools) -> str:
    """Say of a slice's failures what most of their replies are, where they name no place."""
    parsed = [
        answer.answer.parsed
        for answer, inside in zip(rest, mask, strict=True)
        if inside and answer.failed and answer.answer
    ]
    for kind, words in ((Refusal, "which it declines"), (Unparsed, "which it answers unreadably")):
        if parsed and sum(isinstance(point, kind) for point in parsed) > len(parsed) / 2:
            return f", {words}"
    return ""


def compare_confusion(
    confusion: Confusion, found: Sequence[ConfusionEvidence], model: str, failures: int
) -> Weakness:
    """Compare the share of misses that show a confusion with that of the misses without it."""
    rival = [evidence for evidence in found if evidence.on_rival]
    shown = sum(evidence.shown for evidence in found)
    counts = np.array(
        [[evidence.chance, evidence.shown, 1.0] for evidence in rival], np.float64
    ).reshape(-1, 3)
    sums = sum_by_cluster([evidence.cluster for evidence in rival], counts)
    often, seldom, misses = sums[:, :1], sums[:, 1:2], sums[:, 2:]
    beyond = difference_of_ratios((often, misses), (seldom, misses))
    effect = float(beyond.value[0]) if rival else None
    (interval,) = intervals(beyond, CHANGE)
    both_sides = float(p_values(beyond, CHANGE)[0])
    one_side = both_sides / 2 if (effect or 0.0) > 0 else 1 - both_sides / 2
    compared = Comparison(
        metric="misses_there",
        contrast="confusion",
        varies=confusion.name,
        model=model,
        reasoning=False,
        instruction="",
        variant="",
        value=confusion.name,
        baseline="misses without it",
        n=len(rival),
        unmatched=0,
        clusters=len(sums),
        unparsed=0,
        before=float(counts[:, 0].mean()) if rival else None,
        after=float(counts[:, 1].mean()) if rival else None,
        change=effect,
        interval=interval,
        detectable=None,
        p=one_side if rival else 1.0,
    )
    return Weakness(
        words=confusion.words,
        failed_with=shown,
        n_with=len(found),
        failed_without=len(rival) - shown,
        n_without=len(rival),
        named=shown >= LEAST_SHOWN and _large(compared),
        explains=max(0.0, effect or 0.0) * len(rival) / failures,
        comparison=compared,
    )


def _large(found: Comparison) -> bool:
    apart = found.interval is not None and found.interval.low > 0
    return apart and (found.change or 0.0) >= LEAST_EFFECT


def _corrected(found: Sequence[Weakness]) -> list[Weakness]:
    tested = corrected([weakness.comparison for weakness in found])
    judged = [
        msgspec.structs.replace(
            weakness, comparison=comparison, named=weakness.named and comparison.p_holm < LEVEL
        )
        for weakness, comparison in zip(found, tested, strict=True)
    ]
    return sorted(
        judged,
        key=lambda item: (not item.named, -(item.comparison.change or 0.0), item.comparison.value),
    )
