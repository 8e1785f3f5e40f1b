"""
The pages for judging take verdicts from their own person alone, and show no model's answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from surefoot.view.application import view_application
from surefoot.view.judging import Judgements, SentJudgement
from surefoot.view.looking import LookedAt
from tests.view.asking import TOKEN, Asker

FIRST: Final = {"stamp": "stamp-01", "bench": 0, "verdict": "wrong", "note": "<b>two</b>"}


class Judging(Asker):
    """Ask the application of one person."""

    def __init__(self, looked_at: LookedAt, kept: Judgements) -> None:
        self.kept = kept
        self.first = looked_at.table.ids[0]
        super().__init__(view_application(looked_at, TOKEN, kept))


@pytest.fixture
def judging(looked_at: LookedAt, tmp_path: Path) -> Iterator[Judging]:
    """Let Ada judge, with a file of her own."""
    with Judgements(tmp_path / "judgements.sqlite", "Ada") as kept:
        yield Judging(looked_at, kept)


def test_a_verdict_is_kept_and_shown_again(judging: Judging) -> None:
    """What is posted stands in the samples of the person, and in the export as it was given."""
    posted = judging.ask("POST", "/judge", json={**FIRST, "question": judging.first})
    assert posted.status_code == 204
    samples = judging.ask("GET", "/judge/samples").json()
    assert len(samples) == 36
    assert (samples[0]["verdict"], samples[0]["note"]) == ("wrong", "<b>two</b>")
    assert {sample["verdict"] for sample in samples[1:]} == {""}
    assert "zebra" not in json.dumps(samples)

    (line,) = judging.ask("GET", "/judgements.jsonl").text.splitlines()
    assert json.loads(line)["person"] == "Ada"


def test_disagreement_is_listed(judging: Judging) -> None:
    """Where two persons differ, the question stands with both verdicts, as text."""
    judging.ask("POST", "/judge", json={**FIRST, "question": judging.first})
    (ada,) = judging.kept.latest()
    with Judgements(judging.kept.path, "Bob <b>") as bob:
        bob.add(SentJudgement("stamp-02", 0, judging.first, "right"), ada.bench, ada.site)
    page = judging.ask("GET", "/agreement").text

    assert "Gwet" in page
    assert "Bob &lt;b&gt;: right" in page
    assert "Ada: wrong (&lt;b&gt;two&lt;/b&gt;)" in page


@pytest.mark.parametrize(
    ("change", "headers", "status"),
    [
        ({"verdict": "perhaps"}, {}, 400),
        ({"question": "none"}, {}, 404),
        ({"bench": 7}, {}, 404),
        ({"stamp": ""}, {}, 400),
        ({"note": "x" * 4001}, {}, 400),
        ({"note": "x" * 40_000}, {}, 413),
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
    sent = json.dumps({**FIRST, "question": judging.first, **change})
    told = {"content-type": "application/json", **headers}

    assert judging.ask("POST", "/judge", content=sent, headers=told).status_code == status
    assert judging.kept.latest() == []


def test_without_a_person_nobody_judges(looked_at: LookedAt, judging: Judging) -> None:
    """A server that was started without a name has no such pages."""
    judging.app = view_application(looked_at, TOKEN)

    for path in ("/judge", "/agreement", "/judgements.jsonl"):
        assert judging.ask("GET", path).status_code == 404
    assert judging.ask("POST", "/judge", json={}).status_code == 404
