"""
What was missed is asked again under every arm, and counted as it was answered.
"""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from surefoot.capture.captured import ControlChange
from surefoot.core.edit import Relabel
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Screen
from surefoot.run.fixes.arms import AGAIN, ELSEWHERE, FIX, ArmName, AskedAgain, MendedPage
from surefoot.run.fixes.asking import (
    TOGETHER,
    MissedControl,
    SiteAnswers,
    count_fixes,
    fix_arms,
    idle_fixes,
    missed_controls,
)
from surefoot.run.fixes.rules import ControlFacts
from surefoot.score.fixes import FixCount
from tests.run.fixes.test_kinds import control

PAGE: Final = Screen("s", "page", "by hand", "", 400, 300, 1.0, "web", "en-US", ())
UNNAMED: Final[dict[str, Any]] = {
    "shown": False,
    "worded": False,
    "words": "",
    "unaskable": "no-name",
}
WORDS: Final = Instruction("Click 'Orders'", "en", "direct", "high", Expression(), "a")


def question(element: str, variant: str = "original", **more: Any) -> Question:  # noqa: ANN401
    """Return a question about a control of the page."""
    made = Question(
        id=f"{element} {variant}",
        pair=f"page#{element}",
        cluster="page",
        cell=Cell(variant, "direct"),
        screen="s",
        image="",
        width=400,
        height=300,
        instruction=WORDS,
        truth=Box(0, 0, 9, 9),
        page="page",
    )
    return msgspec.structs.replace(made, **more)


def sampled(asked: Question, hits: list[bool]) -> tuple[list[Question], dict[str, bool]]:
    """Return a question in its samples, and which of these hit."""
    names = [asked.id, *(f"{asked.id}~{at}" for at in range(2, len(hits) + 1))]
    several = [
        msgspec.structs.replace(asked, id=name, sample=at) for at, name in enumerate(names, 1)
    ]
    return several, dict(zip(names, hits, strict=True))


def test_missed_is_what_most_answers_miss() -> None:
    """A control is missed under each change under which at most half of its answers hit."""
    facts = {"page": [control(element=name, side=20.0) for name in "abc"]}
    given = {
        ("a", "original"): [True, True, False],
        ("a", "zoom"): [True, False, False],
        ("b", "original"): [True, False],
        ("c", "original"): [True, True],
    }
    asked: list[Question] = []
    hits: dict[str, bool] = {}
    for (name, variant), found in given.items():
        several, own = sampled(question(name, variant), found)
        asked += several
        hits |= own

    missed = missed_controls(asked, hits, facts, ("original", "zoom"), {})

    assert [(one.facts.element, one.asked_in) for one in missed] == [
        ("a", ("zoom",)),
        ("b", ("original",)),
    ]
    assert {one.kinds for one in missed} == {("size",)}


def test_fixes_are_of_what_a_control_is_like_where_it_is_missed() -> None:
    """A change that makes a control small gives it the edit for small ones, if it is missed so."""
    facts = {"page": [control(element=name) for name in "ab"]}
    seen = {
        ("page", variant): {
            name: control(element=name, side=side, contrast=contrast) for name in "ab"
        }
        for variant, side, contrast in (("original", 60.0, 15.0), ("zoom", 20.0, 5.0))
    }
    asked = [question("a", "zoom"), question("b", "original"), question("b", "zoom")]
    hits = {"a zoom": False, "b original": False, "b zoom": True}

    first, second = missed_controls(asked, hits, facts, ("original", "zoom"), seen)

    assert (first.kinds, first.faults) == (("size", "contrast-beyond"), ("size",))
    assert (second.kinds, second.faults) == ((), ())


def test_controls_with_more_faults_are_counted_and_not_judged() -> None:
    """An edit at a control with another fault besides is not among what it is judged by."""
    faint: dict[str, Any] = {"contrast": 2.0, "rules": ("low-contrast",)}
    asked = {"original": question("a")}
    missed = [
        MissedControl("page", control(element="a", side=20.0), ("size",), asked),
        MissedControl("page", control(element="b", side=20.0, **faint), ("size",), asked),
        MissedControl(
            "page",
            control(element="c", **faint),
            ("size",),
            asked,
            seen={"zoom": control(side=20.0)},
        ),
    ]
    counts = tuple(FixCount(one.pair, "size", (1, 1), (0, 1), (0, 1)) for one in missed)
    answers = SiteAnswers("m", ("original",), 1, Path(), (), tuple(missed), counts=counts)

    assert [one.control for one in answers.judged] == ["page#a", "page#c"]


