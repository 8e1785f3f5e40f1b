"""
The sum of a diagnosis: rates with intervals, the profile, and what to say of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec
import numpy as np

from surefoot.core.plan import plan_digest
from surefoot.diagnose.breakdown import Trait, failure_rates, precision, success_by_round
from surefoot.diagnose.causes.chance import UsualModes
from surefoot.diagnose.causes.noise import repeats_of
from surefoot.diagnose.causes.profile import weakness_names
from surefoot.diagnose.collecting import CheckedMisses
from surefoot.diagnose.findings import (
    Confirmation,
    Diagnosis,
    ElementFinding,
    Profile,
    Weakness,
)
from surefoot.diagnose.rates import (
    AGREED,
    BASELINE,
    FAILED,
    FAILURES,
    PRECISE,
    Found,
    rate_of_failures,
    ratio_interval,
)
from surefoot.diagnose.search.arms import ArmResult
from surefoot.diagnose.search.options import DiagnoseOptions
from surefoot.diagnose.search.trail import EXPLORED, RARE, RECORDED
from surefoot.failures.modes import FROM_CHANGE, FROM_JUDGE, FROM_THOUGHT, MODES, FailureMode
from surefoot.failures.thought import thought_of
from surefoot.phrasing.headlines import Headline, KeyNumber
from surefoot.phrasing.words import (
    amount_words,
    ends_words,
    over_words,
    p_words,
    population_sentence,
)
from surefoot.score.conditions.scores import Score, mean_of
from surefoot.score.stats.clusters import few_clusters
from surefoot.score.stats.intervals import CONFIDENCE
from surefoot.score.stats.units import SITES, Population

FEW_ELEMENTS: Final = 5  # under which a cause is not said
MOST_UNNAMED: Final = 6  # in a sentence; the report has all


def summarise_findings(  # noqa: PLR0913 - what a diagnosis is made of
    plan: Mapping[str, object],
    model: str,
    chosen: DiagnoseOptions,
    checked: Sequence[CheckedMisses],
    findings: Sequence[ElementFinding],
    baseline: Sequence[CheckedMisses],
    *,
    causes: Profile,
    usual: UsualModes,
    confirming: int = 0,
    population: Population,
    unplanned: Sequence[ElementFinding] = (),
    pillars: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> Diagnosis:
    """Sum up the findings about a model's elements, and the random baseline where there is one."""
    found, other = _found(checked, explored=False), _found(baseline, explored=False)
    if not baseline:
        other = _found(checked, explored=True)
    unit = population.noun
    subjects = [misses.trail.subject for misses in (*checked, *baseline)]
    sites = {subject.pair: subject.cluster for subject in subjects}
    planner = chosen.planner
    ratio, interval = ratio_interval(found, other, sites, unit=unit)
    classes = Counter(failure.taxonomy for item in findings for failure in item.failures)
    thoughts = any(thought_of(failure.raw) for item in findings for failure in item.failures)
    valid = sum(len(misses.valid) for misses in checked)
    recorded = sum(result.round == RECORDED for misses in checked for result in misses.trail.tried)
    return Diagnosis(
        plan=plan_digest(plan),
        bench=str(plan["bench"]),
        model=model,
        planner=planner,
        elements=tuple(sorted(findings, key=lambda finding: finding.pair)),
        questions=sum(finding.asked for finding in findings) - recorded,
        recorded=recorded,
        pillars=tuple(pillars),
        shrink_questions=sum(
            instruction.asked for item in findings for instruction in item.shrunk
        ),
        baseline_questions=sum(len(misses.trail.tried) for misses in baseline),
        unanswered=sum(finding.unanswered for finding in findings),
        success=mean_of(
            FAILED,
            ((finding.cluster, bool(finding.failures)) for finding in findings),
            model,
            planner,
            unit=unit,
        ),
        failures=valid,
        per_hundred=rate_of_failures(found, sites, model, planner, unit=unit),
        baseline_per_hundred=rate_of_failures(other, sites, model, BASELINE, unit=unit),
        ratio=ratio,
        ratio_interval=interval,
        agreement=mean_of(AGREED, _agreed(checked), model, planner, unit=unit),
        taxonomy={
            mode: classes[mode]
            for mode in MODES
            if mode not in FROM_CHANGE | FROM_JUDGE and (thoughts or mode not in FROM_THOUGHT)
        },
        usual_taxonomy=usual.expected,
        telling=usual.telling,
        profile=tuple(_resting_on(weakness, unit) for weakness in causes.weaknesses),
        unnameable=causes.unnameable,
        unexplained=causes.left,
        names=weakness_names(causes.weaknesses),
        warnings=(*_warnings(checked, findings, population), *notes),
        confirm_questions=confirming,
        select=chosen.select,
        unit=unit,
        unplanned=tuple(sorted(unplanned, key=lambda finding: finding.pair)),
        explored=sum(len(misses.trail.explored) for misses in checked),
        rare=sum(result.round == RARE for misses in checked for result in misses.trail.tried),
        repeats=repeats_of(misses.trail.tried for misses in checked) if chosen.twice else None,
    )


