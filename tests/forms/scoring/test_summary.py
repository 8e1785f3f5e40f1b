"""
Scores of many attempts, against a slow count by hand.
"""

from __future__ import annotations

import statistics
from collections import Counter

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.forms.scoring.cases import Case
from surefoot.forms.scoring.episodes import LEVELS
from surefoot.forms.scoring.summary import EVERYBODY, FormsSummary, summarise_forms


@pytest.fixture(scope="module")
def summary(cases: list[Case]) -> FormsSummary:
    """Return the scores of all attempts."""
    return summarise_forms(cases)


def of(cases: list[Case], agent: str) -> list[Case]:
    """Return one agent's attempts, or all."""
    return [each for each in cases if agent in {each.score.agent, EVERYBODY}]


def test_the_rates_of_every_agent_are_what_a_count_says(
    summary: FormsSummary, cases: list[Case]
) -> None:
    """Each level's rate is the share of fields with something to fill in, and they nest."""
    assert [each.agent for each in summary.agents] == ["careful", "hasty", EVERYBODY]
    for agent in summary.agents:
        fields = [f for case in of(cases, agent.agent) for f in case.score.fields if f.asked]
        found = {each.level: each for each in agent.levels}
        for level in LEVELS:
            hits = sum(1 for each in fields if getattr(each, level))
            assert found[level].rate == pytest.approx(hits / len(fields))
            assert found[level].n == len(fields) == agent.asked
            assert found[level].forms == 5
            assert found[level].interval.low <= found[level].rate <= found[level].interval.high
        nested = [found[each].rate for each in ("mentioned", "typed", "in_field", "submitted")]
        assert nested == sorted(nested, reverse=True)


def test_episodes_pages_and_faults_are_counted(summary: FormsSummary, cases: list[Case]) -> None:
    """Right forms, right pages, refusals, corrections, collateral and endings add up."""
    for agent in summary.agents:
        mine = [case.score for case in of(cases, agent.agent)]
        assert agent.right.hits == sum(each.right for each in mine)
        assert agent.accepted.hits == sum(each.accepted for each in mine)
        pages = good = loose = 0
        for score in mine:
            for page in {each.page for each in score.fields}:
                fields = [each for each in score.fields if each.page == page]
                pages += 1
                good += all(f.submitted if f.asked else not f.collateral for f in fields)
            loose += all(each.mentioned for each in score.fields if each.asked)
        assert (agent.pages.n, agent.pages.hits) == (pages, good)
        assert agent.published.hits == loose >= agent.right.hits
        assert agent.collateral == sum(f.collateral for s in mine for f in s.fields)
        assert agent.refusals == sum(each.refusals for each in mine)
        assert agent.corrections == sum(each.corrections for each in mine)
        assert agent.ended == dict(Counter(each.ended for each in mine))
        gaps = [f.distance for s in mine for f in s.fields if f.asked and f.distance is not None]
        assert agent.distances is not None
        assert agent.distances.n == len(gaps)
        assert agent.distances.median == statistics.median(gaps)
        assert agent.descriptions is not None
        assert agent.descriptions.n == len(mine)


def test_cuts_divide_an_agents_fields(summary: FormsSummary, cases: list[Case]) -> None:
    """By kind, size or condition, the parts of an agent's fields are all of its fields."""
    asked = {each.agent: each.asked for each in summary.agents}
    for by in ("kind", "fields", "types", "pages", "form", "language", "ruler", "renderer"):
        for agent in ("careful", "hasty"):
            parts = [each for each in summary.cut(by) if each.agent == agent]
            assert sum(each.rates[0].n for each in parts) == asked[agent]
    thai = next(c for c in summary.cut("language") if (c.agent, c.value) == ("hasty", "th"))
    fields = [
        f
        for case in cases
        if case.score.agent == "hasty" and case.score.rendering.language == "th"
        for f in case.score.fields
        if f.asked
    ]
    rate = next(each.rate for each in thai.rates if each.level == "typed")
    assert rate == pytest.approx(sum(f.typed for f in fields) / len(fields))
    assert [each.value for each in summary.cut("fields")[:5]] == ["4", "5", "6", "7", "8"]


def test_cuts_count_whole_forms(summary: FormsSummary, cases: list[Case]) -> None:
    """The episodic measures ask for every field of a form, or of one kind in it."""
    for cut in (*summary.cut("kind"), *summary.cut("fields")):
        counted: Counter[str] = Counter()
        for case in cases:
            score = case.score
            here = cut.by == "kind" or str(len(score.fields)) == cut.value
            whole = [f for f in score.fields if f.asked]
            asked = [f for f in whole if cut.by != "kind" or str(f.kind) == cut.value]
            if score.agent != cut.agent or not here or not asked:
                continue
            right = all(f.submitted for f in asked) if cut.by == "kind" else score.right
            counted["n"] += 1
            counted["right"] += right
            counted["published"] += all(f.mentioned for f in asked)
            counted["clicked_all"] += all(f.clicked for f in asked)
        for name in ("right", "published", "clicked_all"):
            share = getattr(cut, name)
            assert (share.n, share.hits) == (counted["n"], counted[name])


def test_strayed_values_are_counted_by_kind(summary: FormsSummary, cases: list[Case]) -> None:
    """The matrix counts each stray once for every field that holds it."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for case in cases:
        kinds = {each.field: str(each.kind) for each in case.score.fields}
        for field in case.score.fields:
            for other in field.found_in:
                counts[case.score.agent, str(field.kind), kinds[other]] += 1
    assert {(s.agent, s.value_of, s.found_in): s.count for s in summary.strayed} == dict(counts)
    for agent, found in summary.misplaced.items():
        total = sum(count for key, count in counts.items() if key[0] == agent)
        assert sum(each.count for each in found) == total


def test_what_cannot_be_scored_is_refused(cases: list[Case]) -> None:
    """No attempt, or one attempt given twice, is refused; another seed of values is not."""
    with pytest.raises(InvalidInputError, match="none"):
        summarise_forms([])
    with pytest.raises(InvalidInputError, match="two of 'careful'"):
        summarise_forms([*cases, cases[0]])
    again = msgspec.structs.replace(cases[0], seed=1)
    assert summarise_forms([cases[0], again]).episodes == 2


def test_few_forms_are_said_to_be_few(summary: FormsSummary) -> None:
    """With five forms the reader is told what may be concluded."""
    assert any(each.startswith("Only 5 forms: a difference") for each in summary.warnings)
