"""
Scores of many attempts, and conditions compared in pairs, against a slow count by hand.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec
import pytest
from statsmodels.stats.contingency_tables import mcnemar

from surefoot.core.errors import InvalidInputError
from surefoot.forms.rendering import Rendering
from surefoot.forms.scoring.cases import CONDITIONS, Case, check_distinct
from surefoot.forms.scoring.episodes import EpisodeScore
from surefoot.forms.scoring.fields import FieldScore
from surefoot.forms.scoring.metrics import LEVELS
from surefoot.forms.scoring.summary import (
    Misplacement,
    compare_cases,
    measure_forms,
    summarise_forms,
)
from surefoot.forms.specification import Kind
from surefoot.report.forms.sections import forms_headlines
from surefoot.score.conditions.scores import Score
from surefoot.score.contrasts.comparisons import Comparison
from surefoot.score.pillars import judge_together
from surefoot.score.summary import Summary

AGENTS = ("careful", "hasty")
BY_SIZE = "number of fields"


@pytest.fixture(scope="module")
def summary(cases: list[Case]) -> Summary:
    """Return the scores of all attempts."""
    return summarise_forms(cases)


def of(cases: Iterable[Case], agent: str) -> list[EpisodeScore]:
    """Return one agent's attempts."""
    return [case.score for case in cases if case.score.agent == agent]


def whole(summary: Summary, agent: str) -> dict[str, Score]:
    """Return an agent's scores by metric."""
    return {one.metric: one for one in summary.scores if one.model == agent}


def compared(cases: Sequence[Case], aspect: str) -> list[Comparison]:
    """Return the comparisons of values submitted under one aspect."""
    return [
        one for one in compare_cases(cases) if (one.contrast, one.metric) == (aspect, "submitted")
    ]


def test_the_rates_of_every_agent_are_what_a_count_says(
    summary: Summary, cases: list[Case]
) -> None:
    """Each level's rate is the share of fields with something to fill in, and they nest."""
    assert {one.model for one in summary.scores} == set(AGENTS)
    for agent in AGENTS:
        fields = [f for score in of(cases, agent) for f in score.fields if f.asked]
        found = whole(summary, agent)
        for level in LEVELS:
            hits = sum(1 for field in fields if getattr(field, level))
            score = found[level]
            assert (score.total, score.n, score.clusters) == (hits, len(fields), 5)
            assert score.amount == pytest.approx(hits / len(fields))
            assert score.interval is not None
            assert score.interval.over == "forms"
            assert score.amount is not None
            assert score.interval.low <= score.amount <= score.interval.high
        for first in ("mentioned", "by_meaning"):
            nested = [found[one].total for one in (first, "typed", "in_field", "submitted")]
            assert nested == sorted(nested, reverse=True)


def test_what_was_never_asked_is_in_no_number(cases: list[Case]) -> None:
    """Records of before values were sought by meaning have no score of it, rather than none."""
    old = [
        msgspec.structs.replace(
            case,
            score=msgspec.structs.replace(
                case.score,
                fields=tuple(
                    msgspec.structs.replace(field, by_meaning=None) for field in case.score.fields
                ),
            ),
        )
        for case in cases
    ]

    found = {one.metric for one in summarise_forms(old).scores if one.n}

    assert "mentioned" in found
    assert not {name for name in found if name.endswith("by_meaning")}


