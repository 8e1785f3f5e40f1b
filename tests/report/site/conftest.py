"""
A report on a site in which one edit helps, one does not, and one was tried at too few controls.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import pytest

from surefoot.core.geometry import Box
from surefoot.core.store import ObjectStore
from surefoot.perturb.pixels import spell_png
from surefoot.report.site.found import FaultShown, MendedControl, ShownControl
from surefoot.report.site.report import SiteReport
from surefoot.run.fixes.rules import SiteFinding
from surefoot.score.fixes import FixCount, judge_fixes
from tests.run.fixes.test_kinds import control

# Hits of three with an edit, and without it.
KINDS: Final = {"size": (3, 0), "text": (3, 0), "spacing": (0, 0), "label": (3, 0)}


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
