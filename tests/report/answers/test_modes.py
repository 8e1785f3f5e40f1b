"""
How answers failed, as a section: a bar a condition, a table, and pictures of each mode.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from surefoot.core.geometry import Point
from surefoot.core.perturbation import variant_title
from surefoot.core.question import Parsed, Question, Unparsed
from surefoot.report.answers.page import write_report
from surefoot.report.answers.scored import Choices, score_runs
from surefoot.run.asking.runs import find_run
from surefoot.score.scorings.hits import HITS

Write = Callable[..., Path]


@pytest.fixture(scope="module")
def run(drawn: Path, write_run: Write, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run that hits what is direct, and of the rest clicks nowhere or says nothing."""

    def reply(question: Question) -> Parsed:
        if question.cell.instruction == "direct":
            return question.truth.center
        return Point(319.0, 199.0) if question.cell.variant == "style" else Unparsed("no numbers")

    return write_run(drawn, tmp_path_factory.mktemp("run") / "run", reply)


def test_the_section_has_every_failure(run: Path, tmp_path: Path) -> None:
    """Bars, table and cards tell the same failures as the scores, and what was not judged."""
    failures = score_runs([find_run(run)], HITS, Choices()).details["failures"]
    write_report([run], tmp_path / "page.html", Choices())
    page = (tmp_path / "page.html").read_text()
    section = page[page.index('<section id="modes">') :]
    section = section[: section.index("</section>")]

    told = {
        (variant_title(one.variant), item.mode): item.count
        for one in failures.conditions
        for item in one.modes
        if item.count
    }
    assert set(told.values()) == {6}
    assert {mode for variant, mode in told if variant != "theme and order"} == {"unparsed"}
    rows = re.findall(
        r'<th scope="row">walker, ([^<]+)</th><td class="told">([^<]+)</td><td>(\d+)</td>', section
    )
    assert {(variant, mode): int(count) for variant, mode, count in rows} == told
    # Each drawing, for a desk and for a phone, has its notes; both are in the page.
    assert section.count("6 of 12 answers failed") == 2 * len({variant for variant, _ in told})
    assert "Not judged for walker: goal hallucination and reasoning drift" in section
    # Two modes of thoughts under every variant, and what a change alone shows on the original.
    assert section.count("not judged") == 2 * len({variant for variant, _ in told}) + 1
    assert {mode for _, mode in told} == set(re.findall("<h4>([^<]+)</h4>", section))
    assert section.count("<image") == 2 * len({mode for _, mode in told})


def test_without_failures_or_cards_there_is_less(
    drawn: Path, run: Path, write_run: Write, tmp_path: Path
) -> None:
    """A model that is always right has no such section, and no pictures are drawn unasked."""
    right = write_run(drawn, tmp_path / "right", lambda question: question.truth.center)
    write_report([right], tmp_path / "right.html", Choices())
    write_report([run], tmp_path / "bare.html", Choices(cards=0))

    assert 'id="modes"' not in (tmp_path / "right.html").read_text()
    bare = (tmp_path / "bare.html").read_text()
    assert 'id="modes"' in bare
    assert "<image" not in bare
