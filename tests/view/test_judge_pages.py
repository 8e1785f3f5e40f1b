"""
The pages for judging take verdicts from their own person alone, and show no model's answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from surefoot.report.audit import sample_questions
from surefoot.run.folders.folder import read_questions
from surefoot.view.application import view_application
from surefoot.view.judging import COLUMNS, Judgements, SampleChoice
from surefoot.view.looking import LookedAt
from tests.view.asking import TOKEN, Asker

FIRST: Final = {"row": 0, "column": "rating", "value": "no"}
NOTED: Final = {"row": 0, "column": "note", "value": "<b>two</b>"}


class Judging(Asker):
    """Ask the application of one person."""

    def __init__(
        self, looked_at: LookedAt, kept: Judgements, choice: SampleChoice | None = None
    ) -> None:
        self.kept = kept
        super().__init__(view_application(looked_at, TOKEN, kept, choice))


@pytest.fixture
def judging(looked_at: LookedAt, tmp_path: Path) -> Iterator[Judging]:
    """Let Ada judge, with a file of her own."""
    with Judgements(tmp_path / "judgements.jsonl", "Ada") as kept:
        yield Judging(looked_at, kept)


def test_a_verdict_is_kept_and_shown_again(judging: Judging) -> None:
    """What is posted stands in the samples of the person, and tells where work goes on."""
    for sent in (FIRST, NOTED, FIRST):
        posted = judging.ask("POST", "/judge", json=sent)
        assert posted.status_code == 200
    samples = judging.get("/judge/samples").json()
    assert posted.json() == samples[0]["said"] == {"rating": "no", "note": "<b>two</b>"}
    assert (len(samples), samples[0]["last"]) == (36, True)
    assert {(bool(sample["said"]), sample["last"]) for sample in samples[1:]} == {(False, False)}
    assert "zebra" not in json.dumps(samples)


def test_each_sample_is_asked_by_all_criteria(judging: Judging) -> None:
    """Samples with and without a landmark have the columns of a sheet."""
    samples = judging.get("/judge/samples").json()

    assert {bool(sample["landmark"]) for sample in samples} == {False, True}
    assert [sample["columns"] for sample in samples] == [list(COLUMNS)] * len(samples)


def test_a_limit_draws_the_samples_of_a_sheet(
    looked_at: LookedAt, judging: Judging, opened: Path
) -> None:
    """With a limit and a seed the samples are those of ``surefoot audit``, in its order."""
    choice = SampleChoice(("box_right",), limit=5, seed=3)
    found = Judging(looked_at, judging.kept, choice).get("/judge/samples").json()
    drawn = sample_questions(read_questions(opened / "bench"), count=5, seed=3)

    assert [looked_at.table.ids[one["row"]] for one in found] == [one.id for one in drawn]
    assert [one["columns"] for one in found] == [["box_right"]] * 5


def test_disagreement_is_listed(judging: Judging) -> None:
    """Where two persons differ, the question stands with both verdicts, as text."""
    judging.ask("POST", "/judge", json=FIRST)
    judging.ask("POST", "/judge", json=NOTED)
    (ada,) = judging.kept.latest()
    with Judgements(judging.kept.path, "Bob <b>") as bob:
        bob.add(ada.bench, ada.item, ada.site, "rating", "yes")
    page = judging.get("/agreement").text

    assert "Gwet" in page
    assert "Bob &lt;b&gt;: yes" in page
    assert "Ada: no (&lt;b&gt;two&lt;/b&gt;)" in page


@pytest.mark.parametrize(
    ("change", "headers", "status"),
    [
        ({"value": "perhaps"}, {}, 400),
        ({"column": "rater"}, {}, 400),
        ({"row": 10**6}, {}, 404),
        ({"row": -1}, {}, 400),
        ({"column": "note", "value": "x" * 4001}, {}, 400),
        ({"column": "note", "value": "x" * 40_000}, {}, 413),
        ({"person": "Bob"}, {}, 400),
        ({}, {"cookie": ""}, 403),
        ({}, {"origin": "http://evil.example"}, 403),
        ({}, {"sec-fetch-site": "cross-site"}, 403),
        ({}, {"content-type": "text/plain"}, 415),
    ],
)
def test_nothing_else_is_taken(
    judging: Judging, change: dict[str, object], headers: dict[str, str], status: int
) -> None:
    """A wrong verdict, sample, person, length, site or type is refused, and nothing is kept."""
    sent = json.dumps({**FIRST, **change})
    told = {"content-type": "application/json", **headers}

    assert judging.ask("POST", "/judge", content=sent, headers=told).status_code == status
    assert judging.kept.latest() == []


def test_without_a_person_nobody_judges(looked_at: LookedAt, judging: Judging) -> None:
    """A server that was started without a name has no such pages."""
    judging.app = view_application(looked_at, TOKEN)

    for path in ("/judge", "/agreement", "/judge/samples"):
        assert judging.ask("GET", path).status_code == 404
    assert judging.ask("POST", "/judge", json={}).status_code == 404