def test_episodes_pages_and_faults_are_counted(summary: Summary, cases: list[Case]) -> None:
    """Right forms, right pages, refusals, corrections, collateral and endings add up."""
    for agent in AGENTS:
        mine, found = of(cases, agent), whole(summary, agent)
        fields = [f for score in mine for f in score.fields]
        pages = [
            [f for f in score.fields if f.page == page]
            for score in mine
            for page in {f.page for f in score.fields}
        ]
        loose = [all(f.mentioned for f in score.fields if f.asked) for score in mine]
        counted = {
            "right": (sum(score.right for score in mine), len(mine)),
            "accepted": (sum(score.accepted for score in mine), len(mine)),
            "all_mentioned": (sum(loose), len(mine)),
            "refusals": (sum(score.refusals for score in mine), len(mine)),
            "corrections": (sum(score.corrections for score in mine), len(mine)),
            "strayed": (sum(bool(f.found_in) for f in fields), sum(f.asked for f in fields)),
            "collateral": (sum(f.collateral for f in fields), sum(not f.asked for f in fields)),
            "page_right": (
                sum(all(f.submitted if f.asked else not f.collateral for f in p) for p in pages),
                len(pages),
            ),
        }
        assert {name: (found[name].total, found[name].n) for name in counted} == counted
        assert summary.details["ended"][agent] == dict(Counter(score.ended for score in mine))
        gaps = [f.distance for f in fields if f.asked and f.distance is not None]
        distances = summary.details["distances"][agent]
        assert (distances.n, distances.median) == (len(gaps), statistics.median(gaps))
        texts = sum(len(score.descriptions) for score in mine)
        assert summary.details["descriptions"][agent].n == texts


def test_slices_divide_an_agents_fields(summary: Summary, cases: list[Case]) -> None:
    """By kind, size or condition, the parts of an agent's fields are all of its fields."""
    sizes = (BY_SIZE, "number of kinds of field", "number of pages", "form")
    for trait in ("kind of field", *sizes, "language", "ruler"):
        for agent in AGENTS:
            key = (trait, agent, "submitted")
            parts = [s.n for s in summary.slices if (s.trait, s.model, s.metric) == key]
            assert sum(parts) == whole(summary, agent)["submitted"].n
    (thai,) = [
        score
        for score in summary.slices
        if (score.metric, score.model, score.trait, score.value)
        == ("typed", "hasty", "language", "th")
    ]
    told = [
        field.typed
        for score in of(cases, "hasty")
        if score.rendering.language == "th"
        for field in score.fields
        if field.asked
    ]
    assert thai.amount == pytest.approx(sum(told) / len(told))
    named = [s.value for s in summary.slices if (s.trait, s.metric) == (BY_SIZE, "right")]
    assert named == ["4", "5", "6", "7", "8"] * 2


def test_slices_count_whole_forms(summary: Summary, cases: list[Case]) -> None:
    """The episodic measures ask for every field of a form, or of one kind in it."""
    levels = {"submitted", "mentioned", "by_meaning", "clicked"}
    seen = 0
    for slice_ in summary.slices:
        prefix, _, level = slice_.metric.partition("_")
        by_kind = (prefix, slice_.trait) == ("kind", "kind of field")
        by_size = (prefix, slice_.trait) == ("all", BY_SIZE)
        if level not in levels or not (by_kind or by_size):
            continue
        held = [
            [f for f in score.fields if f.asked and (by_size or f.kind == slice_.value)]
            for score in of(cases, slice_.model)
            if by_kind or str(len(score.fields)) == slice_.value
        ]
        whole_ = [all(getattr(f, level) for f in fields) for fields in held if fields]
        assert (slice_.n, slice_.total) == (len(whole_), sum(whole_))
        seen += 1
    assert seen == 2 * (4 * 4 + 3 * 5)