def test_what_nobody_could_ask_for_proves_nothing_of_an_edit() -> None:
    """A control that got its name by an edit was not missed before: it is told apart, once."""
    shared = {"unaskable": "ambiguous-strict", "section": "Bills"}
    asked = {"original": question("a")}
    missed = (
        MissedControl("page", control(element="a", words="Go"), ("rename",), asked),
        MissedControl("page", control(element="b", **shared), ("rename",), variants=("original",)),
        MissedControl("page", control(element="c", **UNNAMED), ("label", "label-and-size")),
    )
    counts = (
        FixCount("page#a", "rename", (3, 3), (0, 3), (0, 3)),
        FixCount("page#b", "rename", (3, 3), (0, 3), (0, 3)),
        FixCount("page#c", "label", (1, 3), (0, 3), (0, 3)),
        FixCount("page#c", "label-and-size", (3, 3), (0, 3), (0, 3)),
    )

    answers = SiteAnswers("m", ("original",), 3, Path(), (), missed, counts=counts)

    assert answers.judged == counts[:1]
    assert answers.named == (counts[1], counts[3])


def test_what_has_no_answer_is_no_miss() -> None:
    """A control whose questions failed is not missed, and answers that failed are not counted."""
    facts = {"page": [control(side=20.0)]}
    assert missed_controls([question("a")], {}, facts, ("original",), {}) == []

    pages = [page_of(FIX, "original")]
    fixed, hits = asked_again(FIX, "original", 3)
    del hits[fixed[0].id]

    found = counted(control(), pages, (fixed, hits), asked_again(AGAIN, "original", 0))

    assert found == (FixCount("page#a", "size", (2, 2), (0, 3), (0, 0)),)


def test_what_could_have_a_name_is_asked_for_by_it() -> None:
    """What has no name is asked for in every change by that of its icon, if it has one."""
    facts = {"page": [control(pictured="search", **UNNAMED), control(element="b", **UNNAMED)]}

    (found,) = missed_controls(
        [question("c")], {"c original": True}, facts, ("original", "zoom"), {}
    )

    assert (found.facts.element, found.asked_in) == ("a", ("original", "zoom"))
    assert found.words("zoom", renames=True) is None


def test_a_nameless_control_of_several_pages_is_tried_once() -> None:
    """What would be called the same on several pages of a site is one control, and named once."""
    nameless: dict[str, Any] = {**UNNAMED, "pictured": "search"}
    other = control(element="b", **{**UNNAMED, "pictured": "bell"})
    facts = {
        "page": [control(**nameless)],
        "page 2": [control(**nameless), other],
        "elsewhere": [control(**nameless)],
    }
    asked = [question("c", page=page, cluster=page.partition(" ")[0]) for page in facts]
    asked = [msgspec.structs.replace(one, id=one.page, pair=f"{one.page}#{'c'}") for one in asked]

    found = missed_controls(asked, dict.fromkeys(facts, True), facts, ("original",), {})

    assert [one.pair for one in found] == ["elsewhere#a", "page#a", "page 2#b"]


def test_a_named_control_of_several_pages_is_missed_where_it_was_asked() -> None:
    """What was asked for by name is among what was missed, whatever else is called like it."""
    facts = {page: [control(side=20.0)] for page in ("page", "page 2")}
    asked = [question("a", id=page, page=page, pair=f"{page}#a") for page in facts]

    found = missed_controls(asked, dict.fromkeys(facts, False), facts, ("original",), {})

    assert [one.pair for one in found] == ["page#a", "page 2#a"]


@pytest.mark.parametrize("seed", range(5))
def test_every_miss_has_every_arm(seed: int) -> None:
    """Each missed control has each fix once under each change, and once elsewhere."""
    facts = [control(element=f"n-{at:02}", side=20.0, gap=2.0) for at in range(20)]
    missed = [
        MissedControl("page", one, ("size", "spacing"), {"original": question(one.element)})
        for one in facts[:9]
    ]

    arms = list(fix_arms(missed, {"page": facts}, {"page": PAGE}, seed))

    names = {one.facts.element for one in missed}
    for arm in (FIX, ELSEWHERE):
        asked = Counter(
            (one.element, found.kind) for found in arms if found.arm == arm for one in found.wanted
        )
        assert asked == Counter(itertools.product(names, ("size", "spacing")))
    for found in arms:
        changed = {name for edit in found.edits for name in edit.elements}  # type: ignore[union-attr]
        assert len(changed) <= TOGETHER
        if found.arm == FIX:
            assert changed == {one.element for one in found.wanted}
        else:
            assert changed.isdisjoint(names)


def test_a_label_elsewhere_has_words() -> None:
    """Where no other control lacks its name, others show theirs once more."""
    wordless = control(shown=False, worded=False, icon=True)
    missed = [MissedControl("page", wordless, ("label",), {"original": question("a")})]
    others = [control(element="b", words=""), control(element="c", words="Bills")]

    arms = fix_arms(missed, {"page": [wordless, *others]}, {"page": PAGE}, 0)

    edits = {arm.arm: arm.edits for arm in arms}
    assert edits == {FIX: (Relabel("a", "Orders"),), ELSEWHERE: (Relabel("c", "Bills"),)}