def diagnosis_lines(found: Diagnosis, failing: int) -> list[str]:
    """Say what was found, what to beware of, and how many instructions fail."""
    warnings = (f"warning: {warning}" for warning in found.warnings)
    count = f"{failing} questions in the benchmark of failing instructions"
    return [*diagnosis_sentences(found), *warnings, count]


def diagnosis_headline(found: Diagnosis) -> Headline:
    """Say what matters of a diagnosis in one sentence, with three numbers."""
    success, often = found.success, found.per_hundred
    elements = f"{success.total:.0f} of {success.n} elements"
    first = next((weakness for weakness in found.profile if weakness.said), None)
    named = "; no one weakness stands out"
    if first is not None:
        named = f"; above all it {_named(first, found.unit)}"
    sentence = f"{found.model} fails a valid instruction about {elements}{named}."
    ends, over = ends_words(success.interval), over_words(success.interval)
    share = amount_words(success.amount, "share") or "none"
    interval_words = f", {100 * CONFIDENCE:.0f} % interval {ends}, {over}" if ends else ""
    against = "" if found.ratio is None else f", {found.ratio:.2f} times as many as at random"
    rate = "none" if often.amount is None else f"{often.amount:.1f}"
    searched = KeyNumber(rate, f"failures per 100 questions of the search{against}")
    if not found.questions and found.recorded:
        searched = KeyNumber(f"{found.recorded:,}", "fields of forms that were filled in before")
    numbers = (
        KeyNumber(share, f"of the elements have an instruction that fails{interval_words}"),
        searched,
        _last_number(found),
    )
    return Headline(found.model, sentence, numbers)


def _last_number(found: Diagnosis) -> KeyNumber:
    """Say how the first weakness held, or else what most failures look like."""
    first = next((weakness.confirmed for weakness in found.profile if weakness.said), None)
    if first is not None and first.inside:
        against = f", against {first.failed_outside} of {first.outside}" if first.outside else ""
        where = "" if first.beyond else f"; for other {found.unit} nothing follows"
        rate = f"{first.failed_inside} of {first.inside}"
        return KeyNumber(rate, f"fresh questions of that kind fail{against}{where}")
    mode, count = max(found.taxonomy.items(), key=lambda one: one[1] or 0, default=("", 0))
    words = f"failures are of the mode '{mode}'" if found.failures else "failures"
    return KeyNumber(f"{count or 0:,} of {found.failures:,}", words)


def overview_sentences(found: Diagnosis) -> tuple[str, ...]:
    """Say what matters of a diagnosis, and each further weakness in a sentence of its own."""
    further = [weakness for weakness in found.profile if weakness.said][1:]
    return (
        *diagnosis_headline(found).sentences,
        *(f"{found.model} also {_named(weakness, found.unit)}." for weakness in further),
    )