def test_strayed_values_are_counted_by_kind(summary: Summary, cases: list[Case]) -> None:
    """The matrix counts each stray once for every field that holds it."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for case in cases:
        kinds = {score.field: str(score.kind) for score in case.score.fields}
        for field in case.score.fields:
            for other in field.found_in:
                counts[case.score.agent, str(field.kind), kinds[other]] += 1
    strayed = {
        (agent, one.value_of, one.found_in): one.count
        for agent, found in summary.details["strayed"].items()
        for one in found
    }
    assert strayed == dict(counts)
    for agent, found in summary.details["misplaced"].items():
        total = sum(count for key, count in counts.items() if key[0] == agent)
        assert sum(item.count for item in found) == total


def test_misplacements_are_counted_by_pair() -> None:
    """A value that was found in another field twice is told once, with its count."""
    fields = tuple(
        FieldScore(name, Kind.STRING, 0, asked=True, found_in=found_in)
        for name, found_in in (("name", ("why",)), ("why", ()))
    )
    cases = [
        Case(EpisodeScore("small", at, "a", Rendering(), fields, accepted=True, right=False))
        for at in range(2)
    ]
    found = summarise_forms(cases).details["misplaced"]
    assert found == {"a": (Misplacement("small", "name", "why", 2),)}


def attempt(form: str, outcomes: Sequence[bool], agent: str = "a") -> Case:
    """Return an attempt at a form with these fields right or wrong."""
    fields = tuple(
        FieldScore(f"f{at}", Kind.STRING, 0, asked=True, submitted=hit)
        for at, hit in enumerate(outcomes)
    )
    right = all(outcomes)
    return Case(EpisodeScore(form, 0, agent, Rendering(), fields, accepted=True, right=right))


def test_rates_count_fields_and_intervals_forms() -> None:
    """A rate is fields right of fields asked; its interval sees forms, however many fields."""
    found = []
    for forms, rate in (
        ([[True] * 10, [False] * 10], 0.5),
        ([[True, False]] * 10, 0.5),
        ([[True] * 9 + [False]], 0.9),
    ):
        cases = [attempt(f"form-{at}", outcomes) for at, outcomes in enumerate(forms)]
        score = whole(summarise_forms(cases), "a")["submitted"]
        assert (score.amount, score.n) == (rate, sum(map(len, forms)))
        assert score.clusters == len(forms)
        found.append(score.interval)

    apart, alike, single = found
    assert apart is not None
    assert alike is not None
    assert (apart.low, apart.high) == pytest.approx((0, 1), abs=0.01)  # two forms that differ
    assert (alike.low, alike.high) == pytest.approx((0.36, 0.64), abs=0.03)
    assert single is None


def test_an_oracle_that_fails_and_a_null_that_does_not_are_told() -> None:
    """What would make every other number doubtful stands among the warnings."""
    sound = summarise_forms([attempt("x", [True], "oracle"), attempt("x", [False], "null")])
    assert not any("oracle" in said or "leak" in said for said in sound.warnings)
    broken = summarise_forms([attempt("x", [False], "oracle"), attempt("x", [True], "null")])
    assert any("failed 1 of 1 forms" in said for said in broken.warnings)
    assert any("scores leak" in said for said in broken.warnings)


def test_a_form_that_asks_for_nothing_has_no_rate() -> None:
    """Where no field is to be filled in there is no share of values, and the form counts."""
    field = FieldScore("f", Kind.STRING, 0, asked=False)
    score = EpisodeScore("x", 0, "a", Rendering(), (field,), accepted=True, right=True)
    found = summarise_forms([Case(score)])
    assert [one.metric for one in found.scores if one.amount is not None] == [
        "collateral", "page_right", "right", "accepted", "refusals", "corrections",
    ]  # fmt: skip


def test_what_cannot_be_scored_is_refused(cases: list[Case]) -> None:
    """No attempt, or one attempt given twice, is refused; another seed of values is not."""
    with pytest.raises(InvalidInputError, match="none"):
        summarise_forms([])
    with pytest.raises(InvalidInputError, match="two of 'careful'"):
        summarise_forms([*cases, cases[0]])
    again = msgspec.structs.replace(cases[0], seed=1)
    assert summarise_forms([cases[0], again]).answers == 2


def test_few_forms_are_said_to_be_few(summary: Summary) -> None:
    """With five forms the reader is told what may be concluded."""
    assert any(warning.startswith("Only 5 forms: a difference") for warning in summary.warnings)


def counted(cases: list[Case], agent: str, aspect: str) -> tuple[int, int, int, int]:
    """Count (both, lost, gained, neither) by looking for each field's fellow, one by one."""
    both = lost = gained = neither = 0
    for before in cases:
        for after in cases:
            a, b = before.score, after.score
            language = (a.rendering.language, b.rendering.language)
            wanted = {
                "language": language == ("en", "th") and before.ruler == after.ruler,
                "ruler": language[0] == language[1] and (before.ruler, after.ruler) == (0, 100),
            }[aspect]
            if not wanted or {a.agent, b.agent} != {agent} or a.form != b.form:
                continue
            for x in a.fields:
                for y in b.fields:
                    if x.field == y.field and x.asked and y.asked:
                        both += x.submitted and y.submitted
                        lost += x.submitted and not y.submitted
                        gained += y.submitted and not x.submitted
                        neither += not x.submitted and not y.submitted
    return both, lost, gained, neither


