"""
What is said of a site is true of its numbers, and its page shows each edit.
"""

from __future__ import annotations

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
from surefoot.report.site import MendedControl, ShownControl, SiteReport, write_site
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
        fixes=judge_fixes(given),
        mended=mended,
    )


def test_what_helps_is_said_and_nothing_else(report: SiteReport) -> None:
    """The edit that helps is proven, the one that does not is not recommended, two are too few."""
    missed, helps, few, useless, rules, unnamed = report.sentences()

    assert missed == "planted misses 8 of 19 controls that can be asked for by name."
    assert helps == "What helps, proven: make it 44 px (8 of 8 come back)."
    assert few == "Tried at too few controls to tell: show a name in words (2 of 2 come back)."
    assert useless == "Not recommended: leave 8 px around it (0 of 8 come back)."
    assert rules.startswith("By rules, 1 of 20 controls on 2 pages are hard to find: 1 is less")
    assert unnamed.startswith("1 control cannot be asked for")


@pytest.mark.parametrize("kinds", [{"spacing": 8}, {"label": 2}])
def test_nothing_is_said_to_help_where_nothing_does(
    report: SiteReport, kinds: dict[str, int]
) -> None:
    """Where no kind of edit is proven the second sentence says so."""
    fixes = judge_fixes(counts(kinds))

    found = msgspec.structs.replace(report, fixes=fixes)

    assert found.sentences()[1] == "No kind of edit is proven to help."


def test_rules_alone_speak_of_no_model(report: SiteReport, tmp_path: Path) -> None:
    """Without a model nothing is said of misses, and the controls that break rules are shown."""
    none: dict[str, Any] = {"model": "", "missed": (), "fixes": (), "mended": ()}
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


def test_every_number_is_written_for_programs(report: SiteReport) -> None:
    """The report is JSON as it stands, also where nothing was measured."""
    found = msgspec.json.decode(canonical_json(report))

    assert [one["kind"] for one in found["fixes"]] == ["size", "label", "spacing"]
    assert found["mended"][0]["count"]["fix"] == [3, 3]