def _named(weakness: Weakness, unit: str) -> str:
    """Return a weakness in words, with the sites where it holds on these alone."""
    confirmed, words = weakness.confirmed, f"{weakness.words}{pillar_words(weakness)}"
    if weakness.unconfirmed:
        return f"{words}, which could not be confirmed"
    if confirmed is None or confirmed.beyond:
        return words
    return f"{words}, on {_where(confirmed, unit)}"


def diagnosis_sentences(found: Diagnosis) -> list[str]:
    """Say what was found, without more than the intervals hold."""
    success = found.success
    elements = f"{success.total:.0f} of {success.n} elements"
    rare = f", {found.rare} more among what few have" if found.rare else ""
    drawn = f" ({found.explored} drawn at random{rare})" if found.explored else ""
    asked = f"{found.questions} questions of the search{drawn}"
    if found.recorded:
        asked += f", and {found.recorded} fields of forms that had been filled in"
    more = (
        f"{found.shrink_questions} to shrink them, {found.baseline_questions} at random, "
        f"{found.confirm_questions} to confirm what was found"
    )
    ends, over = ends_words(success.interval, digits=0), over_words(success.interval)
    fails = f"a valid instruction that {found.model} fails{f' ({ends} %, {over})' * bool(ends)}"
    lines = [
        f"{elements} have {fails}",
        f"{found.failures} failing instructions in {asked}; besides, {more}",
        *_repeat_words(found),
    ]
    if found.per_hundred.amount is not None:
        ends = ends_words(found.per_hundred.interval, FAILURES.unit)
        often = f"{found.per_hundred.amount:.1f} failures per 100 questions"
        lines.append(f"{often}{f' ({ends})' * bool(ends)}{_against(found)}")
    lines += _breakdown_words(found)
    lines.append(f"why: {_why_words(found)}")
    lines += [
        f"weakness: {weakness_words(weakness, found.unit)}"
        for weakness in found.profile
        if weakness.said
    ]
    lines += [
        f"not confirmed on fresh questions: {item.words}; {confirmed_words(item, found.unit)}"
        for item in found.profile
        if item.named and not item.said
    ]
    if not found.names:
        lines.append("no weakness stands out clearly enough to be named")
    return [*lines, *_power_words(found)]


def _breakdown_words(found: Diagnosis) -> Iterator[str]:
    """Say by which round elements failed, what fails, of which size, and what selecting brings."""
    rounds = success_by_round(found)
    if not rounds or not found.failures:
        return
    rates = [_rate_words(score) for score in rounds]
    last = len(rates) - 1
    new = [at for at, words in enumerate(rates) if at in (0, last) or words != rates[at - 1]]
    ends = ends_words(rounds[-1].interval, digits=0)
    by_round = ", ".join(f"{rates[at]} by round {at}" for at in new)
    yield f"elements that fail: {by_round}{f' ({ends})' * bool(ends)}"
    traits: tuple[Trait, ...] = ("kind", "specificity", "move", "size")
    for trait in traits:
        scores = failure_rates(found, trait)
        title = "size of the target" if trait == "size" else trait
        shown = ", ".join(f"{score.value} {_rate_words(score)} of {score.n}" for score in scores)
        yield f"questions that fail, by {title}: {shown}"
    selected = {score.value: score for score in precision(found) if score.metric == PRECISE.name}
    rule = "fewest loose matches" if found.select == "fewest" else "what was found first"
    share = " against ".join(
        f"{_rate_words(score)} of {score.n} {name}" for name, score in selected.items()
    )
    yield f"misses that hold and are valid, selected by {rule}: {share}"


def _rate_words(score: Score) -> str:
    return "none" if score.amount is None else f"{100 * score.amount:.0f} %"


def _repeat_words(found: Diagnosis) -> Iterator[str]:
    """Say how many misses held when they were asked again, and what chance alone would give."""
    again = found.repeats
    if again is None or not again.asked:
        return
    if again.chance is None or again.elements is None:
        yield (
            f"all {again.asked} misses were asked again, and all replies are the same to the "
            "letter: that tells nothing of chance"
        )
        return
    yield (
        f"{again.held} of {again.asked} misses held when they were asked again; by chance alone "
        f"{again.elements:.1f} of {found.success.n} elements would be said to fail "
        f"(of all questions {100 * again.chance:.0f} % missed for no reason)"
    )