@pytest.mark.parametrize("aspect", ["language", "ruler"])
def test_a_condition_is_compared_on_the_same_fields(cases: list[Case], aspect: str) -> None:
    """Counts agree with a search over all pairs, p with statsmodels, and intervals hold it."""
    found = compared(cases, aspect)
    assert [comparison.model for comparison in found] == ["careful", "hasty"]
    for comparison in found:
        both, lost, gained, neither = counted(cases, comparison.model, aspect)
        flips = comparison.discordance
        assert flips is not None
        assert (flips.both, flips.b, flips.c, flips.neither) == (both, lost, gained, neither)
        assert comparison.n == both + lost + gained + neither
        assert comparison.change == pytest.approx((gained - lost) / comparison.n)
        assert comparison.interval is not None
        assert comparison.change is not None
        assert comparison.interval.low <= comparison.change <= comparison.interval.high
        exact = lost + gained < 25
        table = [[both, lost], [gained, neither]]
        assert flips.p == pytest.approx(mcnemar(table, exact=exact, correction=True).pvalue)
        assert (comparison.p_holm, comparison.family) == (comparison.p, 1)  # alone of its agent


def test_agents_are_compared_with_one_of_them(cases: list[Case]) -> None:
    """Two agents give one comparison over all forms and conditions that both had."""
    (found,) = compared(cases, "agent")
    assert (found.baseline, found.model) == ("careful", "hasty")
    assert found.change is not None
    assert found.change < 0


def renamed(case: Case, agent: str) -> Case:
    """Return an attempt under another agent's name."""
    return msgspec.structs.replace(case, score=msgspec.structs.replace(case.score, agent=agent))


def drawn_by(case: Case, rendering: Rendering) -> Case:
    """Return an attempt at the same form drawn otherwise."""
    return msgspec.structs.replace(
        case, score=msgspec.structs.replace(case.score, rendering=rendering)
    )


def test_references_take_part_in_no_comparison(cases: list[Case]) -> None:
    """The oracle and the null agent add no test to any family."""
    some = [item for item in cases if item.score.agent == "careful"]
    more = [renamed(item, name) for item in some for name in ("oracle", "null")]
    assert compare_cases([*some, *more]) == compare_cases(some)


def test_renderers_pair_by_their_first_themes(cases: list[Case]) -> None:
    """A renderer is compared under each one's first theme; a theme only within a renderer."""
    plain = next(item for item in cases if item.score.rendering.language == "en")
    clear = drawn_by(plain, Rendering("plain", theme="clear"))
    night = drawn_by(plain, Rendering("plain", theme="night"))
    other = drawn_by(plain, Rendering("elsewhere"))
    found = {name: one for name in CONDITIONS for one in compared([clear, night, other], name)}
    assert set(found) == {"renderer", "theme"}
    assert (found["renderer"].baseline, found["renderer"].value) == ("plain", "elsewhere")
    assert (found["theme"].baseline, found["theme"].value) == ("plain: clear", "plain: night")
    asked = sum(field.asked for field in plain.score.fields)
    assert found["renderer"].n == found["theme"].n == asked


