"""
A desk's folder is read as a run over forms: what agents came to, and of nobody else.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import surefoot
from surefoot.core.errors import InvalidInputError
from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.values.making import make_instance
from surefoot.report.forms.page import open_forms, score_forms
from surefoot.report.forms.sections import forms_lines
from surefoot.run.forms.desk import write_episodes
from surefoot.run.forms.running import read_results
from tests.forms.desk.site import Site, served_site


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """Serve a folder of its own."""
    with served_site(tmp_path / "tried") as site:
        yield site


def play(site: Site, agent: str, *fields: str, instance: int = 0) -> str:
    """Type the right values into some fields of a new episode; return its id."""
    asked = {"form": "bug_report", "instance": instance, "level": "lines", "agent": agent}
    opened = site.desk.post("/episodes", json=asked).json()
    form = catalogue()["bug_report"]
    values = make_instance(form, seed=5, index=instance).values
    events = [
        {
            "field": name,
            "page": form.page_of(name),
            "kind": "input",
            "value": values[name],
            "at": at,
        }
        for at, name in enumerate(fields, 1)
    ]
    if events:
        token = opened["url"].rstrip("/").rpartition("/")[2]
        assert site.forms.post(f"/r/{token}/events", json=events).status_code == 204
    return str(opened["id"])


def test_a_desk_that_was_never_closed_is_scored(site: Site) -> None:
    """What agents typed counts, what they said and clicked is unknown, persons are left out."""
    site.open("bug_report")
    ids = {play(site, "mine", "title", "steps"), play(site, "mine", instance=1)}
    ids.add(play(site, "other", "title"))

    (run,) = open_forms([site.folder])
    assert {result.id for result in run.results} == ids
    assert {result.level for result in run.results} == {"lines"}
    summary = score_forms([run])
    right = {(one.metric, one.model): one.amount or 0.0 for one in summary.scores}
    asked = sum(field.asked for field in run.results[0].score.fields)
    assert right["in_field", "other"] == pytest.approx(1 / asked)
    assert 0 < right["in_field", "mine"] < right["in_field", "other"] * 2
    assert not {"mentioned", "by_meaning", "clicked"} & {
        one.metric for one in summary.scores if one.amount is not None
    }
    assert any(
        line.startswith("other hands in 0 % of the values") for line in forms_lines(summary)
    )


def test_the_last_episode_of_a_task_counts(site: Site) -> None:
    """An agent that is given an instance again is scored once, by its last episode."""
    play(site, "mine")
    again = play(site, "mine", "title")
    elsewhere = play(site, "mine", "title", instance=3)

    assert write_episodes(site.folder) == 2
    assert {result.id for result in read_results(site.folder)} == {again, elsewhere}


def test_episodes_after_a_score_count_in_the_next(site: Site, tmp_path: Path) -> None:
    """A score is of the folder as it stands; a report and a view can be made of it, too."""
    play(site, "mine", "title")
    assert surefoot.score_forms(site.folder).summary.answers == 1
    play(site, "mine", "title", instance=1)
    assert surefoot.score_forms(site.folder).summary.answers == 2

    surefoot.report_forms(site.folder, out=tmp_path / "report.html")
    assert "of the values in their fields and not handed in" in (
        tmp_path / "report.html"
    ).read_text("utf-8")


def test_a_person_alone_makes_no_run(site: Site) -> None:
    """A folder in which nobody but persons tried forms has nothing to score, and says so."""
    site.open("bug_report")

    with pytest.raises(InvalidInputError, match="at least one form"):
        score_forms(open_forms([site.folder]))