def _why_words(found: Diagnosis) -> str:
    """Say which modes are more frequent than the model's misses elsewhere let expect."""
    counts = {mode: count for mode, count in found.taxonomy.items() if count}
    if not counts:
        return "nothing failed"

    def said(mode: FailureMode) -> str:
        usual = found.usual_taxonomy.get(mode)
        return f"{mode} {counts[mode]}{f' (usual {usual:.0f})' if usual is not None else ''}"

    telling = ", ".join(said(mode) for mode in counts if mode in found.telling)
    others = ", ".join(said(mode) for mode in counts if mode not in found.telling)
    if not found.usual_taxonomy and not telling:
        return others
    if not telling:
        return f"no mode beyond how the model misses other elements: {others}"
    return f"{telling}{f'; as it misses other elements: {others}' * bool(others)}"


def distinct_answers(checked: Iterable[CheckedMisses]) -> list[ArmResult]:
    """Return one answer to each question: search and baseline may have asked the same."""
    answers = (tried for misses in checked for tried in misses.trail.tried)
    return list({answer.arm.question.id: answer for answer in answers}.values())


def _resting_on(found: Weakness, unit: str) -> Weakness:
    """Name what the interval of a cause is over, which who compares does not know."""
    interval = found.comparison.interval
    if interval is None or interval.over == unit:
        return found
    named = msgspec.structs.replace(interval, over=unit)
    compared = msgspec.structs.replace(found.comparison, interval=named)
    return msgspec.structs.replace(found, comparison=compared)


def _found(checked: Iterable[CheckedMisses], *, explored: bool) -> dict[str, Found]:
    """Count valid failures and questions of each element, drawn at random or planned."""
    return {
        misses.trail.subject.pair: (
            sum(
                result.round == EXPLORED if explored else result.round >= 0
                for result in misses.valid
            ),
            len(misses.trail.explored if explored else misses.trail.steered),
        )
        for misses in checked
    }


def _agreed(checked: Iterable[CheckedMisses]) -> Iterable[tuple[str, bool]]:
    """Yield the site of each failing instruction, and whether the second resolver agrees."""
    for misses in checked:
        yield from ((misses.trail.subject.cluster, True) for _ in misses.valid)
        yield from ((misses.trail.subject.cluster, False) for _ in misses.disputed)


def _warnings(
    checked: Sequence[CheckedMisses], findings: Sequence[ElementFinding], population: Population
) -> list[str]:
    disputed = sum(len(misses.disputed) for misses in checked)
    invalid = sum(len(misses.invalid) for misses in checked)
    empty = sum(not finding.pool for finding in findings)
    _, sizes = np.unique([finding.cluster for finding in findings], return_counts=True)
    few = few_clusters(sizes, over=population.noun)
    notes = {
        population_sentence(population): population.unit != "site",
        f"{disputed} misses left out: the second resolver does not find them valid": disputed,
        f"{invalid} misses left out: their instructions do not hold on their screens": invalid,
        f"{empty} elements have no valid instruction to ask": empty,
        few: bool(few),
        "rates of the profile are those of what the search asked, not of all that could be": True,
    }
    return [words for words, holds in notes.items() if holds]


def weakness_words(found: Weakness, unit: str = SITES) -> str:
    """Say a cause: how often, first and on fresh questions, where that holds, what to do."""
    return "; ".join(
        filter(
            None,
            (
                f"{found.words}{pillar_words(found)} ({first_words(found)})",
                confirmed_words(found, unit),
                *facts_words(found),
            ),
        )
    )


def pillar_words(found: Weakness) -> str:
    """Say in which benchmarks a cause shows, "" where there is one alone."""
    return f", in {' and '.join(found.pillars)}" if found.pillars else ""


def cause_sentences(found: Weakness, unit: str = SITES) -> list[str]:
    """Say all that is known of a cause but its name, a sentence each; ``unit`` is the plural."""
    parts = (first_words(found), confirmed_words(found, unit), *facts_words(found))
    return [f"{words[0].upper()}{words[1:]}." for words in parts]


