"""
Sections on languages: the radar's geometry, and tables that say what the scores say.
"""

from __future__ import annotations

import cmath
import math
import re

import pytest

from surefoot.report.answers.languages import (
    agreement_section,
    crossed_section,
    language_section,
    radar_figure,
)
from surefoot.score.conditions.scores import Score
from surefoot.score.scorings.multilingual import (
    DIMENSIONS,
    CrossedScore,
    LanguageAgreement,
    LanguageFlips,
    LanguageProfile,
)


def corners(svg: str, shape: str) -> list[list[complex]]:
    """Return the corners of the coloured shapes of a radar's first drawing."""
    desk = svg.partition('class="on-phone"')[0]
    found = re.findall(rf'<{shape} points="([^"]+)" style="[^"]*stroke:#', desk)
    return [[complex(*map(float, pair.split(","))) for pair in points.split()] for points in found]


def test_a_share_is_its_distance_from_the_middle() -> None:
    """The axes stand evenly around, the first at the top, and the full share is the last ring."""
    shares = [1.0, 0.5, 0.25, 0.75, 0.0]
    svg = radar_figure("vwxyz", [("English", shares)], title="t")
    (drawn,) = corners(svg, "polygon")
    middle = drawn[4]

    whole = abs(drawn[0] - middle)
    assert [abs(point - middle) / whole for point in drawn] == pytest.approx(shares, abs=0.002)
    # Down is positive in a picture, so clockwise turns are positive, too.
    turns = [cmath.phase(point - middle) + math.pi / 2 for point in drawn[:4]]
    assert turns == pytest.approx([2 * math.pi * at / 5 for at in range(4)], abs=0.02)


def test_what_was_not_asked_leaves_a_gap() -> None:
    """A line with a missing share is open, and none is drawn where it would be."""
    svg = radar_figure("xyz", [("English", [1.0, None, 0.5])], title="t")
    assert corners(svg, "polygon") == []
    assert [len(points) for points in corners(svg, "polyline")] == [2]


def test_names_are_escaped() -> None:
    """What comes from a record cannot write into the page."""
    svg = radar_figure(["<b>", "y", "z"], [("<i>", [1.0, 0.0, 0.5])], title="<u>")
    assert not {"<b>", "<i>", "<u>"} & set(re.findall(r"<\w>", svg))


def profile(language: str, *names: str, share: float = 0.5) -> LanguageProfile:
    """Return a profile of some dimensions."""
    return LanguageProfile(
        model="m",
        reasoning=False,
        language=language,
        accuracy=dict.fromkeys(names, share),
        n=dict.fromkeys(names, 4),
        fpr_acc=share if len(names) == len(DIMENSIONS) else None,
        interval=None,
    )


def test_a_table_has_a_row_a_language_and_a_column_a_dimension() -> None:
    """English comes as it is given, dimensions in the paper's order, and blanks stay blank."""
    profiles = (profile("original", *DIMENSIONS), profile("th", "rel", "wf", share=0.25))
    (figure,) = language_section(profiles).figures

    assert figure.table.head == (
        "language",
        *DIMENSIONS.values(),
        "answers",
        "FPR-ACC",
        "interval",
    )
    assert [row[0] for row in figure.table.rows] == ["English", "Thai"]
    assert figure.table.rows[0][1:11] == (*["50.0 %"] * 8, "32", "50.0 %")
    assert figure.table.rows[1][1:11] == ("25.0 %", "", "", "", "", "25.0 %", "", "", "8", "")
    assert figure.svg


def test_two_dimensions_have_no_radar() -> None:
    """With fewer than three axes there is a table alone."""
    (figure,) = language_section((profile("original", "wf", "wi"),)).figures
    assert figure.svg == ""


def test_flips_are_told_against_english() -> None:
    """Both ways of flipping stand beside their share of the items."""
    score = Score(metric="all_right", model="m", reasoning=False, instruction="", variant="",
                  amount=0.4, n=5)  # fmt: skip
    flips = (LanguageFlips(language="ru", n=8, lost=3, gained=1),)
    agreement = LanguageAgreement(
        model="m", reasoning=False, languages=("original", "ru"), items=5, all_right=score,
        all_wrong=0.2, flips=flips,
    )  # fmt: skip
    whole, flipped = agreement_section((agreement,)).figures

    assert whole.table.rows[0][:4] == ("m", "English, Russian", "5", "40.0 %")
    assert flipped.table.rows == (("m", "Russian", "8", "3", "1", "50.0 %"),)


def test_a_crossed_table_has_screens_as_rows_and_words_as_columns() -> None:
    """Each number stands where its two languages meet."""
    scores = [
        CrossedScore(
            model="m", reasoning=False, shown=shown, asked=asked,
            score=Score(metric="right", model="m", reasoning=False, instruction="", variant="",
                        amount=share, n=1200),
        )
        for shown, asked, share in [
            ("en", "en", 0.9), ("en", "th", 0.5), ("th", "en", 0.75), ("th", "th", 0.25),
        ]
    ]  # fmt: skip
    (figure,) = crossed_section(scores).figures

    assert figure.title == "m: right answers to the same 1,200 items"
    assert figure.table.head == ("screen in", "words in English", "words in Thai")
    assert [[str(cell) for cell in row] for row in figure.table.rows] == [
        ["English", "90.0 %", "50.0 %"],
        ["Thai", "75.0 %", "25.0 %"],
    ]
