"""
Scoring by hits: what a published set tells of its questions.
"""

from __future__ import annotations

import pytest

from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Question
from surefoot.score.scorings.hits import HITS


@pytest.mark.parametrize(
    ("platform", "kind", "element"),
    [
        ("desktop", "icon", "desktop, icon"),
        ("mobile", "text", "mobile, text"),
        ("", "icon", "icon"),
        ("web", "", ""),
    ],
)
def test_elements_are_told_by_platform_and_kind(platform: str, kind: str, element: str) -> None:
    """As ScreenSpot-v2 is reported: text and icons of each platform; nothing is made up."""
    asked = Question(
        id="q",
        pair="p",
        cluster="c",
        cell=Cell("original", "given"),
        screen="s",
        image="",
        width=9,
        height=9,
        instruction=Instruction("Go", "en", "given", "high", Expression(), "t"),
        truth=Box(0, 0, 1, 1),
        platform=platform,
        facts={"data_type": kind} if kind else {},
    )

    assert HITS.describe(asked, None) == {"platform": platform, "element": element}
