"""
What people say of a diagnosis's failing instructions: its success rate by people.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from surefoot.report.people import people_answers, people_lines
from surefoot.run.folders.folder import read_questions
from surefoot.run.ratings import read_lines


def test_success_counts_elements_that_people_pass(
    diagnosis_folder: Callable[[Path], Path], tmp_path: Path
) -> None:
    """An element succeeds by one instruction that people pass; unrated ones are not counted."""
    bench = diagnosis_folder(tmp_path / "diagnosis") / "failing"
    asked: dict[str, list[str]] = {}
    for question in read_questions(bench):
        asked.setdefault(question.pair, []).append(question.id)
    good, bad, *unrated = sorted(asked)
    sheet = tmp_path / "ann.csv"
    said = [
        f"{asked[good][0]},no",
        f"{asked[good][1]},yes",
        *(f"{name},no" for name in asked[bad]),
    ]
    sheet.write_text("item,rating\n" + "\n".join(said) + "\n")
    whole, success = people_answers(read_lines([sheet]), bench)

    assert len(unrated) == 4
    assert (whole.items, whole.passed) == (len(said), 1)
    assert (success.criterion, success.items, success.passed) == ("success", 2, 1)
    assert success.interval is None  # both are of one site
    assert next(people_lines([success])).startswith(
        "elements with a failing instruction that people pass: 1 of 2 (50.0 %"
    )
