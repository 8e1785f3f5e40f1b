"""
What is said of a site is true of its numbers, and its page shows each edit.
"""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
import pytest

from surefoot.core.canonical import canonical_json
from surefoot.core.geometry import Box
from surefoot.core.store import ObjectStore
from surefoot.perturb.pixels import spell_png
from surefoot.report.site import FaultShown, MendedControl, ShownControl, SiteReport, write_site
from surefoot.run.fixes.rules import SiteFinding
from surefoot.score.fixes import FixCount, judge_fixes
from tests.run.fixes.test_kinds import control

KINDS: Final = {"size": (3, 0), "spacing": (0, 0), "label": (3, 0)}  # hits of three with, without


def counts(controls: dict[str, int]) -> list[FixCount]:
    """Return counts of so many controls of each kind."""
    return [
        FixCount(f"page#{at}", kind, (KINDS[kind][0], 3), (KINDS[kind][1], 3), (0, 3))
        for kind, number in controls.items()
        for at in range(number)
    ]


@pytest.fixture
def report(tmp_path: Path) -> SiteReport:
    """Return a report on a site in which size helps, spacing does not, and labels are too few."""
    picture = spell_png(np.full((300, 400, 3), 200, np.uint8))
    shown = ShownControl(
        str(tmp_path), ObjectStore(tmp_path).put(picture), 400, 300, Box(350.0, 10.0, 390.0, 30.0)
    )
    given = counts({"size": 8, "spacing": 8, "label": 2})
    mended = tuple(
        MendedControl(
            control="button '<Go>'",
            page="page",
            count=one,
            words="Click '<Go>'",
            new_words="",
            css=f"#go-{one.kind} {{ }}",
            before="",
            after="",
            variant="original",
            unfixed=shown,
            fixed=shown,
        )
        for one in given
    )
    facts = control(words="<Go>", side=18.0, rules=("small",), contrast=None, gap=None)
    return SiteReport(
        title="shop",
        pages=2,
        controls=20,
        findings=(SiteFinding("small", "page", facts),),
        unaskable=(("button without a name", "page", "no-name"),),
        pictures={"page#a": shown},
        model="planted",
        variants=("original",),
        samples=3,
        asked=19,
        missed=tuple((f"button {at}", "page", "original") for at in range(8)),
        faults=(
            FaultShown(("size",), 6, 5, (("size", 5, 5), ("spacing", 0, 5))),
            FaultShown(("size", "contrast"), 4, 3, (("size", 3, 3),)),
            FaultShown((), 9, 0),
        ),
        idle=(("link '<Up>'", "page", "make it 44 px"),),
        fixes=judge_fixes(given),
        mended=mended,
    )


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


def test_rules_alone_speak_of_no_model(report: SiteReport, tmp_path: Path) -> None:
    """Without a model nothing is said of misses, and the controls that break rules are shown."""
    none: dict[str, Any] = {
        "model": "",
        **dict.fromkeys(("missed", "faults", "idle", "fixes", "mended"), ()),
    }
    found = msgspec.structs.replace(report, **none)

    write_site(found, tmp_path / "site.html")

    page = (tmp_path / "site.html").read_text("utf-8")
    assert found.sentences()[0].startswith("By rules")
    assert page.count("<image") == 1
    assert "small: it is less than 24 px wide or high 18 px" in page


def test_the_page_has_each_edit_to_copy(report: SiteReport, tmp_path: Path) -> None:
    """Every kind has its pictures and its code, escaped, and those that help come first."""
    write_site(report, tmp_path / "site.html")

    page = (tmp_path / "site.html").read_text("utf-8")
    shown = re.findall(r"<code>#go-(\w+)", page)
    assert shown == ["size"] * 6 + ["label"] * 2 + ["spacing"] * 6
    assert page.count("<image") == 2 * len(shown)
    assert "<Go>" not in page


def test_the_page_says_which_edit_is_against_which_fault(
    report: SiteReport, tmp_path: Path
) -> None:
    """Faults stand with how many have them and what brought these back; idle edits are listed."""
    write_site(report, tmp_path / "site.html")

    page = re.sub(r"<[^>]+>", " ", (tmp_path / "site.html").read_text("utf-8"))
    words = " ".join(page.split())
    assert (
        "are under 24 px 6 5 make it 44 px: 5 of 5; leave 8 px around it: 0 of 5 "
        "are under 24 px and hardly stand out 4 3 make it 44 px: 3 of 3 none of these 9 0"
    ) in words
    assert "link '<Up>' page make it 44 px" in html.unescape(words)


def test_every_number_is_written_for_programs(report: SiteReport) -> None:
    """The report is JSON as it stands, also where nothing was measured."""
    found = msgspec.json.decode(canonical_json(report))

    assert [one["kind"] for one in found["fixes"]] == ["size", "label", "spacing"]
    assert found["mended"][0]["count"]["fix"] == [3, 3]