def test_hands_are_compared_with_the_browsers_own(cases: list[Case]) -> None:
    """The same attempts by X events are attempts of their own, paired one to one."""
    careful = [item for item in cases if item.score.agent == "careful"]
    outside = [msgspec.structs.replace(item, hands="x11") for item in careful]
    check_distinct([*careful, *outside])
    (found,) = compared([*careful, *outside], "hands")
    assert (found.baseline, found.value) == ("the browser's own", "X events")
    assert found.discordance is not None
    assert (found.discordance.b, found.discordance.c) == (0, 0)
    assert found.n == sum(field.asked for item in careful for field in item.score.fields)


def test_a_change_of_everything_is_not_certain(cases: list[Case]) -> None:
    """Where every field flips, one form alone has no interval, and says nothing of others."""
    flipped = []
    for case in [item for item in cases if item.score.agent == "careful" and not item.ruler][:2]:
        for ruler, hit in ((0, True), (100, False)):
            fields = tuple(
                msgspec.structs.replace(field, asked=True, submitted=hit)
                for field in case.score.fields
            )
            score = msgspec.structs.replace(case.score, fields=fields, form=f"{case.score.form}")
            flipped.append(Case(score, ruler=ruler))
    (found,) = compared(flipped, "ruler")
    assert (found.change, found.clusters) == (-1, 1)
    assert (found.interval, found.p) == (None, 1.0)


def test_a_change_in_a_single_form_is_not_certain(cases: list[Case]) -> None:
    """One form alone has a change, and neither an interval nor a test."""
    case = next(item for item in cases if item.score.agent == "careful")
    pairs = []
    for ruler in (0, 100):
        fields = tuple(
            msgspec.structs.replace(field, asked=True, submitted=not ruler or number > 0)
            for number, field in enumerate(case.score.fields)
        )
        pairs.append(Case(msgspec.structs.replace(case.score, fields=fields), ruler=ruler))
    (found,) = compared(pairs, "ruler")
    assert found.discordance is not None
    assert (found.discordance.b, found.discordance.c, found.clusters) == (1, 0, 1)
    assert found.change is not None
    assert found.change < 0
    assert (found.interval, found.p) == (None, 1.0)


def test_an_effect_of_a_renderer_is_averaged_within_each_field() -> None:
    """What one renderer loses in one of two languages is half as much on every field."""
    cases = []
    for form in range(12):
        for renderer in ("plain", "rjsf"):
            for language in ("en", "fr"):
                case = attempt(f"form-{form}", [(renderer, language) != ("rjsf", "fr")] * 5)
                drawn = Rendering(renderer=renderer, language=language)
                score = msgspec.structs.replace(case.score, rendering=drawn)
                cases.append(msgspec.structs.replace(case, score=score))
    found = {
        one.factor: one for one in summarise_forms(cases).effects if one.metric == "submitted"
    }
    line = next(one for one in forms_headlines(summarise_forms(cases)) if one.model == "a")

    assert set(found) == {"renderer", "language"}
    for effect, value in ((found["renderer"], "rjsf"), (found["language"], "fr")):
        assert (effect.value, effect.n, effect.clusters) == (value, 60, 12)
        assert (effect.change, effect.found) == (-0.5, True)
        assert effect.level == pytest.approx(0.025)
    assert line.more[0].startswith(
        "In rjsf instead of plain, a falls by 50.0 points: it hands in 50.0 % "
    )


def test_forms_stand_beside_other_benchmarks_with_their_own_numbers(
    summary: Summary, cases: list[Case]
) -> None:
    """As a pillar alone, forms have the rates and effects of submitted values that they have."""
    (pillar,) = judge_together([measure_forms(cases)])
    own = [effect for effect in summary.effects if effect.metric == "submitted"]

    assert own
    assert [*pillar.summary.effects] == own
    assert [*pillar.standings] == [one for one in summary.scores if one.metric == "submitted"]
    told = {one.model: (one.reference, one.amount, one.found) for one in pillar.above}
    assert told == dict.fromkeys(AGENTS, ("guessing", 0.0, True))
