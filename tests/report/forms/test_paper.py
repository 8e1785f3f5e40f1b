"""
The paper's table and figures in a report, from attempts made by hand.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from surefoot.forms.rendering import Rendering
from surefoot.forms.scoring.cases import Case
from surefoot.forms.scoring.episodes import EpisodeScore
from surefoot.forms.scoring.fields import FieldScore
from surefoot.forms.scoring.summary import summarise_forms
from surefoot.forms.specification import Kind
from surefoot.report.forms.paper import bleu_lines, paper_section
from surefoot.report.html.section import Figure
from surefoot.score.summary import Summary

TEXT = "we build maps of all towns"


def attempt(size: int, ruler: int, *, watched: bool = True) -> Case:
    """
    Return an attempt at a form of so many names, a box, a choice and a description.

    With a ruler every other name is hit, without one none is; the last name is not said.
    """
    names = [
        FieldScore(
            f"f{at}",
            Kind.STRING,
            0,
            asked=True,
            mentioned=at < size - 1 if watched else None,
            aimed=bool(ruler) and at % 2 == 0 if watched else None,
        )
        for at in range(size)
    ]
    others = [
        FieldScore(
            kind.value, kind, 0, asked=True, mentioned=watched or None, aimed=watched or None
        )
        for kind in (Kind.CHECKBOX, Kind.MULTI_CHOICE)
    ]
    said = TEXT if ruler else "we build maps"
    text = FieldScore(
        "text",
        Kind.DESCRIPTION,
        0,
        asked=True,
        aimed=watched or None,
        said=said if watched else None,
    )
    score = EpisodeScore(
        f"form{size}",
        0,
        "a",
        Rendering(),
        (*names, *others, text),
        accepted=True,
        right=False,
        descriptions=(("", TEXT),),
    )
    return Case(score, ruler=ruler)


def figures(summary: Summary) -> dict[str, Figure]:
    """Return the section's figures by the words before the colon."""
    return {one.title.partition(":")[0]: one for one in paper_section(summary).figures}


@pytest.fixture(scope="module")
def found() -> dict[str, Figure]:
    """Return the figures of five forms, each with and without a ruler."""
    cases = [attempt(size, ruler) for size in range(1, 6) for ruler in (0, 100)]
    return figures(summarise_forms(cases))


def cell(figure: Figure, condition: str, head: str) -> str:
    """Return a number of a figure's table, without its interval."""
    (row,) = (one for one in figure.table.rows if one[0] == condition)
    (at,) = (at for at, name in enumerate(figure.table.head) if name.startswith(head))
    return row[at].partition(" [")[0]


def test_table_2_has_a_row_for_each_type_of_field(found: dict[str, Figure]) -> None:
    """Check and Checkbox are columns of their own, and Episodic asks for all fields of a form."""
    table = found["Table 2"]
    by_condition = {row[0] for row in table.table.rows}

    assert len(by_condition) == 2 * len(("String", "Checkbox", "Description", "Check", "Episodic"))
    for name in ("String", "Checkbox", "Check", "Episodic"):
        assert name in table.svg
    ruled = next(name for name in by_condition if "100 px" in name and "String" in name)
    assert cell(table, ruled, "Click") == "60.0"  # 1 of 1, 1 of 2, 2 of 3, 2 of 4, 3 of 5
    assert cell(table, ruled, "Value,") == "66.7"  # 10 of 15
    bare = next(name for name in by_condition if "no ruler" in name and "Checkbox" in name)
    assert (cell(table, bare, "Click"), cell(table, bare, "Value,")) == ("100.0", "100.0")
    whole = next(name for name in by_condition if "100 px" in name and "Episodic" in name)
    assert (cell(table, whole, "Click"), cell(table, whole, "Value,")) == ("20.0", "0.0")
    drawing = ET.fromstring(table.svg)
    captions = {text.text for text in drawing.iter("text")}
    assert "1.00" in captions  # BLEU of what was said with a ruler


def test_bleu_is_on_both_scales(found: dict[str, Figure]) -> None:
    """The same number stands from 0 to 100 and from 0 to 1, in the report and in the terminal."""
    rows = {row[0]: row[1:] for row in found["BLEU of descriptions, as they were said"].table.rows}
    assert rows["a, ruler every 100 px"][:4] == ("5", "100.0", "1.000", "1.000")
    assert float(rows["a, no ruler"][1]) == pytest.approx(
        100 * float(rows["a, no ruler"][2]), abs=0.1
    )
    (line,) = bleu_lines(summarise_forms([attempt(4, 100)]))
    assert line == (
        "a: BLEU of 1 descriptions as they were said: 100.0 of 100, or 1.000 of 1; mean of single "
        "texts 1.000 of 1"
    )


def test_figure_4_has_all_forms_and_five_groups(found: dict[str, Figure]) -> None:
    """Without a ruler no name is hit, with one every other; the first column is all forms."""
    conditions = [row[0] for row in found["Figure 4"].table.rows]
    assert len(conditions) == 2 * (1 + 5)
    assert "--ruler" not in found["Figure 4"].note
    for words in ("0: all", "1: 4 fields, 4 types", "5: 8 fields, 4 types"):
        assert words in found["Figure 4"].svg


def test_figure_5_is_smoothed_over_three_numbers_of_fields(found: dict[str, Figure]) -> None:
    """Each mean is of the measured share and its neighbours; types are not smoothed."""
    left, right = found["Figure 5, left"], found["Figure 5, right"]
    assert left.table.head[-1] == "mean of three"
    own = [row for row in left.table.rows if row[0] == "a, no ruler"]
    shares = [float(row[3].removesuffix(" %")) for row in own]
    means = [float(row[4].removesuffix(" %")) for row in own]
    assert [row[1] for row in own] == ["4", "5", "6", "7", "8"]
    assert shares[0] == pytest.approx(100 * 2 / 3, abs=0.06)  # a box and a choice of three
    assert means[0] == pytest.approx(sum(shares[:2]) / 2, abs=0.1)
    assert means[2] == pytest.approx(sum(shares[1:4]) / 3, abs=0.1)
    assert len(right.table.head) == 4


def test_figures_6_and_7_ask_about_fields_to_type_into(found: dict[str, Figure]) -> None:
    """Boxes and choices are in neither; figure 7 has a cell for each size that occurs."""
    ruled = [row for row in found["Figure 6, left"].table.rows if "100 px" in row[0]]
    assert [row[2] for row in ruled] == ["2", "3", "4", "5", "6"]  # the names and the description
    assert ruled[1][3] == "66.7 %"  # of two names one, and the description
    joint = found["Figure 7"]
    assert "4 types" in joint.svg


def test_what_is_missing_names_its_command() -> None:
    """A run without a ruler is told how to have one, and one form how to have more."""
    alone = figures(summarise_forms([attempt(4, 0)]))
    assert "add --ruler 0 --ruler 100 to surefoot forms run" in alone["Figure 4"].note
    assert "--forms 25" in alone["Figure 5, left"].note
    assert all(figure.note for figure in alone.values())


def test_what_nobody_watched_has_no_section() -> None:
    """A desk sees neither clicks nor replies: nothing of the paper is claimed of it."""
    summary = summarise_forms([attempt(4, 0, watched=False)])
    assert paper_section(summary).figures == ()
    assert bleu_lines(summary) == []
