"""
Conditions compared in pairs, against a slow count and another library's test.
"""

from __future__ import annotations

import msgspec
import pytest
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from surefoot.forms.rendering import Rendering
from surefoot.forms.scoring.cases import Case, check_distinct
from surefoot.forms.scoring.changes import changes
from surefoot.score.stats.clusters import AGREEING


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
    found = [each for each in changes(cases) if each.aspect == aspect]
    assert [each.agent for each in found] == ["careful", "hasty"]
    for each in found:
        both, lost, gained, neither = counted(cases, each.agent, aspect)
        assert (each.both, each.b, each.c, each.neither) == (both, lost, gained, neither)
        assert each.n == both + lost + gained + neither
        assert each.change == pytest.approx((gained - lost) / each.n)
        assert each.interval.low <= each.change <= each.interval.high
        exact = lost + gained < 25
        table = [[both, lost], [gained, neither]]
        assert each.p == pytest.approx(mcnemar(table, exact=exact, correction=True).pvalue)
    _, adjusted, _, _ = multipletests([each.p_cluster for each in found], method="holm")
    assert [each.p_cluster_holm for each in found] == pytest.approx(list(adjusted))
    assert {each.family for each in found} == {2}


def test_agents_are_compared_with_one_of_them(cases: list[Case]) -> None:
    """Two agents give one comparison over all forms and conditions that both had."""
    found = [each for each in changes(cases) if each.aspect == "agent"]
    assert [(each.baseline, each.value) for each in found] == [("careful", "hasty")]
    assert found[0].change < 0


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
    some = [each for each in cases if each.score.agent == "careful"]
    more = [renamed(each, name) for each in some for name in ("oracle", "null")]
    assert changes([*some, *more]) == changes(some)


def test_renderers_pair_by_their_first_themes(cases: list[Case]) -> None:
    """A renderer is compared under each one's first theme; a theme only within a renderer."""
    plain = next(each for each in cases if each.score.rendering.language == "en")
    clear = drawn_by(plain, Rendering("plain", theme="clear"))
    night = drawn_by(plain, Rendering("plain", theme="night"))
    other = drawn_by(plain, Rendering("elsewhere"))
    found = {each.aspect: each for each in changes([clear, night, other])}
    assert set(found) == {"renderer", "theme"}
    assert (found["renderer"].baseline, found["renderer"].value) == ("plain", "elsewhere")
    assert (found["theme"].baseline, found["theme"].value) == ("plain: clear", "plain: night")
    asked = sum(each.asked for each in plain.score.fields)
    assert found["renderer"].n == found["theme"].n == asked


def test_hands_are_compared_with_the_browsers_own(cases: list[Case]) -> None:
    """The same attempts by X events are attempts of their own, paired one to one."""
    careful = [each for each in cases if each.score.agent == "careful"]
    outside = [msgspec.structs.replace(each, hands="x11") for each in careful]
    check_distinct([*careful, *outside])
    (found,) = [each for each in changes([*careful, *outside]) if each.aspect == "hands"]
    assert (found.baseline, found.value, found.b, found.c) == (
        "the browser's own",
        "X events",
        0,
        0,
    )
    assert found.n == sum(field.asked for each in careful for field in each.score.fields)


def test_a_change_of_everything_is_not_certain(cases: list[Case]) -> None:
    """Where every field flips, the interval is the exact one over forms, not a point."""
    flipped = []
    for case in [each for each in cases if each.score.agent == "careful" and not each.ruler][:2]:
        for ruler, hit in ((0, True), (100, False)):
            fields = tuple(
                msgspec.structs.replace(each, asked=True, submitted=hit)
                for each in case.score.fields
            )
            score = msgspec.structs.replace(case.score, fields=fields, form=f"{case.score.form}")
            flipped.append(Case(score, ruler=ruler))
    found = next(each for each in changes(flipped) if each.aspect == "ruler")
    assert found.change == -1
    assert (found.interval.low, found.interval.high) == pytest.approx((-1, -1 + 2 * 0.975))


def test_a_change_in_a_single_form_is_not_certain(cases: list[Case]) -> None:
    """Where forms all change alike, even one alone, the interval is no point and spans zero."""
    case = next(each for each in cases if each.score.agent == "careful")
    pairs = []
    for ruler in (0, 100):
        fields = tuple(
            msgspec.structs.replace(each, asked=True, submitted=not ruler or number > 0)
            for number, each in enumerate(case.score.fields)
        )
        pairs.append(Case(msgspec.structs.replace(case.score, fields=fields), ruler=ruler))
    found = next(each for each in changes(pairs) if each.aspect == "ruler")
    assert (found.b, found.c, found.forms) == (1, 0, 1)
    assert -1 <= found.interval.low < found.change < 0 < found.interval.high <= 1
    assert found.interval.method == AGREEING
