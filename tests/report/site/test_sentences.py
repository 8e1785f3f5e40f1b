"""
What is said of a site is true of its numbers.
"""

from __future__ import annotations

import msgspec
import pytest

from surefoot.report.site.found import FaultShown
from surefoot.report.site.report import SiteReport
from surefoot.score.fixes import FixCount, judge_fixes
from tests.report.site.conftest import counts


def test_what_helps_is_said_and_nothing_else(report: SiteReport) -> None:
    """The edit that helps is proven, the one that does not is not recommended, two are too few."""
    missed, faults, helps, few, useless, idle, rules, unnamed = report.sentences()

    assert missed == "planted misses 8 of 19 controls that can be asked for by name."
    assert faults == (
        "It misses 8 of 10 that are under 24 px, 3 of 4 that hardly stand out, and 0 of 9 that "
        "have no such fault; 4 of these have several faults."
    )
    assert idle == "1 edit had no effect, and is not counted."
    assert helps == "What helps, proven: make it 44 px (8 of 8 come back)."
    assert few == "Tried at too few controls to tell: show a name in words (2 of 2 come back)."
    assert useless == (
        "Not shown to help, so not recommended: leave 8 px around it (0 of 8 come back)."
    )
    assert rules.startswith("By rules, 1 of 20 controls on 2 pages are hard to find: 1 is less")
    assert unnamed.startswith("1 control cannot be asked for")


@pytest.mark.parametrize("kinds", [{"spacing": 8}, {"label": 2}])
def test_nothing_is_said_to_help_where_nothing_does(
    report: SiteReport, kinds: dict[str, int]
) -> None:
    """Where no kind of edit is proven the sentence on what helps says so."""
    fixes = judge_fixes(counts(kinds))

    found = msgspec.structs.replace(report, fixes=fixes)

    assert found.sentences()[2] == "No kind of edit is proven to help."


def test_what_helps_no_others_is_not_recommended(report: SiteReport) -> None:
    """An edit that is proven, and brings back what others before it do, is said to do so."""
    fixes = judge_fixes(counts({"size": 12, "text": 9}))

    helps, same = msgspec.structs.replace(report, fixes=fixes).sentences()[2:4]

    assert helps == "What helps, proven: make it 44 px (12 of 12 come back)."
    assert same == (
        "Proven, too, but not shown to bring back what these do not: "
        "write it in 16 px (9 of 9 come back; 0 of them with no edit before)."
    )


def test_what_helps_few_others_is_told(report: SiteReport) -> None:
    """Of an edit that helps, and comes later, the sentence tells how many it alone brings back."""
    given = [*counts({"size": 12}), *counts({"text": 18})[5:]]

    found = msgspec.structs.replace(report, fixes=judge_fixes(given))

    assert found.sentences()[2] == (
        "What helps, proven: write it in 16 px (13 of 13 come back); make it 44 px "
        "(12 of 12 come back; 5 of them with no edit before)."
    )


@pytest.mark.parametrize(
    ("size", "words"), [(7, " (7 of 7 come back; to make it 44 px brings back as many)"), (6, "")]
)
def test_a_part_that_does_as_much_is_named(report: SiteReport, size: int, words: str) -> None:
    """Of edits that help together the sentence names a part that does as much, if there is one."""
    faults = ("size", "contrast")
    edits = (("size-and-contrast", 7, 7), ("contrast", 0, 7), ("size", size, 7))
    given = [FixCount(str(at), "size-and-contrast", (3, 3), (0, 3), (0, 3)) for at in range(7)]

    found = msgspec.structs.replace(
        report, faults=(FaultShown(faults, 7, 7, edits),), fixes=judge_fixes(given)
    )

    title = "make it 44 px and raise the contrast to 7 : 1"
    assert found.sentences()[2] == (
        f"What helps, proven: {title}{words or ' (7 of 7 come back)'}."
    )


def test_what_had_no_name_is_told_apart(report: SiteReport) -> None:
    """Controls that an edit gave a name are no proof of it: it is said how many are found."""
    some = [msgspec.structs.replace(one, words="") for one in report.mended[:2]]
    missed = msgspec.structs.replace(some[1].count, fix=(1, 3))
    named = some[0], msgspec.structs.replace(some[1], count=missed)

    said = msgspec.structs.replace(report, named=named).sentences()

    assert said[2] == "What helps, proven: make it 44 px (8 of 8 come back)."
    assert said[-1].endswith("; 1 of 2 that an edit gave one are found by it.")