def first_words(found: Weakness) -> str:
    """Say what the search found, by which the cause was chosen."""
    often = f"first {found.failed_with} of {found.n_with} that could show it"
    if found.sliced:
        often = f"first {_percent(found.failed_with, found.n_with)} of {found.n_with} failed, "
        often += f"against {_percent(found.failed_without, found.n_without)} of the others"
    return f"{often}; it explains {100 * found.explains:.0f} % of all failures"


def confirmed_words(found: Weakness, unit: str = SITES) -> str:
    """Say what fresh questions, and minimal pairs, tell of a cause; ``unit`` is the plural."""
    fresh = found.confirmed
    if found.unconfirmed:
        return f"could not be confirmed: {found.unconfirmed}"
    if fresh is None:
        return "not held to fresh questions"
    rate = f" ({_percent(fresh.failed_inside, fresh.inside)})" if fresh.inside else ""
    words = f"fresh {fresh.failed_inside} of {fresh.inside} failed{rate}"
    if fresh.outside:
        words += f", against {fresh.failed_outside} of {fresh.outside} others"
    if found.is_weaker and fresh.inside:
        words += ", much weaker than it looked at first"
    words += f": {_verdict(fresh, unit)}"
    if fresh.changed:
        words += f"; {fresh.mended} of {fresh.changed} failures are hit once that is changed"
    return words


def _verdict(fresh: Confirmation, unit: str) -> str:
    """Say where a cause holds, by which test and at which level."""
    at = f"at the level {fresh.level:.2g}"
    if fresh.beyond:
        return f"confirmed ({p_words(fresh.p)} over {fresh.sites} {unit}, {at})"
    if fresh.held:
        return (
            f"holds on {_where(fresh, unit)} ({p_words(fresh.p_here)} over {fresh.elements} "
            f"elements, {at}); for other {unit} nothing follows"
        )
    if fresh.elements < FEW_ELEMENTS:
        elements = "element" if fresh.elements == 1 else "elements"
        return f"too few to say, with {fresh.elements} {elements} to ask about"
    return f"not confirmed ({p_words(min(fresh.p, fresh.p_here))}, {at})"


def _where(fresh: Confirmation, unit: str) -> str:
    """Name the sites, or other units, that have a cause."""
    several = f"the {fresh.sites} {unit} that have it"
    return f"the one {unit.removesuffix('s')} that has it" if fresh.sites == 1 else several


def facts_words(found: Weakness) -> Iterator[str]:
    """Say how many more elements are of the class, and what to do."""
    facts = found.facts
    if facts is None:
        return
    if 0 < facts.more < facts.of:
        controls = "control" if facts.more == 1 else "controls"
        yield f"{facts.more:,} more such {controls} on these screens"
    yield f"to do: {facts.to_do}"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "none"


def _power_words(found: Diagnosis) -> Iterator[str]:
    """Say what is left of the failures, and what could not have been named."""
    if found.names and found.failures:
        yield f"{100 * found.unexplained:.0f} % of the failures are left without a named cause"
    if len(found.pillars) > 1:
        names = ", ".join(found.pillars)
        yield f"answers are compared within each benchmark alone: {names}"
    if found.unnameable and found.failures:
        some = "; ".join(found.unnameable[:MOST_UNNAMED])
        more = len(found.unnameable) - MOST_UNNAMED
        rest = f"; and {more} more" if more > 0 else ""
        sites = len({finding.cluster for finding in found.elements})
        yield f"not to be named with {sites} {found.unit}, whatever the effect: {some}{rest}"


def _against(found: Diagnosis) -> str:
    random = found.baseline_per_hundred.amount
    if random is None:
        return ""
    times = "" if found.ratio is None else f": {found.ratio:.2f} times"
    ends = ends_words(found.ratio_interval, "", digits=2)
    return f", against {random:.1f} by random ones{times}{f' ({ends})' * bool(ends)}"