def test_neighbours_are_edited_apart() -> None:
    """Of controls side by side no two are edited in one rendering, where there are several."""
    facts = [control(element=f"n-{at:02}", side=20.0) for at in range(8)]
    missed = [
        MissedControl("page", one, ("size",), {"original": question(one.element)}) for one in facts
    ]

    arms = list(fix_arms(missed, {"page": facts}, {"page": PAGE}, 0))

    assert [[one.element for one in arm.wanted] for arm in arms] == [
        ["n-00", "n-02", "n-04", "n-06"],
        ["n-01", "n-03", "n-05", "n-07"],
    ]


def page_of(
    arm: ArmName,
    variant: str,
    *,
    changed: bool = True,
    unaskable: str = "",
    facts: ControlFacts | None = None,
) -> MendedPage:
    """Return a rendering of a fix of the control."""
    return MendedPage(
        "page",
        variant,
        "size",
        arm,
        PAGE,
        (ControlChange("a", css="a {}"),) if changed else (),
        (AskedAgain("a", None if unaskable else WORDS, unaskable, facts),),
    )


def asked_again(arm: str, variant: str, hits: int) -> tuple[list[Question], dict[str, bool]]:
    """Return three samples of a question of an arm, of which so many hit."""
    told = {"kind": "" if arm == AGAIN else "size", "arm": arm, "variant": variant}
    return sampled(question("a", f"{variant}+{arm}", facts=told), [at < hits for at in range(3)])


def counted(facts: ControlFacts, pages: list[MendedPage], *asked: Any) -> tuple[FixCount, ...]:  # noqa: ANN401
    """Return the counts of one control."""
    missed = [MissedControl("page", facts, ("size",), {"original": question("a")})]
    questions = [one for several, _ in asked for one in several]
    return count_fixes(
        missed, pages, questions, {k: v for _, own in asked for k, v in own.items()}
    )


def test_answers_are_counted_by_arm() -> None:
    """Hits and answers are added up over the changes in which the fix was made."""
    pages = [page_of(arm, variant) for arm in (FIX, ELSEWHERE) for variant in ("original", "zoom")]
    given = [
        asked_again(arm, variant, hits)
        for arm, both in ((FIX, (3, 2)), (AGAIN, (0, 1)), (ELSEWHERE, (1, 0)))
        for variant, hits in zip(("original", "zoom"), both, strict=True)
    ]

    found = counted(control(), pages, *given)

    assert found == (FixCount("page#a", "size", (5, 6), (1, 6), (1, 6)),)
    assert found[0].back


def test_what_a_fix_makes_impossible_is_missed() -> None:
    """A control that cannot be asked for any more since the fix has not come back."""
    pages = [page_of(FIX, "original", unaskable="offscreen"), page_of(ELSEWHERE, "original")]

    found = counted(
        control(), pages, asked_again(AGAIN, "original", 1), asked_again(ELSEWHERE, "original", 0)
    )

    assert found == (FixCount("page#a", "size", (0, 3), (1, 3), (0, 3)),)


def test_a_fix_that_changed_nothing_is_none() -> None:
    """Where an edit had nothing to do, its answers tell nothing of it."""
    pages = [page_of(FIX, "original", changed=False)]

    given = asked_again(FIX, "original", 3), asked_again(AGAIN, "original", 0)

    assert counted(control(), pages, *given) == ()


@pytest.mark.parametrize(("after", "tried"), [(20.0, False), (44.0, True)])
def test_an_edit_without_effect_is_no_attempt(after: float, tried: bool) -> None:
    """Where the control is no larger with CSS that makes it larger, no answer counts."""
    small = control(side=20.0)
    pages = [page_of(FIX, "original", facts=control(side=after))]
    missed = [MissedControl("page", small, ("size",), {"original": question("a")})]

    found = counted(
        small, pages, asked_again(FIX, "original", 0), asked_again(AGAIN, "original", 0)
    )

    assert found == ((FixCount("page#a", "size", (0, 3), (0, 3), (0, 0)),) if tried else ())
    assert idle_fixes(missed, pages) == (() if tried else (("page#a", "size"),))


def test_changes_without_an_effect_are_left_out() -> None:
    """Of two changes of a page the answers count under that in which the edit had its effect."""
    small = control(side=20.0)
    pages = [
        page_of(FIX, variant, facts=control(side=side))
        for variant, side in (("original", 44.0), ("zoom", 20.0))
    ]
    given = [
        asked_again(arm, variant, hits)
        for arm, hits in ((FIX, 3), (AGAIN, 0))
        for variant in ("original", "zoom")
    ]

    assert counted(small, pages, *given) == (FixCount("page#a", "size", (3, 3), (0, 3), (0, 0)),)
