"""
The figures of where failures are: their numbers, and a page that keeps no rounds.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from surefoot.diagnose.findings import AskedInstruction, AskedRound, Diagnosis, Outcome
from surefoot.diagnose.folder import read_diagnosis
from surefoot.report.diagnosis.breakdown import (
    plan_section,
    rounds_figure,
    said_section,
    selection_figure,
    sizes_section,
)
from surefoot.report.diagnosis.page import ReportedDiagnosis, diagnoses_document, failure_cards
from surefoot.report.html.document import render


@pytest.fixture(scope="module")
def bare(
    diagnosis_folder: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory
) -> ReportedDiagnosis:
    """Return a diagnosis as earlier versions wrote it: without rounds."""
    folder = diagnosis_folder(tmp_path_factory.mktemp("diagnosis") / "walker")
    return ReportedDiagnosis(folder, read_diagnosis(folder))


def asked(name: str, outcome: Outcome, side: float = 12.0) -> AskedInstruction:
    """Return one question with words beside its target."""
    return AskedInstruction(name, f"Click <{name}>", "original", "direct", "high", side, outcome,
                            1, ("nearby text",))  # fmt: skip


@pytest.fixture(scope="module")
def found(bare: ReportedDiagnosis) -> Diagnosis:
    """Return six elements, of which the first two fail in round 1, and no other."""
    elements = []
    for at, element in enumerate(bare.found.elements):
        last: Outcome = "failed" if at < 2 else "hit"
        trail = (
            AskedRound(0, (), "the cheapest", (asked(f"{at}a", "missed once"),)),
            AskedRound(1, ("nearby text",), "nearby text & more", (asked(f"{at}b", last, 30.0),)),
            AskedRound(2, (), "nothing is left", ()),
        )
        elements.append(
            msgspec.structs.replace(
                element, trail=trail, selected=f"{at}a", side=12.0, confuses="It <shares> a role."
            )
        )
    return msgspec.structs.replace(bare.found, elements=tuple(elements))


def test_the_curve_rises_where_elements_fail(found: Diagnosis) -> None:
    """None of six fail by round 0, two by round 1; the round that asked nothing is none."""
    (figure,) = rounds_figure([found])

    assert [row[0] for row in figure.table.rows] == ["walker: 0", "walker: 1"]
    shares = [float(value or 0) for value in figure.table.columns[-3].values]
    assert shares == pytest.approx([0, 100 / 3])
    assert figure.svg.count('<path class="interval"') == 4  # two intervals, drawn for two widths


def test_rates_stand_by_kind_and_by_size(found: Diagnosis) -> None:
    """Two of twelve answers fail, of small targets none, of larger ones two; drawn in percent."""
    (said,) = said_section([found])
    (sizes,) = sizes_section([found])

    kind = said.figures[0].table.rows[0]
    assert kind[0] == "walker: direct"
    assert any(cell.startswith("16.7") for cell in kind)
    drawn = said.figures[0].svg
    assert {"16.7", "0", "25", "50", "75", "100"} <= set(
        re.findall(r"(?<=>)[0-9.]+(?=[ <])", drawn)
    )
    assert "failure rate, %<" in drawn
    by_size = {row[0]: " ".join(row[1:]) for row in sizes.figures[1].table.rows}
    assert "0.0 [" in by_size["walker: under 16 px"]
    assert "33.3 [" in by_size["walker: 24 to 44 px"]


def test_what_is_not_selected_stands_beside_it(found: Diagnosis) -> None:
    """All six that were selected were hit the second time, both others failed."""
    (figure,) = selection_figure([found])

    rows = {row[0]: " ".join(row[1:]) for row in figure.table.rows}
    assert "0.0 [" in rows["walker: selected"]
    assert "100.0" in rows["walker: not selected"]
    assert "25.0 [" in rows["walker: without selection"]
    assert "walker: without a plan" not in rows
    assert "fewest loose matches" in figure.note


def test_the_plan_is_told_round_by_round(found: Diagnosis) -> None:
    """Each round has its move, why, and what came of it; of six rounds of one move two failed."""
    (section,) = plan_section([found])

    moves, rounds = (figure.table.rows for figure in section.figures)
    assert moves[3] == ("walker", "nearby text", "6", "2")
    assert [row[2:] for row in moves[:3]] == [("0", "0")] * 3
    rows = rounds
    assert len(rows) == 18
    assert rows[1][3:] == ("1", "nearby text", "nearby text & more", "Click <0b>: failed")
    assert rows[2][3:] == ("2", "", "nothing is left", "none")


def test_a_card_says_why_it_confuses(bare: ReportedDiagnosis, found: Diagnosis) -> None:
    """The text stands with the picture, escaped, and so do all questions of the element."""
    diagnosed = ReportedDiagnosis(bare.folder, found)
    card = next(iter(failure_cards(diagnosed, limit=1)))
    page = render(diagnoses_document([diagnosed], [], title="t", cards=1))

    assert card.note == "It <shares> a role."
    assert "It &lt;shares&gt; a role." in page
    assert [(line.text, line.hit) for line in card.panes[0].words] == [
        ("Click <0a>", False), ("Click <0b>", False)
    ]  # fmt: skip
    assert "failed; round 1, nearby text &amp; more" in page


def test_without_rounds_nothing_is_drawn(bare: ReportedDiagnosis) -> None:
    """A diagnosis of an earlier version has no such figure, and no empty one."""
    assert not [*rounds_figure([bare.found]), *selection_figure([bare.found])]
    assert not [*said_section([bare.found]), *sizes_section([bare.found])]
    assert not [*plan_section([bare.found])]
